import type { Days } from '@garba/shared/contracts/common'
import { AUDIT } from '@garba/shared/messages/audit'
import { and, desc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { insertNew, isIn, type ReadTx, type WriteTx, withinDays } from './engine/sql.ts'
import { orders } from './orders.ts'

/** Money received according to the bank's statement; each transfer is kept once, however often it is imported. */
export const statementLines = sqliteTable(
  'statement_lines',
  {
    /** A hash of the bank's line, so that the same line always has the same id. */
    id: text().primaryKey(),
    day: text().notNull(),
    amountPaise: integer().notNull(),
    /** The line's 12-digit numbers, separated by spaces: one of them is the UTR. */
    utrs: text().notNull(),
    /** The bank's description, which may name the payer. */
    description: text().notNull(),
    importedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    importedByName: text().notNull(),
    /** The order it paid, once the desk has confirmed that. */
    orderId: text().references(() => orders.id),
    /** The desk's note on what the money is, when it pays no order. */
    asideNote: text(),
    asideByName: text(),
    asideAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    index('statement_lines_by_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('statement_lines_by_day').on(t.day),
  ],
)
export type StatementLineRow = typeof statementLines.$inferSelect

/** Returns false when the line was imported before. */
export const insertStatementLine = (tx: WriteTx, line: StatementLineRow): Promise<boolean> =>
  insertNew(tx, statementLines, line)

export const LINES_SHOWN = 500

const linesOf = (tx: ReadTx, days: Days) =>
  tx.sql
    .select()
    .from(statementLines)
    .where(withinDays(statementLines.day, days))
    .orderBy(desc(statementLines.day), desc(statementLines.id))

/** The last lines of these days, newest day first. */
export const listStatementLines = async (tx: ReadTx, days: Days): Promise<StatementLineRow[]> =>
  linesOf(tx, days).limit(LINES_SHOWN).all()

export const everyStatementLine = async (tx: ReadTx, days: Days): Promise<StatementLineRow[]> => linesOf(tx, days).all()

export const findStatementLines = async (tx: ReadTx, ids: readonly string[]): Promise<StatementLineRow[]> =>
  tx.sql
    .select()
    .from(statementLines)
    .where(inArray(statementLines.id, ids))
    .orderBy(statementLines.day, statementLines.id)
    .all()

/** Whether a credit carries an order's code and is still undecided. */
export const isCreditOpen = (tx: ReadTx, code: string): Promise<boolean> => {
  const { orderId, asideNote, description } = statementLines
  const named = sql`upper(${description}) like ${`%${code}%`}`
  return isIn(tx, statementLines, and(isNull(orderId), isNull(asideNote), named))
}

export const claimLine = async (tx: WriteTx, id: string, orderId: string): Promise<void> => {
  await tx.sql.update(statementLines).set({ orderId }).where(eq(statementLines.id, id)).run()
}

/** Records that a line pays no order, with a note on what it is; null undoes that. */
export const setAside = async (
  tx: WriteTx,
  id: string,
  aside: { note: string; byName: string; at: Date } | null,
): Promise<void> => {
  const set = { asideNote: aside?.note ?? null, asideByName: aside?.byName ?? null, asideAt: aside?.at ?? null }
  await tx.sql.update(statementLines).set(set).where(eq(statementLines.id, id)).run()
}

/**
 * Erases the bank's descriptions, which may name people, and the desk's notes from lines up to a day that paid no
 * order.
 */
export const forgetStrangers = async (tx: WriteTx, day: string): Promise<void> => {
  const { erased, erasedText } = AUDIT
  const before = lte(statementLines.day, day)
  const unpaid = and(before, isNull(statementLines.orderId))
  await tx.sql.update(statementLines).set({ description: '' }).where(unpaid).run()
  await tx.sql.update(statementLines).set({ importedByName: erased }).where(before).run()
  const aside = and(before, isNotNull(statementLines.asideNote))
  await tx.sql.update(statementLines).set({ asideNote: erasedText, asideByName: erased }).where(aside).run()
}
