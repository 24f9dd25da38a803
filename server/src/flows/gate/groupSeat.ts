import { AUDIT } from '@garba/shared/messages/audit'
import { mayReturn } from '@garba/shared/rules/event/inside'
import { listTicketConflicts } from '../../store/conflicts.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { exitsOfTickets } from '../../store/movements.ts'
import { findScan, type ScanRow, updateScan } from '../../store/scans.ts'
import { sentTickets } from '../../store/ticketLinks.ts'
import { entryBy, moveTicket, NO_ENTRY, type TicketRow, ticketsWithIds } from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { ScanFacts, SentScan } from './scanFacts.ts'

/**
 * Two gates without a connection both take the first ticket of a group's code. So someone who was let in offline
 * on a used ticket counts with an unused ticket of the group instead: of the group whose code was read now, or of the
 * group that was read when the ticket was used. Returns the ticket that the scan counts with.
 */
export async function ticketInGroup(
  tx: WriteTx,
  sent: SentScan,
  ticket: TicketRow | undefined,
): Promise<TicketRow | undefined> {
  if (!sent.admittedOffline || ticket?.status !== 'used') return ticket
  // Somebody who has left comes back with the same ticket; a person who went in before that is another one.
  const at = sent.claimed ?? sent.receivedAt
  const hasLeft = ticket.leftAt !== null && at >= ticket.leftAt
  if (hasLeft && sent.event !== null && mayReturn(sent.event, at.getTime())) return ticket
  const own = sent.group === undefined ? undefined : await findUnusedTicket(tx, sent.group, ticket)
  if (own) return own
  const first = ticket.entryScanId === null ? undefined : await findScan(tx, ticket.entryScanId)
  if (!first?.groupIds || first.undoneAt !== null || (await listTicketConflicts(tx, ticket.id)).length > 0)
    return ticket
  // Exits stay with the ticket, so the entry of a person who left before this one came does too.
  if ((await exitsOfTickets(tx, [ticket.id])).some((exit) => exit.at >= first.at && exit.at < at)) return ticket
  const other = await findUnusedTicket(tx, first.groupIds, ticket)
  return other ? moveEntry(tx, sent, { first, from: ticket, to: other }) : ticket
}

/**
 * The last unused ticket of a group, because gates take the first tickets. A ticket that was sent waits for its holder.
 */
async function findUnusedTicket(
  tx: ReadTx,
  ids: readonly string[],
  { eventId }: TicketRow,
): Promise<TicketRow | undefined> {
  const sent = await sentTickets(tx, { ids })
  const free = new Map(
    (await ticketsWithIds(tx, ids))
      .filter((one) => one.status === 'active' && one.eventId === eventId && !sent.has(one.id))
      .map((one) => [one.id, one]),
  )
  const last = ids.findLast((id) => free.has(id))
  return last === undefined ? undefined : free.get(last)
}

interface EntryMove {
  first: ScanRow
  from: TicketRow
  to: TicketRow
}

async function moveEntry(tx: WriteTx, sent: SentScan, { first, from, to }: EntryMove): Promise<TicketRow> {
  const now = sent.receivedAt
  const taken = await moveTicket(tx, to, { status: 'used', ...entryBy(first) }, now)
  if (typeof taken === 'string') return from
  await updateScan(tx, first.id, { ticketId: to.id })
  const free = await moveTicket(tx, from, { status: 'active', ...NO_ENTRY }, now)
  const detail = AUDIT.movedInGroup(from.id, to.id)
  await auditChange(tx, { at: now, action: 'ticket.admitted', actor: sent.sender, subject: aboutTicket(to), detail })
  return typeof free === 'string' ? from : free
}

export const replaceScanTicket = (sent: SentScan, ticket: TicketRow | undefined): SentScan =>
  ticket === undefined || sent.code.type !== 'genuine' || sent.code.ticketId === ticket.id
    ? sent
    : { ...sent, code: { type: 'genuine', ticketId: ticket.id }, chosen: sent.code.ticketId }

/** Whether a stored scan is this one: a group's scan may count with another of its tickets by now. */
export const isScanOfTicket = ({ group }: Pick<SentScan, 'group'>, scan: ScanRow, ticketId: string | null): boolean =>
  scan.ticketId === ticketId || (scan.ticketId !== null && group?.includes(scan.ticketId) === true)

export const chosenNote = ({ chosen, code }: ScanFacts): string =>
  chosen !== undefined && code.type === 'genuine' ? AUDIT.movedInGroup(chosen, code.ticketId) : ''
