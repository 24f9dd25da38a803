import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { Refusal } from '../../refusal.ts'
import { findOrderByCode, type OrderRow, ordersOf } from '../../store/orders.ts'
import type { ReadTx } from '../../store/sql.ts'
import type { Caller, Deps } from '../deps.ts'
import { orderView, wholeOrderView } from '../views/order.ts'
import { lookAt } from './links.ts'
import { rowsOf, sameOrder, wholeRowsOf } from './orderRows.ts'

/** The caller's orders, newest first. */
export const myOrders = ({ store, settings }: Deps, user: Caller): Promise<Order[]> =>
  store.read(async (tx) => {
    const own = (await ordersOf(tx, user.id)).filter(({ eventId }) => eventId !== null)
    const views: Order[] = []
    for (const order of own) views.push(orderView(await rowsOf(tx, order), settings.payments))
    return views
  })

/**
 * One order with its money and tickets, for its owner and admins. While it is held the provider is asked first. Refuses with
 * ORDER_NOT_FOUND, which also hides the orders of others.
 */
export async function oneOrder(deps: Deps, asked: { user: Caller; code: string }): Promise<WholeOrder> {
  const order = await deps.store.read((tx) => readable(tx, asked))
  if (order.state === 'held') await lookAt(deps, order)
  return deps.store.read(async (tx) =>
    wholeOrderView(await wholeRowsOf(tx, await sameOrder(tx, order)), deps.settings.payments),
  )
}

async function readable(tx: ReadTx, { user, code }: { user: Caller; code: string }): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null) throw new Refusal('ORDER_NOT_FOUND')
  if (order.userId !== user.id && user.role !== 'admin') throw new Refusal('ORDER_NOT_FOUND')
  return order
}
