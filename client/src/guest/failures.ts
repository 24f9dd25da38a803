import { refreshConfig } from '../platform/config.ts'
import { type FailureCode, isFailure } from '../platform/http/failure.ts'
import type { GuestWords } from './words.ts'

type Failures = GuestWords['failures']

const numberIn = (body: unknown, field: string): number | null => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return typeof value === 'number' ? value : null
}

/** How many tickets remain, according to a refused sale; null for any other failure. */
export const remainingOf = (error: unknown): number | null =>
  isFailure(error) && error.code === 'SOLD_OUT' ? (numberIn(error.body, 'remaining') ?? 0) : null

/** How many tickets an earlier order under the same key bought; null for any other failure. */
export const earlierOrderOf = (error: unknown): number | null =>
  isFailure(error) && error.code === 'IDEMPOTENCY_KEY_REUSED' ? numberIn(error.body, 'bought') : null

/**
 * The order that the server already has: an unpaid one that must be finished first, or the first one under the same key; null
 * for any other failure.
 */
export function knownOrderOf(error: unknown): { code: string; waits: boolean } | null {
  if (!isFailure(error) || (error.code !== 'ORDER_OPEN' && error.code !== 'IDEMPOTENCY_KEY_REUSED')) return null
  const { order } = error.body as { order?: unknown }
  return typeof order === 'string' ? { code: order, waits: error.code === 'ORDER_OPEN' } : null
}

/** Whether the organiser has changed how tickets are paid for since this page read the settings. */
export const saleHasChanged = (error: unknown): boolean =>
  isFailure(error) &&
  (error.code === 'PAYMENT_REQUIRED' ||
    error.code === 'PAYMENT_NOT_NEEDED' ||
    error.errors.some(({ field }) => field === 'provider'))

/** The codes a guest can meet. For any other, the server's own message is shown. */
const SENTENCES: Partial<Record<FailureCode, (words: Failures, body: unknown) => string>> = {
  SOLD_OUT: (words, body) => words.soldOut(numberIn(body, 'remaining') ?? 0),
  SALES_CLOSED: (words) => words.salesClosed,
  PRICE_CHANGED: (words) => words.priceChanged,
  LIMIT_REACHED: ({ limitReached }, body) =>
    limitReached(numberIn(body, 'maxPerPerson') ?? 0, numberIn(body, 'mayBuy') ?? 0),
  CANCELLATION_CLOSED: (words, body) => words.cancellationClosed(numberIn(body, 'daysLeft') ?? -1),
  TICKET_NOT_ACTIVE: (words) => words.notActive,
  TICKET_NAME_FIXED: (words) => words.nameFixed,
  TICKET_NOT_FOUND: (words) => words.ticketNotFound,
  EVENT_NOT_FOUND: (words) => words.eventNotFound,
  EVENT_CLOSED: (words) => words.eventClosed,
  ALREADY_USED: (words) => words.codeOfActive,
  TICKET_CANCELLED: (words) => words.codeOfActive,
  CODE_REPLACED: (words) => words.codeReplaced,
  NEW_CODE_LIMIT: (words) => words.newCodeLimit,
  LINK_UNKNOWN: (words) => words.linkUnknown,
  LINK_ENDED: (words) => words.linkEnded,
  OFFER_TAKEN: (words) => words.offerTaken,
  ORDER_NOT_HELD: (words) => words.orderNotHeld,
  UNAUTHENTICATED: (words) => words.signIn,
  FORBIDDEN: (words) => words.forbidden,
  VALIDATION_FAILED: (words) => words.invalid,
  UPI_ORDER_TOO_LARGE: (words) => words.upiTooLarge,
  UPI_SEATS_WAITING: (words) => words.upiWaiting,
  TOO_MANY_ORDERS: (words, body) => words.tooManyOrders(numberIn(body, 'retryAfterSeconds') ?? 3_600),
  RATE_LIMITED: (words, body) => words.tooMany(numberIn(body, 'retryAfterSeconds') ?? 60),
  INTERNAL: (words) => words.server,
  UNAVAILABLE: (words) => words.server,
  READ_ONLY: (words) => words.readOnly,
  NETWORK: (words) => words.network,
}

/** Why a call failed, in the reader's language. */
export function failureText(error: unknown, { failures }: GuestWords): string {
  if (!isFailure(error)) return failures.unexpected
  if (saleHasChanged(error)) return failures.saleChanged
  return SENTENCES[error.code]?.(failures, error.body) ?? (error.status >= 500 ? failures.server : error.message)
}

/** The server's message about the quantity of a refused order; null for any other failure. */
const quantityErrorOf = (error: unknown): string | null =>
  (isFailure(error) ? error.errors.find(({ field }) => field === 'quantity')?.message : undefined) ?? null

/**
 * The text about a limit that an order exceeds and this page does not know yet; null for any other failure. The settings are
 * fetched again, so that the dialog offers what may be bought now.
 */
export async function limitText(error: unknown, quantity: number, words: GuestWords): Promise<string | null> {
  const said = quantityErrorOf(error)
  if (said === null && !(isFailure(error) && error.code === 'LIMIT_REACHED')) return null
  const config = await refreshConfig().catch((failure: unknown) => {
    console.info('Settings not refreshed', failure)
    return null
  })
  if (said === null) return failureText(error, words)
  // The server's sentence is English; once the limit is known it can be shown in the reader's language.
  return config !== null && quantity > config.maxPerOrder ? words.purchase.atMost(config.maxPerOrder) : said
}
