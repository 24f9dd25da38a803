import type { Right } from '@garba/shared/contracts/names'
import type { AdmissionSide, ScanBody, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { UNKNOWN_HOLDER } from '@garba/shared/messages/gate'
import { judgeAdmission } from '@garba/shared/rules/admission'
import { mayUndo } from '@garba/shared/rules/ticketStatus'
import { orRefuse, Refusal } from '../../refusal.ts'
import { type ConflictRow, listTicketConflicts, markAcknowledged } from '../../store/conflicts.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { getEventFor } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { exitsOfTickets, findMovement } from '../../store/movements.ts'
import { deskMarkId, entriesOfTickets, findScan, type ScanRow, updateScan } from '../../store/scans.ts'
import {
  correctEntry,
  entryBy,
  findTicket,
  findTicketOrTombstone,
  getNameOnTicket,
  moveTicket,
  NO_ENTRY,
  type TicketRow,
} from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import { hadRight } from '../authenticate.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { endOfDevice } from '../phones/authenticateDevice.ts'
import { settlePassages } from '../tickets/passages.ts'
import { scannedTicketView } from '../tickets/readTickets.ts'
import { type ScanAnswer, scanKeys, writeScan } from './admit.ts'
import { unknownTicket } from './conflicts.ts'
import { isScanOfTicket } from './groupSeat.ts'
import { undoExit } from './inside/exits.ts'
import {
  addScanTime,
  atItsEvent,
  findTicketId,
  isLostUndo,
  nameOfEvent,
  readScan,
  rightToScan,
  type ScanFacts,
  toAdmissionTicket,
} from './scanFacts.ts'

/**
 * Undoes the caller's own admission within 60 s. The scan row stays, marked as undone. A repeated call gets the same
 * answer.
 */
export async function undoAdmission(
  deps: Deps,
  { user, scanId }: { user: AnyCaller; scanId: string },
): Promise<ScannedTicket> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const exit = await findMovement(tx, scanId)
    if (exit?.kind === 'exit') {
      const inside = orRefuse(await undoExit(tx, { exit, sender: user, now: deps.now() }), 'UNDO_NOT_POSSIBLE')
      return scannedTicketView(inside, await getEventFor(tx, inside))
    }
    const scan = orRefuse(await findScan(tx, scanId), 'SCAN_NOT_FOUND')
    requireOwn(scan, user)
    const held = scan.ticketId === null ? undefined : await findTicket(tx, scan.ticketId)
    if (!held) throw new Refusal('UNDO_NOT_POSSIBLE')
    const now = deps.now()
    const isOver = scan.undoneAt && (held.status === 'active' || ['released', 'returned'].includes(scan.outcome))
    const free = isOver ? held : await takeBack(tx, { scan, ticket: held, user, now })
    return scannedTicketView(free, await getEventFor(tx, free))
  })
}

/** Senders are identified by session or the phone's signature: names in a scan prove nothing. */
function requireOwn({ senderId }: ScanRow, { id }: AnyCaller): void {
  if (senderId !== id) throw new Refusal('UNDO_NOT_YOURS')
}

/**
 * The 60 s begin when the scan arrives at the latest: a sale that arrives after it may move its time forward
 * (`enterSold`). They are over if the server's clock was set back meanwhile, because the time since the scan is then
 * unknown.
 */
const isInTimeToUndo = ({ at, receivedAt }: ScanRow, now: Date): boolean =>
  mayUndo({ admittedAt: at < receivedAt ? at : receivedAt, now }) && mayUndo({ admittedAt: now, now: receivedAt })

const isSwapWith =
  ({ id }: ScanRow) =>
  ({ disputed, first, second }: ConflictRow): boolean =>
    disputed && [first.scanId, second.scanId].includes(id)

interface TakingBack {
  scan: ScanRow
  ticket: TicketRow
  user: AnyCaller
  now: Date
}

