import { AUDIT } from '@garba/shared/messages/audit'
import { eq, getTableColumns, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { attention, forgetSellersIn } from './attention.ts'
import { cashSessions } from './cashSessions.ts'
import { codeBlocks } from './codeBlocks.ts'
import { type ReadTx, unlessNull, type WriteTx } from './engine/sql.ts'
import { jobs } from './jobs.ts'
import { lostTickets } from './lostTickets.ts'
import { orders } from './orders.ts'
import { type PaymentRow, payments } from './payments.ts'
import { promoCodes } from './promoCodes.ts'
import { dropBodiesAbout, providerEvents } from './providerEvents.ts'
import { refunds } from './refunds.ts'
import { statementLines } from './statementLines.ts'
export const { erased: NAME, erasedText: TEXT } = AUDIT

export interface Traces {
  emails: readonly string[]
  phones: readonly string[]
  /** Names of two words or more that no other account and no cashier has. */
  names: readonly string[]
}

/** The last ten digits of a phone number, without country code; null if it is too short to be one. */
export function phoneKey(phone: string): string | null {
  const digits = phone.replace(/\D/g, '')
  return digits.length < 7 ? null : digits.slice(-10)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches the texts among other words, never as part of a longer word or number. */
function buildTracePatterns({ emails, phones, names }: Traces): { pattern: RegExp; text: string }[] {
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

export function makeEraser(traces: Traces): (text: string) => string {
  const patterns = buildTracePatterns(traces)
  return (text) => patterns.reduce((rest, { pattern, text: instead }) => rest.replace(pattern, instead), text)
}

/** A LIKE pattern with a wildcard for each letter that SQLite cannot convert to lower case. */
const loosely = (part: string): string =>
  part
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
    .replace(/[^\p{ASCII}]/gu, '_')

/**
 * Rows whose text may hold a trace. It finds more than `eraser` changes, so that the database need not know its rules.
 */
export function mayHold(column: AnySQLiteColumn, { emails, phones, names }: Traces): SQL | undefined {
  const like = (parts: readonly string[]) =>
    sql`lower(${column}) like ${`%${parts.map(loosely).join('%')}%`} escape '\\'`
  return or(
    ...emails.map((email) => like([email])),
    ...phones.map((phone) => like([...phone])),
    ...names.map((name) => like(name.split(/\s+/))),
  )
}

/** Columns of free text by people, banks or providers. A person's own rows are erased before, by id. */
const WRITTEN_FREELY: readonly (readonly [SQLiteTable, AnySQLiteColumn, ...AnySQLiteColumn[]])[] = [
  [orders, orders.id, orders.reason],
  [payments, payments.id, payments.note],
  [refunds, refunds.id, refunds.reason, refunds.lastError],
  [attention, attention.id, attention.detail, attention.resolution],
  [cashSessions, cashSessions.id, cashSessions.note],
  [statementLines, statementLines.id, statementLines.description, statementLines.asideNote],
  [jobs, jobs.id, jobs.payload, jobs.lastError],
  [codeBlocks, codeBlocks.id, codeBlocks.label],
  [promoCodes, promoCodes.id, promoCodes.note],
  [lostTickets, lostTickets.id, lostTickets.note],
]

/** Work that waits must stay readable: of its payload, people wrote only an announcement and a provider's reason. */
const inPayload =
  (erase: (text: string) => string) =>
  (payload: string): string =>
    JSON.stringify(
      JSON.parse(payload, (key, value) =>
        typeof value === 'string' && ['words', 'reason'].includes(key) ? erase(value) : value,
      ),
    )

/** Erases a person's traces from all free text, also about other people; the rest of the text stays. */
export async function eraseTraces(tx: WriteTx, traces: Traces): Promise<void> {
  const eraseText = makeEraser(traces)
  for (const [table, id, ...columns] of WRITTEN_FREELY)
    for (const column of columns) {
      const held = mayHold(column, traces)
      if (!held) return
      const erase = column === jobs.payload ? inPayload(eraseText) : eraseText
      for (const row of await readTexts(tx, { table, id, column, which: held })) {
        const text = erase(row.text)
        if (text === row.text) continue
        const set = { [getColumnKey(table, column)]: sql`${text}` } as SQLiteUpdateSetSource<typeof table>
        await tx.sql.update(table).set(set).where(sql`${id} = ${row.id}`).run()
      }
    }
}

const readTexts = (
  tx: ReadTx,
  { table, id, column, which }: { table: SQLiteTable; id: AnySQLiteColumn; column: AnySQLiteColumn; which: SQL },
): Promise<{ id: string; text: string }[]> =>
  tx.rows(sql`select ${id} as "id", ${column} as "text" from ${table} where ${isNotNull(column)} and (${which})`)

const getColumnKey = (table: SQLiteTable, column: AnySQLiteColumn): string =>
  Object.entries(getTableColumns(table)).find(([, one]) => one === column)?.[0] ?? column.name

export async function eventsNaming(tx: ReadTx, traces: Traces): Promise<string[]> {
  const held = mayHold(providerEvents.body, traces)
  if (!held) return []
  const erase = makeEraser(traces)
  const rows = await readTexts(tx, {
    table: providerEvents,
    id: providerEvents.id,
    column: providerEvents.body,
    which: held,
  })
  return rows.filter(({ text }) => erase(text) !== text).map(({ id }) => id)
}

async function overwrite<T extends SQLiteTable>(
  tx: WriteTx,
  table: T,
  which: SQL,
  texts: { [column in keyof T['$inferSelect']]?: string | null },
): Promise<void> {
  const columns: Record<string, AnySQLiteColumn> = getTableColumns(table)
  const set = Object.entries<string | null | undefined>(texts).map(([name, text]) => [
    name,
    text && unlessNull(columns[name] as AnySQLiteColumn, text),
  ])
  await tx.sql.update(table).set(Object.fromEntries(set)).where(which).run()
}

/**
 * Erases texts by buyers and the desk, and every reference to a buyer at the provider, from these orders' money. Call
 * it while the orders still name their buyers. Sums, states and times stay.
 */
export async function forgetMoney(tx: WriteTx, which: SQL): Promise<void> {
  const these = tx.sql.select({ id: orders.id }).from(orders).where(which)
  const theirs = await tx.sql.select().from(payments).where(inArray(payments.orderId, these)).all()
  await dropBodiesAbout(tx, theirs.flatMap(idsAtProvider))
  await overwrite(tx, refunds, ofOrders(tx, which), WORDS)
  // The provider's page shows the payer's details. The field for a card slip's number may hold any text.
  await overwrite(tx, payments, inArray(payments.orderId, these), { url: null, note: TEXT, reference: TEXT })
  await overwrite(tx, attention, inArray(attention.orderId, these), { resolution: TEXT })
  // The bank's description names the payer.
  await tx.sql.update(statementLines).set({ description: '' }).where(inArray(statementLines.orderId, these)).run()
  // A mail server's refusal may name the address.
  await overwrite(tx, jobs, inArray(jobs.orderId, these), { lastError: TEXT })
  await overwrite(tx, orders, which, { reason: TEXT })
}

const WORDS = { reason: TEXT, lastError: TEXT }

export const forgetReasons = (tx: WriteTx, ids: readonly string[]): Promise<void> =>
  overwrite(tx, refunds, inArray(refunds.id, ids), WORDS)

/** The ids in a provider's events for a payment; the payment's description also holds its link's id. */
export const idsAtProvider = ({ providerRef, providerPaymentId }: PaymentRow): string[] =>
  [providerRef?.replace(/^plink_/, '') ?? [], providerPaymentId ?? []].flat()

const ofOrders = (tx: ReadTx, which: SQL): SQL =>
  inArray(
    refunds.paymentId,
    tx.sql.select({ id: payments.id }).from(payments).innerJoin(orders, eq(orders.id, payments.orderId)).where(which),
  )

export async function forgetSellers(tx: WriteTx, which: SQL): Promise<void> {
  const these = tx.sql.select({ id: orders.id }).from(orders).where(which)
  await overwrite(tx, refunds, ofOrders(tx, which), { requestedByName: NAME })
  await overwrite(tx, payments, inArray(payments.orderId, these), { recordedById: null, recordedByName: NAME })
  await overwrite(tx, attention, inArray(attention.orderId, these), { resolvedByName: NAME })
  await forgetSellersIn(tx, inArray(attention.orderId, these))
  await overwrite(tx, orders, which, { sellerId: null, sellerName: NAME })
}
