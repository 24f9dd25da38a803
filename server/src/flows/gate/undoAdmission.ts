import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { mayUndo } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../../refusal.ts'
import { hasConflict } from '../../store/conflicts.ts'
import { eventOf } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { findScan, type ScanRow, updateScan } from '../../store/scans.ts'
import type { WriteTx } from '../../store/sql.ts'
import { findTicket, moveTicket, NO_ENTRY, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { scannedTicketView } from '../tickets/ticketView.ts'

/**
 * Takes back the caller's own admission within 60 s. The scan row stays, marked undone. A repeated call gets the same answer. Refuses with SCAN_NOT_FOUND, UNDO_NOT_YOURS, UNDO_EXPIRED or UNDO_NOT_POSSIBLE.
 */
export async function undoAdmission(
  deps: Deps,
  { user, scanId }: { user: AnyCaller; scanId: string },
): Promise<ScannedTicket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const scan = await findScan(tx, scanId)
    if (!scan) throw new Refusal('SCAN_NOT_FOUND')
    requireOwn(scan, user)
    const held = scan.ticketId === null ? undefined : await findTicket(tx, scan.ticketId)
    if (!held) throw new Refusal('UNDO_NOT_POSSIBLE')
    const now = deps.now()
    const isOver = scan.undoneAt && (held.status === 'active' || scan.outcome === 'released')
    const free = isOver ? held : await takeBack(tx, { scan, ticket: held, user, now })
    return scannedTicketView(free, (await eventOf(tx, free)).name)
  })
}

/**
 * Only a scan's sender may undo it, identified by session or the phone's signature: names in a scan prove nothing.
 * Refuses with UNDO_NOT_YOURS.
 */
export function requireOwn({ senderId }: ScanRow, { id }: AnyCaller): void {
  if (senderId !== id) throw new Refusal('UNDO_NOT_YOURS')
}

/**
 * The 60 s begin no later than the scan's arrival: a sale that arrives after it may move its time ahead (`enterSold`).
 */
export const isInTimeToUndo = ({ at, receivedAt }: ScanRow, now: Date): boolean =>
  mayUndo({ admittedAt: at < receivedAt ? at : receivedAt, now })

interface TakingBack {
  scan: ScanRow
  ticket: TicketRow
  user: AnyCaller
  now: Date
}

/** Not possible once a second person entered with the ticket, because it would then admit a third. */
async function takeBack(tx: WriteTx, { scan, ticket, user, now }: TakingBack): Promise<TicketRow> {
  if (scan.outcome === 'released') return await takeBackReleased(tx, { scan, ticket, user, now })
  const holds = scan.outcome === 'admitted' && scan.undoneAt === null && ticket.entryScanId === scan.id
  if (!holds || ticket.status !== 'used' || (await hasConflict(tx, ticket.id))) throw new Refusal('UNDO_NOT_POSSIBLE')
  if (!isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  const set = { status: 'active' as const, ...NO_ENTRY }
  const free = await moveTicket(tx, { id: ticket.id, eventId: ticket.eventId, from: 'used', set, now })
  if (typeof free === 'string') throw new Refusal('UNDO_NOT_POSSIBLE')
  await updateScan(tx, scan.id, { undoneAt: now })
  const detail = AUDIT.status('used', 'active')
  await audited(tx, { at: now, action: 'ticket.admissionUndone', actor: user, subject: aboutTicket(ticket), detail })
  return free
}

/** An admin has changed the ticket meanwhile and its status stays; only the person is taken back. */
async function takeBackReleased(tx: WriteTx, { scan, ticket, user, now }: TakingBack): Promise<TicketRow> {
  if (!isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  await updateScan(tx, scan.id, { undoneAt: now })
  await nextRevision(tx)
  const detail = AUDIT.releasedUndone
  await audited(tx, { at: now, action: 'ticket.admissionUndone', actor: user, subject: aboutTicket(ticket), detail })
  return ticket
}
