import type { OrderState } from '@garba/shared/contracts/names'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { toRupees } from '@garba/shared/rules/money'
import { isCountedApart } from '@garba/shared/rules/types/ticketTypes'
import { Refusal } from '../../../refusal.ts'
import type { PaymentSettings } from '../../../settings/paymentSettings.ts'
import { listIds, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { type EventRow, findEventById } from '../../../store/events.ts'
import {
  changeOrderState,
  findOrderByCode,
  findOrderById,
  type OrderRow,
  type StoredLine,
} from '../../../store/orders.ts'
import {
  changePayment,
  findPaymentByProviderId,
  findPaymentByRef,
  listOrderPayments,
  type PaymentRow,
} from '../../../store/payments.ts'
import { giveBackCode } from '../../../store/promoCodes.ts'
import { listPaymentRefunds, type RefundRow, withoutReplaced } from '../../../store/refunds.ts'
import { hasSeat, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
import { releaseSeats } from '../../../store/typeSeats.ts'
import type { Caller } from '../../deps.ts'
import { heldType, ticketView } from '../../tickets/readTickets.ts'

export async function eventOfOrder(tx: ReadTx, { id, eventId }: OrderRow): Promise<EventRow> {
  const event = eventId === null ? undefined : await findEventById(tx, eventId)
  if (!event) throw new RangeError(`Order ${id} has no event`)
  return event
}

export async function readOrderRows(tx: ReadTx, order: OrderRow): Promise<OrderRows> {
  return { order, event: await eventOfOrder(tx, order), payments: await listOrderPayments(tx, order.id) }
}

export async function readWholeOrderRows(tx: ReadTx, order: OrderRow): Promise<WholeOrderRows> {
  const rows = await readOrderRows(tx, order)
  const refunds = await listPaymentRefunds(tx, listIds(rows.payments))
  return { ...rows, refunds, tickets: await ticketsOfOrder(tx, order.id) }
}

/** Another person may have claimed the ticket through an offer. */
export const isWithBuyer =
  ({ userId, buyerEmail }: OrderRow) =>
  (ticket: TicketRow): boolean =>
    ticket.userId === null || ticket.userId === userId || ticket.buyerEmail === buyerEmail

export const ticketsOfBuyer = async (tx: ReadTx, order: OrderRow): Promise<TicketRow[]> =>
  (await ticketsOfOrder(tx, order.id)).filter(isWithBuyer(order))

export async function getOrderById(tx: ReadTx, { id }: Pick<OrderRow, 'id'>): Promise<OrderRow> {
  const order = await findOrderById(tx, id)
  if (!order) throw new RangeError(`There is no order ${id}`)
  return order
}

export async function orderByCode(tx: ReadTx, code: string): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** ORDER_NOT_FOUND also hides the orders of others. */
export async function ownOrder(tx: ReadTx, { user, code }: { user: Caller; code: string }): Promise<OrderRow> {
  const order = await orderByCode(tx, code)
  if (order.userId !== user.id) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** The payment with the fact's id, or else that of the link it was made through. */
export const findFactPayment = async (
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
    ...(held && order.offeredUntil ? { offeredUntil: order.offeredUntil.toISOString() } : {}),
    settledAt: order.settledAt?.toISOString() ?? null,
    eventName: event.name,
    ...(isCountedApart(event.types) ? { lines: order.lines.map((line) => lineView(line, event)) } : {}),
    ...(held && url !== null ? { payUrl: url } : {}),
    ...(held && order.provider === 'upi' && upi
      ? { upi: buildUpiDetails(order, order.totalPaise - received, upi) }
      : {}),
    ...(utr === null ? {} : { utr }),
    ...(held && received > 0 ? { received: toRupees(received) } : {}),
  }
}

const lineView = ({ typeId, quantity, unitPaise }: StoredLine, event: EventRow) => ({
  type: heldType(event, typeId),
  quantity,
  price: toRupees(unitPaise),
})

function buildUpiDetails(
  { code }: OrderRow,
  paise: number,
  { id, name, asksUtr }: NonNullable<PaymentSettings['upi']>,
) {
  const amount = toRupees(paise)
  const fields = { pa: id, pn: name, am: amount.toFixed(2), cu: 'INR', tn: code, tr: code }
  // Some apps take %40 as part of the name.
  const query = Object.entries(fields).map(
    ([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%40', '@')}`,
  )
  return { link: `upi://pay?${query.join('&')}`, id, amount, note: code, asksUtr }
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

const isOwed =
  (tickets: readonly TicketRow[]) =>
  ({ state, ticketId }: RefundRow): boolean =>
    state !== 'failed' || !tickets.some(({ id, status }) => id === ticketId && hasSeat(status))

export const wholeOrderView = (rows: WholeOrderRows, settings: Pick<PaymentSettings, 'upi'>): WholeOrder => ({
  ...orderView(rows, settings),
  payments: rows.payments.map(paymentView),
  refunds: withoutReplaced(rows.refunds).filter(isOwed(rows.tickets)).map(refundView),
  tickets: rows.tickets.map((ticket) => ticketView(ticket, rows.event)),
})

export async function endHold(
  tx: WriteTx,
  order: OrderRow,
  { to, now }: { to: Extract<OrderState, 'expired' | 'cancelled'>; now: Date },
): Promise<void> {
  if (order.state !== 'held' || order.eventId === null) return
  if (!(await changeOrderState(tx, { id: order.id, from: 'held', to, now }))) return
  await releaseSeats(tx, order.eventId, order.lines)
  if (order.promoCodeId !== null) await giveBackCode(tx, order.promoCodeId, order.promoUses)
  for (const payment of await listOrderPayments(tx, order.id))
    if (payment.state !== 'captured') await changePayment(tx, payment, { state: 'void', updatedAt: now })
  tx.announceChanges('evening')
}

export const endOfHold = ({ holdUntil }: OrderRow, now: Date): 'expired' | 'cancelled' =>
  holdUntil !== null && now.getTime() >= holdUntil.getTime() ? 'expired' : 'cancelled'
