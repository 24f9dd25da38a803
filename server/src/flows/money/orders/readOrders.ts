import type { ownOrdersAnswerSchema, WholeOrder } from '@garba/shared/contracts/order'
import type * as z from 'zod'
import { Refusal } from '../../../refusal.ts'
import { everyEvent } from '../../../store/events.ts'
import { countOrdersOf, findOrderByCode, type OrderRow, sliceOfOrders } from '../../../store/orders.ts'
import { paymentsOfOrders } from '../../../store/payments.ts'
import type { ReadTx } from '../../../store/sql.ts'
import { isCreditOpen } from '../../../store/statementLines.ts'
import type { Caller, Deps } from '../../deps.ts'
import { lookAt } from './links.ts'
import { sameOrder, wholeRowsOf } from './orderRows.ts'
import { orderView, wholeOrderView } from './orderView.ts'

type OwnOrders = Omit<z.input<typeof ownOrdersAnswerSchema>, 'success'>

/**
 * A page of the caller's orders, newest first. It takes four queries for any number of orders, because a scan may be
 * waiting.
 */
export const myOrders = (
  { store, settings }: Deps,
  { user, page, limit }: { user: Caller; page: number; limit: number },
): Promise<OwnOrders> =>
  store.read(async (tx) => {
    const rows = await sliceOfOrders(tx, user.id, { limit, offset: (page - 1) * limit })
    const totalOrders = await countOrdersOf(tx, user.id)
    const eventOf = await everyEvent(tx)
    const paid = Map.groupBy(
      await paymentsOfOrders(
        tx,
        rows.map(({ id }) => id),
      ),
      ({ orderId }) => orderId,
    )
    const orders = rows.map((order) => {
      const event = eventOf({ eventId: order.eventId ?? '' })
      return orderView({ order, event, payments: paid.get(order.id) ?? [] }, settings.payments)
    })
    const pagination = { current: page, total: Math.ceil(totalOrders / limit), count: orders.length, totalOrders }
    return { orders, pagination }
  })

/**
 * One order with its money and tickets, for its owner and admins. While it is held the provider is asked first. Refuses
 * with ORDER_NOT_FOUND, which also hides other people's orders.
 */
export async function oneOrder(deps: Deps, asked: { user: Caller; code: string }): Promise<WholeOrder> {
  const order = await deps.store.read((tx) => readable(tx, asked))
  if (order.state === 'held') await lookAt(deps, order)
  return deps.store.read(async (tx) => {
    const now = await sameOrder(tx, order)
    const view = wholeOrderView(await wholeRowsOf(tx, now), deps.settings.payments)
    const mayBePaid = now.provider === 'upi' && now.state !== 'paid'
    return mayBePaid && (await isCreditOpen(tx, now.code)) ? { ...view, creditSeen: true } : view
  })
}

async function readable(tx: ReadTx, { user, code }: { user: Caller; code: string }): Promise<OrderRow> {
  const order = await findOrderByCode(tx, code)
  if (!order || order.eventId === null) throw new Refusal('ORDER_NOT_FOUND')
  if (order.userId !== user.id && user.role !== 'admin') throw new Refusal('ORDER_NOT_FOUND')
  return order
}