/** Not possible once a second person entered with the ticket, because it would then admit a third. */
async function takeBack(tx: WriteTx, { scan, ticket, user, now }: TakingBack): Promise<TicketRow> {
  const all = await listTicketConflicts(tx, ticket.id)
  if (scan.outcome === 'released' && !all.some(isSwapWith(scan)))
    return await takeBackReleased(tx, { scan, ticket, user, now })
  if (scan.outcome === 'returned') return await takeBackReturn(tx, { scan, ticket, user, now })
  const holds = scan.outcome === 'admitted' && scan.undoneAt === null && ticket.entryScanId === scan.id
  // After an exit the ticket belongs to whoever came back, until the exit is undone.
  const hasLeft = (await exitsOfTickets(tx, [ticket.id])).length > 0
  if (!holds || ticket.status !== 'used' || all.length > 0 || hasLeft) throw new Refusal('UNDO_NOT_POSSIBLE')
  if (!isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  const free = await moveTicket(tx, ticket, { status: 'active', ...NO_ENTRY }, now)
  if (typeof free === 'string') throw new Refusal('UNDO_NOT_POSSIBLE')
  await updateScan(tx, scan.id, { undoneAt: now })
  await settlePassages(tx, ticket.id, { now, byName: user.name })
  await auditUndone(tx, { ticket, user, now }, AUDIT.status('used', 'active'))
  return free
}

const auditUndone = (
  tx: WriteTx,
  { ticket, user, now }: { ticket: TicketRow; user: Pick<AnyCaller, 'id' | 'name'>; now: Date },
  detail: string,
): Promise<void> =>
  auditChange(tx, { at: now, action: 'ticket.admissionUndone', actor: user, subject: aboutTicket(ticket), detail })

async function takeBackReturn(tx: WriteTx, { scan, ticket, user, now }: TakingBack): Promise<TicketRow> {
  if (!isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  await updateScan(tx, scan.id, { undoneAt: now })
  await settlePassages(tx, ticket.id, { now, byName: user.name })
  await auditUndone(tx, { ticket, user, now }, AUDIT.cameBack)
  return orRefuse(await findTicket(tx, ticket.id), 'UNDO_NOT_POSSIBLE')
}

/** An admin has changed the ticket meanwhile. Its status stays, but the person no longer counts as inside. */
async function takeBackReleased(tx: WriteTx, { scan, ticket, user, now }: TakingBack): Promise<TicketRow> {
  if (!isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  await updateScan(tx, scan.id, { undoneAt: now })
  await nextRevision(tx)
  await settlePassages(tx, ticket.id, { now, byName: user.name })
  await auditUndone(tx, { ticket, user, now }, AUDIT.releasedUndone)
  return ticket
}

/**
 * Applies an undo that a device sends from its outbox.
 *
 * - The server does not have the admission: it was undone within 60 s by the device's clock, before it was sent. The
 * undo is kept, so that the admission's row admits no one if it still arrives.
 *
 * - The server has it: only its sender may undo it, within 60 s by the server's clock. Its ticket becomes active again,
 * or the entry of the next person admitted with it. A repeated undo gets the same answer.
 *
 * Needs the right `undo` at the time of the undo and, unless the admission is stored as the sender's, the right to make
 * it. The undo counts as made after the admission, whatever time the device claims.
 */
export async function takeBackLate(
  deps: Deps,
  { sender, scan, undoneAt }: { sender: AnyCaller; scan: ScanBody; undoneAt: string },
): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender, scan })
  const claimed = Math.min(Date.parse(undoneAt) + (scan.clockOffset ?? 0), sent.receivedAt.getTime())
  const work = async (tx: WriteTx): Promise<ScanAnswer> => {
    tx.announceChanges('roster', 'evening')
    const chosen = findTicketId(sent.code)
    const known = await findScan(tx, sent.scanId)
    if (known && !isScanOfTicket(sent, known, chosen)) throw new Refusal('SCAN_ID_REUSED')
    const ticketId = known ? known.ticketId : chosen
    const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
    const facts = addScanTime(await atItsEvent(tx, sent, { ticket }), ticket)
    const inTime = scan.scannedAt !== undefined && isInTime(scan.scannedAt, undoneAt)
    const undone = new Date(Math.max(claimed, (known ?? facts).at.getTime()))
    const had = (right: Right, at: Date) => hadRight(tx, sender, { right, at, now: sent.receivedAt })
    const mayHaveMade = known?.senderId === sender.id || (await had(rightToScan(scan), facts.at))
    if (!mayHaveMade || !(await had('undo', undone))) throw new Refusal('FORBIDDEN')
    if (known) await undo(tx, { facts, scan: known, ticket, sender, inTime })
    else if (inTime) await keepUndone(tx, { facts, ticket })
    else throw new Refusal('UNDO_EXPIRED')
    return answerTo(facts, ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId))
  }
  return deps.store.write(work, { touches: scanKeys(sent) })
}

/** False if the device's clock was set back in between, because the time since the admission is then unknown. */
const isInTime = (scannedAt: string, undoneAt: string): boolean => {
  const [admittedAt, now] = [new Date(scannedAt), new Date(undoneAt)]
  return mayUndo({ admittedAt, now }) && mayUndo({ admittedAt: now, now: admittedAt })
}

const answerTo = (facts: ScanFacts, ticket: TicketRow | undefined): ScanAnswer => ({
  status: 200,
  body: {
    success: true,
    scanId: facts.scanId,
    ticket: ticket
      ? scannedTicketView(ticket, facts.event)
      : unknownTicket(findTicketId(facts.code) ?? '', nameOfEvent(facts)),
  },
})

