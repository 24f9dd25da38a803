import { refundOf } from '@garba/shared/rules/cancellation'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import type { ReadTx, WriteTx } from '../../../store/sql.ts'
import type { TicketRow } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { tell } from '../upkeep/tell.ts'
import { claimRefundElsewhere } from './refundedElsewhere.ts'
import { requestFromOrder } from './requestRefund.ts'

/** The order of a ticket, if money was paid for it. */
export async function paidOrderOf(tx: ReadTx, { orderId }: TicketRow): Promise<OrderRow | null> {
  const order = orderId === null ? undefined : await findOrderById(tx, orderId)
  return order && order.provider !== 'none' && order.provider !== 'complimentary' ? order : null
}

/** Requests the refund of a ticket that its owner has cancelled, price minus 40 rupees (SPEC 9). */
export async function refundCancelled(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  { ticket, reason }: { ticket: TicketRow; reason: string },
): Promise<void> {
  const order = await paidOrderOf(tx, ticket)
  if (!order) return
  const now = deps.now()
  const { refundPaise } = refundOf(ticket.pricePaise)
  if (!(await claimRefundElsewhere(tx, ticket, now)))
    await requestFromOrder(tx, order, { kind: 'guest', paise: refundPaise, now, ticketId: ticket.id, reason })
  await tell(deps, tx, order, { what: 'cancelled', about: ticket.id })
}
