import { type OrderState, paysByLink } from '@garba/shared/contracts/names'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'

/** Adds rupees in whole paise, because floating point would leave fractions. */
export const sumOf = (amounts: readonly { amount: number }[]): number =>
  toRupees(amounts.reduce((sum, { amount }) => sum + toPaise(amount), 0))

/** ₹0 in every row of a table would hide the rows where money moved. */
export const moved = (rupees: number): string => (rupees === 0 ? '–' : formatRupees(rupees))

interface OrderMoney {
  captured: number
  fees: number
  refunded: number
  /** The amount requested but not paid back yet. */
  requested: number
  /** The amount that the organiser still has. */
  left: number
  /** Received, less refunds paid and fees. */
  net: number
}

/** The money of an order, in rupees. */
export function moneyOf({ payments, refunds }: Pick<DeskOrder, 'payments' | 'refunds'>): OrderMoney {
  const received = payments.filter(({ state }) => state === 'captured')
  const captured = sumOf(received)
  const isPaidBack = ({ state }: DeskOrder['refunds'][number]) => state === 'done' || state === 'manual'
  const refunded = sumOf(refunds.filter(isPaidBack))
  const requested = sumOf(refunds.filter((refund) => !isPaidBack(refund) && refund.state !== 'failed'))
  const fees = sumOf(received.map(({ fee }) => ({ amount: fee ?? 0 })))
  return {
    captured,
    fees,
    refunded,
    requested,
    left: toRupees(toPaise(captured) - toPaise(refunded) - toPaise(requested)),
    net: toRupees(toPaise(captured) - toPaise(refunded) - toPaise(fees)),
  }
}

/** An order's chip shows its state, and for a paid one what became of its money. */
export type OrderStage = OrderState | 'issued' | 'refundDue' | 'partRefunded' | 'refunded'

/** `issued`: it has its tickets, and nobody paid for them. A refund that is still owed comes before one that was paid. */
export function stageOf(
  state: OrderState,
  { captured, refunded, requested }: Pick<OrderMoney, 'captured' | 'refunded' | 'requested'>,
): OrderStage {
  if (state !== 'paid') return state
  if (captured === 0) return 'issued'
  if (requested > 0) return 'refundDue'
  if (refunded === 0) return 'paid'
  return refunded < captured ? 'partRefunded' : 'refunded'
}

/** Money that came over the counter or by UPI is paid back by hand. */
export const paysBackItself = ({ provider }: Pick<DeskOrder, 'provider'>): boolean => paysByLink(provider)
