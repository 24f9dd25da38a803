import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Stored under the SHA-256 of its bytes, so an address never changes its meaning. */
export const images = sqliteTable('images', {
  hash: text().primaryKey(),
  type: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
})
export type ImageRow = typeof images.$inferSelect
