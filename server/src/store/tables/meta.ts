import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Facts about the database itself: `lastBackup` (ISO 8601) and the like. */
export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() })

/** `revision`: raised inside every transaction that changes a ticket. */
export const counters = sqliteTable('counters', { name: text().primaryKey(), value: integer().notNull() })
