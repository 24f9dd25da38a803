import type { OrderChannel, OrderProvider, OrderState } from '@garba/shared/contracts/names'
import { and, count, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type OrderRow, orders } from './orders.ts'
import { payments } from './payments.ts'
import { refunds } from './refunds.ts'
import { matching, type ReadTx, type Slice } from './sql.ts'

export interface OrderFilter {
  eventId: string
  state?: OrderState | undefined
  channel?: OrderChannel | undefined
  provider?: OrderProvider | undefined
  /** Words of code, buyer, UTR or a provider's id, whole or in part. */
  search?: string | undefined
}

const filtered = ({ eventId, state, channel, provider, search }: OrderFilter): SQL | undefined =>
  and(
    eq(orders.eventId, eventId),
    state === undefined ? undefined : eq(orders.state, state),
    channel === undefined ? undefined : eq(orders.channel, channel),
    provider === undefined ? undefined : eq(orders.provider, provider),
    matching(orders.searchText, search),
  )

/** Orders newest first; all of them without a slice. */
export async function listOrders(tx: ReadTx, filter: OrderFilter, slice?: Slice): Promise<OrderRow[]> {
  const rows = tx.sql.select().from(orders).where(filtered(filter)).orderBy(desc(orders.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countOrders = async (tx: ReadTx, filter: OrderFilter): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(orders).where(filtered(filter)).get())?.n ?? 0

/** Paise of one order. */
export interface Money {
  captured: number
  /** Gone or on its way back; refunds that failed are not in it. */
  refunded: number
}

const MANY = 500

/** The money of these orders; those without any are absent. */
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
      .select({ orderId: payments.orderId, paise: sql<number>`sum(${refunds.amountPaise})`.mapWith(Number) })
      .from(refunds)
      .innerJoin(payments, eq(refunds.paymentId, payments.id))
      .where(and(ofThese, ne(refunds.state, 'failed')))
      .groupBy(payments.orderId)
      .all()
    const back = new Map(refunded.map(({ orderId, paise }) => [orderId, paise]))
    for (const { orderId, paise } of captured) money.set(orderId, { captured: paise, refunded: back.get(orderId) ?? 0 })
  }
  return money
}
