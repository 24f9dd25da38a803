import { paysByLink } from '@garba/shared/contracts/names'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { formatRupees, sumRupees, toPaise, toRupees } from '@garba/shared/rules/money'

/** ₹0 in every row of a table would hide the rows where money moved. */
export const formatRupeesOrDash = (rupees: number): string => (rupees === 0 ? '–' : formatRupees(rupees))

interface OrderMoney {
  captured: number
  fees: number
  refunded: number
  requested: number
  left: number
  net: number
}

export function sumOrderMoney({ payments, refunds }: Pick<DeskOrder, 'payments' | 'refunds'>): OrderMoney {
  const received = payments.filter(({ state }) => state === 'captured')
  const captured = sumRupees(received)
  const isPaidBack = ({ state }: DeskOrder['refunds'][number]) => state === 'done' || state === 'manual'
  const refunded = sumRupees(refunds.filter(isPaidBack))
  const requested = sumRupees(refunds.filter((refund) => !isPaidBack(refund) && refund.state !== 'failed'))
  const fees = sumRupees(received.map(({ fee }) => ({ amount: fee ?? 0 })))
  return {
    captured,
    fees,
    refunded,
    requested,
    left: toRupees(toPaise(captured) - toPaise(refunded) - toPaise(requested)),
    net: toRupees(toPaise(captured) - toPaise(refunded) - toPaise(fees)),
  }
}

/** Money that came over the counter or by UPI is paid back by hand. */
export const paysBackItself = ({ provider }: Pick<DeskOrder, 'provider'>): boolean => paysByLink(provider)