/** A code that admits no one leaves nothing to store. */
async function keepUndone(
  tx: WriteTx,
  { facts, ticket }: { facts: ScanFacts; ticket: TicketRow | undefined },
): Promise<void> {
  const verdict = judgeAdmission({
    code: facts.code,
    ticket: toAdmissionTicket(ticket),
    authority: 'server',
    admittedOffline: true,
  })
  if (!verdict.admit) return
  await writeScan(tx, facts, { ...answerTo(facts, ticket), outcome: 'admitted', flag: null }, false)
  await updateScan(tx, facts.scanId, { undoneAt: facts.receivedAt })
  const [id, eventId] = [findTicketId(facts.code) ?? '', facts.event?.id ?? null]
  const subject = aboutTicket({ id, buyerName: ticket ? getNameOnTicket(ticket) : UNKNOWN_HOLDER, eventId })
  const detail = AUDIT.unsentUndone
  await auditChange(tx, {
    at: facts.receivedAt,
    action: 'ticket.admissionUndone',
    actor: facts.sender,
    subject,
    detail,
  })
}

interface AdmissionUndo {
  facts: ScanFacts
  scan: ScanRow
  ticket: TicketRow | undefined
  sender: AnyCaller
  inTime: boolean
}

async function undo(tx: WriteTx, { facts, scan, ticket, sender, inTime }: AdmissionUndo): Promise<void> {
  // Nothing is left to undo. On a shared phone, the next checker may send the row, so the sender does not matter.
  if (scan.undoneAt !== null || scan.outcome === 'refused') return
  requireOwn(scan, sender)
  const { receivedAt: now } = facts
  const end = sender.device ? endOfDevice(sender.device, now) : null
  if (end) throw new Refusal(end.code)
  const again = inTime && (await isLostUndo(tx, scan))
  if (!again && !isInTimeToUndo(scan, now)) throw new Refusal('UNDO_EXPIRED')
  const all = await listTicketConflicts(tx, scan.ticketId ?? '')
  if (all.some(isSwapWith(scan))) throw new Refusal('UNDO_NOT_POSSIBLE')
  await updateScan(tx, scan.id, { undoneAt: now })
  await nextRevision(tx)
  const open = all.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const held = ticket?.status === 'used' && ticket.entryScanId === scan.id ? ticket : null
  const resolvedConflict = held
    ? await passEntryOn(tx, { facts, ticket: held, all })
    : (open.find(({ second }) => second.scanId === scan.id) ?? open.find(({ first }) => first.scanId === scan.id))
  if (resolvedConflict)
    await markAcknowledged(tx, resolvedConflict.id, { acknowledgedByName: sender.name, acknowledgedAt: now })
  if (!ticket) return
  await settlePassages(tx, ticket.id, { now, byName: sender.name })
  const unchanged = scan.outcome === 'released' ? AUDIT.releasedUndone : AUDIT.conflictUndone
  const detail = held && !resolvedConflict ? AUDIT.status('used', 'active') : unchanged
  await auditUndone(tx, { ticket, user: sender, now }, detail)
}

interface EntryHandover {
  facts: ScanFacts
  ticket: TicketRow
  /** Includes acknowledged conflicts: those people are inside too. */
  all: readonly ConflictRow[]
}

/**
 * Makes the ticket active, or the entry of the next person who came in with it, by a scan or an admin's mark. Their
 * conflict is then settled, and is returned.
 */
async function passEntryOn(
  tx: WriteTx,
  { facts: { receivedAt }, ticket, all }: EntryHandover,
): Promise<ConflictRow | undefined> {
  for (const next of all.toSorted((one, other) => Date.parse(one.second.at) - Date.parse(other.second.at))) {
    // If the first side was undone earlier, the second person is still inside. An unknown ticket has no first person.
    const isOver = next.first.scanId === null ? next.over === 'missing' : !(await standing(tx, next.first))
    const side = isOver ? await standing(tx, next.second, ticket) : undefined
    if (!side) continue
    const byDesk = next.second.scanId === null
    if (!byDesk) await updateScan(tx, side.id, { outcome: 'admitted' })
    await correctEntry(tx, ticket.id, { ...entryBy(side), ...(byDesk && { entryScanId: null }), updatedAt: receivedAt })
    return next
  }
  const back = (await entriesOfTickets(tx, [ticket.id])).find(({ outcome }) => outcome === 'returned')
  if (back) {
    await updateScan(tx, back.id, { outcome: 'admitted' })
    await correctEntry(tx, ticket.id, { ...entryBy(back), updatedAt: receivedAt })
  } else await moveTicket(tx, ticket, { status: 'active', ...NO_ENTRY }, receivedAt)
  return undefined
}

async function standing(
  tx: WriteTx,
  { scanId }: AdmissionSide,
  marked?: Pick<TicketRow, 'id'>,
): Promise<ScanRow | undefined> {
  const id = scanId ?? (marked && deskMarkId(marked.id))
  const scan = id === undefined ? undefined : await findScan(tx, id)
  return scan?.undoneAt === null ? scan : undefined
}
