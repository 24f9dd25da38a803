import type { Code } from '@garba/shared/contracts/codes'
import { count, desc } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './sql.ts'
import { inserter } from './statements.ts'

/** A code shown at the gate and refused by the server: what the evening view counts. */
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

const insert = inserter(refusals)

export const insertRefusal = (tx: WriteTx, refusal: Omit<RefusalRow, 'id'>): Promise<void> => insert(tx, refusal)

/** How many for each reason, the commonest first. */
export const refusalsByCode = async (tx: ReadTx) =>
  tx.sql
    .select({ code: refusals.code, count: count() })
    .from(refusals)
    .groupBy(refusals.code)
    .orderBy(({ count }) => desc(count))
    .all()

export const latestRefusals = async (tx: ReadTx, limit: number): Promise<RefusalRow[]> =>
  tx.sql.select().from(refusals).orderBy(desc(refusals.at)).limit(limit).all()
