import { and, eq, sql } from 'drizzle-orm'
import { inserter, prepared } from './prepared.ts'
import { orders } from './schema.ts'
import type { Sql } from './sql.ts'
import type { OrderRow } from './tables/orders.ts'

const byKey = prepared((db) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, sql.placeholder('userId')), eq(orders.idempotencyKey, sql.placeholder('key'))))
    .prepare(),
)

export const findOrder = (db: Sql, userId: string, key: string): OrderRow | undefined => byKey(db).get({ userId, key })

export const insertOrder: (db: Sql, order: OrderRow) => void = inserter(orders)

/** Parts orders from a buyer whose account goes. */
export const disownOrders = (db: Sql, userId: string): void => {
  db.update(orders).set({ userId: null }).where(eq(orders.userId, userId)).run()
}
