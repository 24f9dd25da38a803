import { isFailure } from './failure.ts'

/**
 * Whether a change may still have been made: no answer came, or the server failed, perhaps after its commit. A server
 * that is read-only refuses before it writes, so only an earlier attempt that got no answer can have arrived.
 */
export const isUnsure = (error: unknown): boolean =>
  isFailure(error) &&
  (error.code === 'NETWORK' || (error.status >= 500 && (error.code !== 'READ_ONLY' || error.repeated)))
