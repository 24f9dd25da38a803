import { isFailure } from './failure.ts'

/** Whether a change may have been made all the same: no answer came, or the server failed, perhaps after its commit. */
export const isUnsure = (error: unknown): boolean =>
  isFailure(error) && (error.code === 'NETWORK' || error.status >= 500)
