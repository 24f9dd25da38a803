import type { OrderState } from '@garba/shared/contracts/names'
import { releaseSeats } from '../../../store/events.ts'
import { type OrderRow, settleOrder } from '../../../store/orders.ts'
import { changePayment, paymentsOf } from '../../../store/payments.ts'
import type { WriteTx } from '../../../store/sql.ts'

/** Ends the hold of an unpaid order, whose seats go back on sale. Does nothing unless it is held. */
export async function endHold(
  tx: WriteTx,
  order: OrderRow,
  { to, now }: { to: Extract<OrderState, 'expired' | 'cancelled'>; now: Date },
): Promise<void> {
  if (order.state !== 'held' || order.eventId === null) return
  if (!(await settleOrder(tx, { id: order.id, from: 'held', to, now }))) return
  await releaseSeats(tx, order.eventId, order.quantity)
  for (const payment of await paymentsOf(tx, order.id))
    if (payment.state !== 'captured') await changePayment(tx, payment, { state: 'void', updatedAt: now })
  tx.announce('evening')
}

/** A hold ends as cancelled before its time, and as expired after it. */
export const endOfHold = ({ holdUntil }: OrderRow, now: Date): 'expired' | 'cancelled' =>
  holdUntil !== null && now.getTime() >= holdUntil.getTime() ? 'expired' : 'cancelled'
