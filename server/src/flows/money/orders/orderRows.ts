import type { OrderState } from '@garba/shared/contracts/names'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../../refusal.ts'
import type { PaymentSettings } from '../../../settings/paymentSettings.ts'
import { idsOf, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { type EventRow, findEventById, releaseSeats } from '../../../store/events.ts'
import { findOrderByCode, findOrderById, type OrderRow, settleOrder } from '../../../store/orders.ts'
import {
  changePayment,
  findPaymentByProviderId,
  findPaymentByRef,
  type PaymentRow,
  paymentsOf,
} from '../../../store/payments.ts'
import { type RefundRow, refundsOf, withoutReplaced } from '../../../store/refunds.ts'
import { seated, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
import type { Caller } from '../../deps.ts'
import { ticketView } from '../../tickets/readTickets.ts'

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
  const refunds = await refundsOf(tx, idsOf(rows.payments))
  return { ...rows, refunds, tickets: await ticketsOfOrder(tx, order.id) }
}

/** The tickets of an order, except those that another person has claimed through an offer. */
export const ticketsOfBuyer = async (tx: ReadTx, { id, userId, buyerEmail }: OrderRow): Promise<TicketRow[]> =>
  (await ticketsOfOrder(tx, id)).filter(
    (ticket) => ticket.userId === null || ticket.userId === userId || ticket.buyerEmail === buyerEmail,
  )

/** Reads an order by id again; it existed a moment ago. */
export async function sameOrder(tx: ReadTx, { id }: Pick<OrderRow, 'id'>): Promise<OrderRow> {
  const order = await findOrderById(tx, id)
  if (!order) throw new RangeError(`There is no order ${id}`)
  return order
}

/** Refuses with ORDER_NOT_FOUND. */
export async function orderByCode(tx: ReadTx, code: string): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** An order by its code, for its owner. Refuses with ORDER_NOT_FOUND, which also hides the orders of others. */
export async function ownOrder(tx: ReadTx, { user, code }: { user: Caller; code: string }): Promise<OrderRow> {
  const order = await orderByCode(tx, code)
  if (order.userId !== user.id) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** The payment that a fact is about: the one with its id, or else that of the link it was made through. */
export const paymentOf = async (
  tx: ReadTx,
  { ref, paymentId }: { ref: string; paymentId?: string },
): Promise<PaymentRow | undefined> =>
  (paymentId === undefined ? undefined : await findPaymentByProviderId(tx, paymentId)) ??
  (ref === '' ? undefined : await findPaymentByRef(tx, ref))

export interface OrderRows {
  order: OrderRow
  event: EventRow
  payments: readonly PaymentRow[]
}

/** An order for its buyer. */
export function orderView({ order, event, payments }: OrderRows, { upi }: Pick<PaymentSettings, 'upi'>): Order {
  const held = order.state === 'held'
  const url = payments.find((payment) => payment.url !== null && payment.state !== 'void')?.url ?? null
  const waiting = held ? payments.filter(({ state }) => state !== 'captured') : payments
  const utr = waiting.find((payment) => payment.utr !== null)?.utr ?? null
  const received = payments.reduce((sum, { state, amountPaise }) => (state === 'captured' ? sum + amountPaise : sum), 0)
  return {
    code: order.code,
    state: order.state,
    channel: order.channel,
    provider: order.provider,
    quantity: order.quantity,
    unitPrice: toRupees(order.unitPaise),
    total: toRupees(order.totalPaise),
    createdAt: order.createdAt.toISOString(),
    holdUntil: held ? (order.holdUntil?.toISOString() ?? null) : null,
    settledAt: order.settledAt?.toISOString() ?? null,
    eventName: event.name,
    ...(held && url !== null ? { payUrl: url } : {}),
    ...(held && order.provider === 'upi' && upi ? { upi: upiOf(order, order.totalPaise - received, upi) } : {}),
    ...(utr === null ? {} : { utr }),
    ...(held && received > 0 ? { received: toRupees(received) } : {}),
  }
}

/** The link that Indian payment apps open, with the same details to copy by hand. */
function upiOf({ code }: OrderRow, paise: number, { id, name }: NonNullable<PaymentSettings['upi']>) {
  const amount = toRupees(paise)
  const fields = { pa: id, pn: name, am: amount.toFixed(2), cu: 'INR', tn: code, tr: code }
  const query = Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return { link: `upi://pay?${query.join('&')}`, id, amount, note: code }
}

export interface WholeOrderRows extends OrderRows {
  refunds: readonly RefundRow[]
  tickets: readonly TicketRow[]
}

export const paymentView = ({ id, provider, state, amountPaise, capturedAt, createdAt }: PaymentRow) => ({
  id,
  provider,
  state,
  amount: toRupees(amountPaise),
  at: (capturedAt ?? createdAt).toISOString(),
})

export const refundView = ({ id, kind, state, amountPaise, ticketId, createdAt, updatedAt }: RefundRow) => ({
  id,
  kind,
  state: state === 'asking' ? ('requested' as const) : state,
  amount: toRupees(amountPaise),
  ticketId,
  at: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** Nothing is owed for a ticket that was made valid again after its refund failed. */
const isOwed =
  (tickets: readonly TicketRow[]) =>
  ({ state, ticketId }: RefundRow): boolean =>
    state !== 'failed' || !tickets.some(({ id, status }) => id === ticketId && seated(status))

/** An order for its buyer, with the refunds that still count. */
export const wholeOrderView = (rows: WholeOrderRows, settings: Pick<PaymentSettings, 'upi'>): WholeOrder => ({
  ...orderView(rows, settings),
  payments: rows.payments.map(paymentView),
  refunds: withoutReplaced(rows.refunds).filter(isOwed(rows.tickets)).map(refundView),
  tickets: rows.tickets.map((ticket) => ticketView(ticket, rows.event)),
})

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
