import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { CountRow, ExitBody } from '@garba/shared/contracts/phones/scan'
import { refusalOfCode } from '@garba/shared/rules/admission'
import { timeOfScan } from '@garba/shared/rules/phones/scanTime'
import { mayUndo } from '@garba/shared/rules/ticketStatus'
import { failureBody, Refusal } from '../../../refusal.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import { closedEvents, findEvent, getEventFor } from '../../../store/events.ts'
import { nextRevision } from '../../../store/meta.ts'
import { findMovement, insertMovement, type MovementRow, updateMovement } from '../../../store/movements.ts'
import { findScan } from '../../../store/scans.ts'
import { findTicketOrTombstone, getNameOnTicket, type TicketRow } from '../../../store/tickets.ts'
import { aboutTicket, auditChange } from '../../audited.ts'
import { hadRight } from '../../authenticate.ts'
import type { AnyCaller, Deps } from '../../deps.ts'
import { replacedFacts } from '../../tickets/newCode.ts'
import { settlePassages } from '../../tickets/passages.ts'
import { scannedTicketView } from '../../tickets/readTickets.ts'
import type { ScanAnswer } from '../admit.ts'
import { unknownTicket } from '../conflicts.ts'
import {
  addScanTime,
  claimedTime,
  findTicketId,
  isLostUndo,
  readScan,
  readScanPlace,
  recordScanRefusal,
  type SentScan,
} from '../scanFacts.ts'

interface ExitRequest {
  sender: AnyCaller
  scan: ExitBody
  /** The person has left already, so that nothing is refused but a code that proves nothing. */
  hasLeft?: boolean
  undoneAt?: Date
}

/**
 * Records that the holder of a ticket left. The same scanId always gets the same answer. An exit that a phone reports
 * late counts from its own time on, whatever the server had heard of the ticket by then.
 */
export async function recordExit(
  deps: Deps,
  { sender, scan, hasLeft = false, undoneAt }: ExitRequest,
): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender, scan: { ...scan, admittedOffline: hasLeft } })
  const ticketId = findTicketId(sent.code)
  const work = async (tx: WriteTx): Promise<ScanAnswer> => {
    tx.announceChanges('roster', 'evening')
    const known = await findOwnMovement(tx, sent.scanId, { kind: 'exit', chosenId: ticketId })
    if (sent.code.type !== 'genuine')
      return refuseExit(tx, { sent, refusal: new Refusal(refusalOfCode(sent.code.type)) })
    const ticket = await findTicketOrTombstone(tx, sent.code.ticketId)
    const now = sent.receivedAt
    const undone = undoneAt !== undefined
    if (undone) await requireUndoRight(tx, { sender, undoneAt, exit: known, now })
    if (known && undone) await undoExit(tx, { exit: known, sender, now })
    else if (known?.undoneAt) throw new Refusal('SCAN_UNDONE')
    if (known) return buildExitAnswer(tx, sent, ticket)
    const refusal = hasLeft ? null : findExitRefusal(sent, ticket)
    if (refusal) return refuseExit(tx, { sent, ticket, refusal })
    await insertExit(tx, { sent, ticket, ticketId: sent.code.ticketId, undone })
    return buildExitAnswer(tx, sent, await findTicketOrTombstone(tx, sent.code.ticketId))
  }
  // A late exit may turn a double admission into a return, so it runs alone.
  const touches = hasLeft || ticketId === null ? [] : [`scan:${sent.scanId}`, `ticket:${ticketId}`]
  return deps.store.write(work, { touches })
}

/** The undo counts as made after the exit, whatever time the device claims. */
async function requireUndoRight(
  tx: WriteTx,
  { sender, undoneAt, exit, now }: { sender: AnyCaller; undoneAt: Date; exit: MovementRow | undefined; now: Date },
): Promise<void> {
  const at = new Date(Math.max(exit?.at.getTime() ?? 0, Math.min(undoneAt.getTime(), now.getTime())))
  if (!(await hadRight(tx, sender, { right: 'undo', at, now }))) throw new Refusal('FORBIDDEN')
}

function findExitRefusal(
  { receivedAt: now, timezone, event }: SentScan,
  ticket: TicketRow | undefined,
): Refusal | null {
  if (ticket?.replacedAt)
    return new Refusal('CODE_REPLACED', replacedFacts(ticket.replacedAt.toISOString(), { now, timezone }))
  if (!ticket || ticket.status === 'deleted') return new Refusal('TICKET_NOT_FOUND')
  if (ticket.status === 'used' && ticket.leftAt === null) return null
  const leftAt = ticket.leftAt?.toISOString()
  return new Refusal('NOT_INSIDE', { body: { ticket: scannedTicketView(ticket, event), ...(leftAt && { leftAt }) } })
}

/** The register counts refusals, so the answer must not undo the write. */
async function refuseExit(
  tx: WriteTx,
  { sent, ticket, refusal }: { sent: SentScan; ticket?: TicketRow | undefined; refusal: Refusal },
): Promise<ScanAnswer> {
  const { code, facts } = refusal
  await recordScanRefusal(tx, {
    ...sent,
    code,
    ticketId: findTicketId(sent.code),
    eventId: ticket?.eventId ?? sent.event?.id ?? null,
    holderName: ticket && ticket.status !== 'deleted' ? getNameOnTicket(ticket) : null,
  })
  return { status: STATUS_OF[code], body: failureBody(code, facts) }
}

