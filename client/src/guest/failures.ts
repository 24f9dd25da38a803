import { type FailureCode, isFailure } from '../platform/http/failure.ts'
import type { GuestWords } from './words.ts'

type Failures = GuestWords['failures']

const numberIn = (body: unknown, field: string): number | null => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return typeof value === 'number' ? value : null
}

/** How many tickets a refused sale says remain; null for any other failure. */
export const remainingOf = (error: unknown): number | null =>
  isFailure(error) && error.code === 'SOLD_OUT' ? (numberIn(error.body, 'remaining') ?? 0) : null

/** How many tickets an earlier order under the same key bought; null for any other failure. */
export const earlierOrderOf = (error: unknown): number | null =>
  isFailure(error) && error.code === 'IDEMPOTENCY_KEY_REUSED' ? numberIn(error.body, 'bought') : null

/** The codes a guest can meet; any other is told in the server's own words. */
const TELL: Partial<Record<FailureCode, (words: Failures, body: unknown) => string>> = {
  SOLD_OUT: (words, body) => words.soldOut(numberIn(body, 'remaining') ?? 0),
  SALES_CLOSED: (words) => words.salesClosed,
  LIMIT_REACHED: ({ limitReached }, body) =>
    limitReached(numberIn(body, 'maxPerPerson') ?? 0, numberIn(body, 'mayBuy') ?? 0),
  CANCELLATION_CLOSED: (words, body) => words.cancellationClosed(numberIn(body, 'daysLeft') ?? -1),
  TICKET_NOT_ACTIVE: (words) => words.notActive,
  TICKET_NOT_FOUND: (words) => words.ticketNotFound,
  EVENT_NOT_FOUND: (words) => words.eventNotFound,
  UNAUTHENTICATED: (words) => words.signIn,
  FORBIDDEN: (words) => words.forbidden,
  VALIDATION_FAILED: (words) => words.invalid,
  RATE_LIMITED: (words, body) => words.tooMany(numberIn(body, 'retryAfterSeconds') ?? 60),
  INTERNAL: (words) => words.server,
  UNAVAILABLE: (words) => words.server,
  NETWORK: (words) => words.network,
}

/** Why a call failed, in the reader's language (SPEC 8). */
export function failureText(error: unknown, { failures }: GuestWords): string {
  if (!isFailure(error)) return failures.unexpected
  return TELL[error.code]?.(failures, error.body) ?? (error.status >= 500 ? failures.server : error.message)
}
