import type { DeskOrder, OrderListed } from '@garba/shared/contracts/order'
import { Refusal } from '../../refusal.ts'
import type { EventRow } from '../../store/events.ts'
import { jobsOf } from '../../store/jobs.ts'
import { countOrders, listOrders as findOrders, moneyOf, type OrderFilter } from '../../store/orderLists.ts'
import { findOrderByCode, type OrderRow } from '../../store/orders.ts'
import { paymentsOfOrders } from '../../store/payments.ts'
import { accountOfBuyer } from '../../store/personRecords.ts'
import type { ReadTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { eventAsked } from '../eventAsked.ts'
import { type PageQuery, pageOf, sliceOf } from '../pages.ts'
import { deskOrderView, listedOrderView } from '../views/deskOrder.ts'
import { lookAt } from './links.ts'
import { sameOrder, wholeRowsOf } from './orderRows.ts'

/** Of the current event, or of the one asked for. */
type OrderQuery = Omit<OrderFilter, 'eventId'> & { event?: string | undefined }

/** One page of orders by state, channel, provider and search, newest first (DECISIONS 7). */
export const listOrders = (deps: Deps, query: OrderQuery & PageQuery) =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await eventAsked(tx, query.event)
    const filter = { ...query, eventId }
    const totalOrders = await countOrders(tx, filter)
    const orders = event ? await listed(deps, tx, { event, rows: await findOrders(tx, filter, sliceOf(query)) }) : []
    return { orders, pagination: { ...pageOf(query, { rows: totalOrders, shown: orders.length }), totalOrders } }
  })

/** All orders of a query, for an export. */
export const everyOrder = (deps: Deps, query: OrderQuery): Promise<OrderListed[]> =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await eventAsked(tx, query.event)
    return event ? listed(deps, tx, { event, rows: await findOrders(tx, { ...query, eventId }) }) : []
  })

const MANY = 500

async function listed(
  { settings }: Deps,
  tx: ReadTx,
  { event, rows }: { event: EventRow; rows: readonly OrderRow[] },
): Promise<OrderListed[]> {
  const ids = rows.map(({ id }) => id)
  const money = await moneyOf(tx, ids)
  const payments = []
  for (let from = 0; from < ids.length; from += MANY)
    payments.push(...(await paymentsOfOrders(tx, ids.slice(from, from + MANY))))
  const byOrder = Map.groupBy(payments, ({ orderId }) => orderId)
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

/** An order as it is now, for the answer to a change. */
export async function deskOrderOf({ settings }: Deps, tx: ReadTx, { id }: OrderRow): Promise<DeskOrder> {
  const order = await sameOrder(tx, { id })
  const [account, jobs] = [await accountOfBuyer(tx, order), await jobsOf(tx, id)]
  return deskOrderView({ ...(await wholeRowsOf(tx, order)), jobs, account }, settings.payments)
}
