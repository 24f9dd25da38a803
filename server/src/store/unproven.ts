import type { OrderProvider } from '@garba/shared/contracts/names'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { attention } from './attention.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments } from './payments.ts'
import { tickets } from './tickets.ts'

/** A sale whose seller says that it was paid without cash, or gave it away. */
export interface ClaimedSale {
  order: OrderRow
  number: string | null
  used: number
}

const CASHLESS = ['upi', 'card', 'complimentary'] as const satisfies readonly OrderProvider[]
const isUnproven = sql`exists (select 1 from ${attention} where ${attention.orderId} = ${orders.id}
  and ${attention.kind} = 'unproven' and ${attention.resolvedAt} is null)`
const isStanding = sql`(${orders.state} = 'held' or ${orders.state} = 'paid'
  and (${orders.provider} = 'complimentary' or ${isUnproven}))`

const claims = async (tx: ReadTx, which: SQL | undefined): Promise<ClaimedSale[]> =>
  tx.sql
    .select({
      order: orders,
      // Names of columns are written out, because a query of one table leaves their tables out.
      number: sql<string | null>`(select max(coalesce(utr, reference)) from ${payments} where order_id = orders.id)`,
      used: sql`(select count(*) from ${tickets} where order_id = orders.id and status = 'used')`.mapWith(Number),
    })
    .from(orders)
    .where(which)
    .orderBy(asc(orders.id))
    .all()

export const claimsOfPhone = (tx: ReadTx, phoneId: string): Promise<ClaimedSale[]> =>
  claims(tx, and(eq(orders.sellerId, phoneId), inArray(orders.provider, [...CASHLESS]), isStanding))

export const unprovenSales = (tx: ReadTx): Promise<ClaimedSale[]> => claims(tx, isUnproven)

export const unprovenAmong = async (tx: ReadTx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.sql
        .select({ id: orders.id })
        .from(orders)
        .where(and(inArray(orders.id, ids), isUnproven))
        .all()
    ).map(({ id }) => id),
  )

export const countUnlooked = async (tx: ReadTx, phoneId: string): Promise<number> =>
  (await claimsOfPhone(tx, phoneId)).reduce(
    (sum, { order }) => (order.lookedAt === null ? sum + order.quantity : sum),
    0,
  )

export const markLooked = async (tx: WriteTx, ids: readonly string[], lookedAt: Date): Promise<void> => {
  await tx.sql
    .update(orders)
    .set({ lookedAt })
    .where(and(inArray(orders.id, ids), isNull(orders.lookedAt)))
    .run()
}
