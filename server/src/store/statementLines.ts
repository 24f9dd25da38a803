import type { Days } from '@garba/shared/contracts/common'
import { AUDIT } from '@garba/shared/messages/audit'
import { CODE_LETTERS_MIN, findCutCodes } from '@garba/shared/rules/orders/bankForms'
import { and, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hasRows, inPieces, insertNew, type ReadTx, type WriteTx, withinDays } from './engine/sql.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'

/** Money received according to the bank's statement; each transfer is kept once, however often it is imported. */
export const statementLines = sqliteTable(
  'statement_lines',
  {
    /** A hash of what stays the same in every file that has this credit. */
    id: text().primaryKey(),
    day: text().notNull(),
    amountPaise: integer().notNull(),
    utr: text(),
    /** The line's other long numbers, separated by spaces: spent when the line pays an order, never matched. */
    numbers: text().notNull(),
    /** The bank's description, which may name the payer. */
    description: text().notNull(),
    importedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    importedByName: text().notNull(),
    orderId: text().references(() => orders.id),
    asideNote: text(),
    asideByName: text(),
    asideAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    index('statement_lines_by_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('statement_lines_by_day').on(t.day),
    index('statement_lines_by_utr').on(t.utr).where(sql`${t.utr} is not null`),
  ],
)
export type StatementLineRow = typeof statementLines.$inferSelect

export const insertStatementLine = (tx: WriteTx, line: StatementLineRow): Promise<boolean> =>
  insertNew(tx, statementLines, line)

export const changeStatementLine = async (tx: WriteTx, id: string, set: Partial<StatementLineRow>): Promise<void> => {
  await tx.sql.update(statementLines).set(set).where(eq(statementLines.id, id)).run()
}

export async function findLinesLike(
  tx: ReadTx,
  { utrs, days }: { utrs: readonly string[]; days: readonly string[] },
): Promise<StatementLineRow[]> {
  const found = new Map<string, StatementLineRow>()
  for (const [column, values] of [
    [statementLines.utr, utrs],
    [statementLines.day, days],
  ] as const)
    for (const some of inPieces([...new Set(values)]))
      for (const row of await tx.sql.select().from(statementLines).where(inArray(column, some)).all())
        found.set(row.id, row)
  return [...found.values()]
}

/** A line that paid an order, by the desk's word or because the order's money has its UTR. */
export type PaidLine = Pick<StatementLineRow, 'id' | 'day' | 'amountPaise' | 'utr' | 'numbers'> & {
  paidOrderId: string
}

const { id, day, amountPaise, utr, numbers, orderId, description } = statementLines
const hasMoney = and(eq(payments.utr, utr), eq(payments.state, 'captured'))
const paidOrderId = sql<string>`coalesce(${orderId}, ${payments.orderId})`

export async function findPaidLines(tx: ReadTx, days: readonly string[]): Promise<PaidLine[]> {
  const found = await Array.fromAsync(inPieces([...new Set(days)]), async (some) =>
    tx.sql
      .select({ id, day, amountPaise, utr, numbers, paidOrderId })
      .from(statementLines)
      .leftJoin(payments, hasMoney)
      .where(and(inArray(day, some), or(isNotNull(orderId), isNotNull(payments.id))))
      .all(),
  )
  return found.flat()
}

/**
 * What the bank's lines say about a number. `shared`: lines beside different UTRs have it, or it is an address, so that
 * it identifies no transfer. `spent`: a line that paid an order has it. A number that is a line's UTR is neither.
 */
export async function seeNumber(tx: ReadTx, number: string): Promise<'free' | 'shared' | 'spent'> {
  const lines = await tx.sql
    .select({ utr, description, paidOrderId })
    .from(statementLines)
    .leftJoin(payments, hasMoney)
    .where(or(eq(utr, number), sql`' ' || ${numbers} || ' ' like ${`% ${number} %`}`))
    .all()
  if (lines.some((line) => line.utr === number)) return 'free'
  const isAddress = lines.some((line) => line.description.includes(`${number}@`))
  if (isAddress || new Set(lines.flatMap((line) => line.utr ?? [])).size > 1) return 'shared'
  return lines.some((line) => line.paidOrderId !== null) ? 'spent' : 'free'
}

/** Those of these UTRs that several lines have, with different amounts: they identify no transfer. */
export async function findSharedUtrs(tx: ReadTx, utrs: readonly string[]): Promise<Set<string>> {
  const found = await Array.fromAsync(inPieces([...new Set(utrs)]), async (some) =>
    tx.sql.select({ utr }).from(statementLines).where(inArray(utr, some)).groupBy(utr).having(sql`count(*) > 1`).all(),
  )
  return new Set(found.flat().flatMap((line) => line.utr ?? []))
}

export const LINES_SHOWN = 500

const buildLinesQuery = (tx: ReadTx, days: Days) =>
  tx.sql
    .select()
    .from(statementLines)
    .where(withinDays(statementLines.day, days))
    .orderBy(desc(statementLines.day), desc(statementLines.id))

export const listStatementLines = async (tx: ReadTx, days: Days): Promise<StatementLineRow[]> =>
  buildLinesQuery(tx, days).limit(LINES_SHOWN).all()

export const everyStatementLine = async (tx: ReadTx, days: Days): Promise<StatementLineRow[]> =>
  buildLinesQuery(tx, days).all()

export const findStatementLines = async (tx: ReadTx, ids: readonly string[]): Promise<StatementLineRow[]> =>
  tx.sql
    .select()
    .from(statementLines)
    .where(inArray(statementLines.id, ids))
    .orderBy(statementLines.day, statementLines.id)
    .all()

export async function isCreditOpen(
  tx: ReadTx,
  { id, code, totalPaise }: { id: string; code: string; totalPaise: number },
): Promise<boolean> {
  const { asideNote, amountPaise } = statementLines
  const isOpen = and(isNull(orderId), isNull(asideNote))
  const has = (word: string) => sql`upper(${description}) like ${`%${word}%`}`
  if (await hasRows(tx, statementLines, and(isOpen, has(code)))) return true
  const received = sql`(select coalesce(sum(${payments.amountPaise}), 0) from ${payments}
    where ${payments.orderId} = ${id} and ${payments.state} = 'captured')`
  const alike = and(isOpen, eq(amountPaise, sql`${totalPaise} - ${received}`), has(code.slice(0, CODE_LETTERS_MIN)))
  const lines = await tx.sql.select({ text: description }).from(statementLines).where(alike).all()
  return lines.some(({ text }) => findCutCodes(text).some((word) => code.startsWith(word)))
}

export const claimLine = async (tx: WriteTx, id: string, orderId: string): Promise<void> => {
  await tx.sql.update(statementLines).set({ orderId }).where(eq(statementLines.id, id)).run()
}

export const setAside = async (
  tx: WriteTx,
  id: string,
  aside: { note: string; byName: string; at: Date } | null,
): Promise<void> => {
  const set = { asideNote: aside?.note ?? null, asideByName: aside?.byName ?? null, asideAt: aside?.at ?? null }
  await tx.sql.update(statementLines).set(set).where(eq(statementLines.id, id)).run()
}

export const forgetStrangers = async (tx: WriteTx, day: string): Promise<void> => {
  const { erased, erasedText } = AUDIT
  const before = lte(statementLines.day, day)
  const unpaid = and(before, isNull(statementLines.orderId))
  await tx.sql.update(statementLines).set({ description: '' }).where(unpaid).run()
  await tx.sql.update(statementLines).set({ importedByName: erased }).where(before).run()
  const aside = and(before, isNotNull(statementLines.asideNote))
  await tx.sql.update(statementLines).set({ asideNote: erasedText, asideByName: erased }).where(aside).run()
}
