import type { Sort } from '@garba/shared/contracts/common'
import { AUDIT_DETAILS, type AUDIT_SORTS, type AuditRow } from '@garba/shared/contracts/desk'
import { buildSearchText } from '@garba/shared/rules/search'
import { and, desc, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { prepareInsert } from './engine/preparedQueries.ts'
import {
  buildOrderBy,
  byName,
  countIn,
  isFoundBySearch,
  listRows,
  type ReadTx,
  readPage,
  type Slice,
  type WriteTx,
} from './engine/sql.ts'

const nameOfSubject = ({ subjectName }: { subjectName: SQLWrapper }): SQL =>
  sql`case when ${subjectName} is null then '' else ${subjectName} end`

/** Each row says who changed what and when. It copies the names, so it outlives its actor and its subject. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    action: text().$type<AuditRow['action']>().notNull(),
    actorId: text(),
    actorName: text().notNull(),
    subject: text(),
    subjectName: text(),
    detail: text().notNull(),
    searchText: text().notNull(),
    /** Null for rows that concern no event, such as those about users and keys. */
    eventId: text(),
  },
  (t) => [
    index('audit_by_action').on(t.action, t.id),
    index('audit_by_actor').on(byName(t.actorName), t.id),
    index('audit_by_subject').on(byName(nameOfSubject(t)), t.id),
  ],
)
export type AuditRowStored = typeof audit.$inferSelect

export const detailHolds = (action: AuditRow['action']): (typeof AUDIT_DETAILS)[typeof action] => AUDIT_DETAILS[action]

export type AuditEntry = Omit<AuditRowStored, 'id' | 'searchText' | 'eventId'> &
  Partial<Pick<AuditRowStored, 'eventId'>>

const insert = prepareInsert(audit)

type AuditSearchFields = Pick<AuditEntry, 'actorName' | 'subject' | 'subjectName' | 'detail'>
export const auditSearchText = ({ actorName, subject, subjectName, detail }: AuditSearchFields): string =>
  buildSearchText({ words: [actorName, subjectName, detail], numbers: [subject] })

export const writeAudit = async (tx: WriteTx, entry: AuditEntry): Promise<void> =>
  insert(tx, { ...entry, searchText: auditSearchText(entry) })

export const lastAuditBefore = async (tx: ReadTx, instant: Date): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: audit.at })
      .from(audit)
      .where(lt(audit.at, instant))
      .orderBy(desc(audit.id))
      .limit(1)
      .get()
  )?.at ?? null

export const findClosing = async (tx: ReadTx, eventId: string): Promise<{ at: Date; actorName: string } | undefined> =>
  tx.sql
    .select({ at: audit.at, actorName: audit.actorName })
    .from(audit)
    .where(and(eq(audit.action, 'event.closed'), eq(audit.subject, eventId)))
    .get()

export interface AuditFilter {
  action?: AuditRowStored['action'] | undefined
  search?: string | undefined
  event?: string | undefined
  sort?: Sort<(typeof AUDIT_SORTS)[number]> | undefined
}

const filtered = ({ action, search, event }: AuditFilter): SQL | undefined =>
  and(
    action === undefined ? undefined : eq(audit.action, action),
    event === undefined ? undefined : eq(audit.eventId, event),
    isFoundBySearch(audit.searchText, search),
  )

const SORTS = {
  at: audit.id,
  actor: byName(audit.actorName),
  action: audit.action,
  subject: byName(nameOfSubject(audit)),
}

const auditList = (filter: AuditFilter) => ({
  where: filtered(filter),
  order: buildOrderBy(filter.sort, SORTS, audit.id),
})

export const listAudit = (tx: ReadTx, filter: AuditFilter): Promise<AuditRowStored[]> =>
  listRows(tx, audit, auditList(filter))

export const readAuditPage = (tx: ReadTx, filter: AuditFilter, slice: Slice) =>
  readPage(tx, audit, { ...auditList(filter), slice, search: filter.search })

export const countAudit = (tx: ReadTx, filter: AuditFilter): Promise<number> => countIn(tx, audit, filtered(filter))
