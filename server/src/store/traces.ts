import { AUDIT } from '@garba/shared/messages/audit'
import { getTableColumns, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { attention } from './attention.ts'
import { cashSessions } from './cashSessions.ts'
import { codeBlocks } from './codeBlocks.ts'
import { jobs } from './jobs.ts'
import { lostTickets } from './lostTickets.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { providerEvents } from './providerEvents.ts'
import { refunds } from './refunds.ts'
import type { ReadTx, WriteTx } from './sql.ts'
import { statementLines } from './statementLines.ts'

/** In place of every name, and of what people wrote. */
export const { erased: NAME, erasedText: TEXT } = AUDIT

/** What a person is known by, wherever somebody may have written it. */
export interface Traces {
  emails: readonly string[]
  /** The last ten digits of each number. */
  phones: readonly string[]
  /** Names of two words or more that no other account and no cashier has. */
  names: readonly string[]
}

/** A phone number as its last ten digits, without country code; null for what is too short to be one. */
export function phoneKey(phone: string): string | null {
  const digits = phone.replace(/\D/g, '')
  return digits.length < 7 ? null : digits.slice(-10)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The texts as they may stand among other words, never as a part of a longer word or number. */
function patternsOf({ emails, phones, names }: Traces): { pattern: RegExp; text: string }[] {
  const inOrder = (parts: readonly string[], between: string) => parts.map(escaped).join(between)
  return [
    ...emails.map((email) => ({ pattern: new RegExp(`(?<![\\w.+-])${escaped(email)}(?![\\w-])`, 'giu'), text: TEXT })),
    ...phones.map((phone) => ({
      pattern: new RegExp(`(?<!\\d)(?:\\+?\\d{1,3}[ ()-]{0,3})?${inOrder([...phone], '[ ()-]{0,3}')}(?!\\d)`, 'g'),
      text: TEXT,
    })),
    ...names.map((name) => ({
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}\\p{N}])${inOrder(name.split(/\s+/), '[\\s._/-]*')}(?![\\p{L}\\p{M}\\p{N}])`,
        'giu',
      ),
      text: NAME,
    })),
  ]
}

/** Makes the function that takes a person's traces out of a text; a text without any comes back as it was. */
export function eraser(traces: Traces): (text: string) => string {
  const patterns = patternsOf(traces)
  return (text) => patterns.reduce((rest, { pattern, text: instead }) => rest.replace(pattern, instead), text)
}

/** For LIKE, with any letter in place of those that SQLite cannot make small. */
const loosely = (part: string): string =>
  part
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
    .replace(/[^\p{ASCII}]/gu, '_')

/** Rows whose text may hold a trace: more than `eraser` changes, so that the database need not know its rules. */
export function mayHold(column: AnySQLiteColumn, { emails, phones, names }: Traces): SQL | undefined {
  const like = (parts: readonly string[]) =>
    sql`lower(${column}) like ${`%${parts.map(loosely).join('%')}%`} escape '\\'`
  return or(
    ...emails.map((email) => like([email])),
    ...phones.map((phone) => like([...phone])),
    ...names.map((name) => like(name.split(/\s+/))),
  )
}

/** Where people write freely, or a bank or a provider does. Rows of a person's own are emptied before, by their ids. */
const WRITTEN_FREELY: readonly (readonly [SQLiteTable, AnySQLiteColumn, ...AnySQLiteColumn[]])[] = [
  [orders, orders.id, orders.reason],
  [payments, payments.id, payments.note],
  [refunds, refunds.id, refunds.reason, refunds.lastError],
  [attention, attention.id, attention.detail, attention.resolution],
  [cashSessions, cashSessions.id, cashSessions.note],
  [statementLines, statementLines.id, statementLines.description, statementLines.asideNote],
  [jobs, jobs.id, jobs.payload, jobs.lastError],
  [codeBlocks, codeBlocks.id, codeBlocks.label],
  [lostTickets, lostTickets.id, lostTickets.note],
]

/** Takes a person's traces out of everything that is written freely, whomever it is about; the other words stay. */
export async function eraseTraces(tx: WriteTx, traces: Traces): Promise<void> {
  const erase = eraser(traces)
  for (const [table, id, ...columns] of WRITTEN_FREELY)
    for (const column of columns) {
      const held = mayHold(column, traces)
      if (!held) return
      for (const row of await textsOf(tx, { table, id, column, which: held })) {
        const text = erase(row.text)
        if (text === row.text) continue
        const set = { [keyOf(table, column)]: sql`${text}` } as SQLiteUpdateSetSource<typeof table>
        await tx.sql.update(table).set(set).where(sql`${id} = ${row.id}`).run()
      }
    }
}

interface Texts {
  table: SQLiteTable
  id: AnySQLiteColumn
  column: AnySQLiteColumn
  which: SQL
}

/** As stored: what is JSON stays JSON, because nothing that is taken out or put in needs an escape. */
const textsOf = (tx: ReadTx, { table, id, column, which }: Texts): Promise<{ id: string; text: string }[]> =>
  tx.rows(sql`select ${id} as "id", ${column} as "text" from ${table} where ${isNotNull(column)} and (${which})`)

const keyOf = (table: SQLiteTable, column: AnySQLiteColumn): string =>
  Object.entries(getTableColumns(table)).find(([, one]) => one === column)?.[0] ?? column.name

/** Provider events whose body names a person. */
export async function eventsNaming(tx: ReadTx, traces: Traces): Promise<string[]> {
  const held = mayHold(providerEvents.body, traces)
  if (!held) return []
  const erase = eraser(traces)
  const rows = await textsOf(tx, {
    table: providerEvents,
    id: providerEvents.id,
    column: providerEvents.body,
    which: held,
  })
  return rows.filter(({ text }) => erase(text) !== text).map(({ id }) => id)
}
