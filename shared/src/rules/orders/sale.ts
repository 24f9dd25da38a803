import type { EventState } from '../../contracts/names.ts'
import type { SaleState } from '../../contracts/site/site.ts'

/**
 * These rules say whether tickets are on sale, and how many one person may buy. Instants are milliseconds since 1970.
 */

/** Tickets are on sale while the event is neither called off nor over, and some are left. (Spec: Validation.) */
export function saleState(
  { endsAt, remaining, state = 'on' }: { endsAt: number; remaining: number; state?: EventState },
  now: number,
): Extract<SaleState, 'calledOff' | 'open' | 'soldOut' | 'over'> {
  if (state === 'calledOff') return 'calledOff'
  if (now >= endsAt) return 'over'
  return remaining > 0 ? 'open' : 'soldOut'
}

export interface PurchaseLimits {
  perOrder: number
  /** Active and used tickets of one buyer; 0 means no limit. */
  perPerson: number
}

/**
 * Seats that all unpaid orders may hold together: half of those that nobody has paid for, so that the counter always has
 * some to sell. The last seat can be ordered too.
 */
export const unpaidSeatsAtMost = ({
  totalTickets,
  takenSeats,
  unpaid,
}: {
  totalTickets: number
  takenSeats: number
  unpaid: number
}): number => Math.max(1, Math.floor((totalTickets - takenSeats + unpaid) / 2))

/** How many more tickets a buyer with `owned` active and used tickets may get; null if there is no limit. */
export const mayStillBuy = ({ perPerson }: PurchaseLimits, owned: number): number | null =>
  perPerson === 0 ? null : Math.max(0, perPerson - owned)

export type QuantityProblem =
  | { type: 'notWhole' }
  | { type: 'aboveOrder'; max: number }
  | { type: 'abovePerson'; mayBuy: number }
  | { type: 'aboveRemaining'; remaining: number }

export interface PurchaseRequest {
  quantity: number | null
  limits: PurchaseLimits
  owned: number
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

export const latinDigits = (typed: string): string =>
  typed.replaceAll(/[०-९૦-૯]/g, (digit) => String((digit.codePointAt(0) ?? 0) - (digit < '૦' ? 0x966 : 0xae6)))

/** A typed quantity: digits only, Latin, Devanagari or Gujarati; null for anything else, such as '-3', '1.5' or ''. */
export function readQuantity(typed: string): number | null {
  const digits = latinDigits(typed.trim())
  return /^[0-9]+$/.test(digits) ? Number(digits) : null
}
