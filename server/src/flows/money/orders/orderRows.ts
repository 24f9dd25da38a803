import { Refusal } from '../../../refusal.ts'
import { type EventRow, findEventById } from '../../../store/events.ts'
import { findOrderByCode, findOrderById, type OrderRow } from '../../../store/orders.ts'
import { findPaymentByProviderId, findPaymentByRef, type PaymentRow, paymentsOf } from '../../../store/payments.ts'
import { refundsOf } from '../../../store/refunds.ts'
import type { ReadTx } from '../../../store/sql.ts'
import { ticketsOfOrder } from '../../../store/tickets.ts'
import type { Caller } from '../../deps.ts'
import type { OrderRows, WholeOrderRows } from './orderView.ts'

/** The event of an order. First-release orders without a ticket belong to none, and are shown nowhere. */
export async function eventOfOrder(tx: ReadTx, { id, eventId }: OrderRow): Promise<EventRow> {
  const event = eventId === null ? undefined : await findEventById(tx, eventId)
  if (!event) throw new RangeError(`Order ${id} has no event`)
  return event
}

export async function rowsOf(tx: ReadTx, order: OrderRow): Promise<OrderRows> {
  return { order, event: await eventOfOrder(tx, order), payments: await paymentsOf(tx, order.id) }
}

export async function wholeRowsOf(tx: ReadTx, order: OrderRow): Promise<WholeOrderRows> {
  const rows = await rowsOf(tx, order)
  const refunds = await refundsOf(
    tx,
    rows.payments.map(({ id }) => id),
  )
  return { ...rows, refunds, tickets: await ticketsOfOrder(tx, order.id) }
}

/** Reads an order by id again; it existed a moment ago. */
export async function sameOrder(tx: ReadTx, { id }: Pick<OrderRow, 'id'>): Promise<OrderRow> {
  const order = await findOrderById(tx, id)
  if (!order) throw new RangeError(`There is no order ${id}`)
  return order
}

/** An order by its code, for its owner. Refuses with ORDER_NOT_FOUND, which also hides the orders of others. */
export async function ownOrder(tx: ReadTx, { user, code }: { user: Caller; code: string }): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null || order.userId !== user.id) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** The payment that a fact is about: the one with its id, or else that of the link it was made through. */
export const paymentOf = async (
  tx: ReadTx,
  { ref, paymentId }: { ref: string; paymentId?: string },
): Promise<PaymentRow | undefined> =>
  (paymentId === undefined ? undefined : await findPaymentByProviderId(tx, paymentId)) ??
  (ref === '' ? undefined : await findPaymentByRef(tx, ref))
