import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ReadTx } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments, paymentsOfOrders } from './payments.ts'

/** An order paid by UPI without a gateway, with the money received for it and its UTRs. */
export interface UpiOrder extends Pick<OrderRow, 'id' | 'code' | 'state' | 'buyerName' | 'totalPaise'> {
  receivedPaise: number
  /** UTRs of the money received. */
  paidUtrs: string[]
  /** UTRs its buyer gave that are not yet found in the bank, even when the order has ended. */
  claimedUtrs: string[]
}

const MANY = 500

/** Orders with one of these ids, codes, or UTRs that a guest gave or the desk confirmed, oldest first. */
export async function findUpiOrders(
  tx: ReadTx,
  { ids, utrs, codes }: { ids: readonly string[]; utrs: readonly string[]; codes: readonly string[] },
): Promise<UpiOrder[]> {
  const rows = new Map<string, OrderRow>()
  for (const [column, values] of [
    [orders.id, ids],
    [payments.utr, utrs],
    [orders.code, codes],
  ] as const) {
    const wanted = [...new Set(values)]
    for (let from = 0; from < wanted.length; from += MANY)
      for (const order of await find(tx, inArray(column, wanted.slice(from, from + MANY)))) rows.set(order.id, order)
  }
  const all = []
  const found = [...rows.keys()].toSorted()
  for (let from = 0; from < found.length; from += MANY)
    all.push(...(await paymentsOfOrders(tx, found.slice(from, from + MANY))))
  const byOrder = Map.groupBy(all, ({ orderId }) => orderId)
  return found.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const of = byOrder.get(id) ?? []
    const captured = of.filter(({ state }) => state === 'captured')
    return {
      ...row,
      receivedPaise: captured.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
      paidUtrs: captured.flatMap(({ utr }) => utr ?? []),
      claimedUtrs: of.flatMap(({ state, utr }) => (state === 'captured' ? [] : (utr ?? []))),
    }
  })
}

const find = async (tx: ReadTx, which: SQL): Promise<OrderRow[]> =>
  (
    await tx.sql
      .select({ order: orders })
      .from(orders)
      .innerJoin(payments, eq(payments.orderId, orders.id))
      .where(and(eq(orders.provider, 'upi'), which))
      .all()
  ).map(({ order }) => order)

export interface UpiWaiting {
  orders: number
  /** Orders whose buyers have given a UTR. */
  claimed: number
  seats: number
}

/** Counts an event's orders that wait until the desk finds their money in the bank statement. */
export async function upiWaiting(tx: ReadTx, eventId: string): Promise<UpiWaiting> {
  const claimed = sql`exists (select 1 from ${payments}
    where ${payments.orderId} = ${orders.id} and ${payments.utr} is not null and ${payments.state} <> 'captured')`
  const row = await tx.sql
    .select({
      orders: sql<number>`count(*)`.mapWith(Number),
      claimed: sql<number>`coalesce(sum(case when ${claimed} then 1 else 0 end), 0)`.mapWith(Number),
      seats: sql<number>`coalesce(sum(${orders.quantity}), 0)`.mapWith(Number),
    })
    .from(orders)
    // Written out, never bound, for the partial index.
    .where(and(sql.raw("orders.state = 'held'"), eq(orders.eventId, eventId), eq(orders.provider, 'upi')))
    .get()
  return row ?? { orders: 0, claimed: 0, seats: 0 }
}
