import { useState } from 'react'
import { isFailure } from './failure.ts'

/**
 * Whether a change may still have been made: no answer came, or the server failed, perhaps after its commit. A server
 * that is read-only refuses before it writes, so only an earlier attempt that got no answer can have arrived.
 */
export const isUnsure = (error: unknown): boolean =>
  isFailure(error) &&
  (error.code === 'NETWORK' || (error.status >= 500 && (error.code !== 'READ_ONLY' || error.repeated)))

/**
 * The Idempotency-Key of one intended request, so that a repeat after a lost answer is the same request. Call `settle` with the
 * failure of an attempt, or null: if its outcome is certain, the next request gets a new key.
 */
export function useRequestKey(): { key: string; settle: (error: unknown) => void } {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, settle: (error) => (isUnsure(error) ? undefined : setKey(crypto.randomUUID())) }
}
