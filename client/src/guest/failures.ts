import type { RefusalDetails } from '@garba/shared/messages/codes'
import { refreshConfig } from '../platform/config.ts'
import { type FailureCode, isFailure } from '../platform/http/failure.ts'
import type { GuestWords } from './words.ts'

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** How many tickets remain, according to a refused sale; null for any other failure. */
export const findRemainingTickets = (error: unknown): number | null =>
  isFailure(error) && error.code === 'SOLD_OUT' ? (toNumber(error.body.remaining) ?? 0) : null

/** How many tickets an earlier order under the same key bought; null for any other failure. */
export const findBoughtQuantity = (error: unknown): number | null =>
  isFailure(error) && error.code === 'IDEMPOTENCY_KEY_REUSED' ? toNumber(error.body.bought) : null

/**
 * The order that the server already has: an unpaid order to finish first, or the first order under the same key.
 * Null for any other failure.
 */
export function findKnownOrder(error: unknown): { code: string; waits: boolean } | null {
  if (!isFailure(error) || (error.code !== 'ORDER_OPEN' && error.code !== 'IDEMPOTENCY_KEY_REUSED')) return null
  const { order } = error.body
  return typeof order === 'string' ? { code: order, waits: error.code === 'ORDER_OPEN' } : null
}

export const saleHasChanged = (error: unknown): boolean =>
  isFailure(error) &&
  (error.code === 'PAYMENT_REQUIRED' ||
    error.code === 'PAYMENT_NOT_NEEDED' ||
    error.errors.some(({ field }) => field === 'provider'))

/** Why a call failed, in the reader's language. For codes that a guest never meets, the server's own message. */
export function failureText(error: unknown, { failures }: GuestWords): string {
  if (!isFailure(error)) return failures.unexpected
  if (saleHasChanged(error)) return failures.saleChanged
  const texts: Partial<Record<FailureCode, string | ((facts: RefusalDetails) => string)>> = failures.codes
  const text = texts[error.code] ?? (error.status >= 500 ? failures.server : error.message)
  return typeof text === 'string' ? text : text(error.body as RefusalDetails)
}

const findQuantityError = (error: unknown): string | null =>
  (isFailure(error) ? error.errors.find(({ field }) => field === 'quantity')?.message : undefined) ?? null

/**
 * The text about a limit that an order exceeds and this page does not know yet; null for any other failure. The settings are
 * fetched again, so that the dialog offers what may be bought now.
 */
export async function limitText(error: unknown, quantity: number, words: GuestWords): Promise<string | null> {
  const said = findQuantityError(error)
  if (said === null && !(isFailure(error) && error.code === 'LIMIT_REACHED')) return null
  const config = await refreshConfig().catch((failure: unknown) => {
    console.info('Settings not refreshed', failure)
    return null
  })
  if (said === null) return failureText(error, words)
  // The server's sentence is English; once the limit is known it can be shown in the reader's language.
  return config !== null && quantity > config.maxPerOrder ? words.purchase.atMost(config.maxPerOrder) : said
}
