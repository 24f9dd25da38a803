import type { AuditRow } from '@garba/shared/contracts/desk'
import { AUDIT } from '@garba/shared/messages/audit'
import { DEVICE } from '@garba/shared/messages/gate'
import { type AuditFilter, type AuditRowStored, listAudit, readAuditPage, writeAudit } from '../store/audit.ts'
import { buildPagination, type PageQuery, toSlice, type WriteTx } from '../store/engine/sql.ts'
import type { OrderRow } from '../store/orders.ts'
import type { Deps } from './deps.ts'
import { withIsoTimes } from './isoTimes.ts'

export interface Subject {
  id: string | null
  name: string
  /** Absent for users and keys, which belong to no event. */
  eventId?: string | null
}

export const aboutUser = (user: { id: string; name: string; email: string }): Subject => ({
  id: user.id,
  name: AUDIT.user(user),
})
type BuyerFacts = Pick<OrderRow, 'id' | 'userId' | 'buyerName' | 'buyerEmail' | 'eventId'>
/** The buyer of an order: an account, or the person the desk wrote down, identified by the order. */
export const aboutBuyer = ({ id, userId, buyerName, buyerEmail, eventId }: BuyerFacts): Subject => ({
  id: userId ?? id,
  name: buyerEmail === '' ? buyerName : AUDIT.user({ name: buyerName, email: buyerEmail }),
  eventId,
})
interface TicketFacts {
  id: string
  buyerName: string | null
  eventId: string | null
}
export const aboutTicket = ({ id, buyerName, eventId }: TicketFacts): Subject => ({
  id,
  name: AUDIT.ticket(id, buyerName),
  eventId,
})
export const aboutBlock = ({ id, label, eventId }: { id: string; label: string; eventId: string }): Subject => ({
  id,
  name: label,
  eventId,
})
export const aboutDevice = ({ id, name }: { id: string; name: string }): Subject => ({ id, name: DEVICE.subject(name) })
export const aboutEvent = ({ id, name }: { id: string; name: string }): Subject => ({ id, name, eventId: id })

interface AuditedChange extends Pick<AuditRow, 'action'> {
  at: Date
  actor: { id: string | null; name: string }
  subject: Subject
  detail: string
}

export const auditChange = (tx: WriteTx, { actor, subject, ...entry }: AuditedChange): Promise<void> =>
  writeAudit(tx, {
    ...entry,
    actorId: actor.id,
    actorName: actor.name,
    subject: subject.id,
    subjectName: subject.name,
    eventId: subject.eventId ?? null,
  })

export const auditRowView = ({ id, at, action, actorName, subject, subjectName, detail }: AuditRowStored): AuditRow =>
  withIsoTimes({ id, at, action, actorName, subject, subjectName, detail })

export const auditTrail = ({ store }: Deps, query: AuditFilter & PageQuery) =>
  store.read(async (tx) => {
    const { total: totalRows, rows: found } = await readAuditPage(tx, query, toSlice(query))
    const rows = found.map(auditRowView)
    return { rows, pagination: { ...buildPagination(query, { rows: totalRows, shown: rows.length }), totalRows } }
  })

export const wholeAuditTrail = ({ store }: Deps, filter: AuditFilter): Promise<AuditRow[]> =>
  store.read(async (tx) => (await listAudit(tx, filter)).map(auditRowView))
