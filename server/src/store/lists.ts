import type { Sort } from '@garba/shared/contracts/common'
import type { OrderChannel, OrderProvider, OrderState } from '@garba/shared/contracts/names'
import type { ORDER_SORTS } from '@garba/shared/contracts/order'
import { and, count, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import { byName, matching, type ReadTx, type Slice, sorted } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments } from './payments.ts'
import { type RefundRow, refunds } from './refunds.ts'

export interface OrderFilter {
  eventId: string
  state?: OrderState | undefined
  channel?: OrderChannel | undefined
  provider?: OrderProvider | undefined
  /** Words of code, buyer, UTR or a provider's id, whole or in part. */
  search?: string | undefined
  sort?: Sort<(typeof ORDER_SORTS)[number]> | undefined
}

const filtered = ({ eventId, state, channel, provider, search }: OrderFilter): SQL | undefined =>
  and(
    eq(orders.eventId, eventId),
    state === undefined ? undefined : eq(orders.state, state),
    channel === undefined ? undefined : eq(orders.channel, channel),
    provider === undefined ? undefined : eq(orders.provider, provider),
    matching(orders.searchText, search),
  )

const SORTS = {
  order: orders.code,
  buyer: byName(orders.buyerName),
  placed: orders.createdAt,
  quantity: orders.quantity,
  amount: orders.totalPaise,
  state: orders.state,
  provider: orders.provider,
}

/** The orders of a filter in its order; all of them without a slice. */
export async function listOrders(tx: ReadTx, filter: OrderFilter, slice?: Slice): Promise<OrderRow[]> {
  const rows = tx.sql
    .select()
    .from(orders)
    .where(filtered(filter))
    .orderBy(...sorted(filter.sort, SORTS, orders.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countOrders = async (tx: ReadTx, filter: OrderFilter): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(orders).where(filtered(filter)).get())?.n ?? 0

/** Paise of one order. */
export interface Money {
  captured: number
  /** Paid back, by the provider or by hand. */
  refunded: number
  /** Requested and not paid back yet; failed refunds are in neither. */
  requested: number
}

const isPaidBack = inArray(refunds.state, ['done', 'manual'])
const sumIf = (which: SQL | undefined) =>
  sql<number>`coalesce(sum(case when ${which} then ${refunds.amountPaise} else 0 end), 0)`.mapWith(Number)

const MANY = 500

/** The money of these orders; orders without any are absent. */
export async function moneyOf(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Money>> {
  const money = new Map<string, Money>()
  for (let from = 0; from < ids.length; from += MANY) {
    const ofThese = inArray(payments.orderId, ids.slice(from, from + MANY))
    const captured = await tx.sql
      .select({ orderId: payments.orderId, paise: sql<number>`sum(${payments.amountPaise})`.mapWith(Number) })
      .from(payments)
      .where(and(ofThese, eq(payments.state, 'captured')))
      .groupBy(payments.orderId)
      .all()
    const refunded = await tx.sql
      .select({
        orderId: payments.orderId,
        refunded: sumIf(isPaidBack),
        requested: sumIf(notInArray(refunds.state, ['done', 'manual', 'failed'])),
      })
      .from(refunds)
      .innerJoin(payments, eq(refunds.paymentId, payments.id))
      .where(ofThese)
      .groupBy(payments.orderId)
      .all()
    const back = new Map(refunded.map(({ orderId, ...paise }) => [orderId, paise]))
    for (const { orderId, paise } of captured)
      money.set(orderId, { captured: paise, ...(back.get(orderId) ?? { refunded: 0, requested: 0 }) })
  }
  return money
}

/** Paise that moved for an order, with the time. */
interface Moved {
  channel: OrderChannel
  provider: OrderProvider
  at: Date
  paise: number
}

/**
 * Lists each payment of an event's orders at its arrival, and each refund at its payout, or at its request until then.
 */
export async function movedMoney(
  tx: ReadTx,
  eventId: string,
): Promise<{ captured: Moved[]; refunded: Moved[]; requested: Moved[] }> {
  const ofOrder = { channel: orders.channel, provider: orders.provider }
  const ofEvent = and(eq(orders.eventId, eventId), eq(payments.state, 'captured'))
  const captured = await tx.sql
    .select({ ...ofOrder, at: payments.capturedAt, createdAt: payments.createdAt, paise: payments.amountPaise })
    .from(payments)
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(ofEvent)
    .all()
  const back = await tx.sql
    .select({
      ...ofOrder,
      state: refunds.state,
      createdAt: refunds.createdAt,
      at: refunds.updatedAt,
      paise: refunds.amountPaise,
    })
    .from(refunds)
    .innerJoin(payments, eq(refunds.paymentId, payments.id))
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(ofEvent)
    .all()
  const isOut = ({ state }: { state: string }) => state === 'done' || state === 'manual'
  return {
    captured: captured.map(({ at, createdAt, ...row }) => ({ ...row, at: at ?? createdAt })),
    refunded: back.filter(isOut),
    requested: back
      .filter((row) => !isOut(row) && row.state !== 'failed')
      .map(({ createdAt, ...row }) => ({ ...row, at: createdAt })),
  }
}

export type RefundOfOrder = Pick<RefundRow, 'state' | 'updatedAt' | 'reason'> & { orderId: string }

/** The refunds of all orders of an event. */
export const refundsOfEvent = async (tx: ReadTx, eventId: string): Promise<RefundOfOrder[]> =>
  tx.sql
    .select({ orderId: orders.id, state: refunds.state, updatedAt: refunds.updatedAt, reason: refunds.reason })
    .from(refunds)
    .innerJoin(payments, eq(refunds.paymentId, payments.id))
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(eq(orders.eventId, eventId))
    .all()
