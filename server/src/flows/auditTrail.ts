import type { AuditRow } from '@garba/shared/contracts/desk'
import { type AuditFilter, type AuditRowStored, countAudit, listAudit } from '../store/audit.ts'
import type { Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'

/** Shows a row of the audit trail to admins. */
export const auditRowView = ({
  id,
  at,
  action,
  actorName,
  subject,
  subjectName,
  detail,
}: AuditRowStored): AuditRow => ({
  id,
  at: at.toISOString(),
  action,
  actorName,
  subject,
  subjectName,
  detail,
})

/** One page of the audit trail, newest first. */
export const auditTrail = ({ store }: Deps, query: AuditFilter & PageQuery) =>
  store.read(async (tx) => {
    const totalRows = await countAudit(tx, query)
    const rows = (await listAudit(tx, query, sliceOf(query))).map(auditRowView)
    return { rows, pagination: { ...pageOf(query, { rows: totalRows, shown: rows.length }), totalRows } }
  })

/** The whole audit trail, for an export. */
export const wholeAuditTrail = ({ store }: Deps, filter: AuditFilter): Promise<AuditRow[]> =>
  store.read(async (tx) => (await listAudit(tx, filter)).map(auditRowView))
