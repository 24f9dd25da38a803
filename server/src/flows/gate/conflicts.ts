import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { AdmissionSide, AnsweredConflict, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { UNKNOWN_HOLDER } from '@garba/shared/messages/gate'
import { orRefuse, Refusal } from '../../refusal.ts'
import { type ConflictRow, findConflict, insertConflict, markAcknowledged } from '../../store/conflicts.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { nextRevision } from '../../store/meta.ts'
import { findScan, updateScan } from '../../store/scans.ts'
import { correctEntry, getNameOnTicket, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { buildSideOfScan, otherSide } from '../tickets/passages.ts'
import { scannedTicketView } from '../tickets/readTickets.ts'
import { buildScanEntry, nameOfEvent, type ScanFacts, timeNote } from './scanFacts.ts'

type Over = ConflictRow['over']

interface Admission {
  facts: ScanFacts
  ticket: TicketRow | undefined
  ticketId: string
  /** The sending phone had ended or lost the right, so its time cannot be trusted. */
  doubted?: boolean
}
export interface ConflictBody extends Record<string, unknown> {
  success: true
  outcome: 'conflict'
  scanId: string
  ticket: ScannedTicket
  conflict: AnsweredConflict
}

/**
 * Records an admission on a ticket that was no longer valid for entry. It is never refused: the first admission by
 * corrected time wins (but a back-dated or doubted one never wins over an online one), and both are kept and reported.
 * A cancelled, deleted or replaced ticket keeps its status, because its seat may be sold.
 */
export async function recordConflict(tx: WriteTx, admission: Admission): Promise<ConflictBody> {
  const { facts, ticketId, doubted = false } = admission
  const eventId = facts.event?.id ?? null
  const over = getConflictReason(admission.ticket)
  const mine = buildAdmissionSide(facts)
  const { side: theirs, online } = await otherSide(tx, admission, over)
  const mineWins = over === 'used' && mine.at < theirs.at && !((facts.backDated || doubted) && online)
  const ticket = mineWins && admission.ticket ? await winEntry(tx, facts, admission.ticket, theirs) : admission.ticket
  const [first, second] = mineWins ? [mine, theirs] : [theirs, mine]
  const holderName = ticket ? getNameOnTicket(ticket) : UNKNOWN_HOLDER
  const named = await identifyConflict(tx, facts, second)
  await insertConflict(tx, {
    id: named.id,
    ticketId,
    holderName,
    over,
    disputed: false,
    first,
    second,
    createdAt: facts.receivedAt,
    revision: await nextRevision(tx),
    eventId,
  })
  const detail = [`${formatAdmissionSide(first)}; ${formatAdmissionSide(second)}`, timeNote(facts)]
    .filter(Boolean)
    .join(', ')
  const subject = aboutTicket({ id: ticketId, buyerName: holderName, eventId })
  await auditChange(tx, { at: facts.receivedAt, action: 'ticket.conflict', actor: facts.checker, subject, detail })
  const shown = ticket ? scannedTicketView(ticket, facts.event) : unknownTicket(ticketId, nameOfEvent(facts))
  const conflict = { id: named.id, over, first, second: named.second }
  return { success: true, outcome: 'conflict', scanId: facts.scanId, ticket: shown, conflict }
}

/**
 * The conflict's id, unique per judged scan, and its second side as the response reports it. Phones with the first
 * release derive the id themselves, as `second.scanId ?? scanId`, and must get the same one. That id is taken if the
 * losing scan had won against an admin's mark before. Then the judged scan's id is used, and the response leaves out
 * the other one.
 */
async function identifyConflict(
  tx: WriteTx,
  { scanId }: ScanFacts,
  second: AdmissionSide,
): Promise<{ id: string; second: AdmissionSide }> {
  if (second.scanId === null) return { id: scanId, second }
  if ((await findConflict(tx, second.scanId)) === undefined) return { id: second.scanId, second }
  return { id: scanId, second: { ...second, scanId: null } }
}

const getConflictReason = (ticket: TicketRow | undefined): Over => {
  if (!ticket) return 'missing'
  if (ticket.replacedAt) return 'replaced'
  return ticket.status === 'active' ? 'used' : ticket.status
}

export const buildAdmissionSide = ({ scanId: id, at, checker, device, gate }: ScanFacts): AdmissionSide =>
  buildSideOfScan({ id, at, checkerName: checker.name, deviceId: device.id, deviceName: device.name, gate })

async function winEntry(tx: WriteTx, facts: ScanFacts, ticket: TicketRow, loser: AdmissionSide): Promise<TicketRow> {
  if (loser.scanId !== null) await updateScan(tx, loser.scanId, { outcome: 'conflict' })
  return await correctEntry(tx, ticket.id, { ...buildScanEntry(facts), updatedAt: facts.receivedAt })
}

export const formatAdmissionSide = ({ checkerName, deviceName, deviceId, at }: AdmissionSide): string =>
  `${checkerName}${deviceName || deviceId ? ` at ${deviceName ?? deviceId}` : ''}, ${at}`

/** A placeholder for a ticket that is not in the database although someone entered with it. */
export const unknownTicket = (id: string, eventName: string): ScannedTicket => ({
  _id: id,
  id,
  ticketId: id,
  user: { name: UNKNOWN_HOLDER },
  eventName,
  status: 'cancelled',
  entryTime: null,
  scannedBy: null,
  scannedAtDevice: null,
  cancelledAt: null,
})

/** Marks a double admission as seen; the first mark stays. Nobody may acknowledge an admission of their own. */
export async function acknowledgeConflict(
  deps: Deps,
  { admin, id }: { admin: AnyCaller; id: string },
): Promise<EveningFigures['conflicts'][number]> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening')
    const now = deps.now()
    const before = orRefuse(await findConflict(tx, id), 'SCAN_NOT_FOUND')
    if (await isOwn(tx, before, admin)) throw new Refusal('CONFLICT_OWN')
    const marked = await markAcknowledged(tx, id, { acknowledgedByName: admin.name, acknowledgedAt: now })
    const known = marked ?? before
    const subject = aboutTicket({ id: known.ticketId, buyerName: known.holderName, eventId: known.eventId })
    if (marked)
      await auditChange(tx, { at: now, action: 'ticket.conflictAcknowledged', actor: admin, subject, detail: '' })
    return conflictView(known)
  })
}

/** Senders are proven by session or signature, makers are only named, so either makes it the caller's own. */
async function isOwn(tx: ReadTx, { id, first, second }: ConflictRow, caller: AnyCaller): Promise<boolean> {
  for (const scanId of new Set([id, first.scanId, second.scanId])) {
    const scan = scanId === null ? undefined : await findScan(tx, scanId)
    if (scan && [scan.senderId, scan.checkerId].includes(caller.id)) return true
  }
  return false
}

export const conflictView = (conflict: ConflictRow): EveningFigures['conflicts'][number] => ({
  id: conflict.id,
  ticketId: conflict.ticketId,
  name: conflict.holderName,
  over: conflict.over,
  ...(conflict.disputed ? { disputed: true } : {}),
  first: conflict.first,
  second: conflict.second,
  acknowledgedBy: conflict.acknowledgedByName,
  acknowledgedAt: conflict.acknowledgedAt?.toISOString() ?? null,
})
