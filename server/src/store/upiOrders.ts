import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import type { ReadTx } from './sql.ts'

/** An order that is paid by UPI without a gateway, with its payment. */
const UPI_ORDER = {
  id: orders.id,
  code: orders.code,
  state: orders.state,
  buyerName: orders.buyerName,
  amountPaise: payments.amountPaise,
  utr: payments.utr,
  payment: payments.state,
}
const MANY = 500

const find = (tx: ReadTx, which: SQL) =>
  tx.sql
    .select(UPI_ORDER)
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(and(eq(orders.provider, 'upi'), which))
    .all()

export type UpiOrder = Omit<Awaited<ReturnType<typeof find>>[number], 'payment'> & { captured: boolean }

/** Those with one of these ids, codes, or UTRs that a guest gave or the desk confirmed. */
export async function findUpiOrders(
  tx: ReadTx,
  { ids, utrs, codes }: { ids: readonly string[]; utrs: readonly string[]; codes: readonly string[] },
): Promise<UpiOrder[]> {
  const found = new Map<string, UpiOrder>()
  for (const [column, values] of [
    [orders.id, ids],
    [payments.utr, utrs],
    [orders.code, codes],
  ] as const) {
    const wanted = [...new Set(values)]
    for (let from = 0; from < wanted.length; from += MANY)
      for (const { payment, ...order } of await find(tx, inArray(column, wanted.slice(from, from + MANY))))
        found.set(order.id, { ...order, captured: payment === 'captured' })
  }
  return [...found.values()]
}

export interface UpiWaiting {
  orders: number
  /** Those whose buyers have given a UTR. */
  claimed: number
  seats: number
}

/** Orders of an event that wait until the desk finds their money in the bank statement. */
export async function upiWaiting(tx: ReadTx, eventId: string): Promise<UpiWaiting> {
  const row = await tx.sql
    .select({
      orders: sql<number>`count(distinct ${orders.id})`.mapWith(Number),
      claimed: sql<number>`count(${payments.utr})`.mapWith(Number),
      seats: sql<number>`coalesce(sum(${orders.quantity}), 0)`.mapWith(Number),
    })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    // Written out, never bound, for the partial index.
    .where(and(sql.raw("orders.state = 'held'"), eq(orders.eventId, eventId), eq(orders.provider, 'upi')))
    .get()
  return row ?? { orders: 0, claimed: 0, seats: 0 }
}
