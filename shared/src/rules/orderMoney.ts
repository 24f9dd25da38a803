import type { OrderState, PaymentState, RefundState } from '../contracts/names.ts'

/**
 * What facts about money do to orders, payments and refunds. A fact applied twice changes nothing. The order in which facts
 * arrive does not matter, but for refunds that a provider takes back. Amounts are whole paise.
 */

export interface Captured {
  order: { state: OrderState; quantity: number; totalPaise: number }
  /** Money captured for the order so far, this payment included. */
  capturedPaise: number
  /** Seats on sale now, and whether tickets are still sold. */
  freeSeats: number
  onSale: boolean
}

/**
 * What a newly captured payment leads to: `fulfil` makes the tickets on the seats that are held, `fulfilLate` on new ones;
 * the refunds are in full and by themselves; `short` needs a person.
 */
export type CaptureResult = 'fulfil' | 'fulfilLate' | 'refundLate' | 'refundDuplicate' | 'short'

export function afterCapture({ order, capturedPaise, freeSeats, onSale }: Captured): CaptureResult {
  if (order.state === 'paid') return 'refundDuplicate'
  if (capturedPaise < order.totalPaise) return 'short'
  if (order.state === 'held') return 'fulfil'
  return onSale && freeSeats >= order.quantity ? 'fulfilLate' : 'refundLate'
}

/**
 * A capture is never undone, and a failed attempt does not close the way for the next one. Through a dead link only a capture
 * still comes: an attempt that is reported late does not open it again.
 */
export const nextPaymentState = (now: PaymentState, reported: PaymentState): PaymentState => {
  if (now === 'captured' || reported === 'captured') return 'captured'
  if (now === 'void') return 'void'
  return reported
}

/**
 * What a provider says of a refund. It only takes back its word when money that it had paid comes back from the bank, or when it
 * paid after all. What was paid by hand stays so.
 */
export const nextRefundState = (now: RefundState, reported: 'sent' | 'done' | 'failed'): RefundState =>
  now === 'manual' || (now === 'done' && reported === 'sent') ? now : reported

/**
 * The refund column of a ticket by the states of its refunds, one for each payment that its money came by: true is Done, false
 * Failed, null Pending.
 */
export const isRefundDone = (states: readonly RefundState[]): boolean | null => {
  if (states.includes('failed')) return false
  return states.length > 0 && states.every((state) => state === 'done' || state === 'manual') ? true : null
}

/** Milliseconds until the next try after so many: half a minute, doubling, at most an hour. */
export const retryAfterMs = (attempts: number): number => Math.min(3_600_000, 30_000 * 2 ** Math.max(0, attempts - 1))
