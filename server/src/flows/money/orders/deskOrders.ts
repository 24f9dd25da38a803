import type { DeskOrder, OrderListed } from '@garba/shared/contracts/order'
import { toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../../refusal.ts'
import { openAttentionOf } from '../../../store/attention.ts'
import type { EventRow } from '../../../store/events.ts'
import { jobsOf } from '../../../store/jobs.ts'
import {
  countOrders,
  listOrders as findOrders,
  moneyOf,
  type OrderFilter,
  type RefundOfOrder,
  refundsOfEvent,
} from '../../../store/orderLists.ts'
import { findOrderByCode, type OrderRow } from '../../../store/orders.ts'
import { type PaymentRow, paymentsOfOrders } from '../../../store/payments.ts'
import { accountOfBuyer } from '../../../store/personRecords.ts'
import type { ReadTx } from '../../../store/sql.ts'
import type { Deps } from '../../deps.ts'
import { eventAsked } from '../../eventAsked.ts'
import { type PageQuery, pageOf, sliceOf } from '../../pages.ts'
import { deskOrderView, listedOrderView } from './deskOrderView.ts'
import { lookAt } from './links.ts'
import { sameOrder, wholeRowsOf } from './orderRows.ts'

/** Asks about the current event unless `event` names another. */
type OrderQuery = Omit<OrderFilter, 'eventId'> & { event?: string | undefined }

/** One page of orders by state, channel, provider and search, newest first. */
export const listOrders = (deps: Deps, query: OrderQuery & PageQuery) =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await eventAsked(tx, query.event)
    const filter = { ...query, eventId }
    const totalOrders = await countOrders(tx, filter)
    const orders = event ? await listed(deps, tx, { event, rows: await findOrders(tx, filter, sliceOf(query)) }) : []
    return { orders, pagination: { ...pageOf(query, { rows: totalOrders, shown: orders.length }), totalOrders } }
  })

/** An order with the details a bookkeeper needs. Amounts are rupees. */
export type ExportedOrder = OrderListed & {
  paidAt: string | null
  /** The time its last refund went out. */
  refundedAt: string | null
  /** The provider's fee; null without one, or while it is unknown. */
  fee: number | null
  paymentIds: string
  /** The cash session that took the money. */
  drawer: string | null
  /** The reasons for giving it away and for its refunds. */
  reasons: string
}

/** All orders of a query, for an export. */
export const everyOrder = (deps: Deps, query: OrderQuery): Promise<ExportedOrder[]> =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await eventAsked(tx, query.event)
    if (!event) return []
    const rows = await findOrders(tx, { ...query, eventId })
    const payments = Map.groupBy(await paymentsOfAll(tx, rows), ({ orderId }) => orderId)
    const refunds = Map.groupBy(await refundsOfEvent(tx, eventId), ({ orderId }) => orderId)
    const views = await listed(deps, tx, { event, rows })
    return rows.flatMap((order, at) => {
      const view = views[at]
      const its = { payments: payments.get(order.id) ?? [], refunds: refunds.get(order.id) ?? [] }
      return view ? { ...view, ...bookkeeping(order, its) } : []
    })
  })

function bookkeeping(
  { reason }: OrderRow,
  { payments, refunds }: { payments: readonly PaymentRow[]; refunds: readonly RefundOfOrder[] },
): Omit<ExportedOrder, keyof OrderListed> {
  const captured = payments.filter(({ state }) => state === 'captured')
  const fees = captured.flatMap(({ feePaise }) => feePaise ?? [])
  const last = (dates: readonly Date[]) => dates.toSorted((a, b) => b.getTime() - a.getTime())[0]?.toISOString() ?? null
  return {
    paidAt: last(captured.map(({ capturedAt, createdAt }) => capturedAt ?? createdAt)),
    refundedAt: last(
      refunds.flatMap(({ state, updatedAt }) => (state === 'done' || state === 'manual' ? updatedAt : [])),
    ),
    fee: fees.length === 0 ? null : toRupees(fees.reduce((sum, paise) => sum + paise, 0)),
    paymentIds: captured.flatMap(({ providerPaymentId }) => providerPaymentId ?? []).join(' '),
    drawer: captured.map(({ cashSessionId }) => cashSessionId).find((id) => id !== null) ?? null,
    reasons: [...new Set([reason, ...refunds.map((refund) => refund.reason)].filter(Boolean))].join('; '),
  }
}

const MANY = 500

async function paymentsOfAll(tx: ReadTx, rows: readonly OrderRow[]): Promise<PaymentRow[]> {
  const payments: PaymentRow[] = []
  for (let from = 0; from < rows.length; from += MANY) {
    const some = rows.slice(from, from + MANY).map(({ id }) => id)
    payments.push(...(await paymentsOfOrders(tx, some)))
  }
  return payments
}

async function listed(
  { settings }: Deps,
  tx: ReadTx,
  { event, rows }: { event: EventRow; rows: readonly OrderRow[] },
): Promise<OrderListed[]> {
  const ids = rows.map(({ id }) => id)
  const money = await moneyOf(tx, ids)
  const byOrder = Map.groupBy(await paymentsOfAll(tx, rows), ({ orderId }) => orderId)
  return rows.map((order) =>
    listedOrderView(
      { order, event, payments: byOrder.get(order.id) ?? [], money: money.get(order.id) },
      settings.payments,
    ),
  )
}

/** One order with its whole history. While it is held the provider is asked first. Refuses with ORDER_NOT_FOUND. */
export async function deskOrder(deps: Deps, code: string): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.state === 'held') await lookAt(deps, order)
  return deps.store.read((tx) => deskOrderOf(deps, tx, order))
}

/** Refuses with ORDER_NOT_FOUND. */
export async function orderByCode(tx: ReadTx, code: string): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null) throw new Refusal('ORDER_NOT_FOUND')
  return order
}

/** An order's present state, for the answer to a change. */
export async function deskOrderOf({ settings }: Deps, tx: ReadTx, { id }: OrderRow): Promise<DeskOrder> {
  const order = await sameOrder(tx, { id })
  const [account, jobs] = [await accountOfBuyer(tx, order), await jobsOf(tx, id)]
  const matters = await openAttentionOf(tx, { orderId: id })
  return deskOrderView({ ...(await wholeRowsOf(tx, order)), jobs, matters, account }, settings.payments)
}
