import { and, eq } from 'drizzle-orm'
import { orders } from './schema.ts'
import type { Sql } from './sql.ts'
import type { OrderRow } from './tables/orders.ts'

export const findOrder = (db: Sql, userId: string, idempotencyKey: string): OrderRow | undefined =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.idempotencyKey, idempotencyKey)))
    .get()

export const insertOrder = (db: Sql, order: OrderRow): void => {
  db.insert(orders).values(order).run()
}

export const storeOrderAnswer = (db: Sql, id: string, answer: object): void => {
  db.update(orders).set({ answer }).where(eq(orders.id, id)).run()
}

/** Parts orders from a buyer whose account goes. */
export const disownOrders = (db: Sql, userId: string): void => {
  db.update(orders).set({ userId: null }).where(eq(orders.userId, userId)).run()
}
