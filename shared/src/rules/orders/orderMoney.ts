import { HOUR_MS } from '../../constants.ts'
import type { OrderProvider, OrderState, PaymentState, RefundState } from '../../contracts/names.ts'
import { COUNTED } from '../../messages/order.ts'
import { formatRupees, toPaise, toRupees } from '../money.ts'

/**
 * These rules apply facts about money to orders, payments and refunds. A fact applied twice changes nothing. The order
 * in which facts arrive matters only for refunds that bounce. Amounts are whole paise.
 */

export const FREE_PROVIDERS = ['none', 'complimentary'] as const

export const isFree = (provider: OrderProvider): boolean => FREE_PROVIDERS.some((name) => name === provider)

export interface CaptureFacts {
  order: { state: OrderState; quantity: number; totalPaise: number }
  capturedPaise: number
  freeSeats: number
  onSale: boolean
}

/**
 * What a newly captured payment leads to. `fulfil` makes the tickets on the held seats, `fulfilLate` on new seats.
 * `refundLate` and `refundDuplicate` refund in full automatically; `short` needs a person.
 */
export type CaptureResult = 'fulfil' | 'fulfilLate' | 'refundLate' | 'refundDuplicate' | 'short'

export function afterCapture({ order, capturedPaise, freeSeats, onSale }: CaptureFacts): CaptureResult {
  if (order.state === 'paid') return 'refundDuplicate'
  if (capturedPaise < order.totalPaise) return 'short'
  if (order.state === 'held') return 'fulfil'
  return onSale && freeSeats >= order.quantity ? 'fulfilLate' : 'refundLate'
}

/**
 * A capture is never undone, and a failed attempt does not prevent the next one. After `void` only a capture counts: an
 * attempt that is reported late does not reopen a dead link.
 */
export const nextPaymentState = (now: PaymentState, reported: PaymentState): PaymentState => {
  if (now === 'captured' || reported === 'captured') return 'captured'
  if (now === 'void') return 'void'
  return reported
}

/**
 * Applies a provider's report about a refund. An earlier report changes only if the bank returned the money or the
 * provider paid after all. A refund paid by hand keeps its state.
 */
export const nextRefundState = (now: RefundState, reported: 'sent' | 'done' | 'failed'): RefundState =>
  now === 'manual' || (now === 'done' && reported === 'sent') ? now : reported

/**
 * A ticket's refund column, from the states of its refunds, of which there is one for each of its payments: true is
 * Done, false Failed, null Pending.
 */
export const isRefundDone = (states: readonly RefundState[]): boolean | null => {
  if (states.includes('failed')) return false
  return states.length > 0 && states.every((state) => state === 'done' || state === 'manual') ? true : null
}

/** Milliseconds until the next attempt: half a minute after the first, then doubling, at most an hour. */
export const retryAfterMs = (attempts: number): number => Math.min(HOUR_MS, 30_000 * 2 ** Math.max(0, attempts - 1))

/** Rupees as typed, such as 500 or 499.50; null for anything else. */
export const parseRupees = (typed: string): number | null =>
  /^\d{1,8}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed.trim()) : null

/** Rupees to give back of what a buyer gives; negative while some are missing, null while no amount is typed. */
export function computeChange(given: string, total: number): number | null {
  const rupees = parseRupees(given)
  return rupees === null ? null : computeCashDifference(rupees, total)
}

/** Rupees counted more than expected; negative when some are missing. */
export const computeCashDifference = (counted: number, expected: number): number =>
  toRupees(toPaise(counted) - toPaise(expected))

export function differenceText(difference: number): string {
  if (difference === 0) return COUNTED.exact
  return difference > 0 ? COUNTED.over(formatRupees(difference)) : COUNTED.short(formatRupees(Math.abs(difference)))
}
