import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** What a person takes in at a counter, from the float put in to the count at the end. */
export const cashSessions = sqliteTable(
  'cash_sessions',
  {
    id: text().primaryKey(),
    personId: text().notNull(),
    personName: text().notNull(),
    openedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    floatPaise: integer().notNull(),
    /** Null while open; so are the sums below. */
    closedAt: integer({ mode: 'timestamp_ms' }),
    /** The float, plus cash taken, minus cash paid back. */
    expectedPaise: integer(),
    countedPaise: integer(),
    note: text(),
  },
  (t) => [uniqueIndex('cash_sessions_open').on(t.personId).where(sql`${t.closedAt} is null`)],
)
export type CashSessionRow = typeof cashSessions.$inferSelect
