import type { AuditRow } from '@garba/shared/contracts/desk'
import { writeAudit } from '../store/audit.ts'
import type { Sql } from '../store/sql.ts'

/**
 * Leaves the audit row of a change, inside the change's own transaction (DECISIONS 2).
 * `detail` is one readable line; `subject` the id of the user, ticket or event that changed.
 */
export const audited = (
  tx: Sql,
  {
    at,
    action,
    actor,
    subject,
    detail,
  }: {
    at: Date
    action: AuditRow['action']
    actor: { id: string; name: string }
    subject: string | null
    detail: string
  },
): void => writeAudit(tx, { at, action, actorId: actor.id, actorName: actor.name, subject, detail })