/** The row that already has this id. Refuses with SCAN_ID_REUSED if it says something else. */
async function findOwnMovement(
  tx: WriteTx,
  id: string,
  { kind, chosenId }: Pick<MovementRow, 'kind' | 'chosenId'>,
): Promise<MovementRow | undefined> {
  const [known, scan] = await Promise.all([findMovement(tx, id), findScan(tx, id)])
  if (scan || (known && (known.kind !== kind || known.chosenId !== chosenId))) throw new Refusal('SCAN_ID_REUSED')
  return known
}

async function insertExit(
  tx: WriteTx,
  given: { sent: SentScan; ticket: TicketRow | undefined; ticketId: string; undone: boolean },
): Promise<void> {
  const { sent, ticket, ticketId, undone } = given
  const { at, checker, device, gate, receivedAt } = addScanTime(sent, ticket)
  const eventId = ticket?.eventId ?? sent.event?.id ?? null
  const undoneAt = undone ? receivedAt : null
  await insertMovement(tx, {
    ...buildMakers(sent),
    id: sent.scanId,
    kind: 'exit',
    ticketId,
    chosenId: ticketId,
    groupIds: sent.group ?? null,
    change: 0,
    eventId,
    gate,
    at,
    receivedAt,
    undoneAt,
  })
  await nextRevision(tx)
  await settlePassages(tx, ticketId, { now: receivedAt, byName: sent.sender.name })
  const subject = aboutTicket({ id: ticketId, buyerName: ticket ? getNameOnTicket(ticket) : null, eventId })
  const place = device.name ?? device.id
  const detail = [place && `At ${place}`, sent.admittedOffline && 'offline', undone && 'undone']
    .filter(Boolean)
    .join(', ')
  await auditChange(tx, { at: receivedAt, action: 'ticket.left', actor: checker, subject, detail })
}

const buildMakers = ({ checker, sender, device }: Pick<SentScan, 'checker' | 'sender' | 'device'>) => ({
  checkerId: checker.id,
  checkerName: checker.name,
  senderId: sender.id,
  senderName: sender.name,
  deviceId: device.id,
  deviceName: device.name,
})

async function buildExitAnswer(tx: WriteTx, { scanId, event, code }: SentScan, ticket: TicketRow | undefined) {
  const shown = ticket
    ? scannedTicketView(ticket, await getEventFor(tx, ticket))
    : unknownTicket(findTicketId(code) ?? '', event?.name ?? '')
  return { status: 200, body: { success: true, outcome: 'left', scanId, ticket: shown } } as const
}

/** Within 60 s, by whoever recorded it. A repeated undo changes nothing. */
export async function undoExit(
  tx: WriteTx,
  { exit, sender, now }: { exit: MovementRow; sender: AnyCaller; now: Date },
): Promise<TicketRow | undefined> {
  if (exit.senderId !== sender.id) throw new Refusal('UNDO_NOT_YOURS')
  const ticketId = exit.ticketId ?? ''
  if (exit.undoneAt === null) {
    if (!mayUndo({ admittedAt: exit.at, now }) && !(await isLostUndo(tx, exit))) throw new Refusal('UNDO_EXPIRED')
    await updateMovement(tx, exit.id, { undoneAt: now, change: 0 })
    await nextRevision(tx)
    await settlePassages(tx, ticketId, { now, byName: sender.name })
    const subject = aboutTicket({ id: ticketId, buyerName: null, eventId: exit.eventId })
    await auditChange(tx, { at: now, action: 'ticket.exitUndone', actor: sender, subject, detail: '' })
  }
  return findTicketOrTombstone(tx, ticketId)
}

/** People counted on a phone that was offline belong to their evening, even if another event has begun since. */
async function findEventAt(tx: ReadTx, at: Date): Promise<string | null> {
  const current = await findEvent(tx)
  if (current && current.createdAt <= at) return current.id
  return ((await closedEvents(tx)).find(({ createdAt }) => createdAt <= at) ?? current)?.id ?? null
}

/** Counts people without a code. The same scanId counts once. */
export async function recordCount(
  deps: Deps,
  { sender, row }: { sender: AnyCaller; row: CountRow },
): Promise<ScanAnswer> {
  const receivedAt = deps.now()
  const place = await readScanPlace(deps, { sender, scan: { ...row, admittedOffline: true } })
  const { at } = timeOfScan({ claimed: claimedTime(row), soldAt: null, receivedAt, admittedOffline: true })
  const { scanId, group, change } = row
  return deps.store.write(
    async (tx) => {
      tx.announceChanges('roster', 'evening')
      const known = await findOwnMovement(tx, scanId, { kind: 'count', chosenId: null })
      if (known && (known.group !== group || known.change !== change)) throw new Refusal('SCAN_ID_REUSED')
      if (!known) {
        const eventId = await findEventAt(tx, at)
        const made = { ...buildMakers(place), gate: place.gate, at, receivedAt }
        await insertMovement(tx, { ...made, id: scanId, kind: 'count', group, change, eventId })
        await nextRevision(tx)
        const subject = { id: scanId, name: place.gate ?? place.device.name ?? '', eventId }
        const detail = `${change > 0 ? '+' : ''}${change} ${group}`
        await auditChange(tx, { at: receivedAt, action: 'gate.counted', actor: place.checker, subject, detail })
      }
      return { status: 200, body: { success: true, outcome: 'counted', scanId } }
    },
    { touches: [`scan:${scanId}`] },
  )
}
