import type { AuditRow } from '@garba/shared/contracts/desk'
import { auditTrail, wholeAuditTrail } from '../../flows/auditTrail.ts'
import { type Columns, csvOf, fileAnswer } from '../csv.ts'
import type { Routes } from '../mount.ts'

const COLUMNS: Columns<AuditRow> = [
  ['Number', (row) => row.id],
  ['Time', (row) => row.at],
  ['Action', (row) => row.action],
  ['By', (row) => row.actorName],
  ['Subject', (row) => row.subjectName],
  ['Subject id', (row) => row.subject],
  ['Detail', (row) => row.detail],
]

export const auditRoutes = {
  audit: ({ deps, query }) => auditTrail(deps, query),
  exportAudit: async ({ deps, query, c }) => {
    const text = await csvOf(COLUMNS, wholeAuditTrail(deps, query))
    return fileAnswer(c, { name: 'audit.csv', type: 'text/csv', text })
  },
} satisfies Routes
