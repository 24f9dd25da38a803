import { paysByLink } from '@garba/shared/contracts/names'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { toPaise, toRupees } from '@garba/shared/rules/money'

/** Rupees added up without the fractions that floating point makes. */
export const sumOf = (amounts: readonly { amount: number }[]): number =>
  toRupees(amounts.reduce((sum, { amount }) => sum + toPaise(amount), 0))

interface OrderMoney {
  captured: number
  /** What the provider kept. */
  fees: number
  /** Paid back. */
  refunded: number
  /** Asked for, and not paid back yet. */
  requested: number
  /** What the organiser still has of it. */
  left: number
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
  }
}

/** Money that came over the counter or by UPI goes back by hand. */
export const paysBackItself = ({ provider }: Pick<DeskOrder, 'provider'>): boolean => paysByLink(provider)
