import type { ScanFlag } from '@garba/shared/contracts/names'
import type { AdmissionSide, ScanBody } from '@garba/shared/contracts/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { judge } from '@garba/shared/rules/admission'
import { mayUndo } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../refusal.ts'
import { type ConflictRow, markAcknowledged, openConflicts } from '../store/conflicts.ts'
import { findScan, type ScanRow, updateScan } from '../store/scans.ts'
import type { WriteTx } from '../store/sql.ts'
import { correctEntry, findTicketOrTombstone, moveTicket, NO_ENTRY, type TicketRow } from '../store/tickets.ts'
import { type ScanAnswer, writeScan } from './admit.ts'
import { aboutTicket, audited } from './audited.ts'
import type { AnyCaller, Deps } from './deps.ts'
import { unknownTicket } from './recordConflict.ts'
import { atItsEvent, knownTicket, nameOfEvent, readScan, type ScanFacts, ticketIdOf, timed } from './scanFacts.ts'
import { scannedTicketView } from './views/ticket.ts'

interface Given {
  sender: AnyCaller
  scan: ScanBody
  /** ISO, by the device's clock. */
  undoneAt: string
  flag: ScanFlag | null
}

/**
 * An admission that its checker took back at the gate, as its device reports it later: sent late, or again to a restored server
 * (DECISIONS 9). Both times are the device's, as with any admission it made. Nobody is inside on this scan, so its ticket is free
 * again, or becomes the entry of the next person let in on it; a later mark with this scanId changes nothing. Refuses with
 * UNDO_EXPIRED, UNDO_NOT_YOURS or SCAN_ID_REUSED.
 */
export async function takeBackLate(deps: Deps, { sender, scan, undoneAt, flag }: Given): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender, scan })
  if (scan.scannedAt === undefined || !mayUndo({ admittedAt: new Date(scan.scannedAt), now: new Date(undoneAt) }))
    throw new Refusal('UNDO_EXPIRED')
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticketId = ticketIdOf(sent.code)
    const known = await findScan(tx, sent.scanId)
    if (known && known.ticketId !== ticketId) throw new Refusal('SCAN_ID_REUSED')
    const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
    const facts = timed(await atItsEvent(tx, sent, ticket), ticket)
    if (known) await undo(tx, { facts, scan: known, ticket, isMaker: isMaker(known, facts, scan) })
    else await keepUndone(tx, { facts, ticket, flag })
    return answerTo(facts, ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId))
  })
}

const answerTo = (facts: ScanFacts, ticket: TicketRow | undefined): ScanAnswer => ({
  status: 200,
  body: {
    success: true,
    outcome: 'admitted',
    scanId: facts.scanId,
    ticket: ticket
      ? scannedTicketView(ticket, nameOfEvent(facts))
      : unknownTicket(ticketIdOf(facts.code) ?? '', nameOfEvent(facts)),
  },
})

/** On a server that has lost the account of its checker, the device still vouches for its own scan. */
const isMaker = (known: ScanRow, { checker, device }: ScanFacts, { deviceId }: ScanBody): boolean =>
  known.checkerId === checker.id || (known.deviceId !== null && [device.id, deviceId].includes(known.deviceId))

interface Unknown {
  facts: ScanFacts
  ticket: TicketRow | undefined
  flag: ScanFlag | null
}

/** Kept so that the mark itself, should it still be under way, admits nobody. A code that admits nobody leaves nothing to keep. */
async function keepUndone(tx: WriteTx, { facts, ticket, flag }: Unknown): Promise<void> {
  const verdict = judge({ code: facts.code, ticket: knownTicket(ticket), authority: 'server', admittedOffline: true })
  if (!verdict.admit) return
  await writeScan(tx, facts, { ...answerTo(facts, ticket), outcome: 'admitted', flag }, false)
  await updateScan(tx, facts.scanId, { undoneAt: facts.receivedAt })
}

interface Undoing {
  facts: ScanFacts
  scan: ScanRow
  ticket: TicketRow | undefined
  isMaker: boolean
}

async function undo(tx: WriteTx, { facts, scan, ticket, isMaker }: Undoing): Promise<void> {
  if (scan.undoneAt !== null || scan.outcome === 'refused') return
  if (!isMaker) throw new Refusal('UNDO_NOT_YOURS')
  await updateScan(tx, scan.id, { undoneAt: facts.receivedAt })
  if (!ticket) return
  const open = await openConflicts(tx, ticket.id)
  const settled =
    ticket.status === 'used' && ticket.entryScanId === scan.id
      ? await passEntryOn(tx, { facts, ticket, scan, open })
      : (open.find(({ second }) => second.scanId === scan.id) ?? open.find(({ first }) => first.scanId === scan.id))
  if (settled)
    await markAcknowledged(tx, settled.id, { acknowledgedByName: facts.checker.name, acknowledgedAt: facts.receivedAt })
  const detail = settled ? AUDIT.conflictUndone : AUDIT.status('used', 'active')
  const subject = aboutTicket(ticket)
  const { checker: actor, receivedAt: at } = facts
  await audited(tx, { at, action: 'ticket.admissionUndone', actor, subject, detail })
}

interface Passing {
  facts: ScanFacts
  ticket: TicketRow
  scan: ScanRow
  open: readonly ConflictRow[]
}

/** The ticket becomes active, or the entry of the person who came in on it next; then their conflict, which is returned, was none. */
async function passEntryOn(
  tx: WriteTx,
  { facts: { receivedAt }, ticket, scan, open }: Passing,
): Promise<ConflictRow | undefined> {
  const [next] = open
    .filter(({ first }) => first.scanId === scan.id)
    .toSorted((one, other) => Date.parse(one.second.at) - Date.parse(other.second.at))
  const side = next && (await standing(tx, next.second))
  if (!side) {
    const set = { status: 'active' as const, ...NO_ENTRY }
    await moveTicket(tx, { id: ticket.id, eventId: ticket.eventId, from: 'used', set, now: receivedAt })
    return undefined
  }
  await updateScan(tx, side.id, { outcome: 'admitted' })
  await correctEntry(tx, ticket.id, {
    entryTime: side.at,
    entryScanId: side.id,
    scannedByName: side.checkerName,
    scannedAtDevice: side.deviceName ?? side.deviceId,
    entryGate: side.gate,
    updatedAt: receivedAt,
  })
  return next
}

async function standing(tx: WriteTx, { scanId }: AdmissionSide): Promise<ScanRow | undefined> {
  const scan = scanId === null ? undefined : await findScan(tx, scanId)
  return scan?.undoneAt === null ? scan : undefined
}
