import { and, asc, count, eq, lt, sum } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'

/** The people who wait for returned seats, in the order of their ids. An offer takes its row away. */
export const waiting = sqliteTable(
  'waiting',
  {
    id: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** No reference: an account may be deleted, and then nothing is offered. */
    userId: text().notNull(),
    quantity: integer().notNull(),
    language: text(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [uniqueIndex('waiting_once').on(t.userId), uniqueIndex('waiting_in_line').on(t.eventId, t.id)],
)
export type WaitingRow = typeof waiting.$inferSelect

/** Puts a person at the end of the line, or changes their number without losing their place. */
export async function putInLine(tx: WriteTx, row: WaitingRow): Promise<void> {
  if (await insertNew(tx, waiting, row)) return
  const { eventId, quantity, language } = row
  await tx.sql.update(waiting).set({ eventId, quantity, language }).where(eq(waiting.userId, row.userId)).run()
}

export const leaveLine = async (tx: WriteTx, userId: string): Promise<void> => {
  await tx.sql.delete(waiting).where(eq(waiting.userId, userId)).run()
}

export const endLine = async (tx: WriteTx, eventId: string): Promise<void> => {
  await tx.sql.delete(waiting).where(eq(waiting.eventId, eventId)).run()
}

export const findInLine = async (tx: ReadTx, userId: string): Promise<WaitingRow | undefined> =>
  tx.sql.select().from(waiting).where(eq(waiting.userId, userId)).get()

export const listLine = async (tx: ReadTx, eventId: string): Promise<WaitingRow[]> =>
  tx.sql.select().from(waiting).where(eq(waiting.eventId, eventId)).orderBy(asc(waiting.id)).all()

export async function countBefore(
  tx: ReadTx,
  { eventId, id }: WaitingRow,
): Promise<{ people: number; tickets: number }> {
  const row = await tx.sql
    .select({ people: count(), tickets: sum(waiting.quantity).mapWith(Number) })
    .from(waiting)
    .where(and(eq(waiting.eventId, eventId), lt(waiting.id, id)))
    .get()
  return { people: row?.people ?? 0, tickets: row?.tickets ?? 0 }
}
