import type { OrderRow } from '../../../store/orders.ts'
import { findPayment, paymentsOf } from '../../../store/payments.ts'
import { type RefundRow, refundsOf } from '../../../store/refunds.ts'
import type { ReadTx, WriteTx } from '../../../store/sql.ts'
import type { Deps } from '../../deps.ts'
import { tell } from '../upkeep/tell.ts'

/**
 * The refunds that were requested together, such as those of all tickets of an order. The first one's id stands for
 * all.
 */
export async function refundsAskedWith(
  tx: ReadTx,
  { paymentId, kind, createdAt }: RefundRow,
): Promise<[RefundRow, ...RefundRow[]]> {
  const payment = await findPayment(tx, paymentId)
  const payments = payment ? await paymentsOf(tx, payment.orderId) : []
  const all = await refundsOf(
    tx,
    payments.map(({ id }) => id),
  )
  return all.filter((other) => other.kind === kind && other.createdAt.getTime() === createdAt.getTime()) as [
    RefundRow,
    ...RefundRow[],
  ]
}

/** Whether the money has gone back, by the provider or by hand. */
export const isPaidBack = ({ state }: RefundRow): boolean => state === 'done' || state === 'manual'

/** A refund paid by hand after the provider failed: the buyer already had a mail that it was made, or had failed. */
const cameBack = ({ state, providerRefundId }: RefundRow): boolean => state === 'manual' && providerRefundId !== null

/** Tells the buyer once that all refunds requested together were made, and once if one failed. */
export async function tellOfRefund(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: OrderRow,
  refund: RefundRow,
): Promise<void> {
  const together = await refundsAskedWith(tx, refund)
  const about = together[0].id
  if (refund.state === 'failed') await tell(deps, tx, order, { what: 'byHand', about })
  else if (together.every(isPaidBack))
    await tell(deps, tx, order, { what: 'refunded', about: cameBack(refund) ? `${about}:byHand` : about })
}
