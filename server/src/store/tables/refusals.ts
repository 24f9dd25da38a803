import type { Code } from '@garba/shared/contracts/codes'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Someone shown a code at the gate that the server said no to: what the gate view counts. */
export const refusals = sqliteTable(
  'refusals',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    code: text().$type<Code>().notNull(),
    ticketId: text(),
    holderName: text(),
    checkerName: text().notNull(),
    deviceId: text(),
    deviceName: text(),
  },
  (t) => [index('refusals_by_code').on(t.code), index('refusals_by_time').on(t.at)],
)
export type RefusalRow = typeof refusals.$inferSelect
