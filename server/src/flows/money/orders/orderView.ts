import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { toRupees } from '@garba/shared/rules/money'
import type { PaymentSettings } from '../../../paymentSettings.ts'
import type { EventRow } from '../../../store/events.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { PaymentRow } from '../../../store/payments.ts'
import type { RefundRow } from '../../../store/refunds.ts'
import type { TicketRow } from '../../../store/tickets.ts'
import { ticketView } from '../../tickets/ticketView.ts'

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
  const asked = { pa: id, pn: name, am: amount.toFixed(2), cu: 'INR', tn: code, tr: code }
  const query = Object.entries(asked).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
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

export const wholeOrderView = (rows: WholeOrderRows, settings: Pick<PaymentSettings, 'upi'>): WholeOrder => ({
  ...orderView(rows, settings),
  payments: rows.payments.map(paymentView),
  refunds: rows.refunds.map(refundView),
  tickets: rows.tickets.map((ticket) => ticketView(ticket, rows.event)),
})
