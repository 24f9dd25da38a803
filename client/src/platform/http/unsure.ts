import { useState } from 'react'
import { isFailure } from './failure.ts'

/**
 * Whether a change may still have been made: no answer came, or the server failed, perhaps after its commit. A server
 * that is read-only refuses before it writes, so only an earlier attempt that got no answer can have arrived.
 */
export const isUnsure = (error: unknown): boolean =>
  isFailure(error) &&
  (error.code === 'NETWORK' || (error.status >= 500 && (error.code !== 'READ_ONLY' || error.repeated)))

/** Refusals that the server gives only after it has looked for an earlier sale with the key. */
const AFTER_KEY: ReadonlySet<string> = new Set([
  'SOLD_OUT',
  'EVENT_CALLED_OFF',
  'SALES_CLOSED',
  'EVENT_NOT_FOUND',
  'PRICE_CHANGED',
  'NO_OPEN_DRAWER',
  'UPI_NOT_CONFIRMED',
  'UTR_USED',
])

/**
 * Whether a failure proves that the desk or the door sold nothing. `again`: an earlier attempt under the same key may have
 * arrived. A request that was cut off on its way counts as no answer.
 */
export function provesNoSale(error: unknown, again: boolean): boolean {
  if (!isFailure(error) || error.code === 'UNKNOWN' || isUnsure(error)) return false
  return AFTER_KEY.has(error.code) || !(again || error.repeated)
}

/**
 * The Idempotency-Key of one intended request, so that a repeat after a lost answer is the same request. Call `renewKey` with the
 * failure of an attempt, or null: if its outcome is certain, the next request gets a new key.
 */
export function useRequestKey(): { key: string; renewKey: (error: unknown) => void } {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renewKey: (error) => (isUnsure(error) ? undefined : setKey(crypto.randomUUID())) }
}
