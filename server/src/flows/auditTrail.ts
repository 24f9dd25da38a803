import type { AuditRow } from '@garba/shared/contracts/desk'
import { type AuditFilter, type AuditRowStored, countAudit, listAudit } from '../store/audit.ts'
import type { Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'

const rowView = ({ id, at, action, actorName, subject, subjectName, detail }: AuditRowStored): AuditRow => ({
  id,
  at: at.toISOString(),
  action,
  actorName,
  subject,
  subjectName,
  detail,
})

/** Who changed what when, newest first, a page at a time (DECISIONS 2). */
export function auditTrail({ db }: Deps, query: AuditFilter & PageQuery) {
  const totalRows = countAudit(db, query)
  const rows = listAudit(db, query, sliceOf(query)).map(rowView)
  return { rows, pagination: { ...pageOf(query, { rows: totalRows, shown: rows.length }), totalRows } }
}

/** The same as one list, for a file. */
export const wholeAuditTrail = ({ db }: Deps, filter: AuditFilter): AuditRow[] => listAudit(db, filter).map(rowView)
