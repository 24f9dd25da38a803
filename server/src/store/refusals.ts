import type { Code } from '@garba/shared/contracts/codes'
import { count, desc, eq } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { inserter } from './engine/preparedQueries.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** A code shown at the gate and refused by the server, counted by the evening view. */
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
    /** The event it happened at; null without one. */
    eventId: text(),
  },
  (t) => [index('refusals_by_code').on(t.eventId, t.code), index('refusals_by_time').on(t.eventId, t.at)],
)
export type RefusalRow = typeof refusals.$inferSelect

export const insertRefusal: (tx: WriteTx, refusal: Omit<RefusalRow, 'id'>) => Promise<void> = inserter(refusals)

/** Counts an event's refusals by reason, most frequent first. */
export const refusalsByCode = async (tx: ReadTx, eventId: string) =>
  tx.sql
    .select({ code: refusals.code, count: count() })
    .from(refusals)
    .where(eq(refusals.eventId, eventId))
    .groupBy(refusals.code)
    .orderBy(({ count }) => desc(count))
    .all()

export const latestRefusals = async (
  tx: ReadTx,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<RefusalRow[]> =>
  tx.sql.select().from(refusals).where(eq(refusals.eventId, eventId)).orderBy(desc(refusals.at)).limit(limit).all()
