import { AUDIT } from '@garba/shared/messages/audit'
import { and, asc, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert, prepareRow } from './engine/preparedQueries.ts'
import { isInSpan, newId, type ReadTx, type Span, unlessNull, type WriteTx } from './engine/sql.ts'

/** A session is one person's turn at a cash drawer, from the float put in to the count at the end. */
export const cashSessions = sqliteTable(
  'cash_sessions',
  {
    id: text().primaryKey(),
    personId: text().notNull(),
    personName: text().notNull(),
    openedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    floatPaise: integer().notNull(),
    closedAt: integer({ mode: 'timestamp_ms' }),
    /** The float, plus cash taken, minus cash paid back. A counted session never changes again. */
    expectedPaise: integer(),
    countedPaise: integer(),
    note: text(),
  },
  (t) => [uniqueIndex('cash_sessions_open').on(t.personId).where(sql`${t.closedAt} is null`)],
)
export type CashSessionRow = typeof cashSessions.$inferSelect

export async function findOpenSession(tx: ReadTx, personId: string): Promise<CashSessionRow | undefined> {
  const which = and(eq(cashSessions.personId, personId), isNull(cashSessions.closedAt))
  return tx.sql.select().from(cashSessions).where(which).get()
}

export const findSession: Find<CashSessionRow> = prepareFind(cashSessions, cashSessions.id)

export const openSessions = async (tx: ReadTx): Promise<CashSessionRow[]> =>
  tx.sql.select().from(cashSessions).where(isNull(cashSessions.closedAt)).orderBy(asc(cashSessions.id)).all()

const SHOWN = 100

const openedIn = (tx: ReadTx, span: Span) =>
  tx.sql.select().from(cashSessions).where(isInSpan(cashSessions.openedAt, span)).orderBy(desc(cashSessions.id))

/** The last sessions opened in this time, newest first, and earlier sessions that are still to be counted. */
export async function listSessions(tx: ReadTx, span: Span): Promise<CashSessionRow[]> {
  const last = await openedIn(tx, span).limit(SHOWN).all()
  const oldest = last[SHOWN - 1]?.id
  const isUncounted = and(isInSpan(cashSessions.openedAt, span), isNull(cashSessions.closedAt))
  const uncounted = await tx.sql.select().from(cashSessions).where(isUncounted).orderBy(desc(cashSessions.id)).all()
  return [...last, ...uncounted.filter(({ id }) => oldest !== undefined && id < oldest)]
}

export const everySession = async (tx: ReadTx, span: Span): Promise<CashSessionRow[]> => openedIn(tx, span).all()

const complete = prepareRow(cashSessions)
const insert = prepareInsert(cashSessions)

export async function insertSession(
  tx: WriteTx,
  opened: Pick<CashSessionRow, 'personId' | 'personName' | 'openedAt' | 'floatPaise'>,
): Promise<CashSessionRow> {
  const session = complete({ id: newId(opened.openedAt), ...opened })
  await insert(tx, session)
  return session
}

/** Closes an open session; undefined when it was closed already. */
export async function closeSession(
  tx: WriteTx,
  id: string,
  set: Pick<CashSessionRow, 'closedAt' | 'expectedPaise' | 'countedPaise' | 'note'>,
): Promise<CashSessionRow | undefined> {
  const which = and(eq(cashSessions.id, id), isNull(cashSessions.closedAt))
  return tx.sql.update(cashSessions).set(set).where(which).returning().get()
}

/**
 * Erases people from sessions opened by then. The sums stay. Each session's id replaces the person's, because the ids
 * of open sessions must differ.
 */
export const forgetCashiers = async (tx: WriteTx, until: Date): Promise<void> => {
  await tx.sql
    .update(cashSessions)
    .set({
      personId: sql`${cashSessions.id}`,
      personName: AUDIT.erased,
      note: unlessNull(cashSessions.note, AUDIT.erasedText),
    })
    .where(lte(cashSessions.openedAt, until))
    .run()
}
