import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from './users.ts'

/** One sale; its key and stored answer make a repeated request hear the first answer (DECISIONS 2). */
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
