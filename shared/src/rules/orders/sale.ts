import { UPI_SEATS_PER_PERSON } from '../../constants.ts'

/**
 * These rules say whether tickets are on sale, and how many one person may buy. Instants are milliseconds since 1970.
 */

export type SaleState = 'open' | 'soldOut' | 'over'

/** Tickets are on sale while the event has not ended and some are left. (Spec: Validation.) */
export function saleState({ endsAt, remaining }: { endsAt: number; remaining: number }, now: number): SaleState {
  if (now >= endsAt) return 'over'
  return remaining > 0 ? 'open' : 'soldOut'
}

/** The organiser's limits. */
export interface PurchaseLimits {
  perOrder: number
  /** Active and used tickets of one buyer; 0 means no limit. */
  perPerson: number
}

/**
 * Seats that all unconfirmed UPI orders may hold together. A guest's claim to have paid holds them for a day, so they
 * must never be all seats of an event.
 */
export const upiSeatsAtMost = (totalTickets: number): number =>
  Math.min(totalTickets, Math.max(UPI_SEATS_PER_PERSON, Math.floor(totalTickets / 2)))

/** The number of tickets that a buyer with `owned` active and used ones may still get; null if there is no limit. */
export const mayStillBuy = ({ perPerson }: PurchaseLimits, owned: number): number | null =>
  perPerson === 0 ? null : Math.max(0, perPerson - owned)

export type QuantityProblem =
  | { type: 'notWhole' }
  | { type: 'aboveOrder'; max: number }
  | { type: 'abovePerson'; mayBuy: number }
  | { type: 'aboveRemaining'; remaining: number }

export interface PurchaseRequest {
  /** Null if the typed text is not a number. */
  quantity: number | null
  limits: PurchaseLimits
  /** Active and used tickets the buyer has. */
  owned: number
  /** Tickets left on sale. */
  remaining: number
}

/** Why this many cannot be bought, or null. Checks the order's limits first, then the buyer's, then the stock. */
export function quantityProblem({ quantity, limits, owned, remaining }: PurchaseRequest): QuantityProblem | null {
  if (quantity === null || !Number.isSafeInteger(quantity) || quantity < 1) return { type: 'notWhole' }
  if (quantity > limits.perOrder) return { type: 'aboveOrder', max: limits.perOrder }
  const mayBuy = mayStillBuy(limits, owned)
  if (mayBuy !== null && quantity > mayBuy) return { type: 'abovePerson', mayBuy }
  return quantity > remaining ? { type: 'aboveRemaining', remaining } : null
}

/** The largest allowed quantity; at least 1, the minimum of the field. */
export function largestQuantity({ limits, owned, remaining }: Omit<PurchaseRequest, 'quantity'>): number {
  return Math.max(1, Math.min(limits.perOrder, remaining, mayStillBuy(limits, owned) ?? Number.POSITIVE_INFINITY))
}

/** Replaces Devanagari and Gujarati digits by Latin ones. Other characters stay. */
export const latinDigits = (typed: string): string =>
  typed.replaceAll(/[०-९૦-૯]/g, (digit) => String((digit.codePointAt(0) ?? 0) - (digit < '૦' ? 0x966 : 0xae6)))

/** A typed quantity: digits only, Latin, Devanagari or Gujarati; null for anything else, such as '-3', '1.5' or ''. */
export function readQuantity(typed: string): number | null {
  const digits = latinDigits(typed.trim())
  return /^[0-9]+$/.test(digits) ? Number(digits) : null
}
