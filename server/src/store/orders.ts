import { and, eq, type SQL, sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './sql.ts'
import { inserter, prepared } from './statements.ts'
import { users } from './users.ts'

/** One sale; its key and stored answer give a repeated request the first answer (DECISIONS 2). */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    userId: text().references(() => users.id),
    idempotencyKey: text().notNull(),
    quantity: integer().notNull(),
    totalPaise: integer().notNull(),
    /** The body of the first answer, as sent. */
    answer: text({ mode: 'json' }).$type<object>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [uniqueIndex('orders_key').on(t.userId, t.idempotencyKey)],
)
export type OrderRow = typeof orders.$inferSelect

const byKey = prepared((db) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, sql.placeholder('userId')), eq(orders.idempotencyKey, sql.placeholder('key'))))
    .prepare(),
)

export const findOrder = async (tx: ReadTx, userId: string, key: string): Promise<OrderRow | undefined> =>
  byKey(tx).get({ userId, key })

export const insertOrder: (tx: WriteTx, order: OrderRow) => Promise<void> = inserter(orders)

/** Takes from these orders who placed them, and the first answer, which only its buyer could ask for again. */
export const forgetBuyers = async (tx: WriteTx, which: SQL): Promise<void> => {
  await tx.sql.update(orders).set({ userId: null, answer: {} }).where(which).run()
}

/** Takes the orders of a deleted account off it. */
export const disownOrders = async (tx: WriteTx, userId: string): Promise<void> => {
  await tx.sql.update(orders).set({ userId: null }).where(eq(orders.userId, userId)).run()
}
