import { type Code, STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag } from '@garba/shared/contracts/names'
import type { ScanBody } from '@garba/shared/contracts/phones/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { judgeAdmission, type Verdict } from '@garba/shared/rules/admission'
import { mayReturn } from '@garba/shared/rules/event/inside'
import { failureBody, Refusal, type RefusalFacts } from '../../refusal.ts'
import { insertConflict, listTicketSwaps } from '../../store/conflicts.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { findEventById, getEventFor } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { findMovement } from '../../store/movements.ts'
import { findScan, insertScan, type ScanRow, updateScan } from '../../store/scans.ts'
import {
  correctEntry,
  findTicketOrTombstone,
  getNameOnTicket,
  moveTicket,
  type TicketRow,
} from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { addOldCodeMatter, replacedFacts } from '../tickets/newCode.ts'
import { otherSide, settlePassages } from '../tickets/passages.ts'
import { scannedTicketView } from '../tickets/readTickets.ts'
import { buildAdmissionSide, formatAdmissionSide, recordConflict } from './conflicts.ts'
import { chosenNote, isScanOfTicket, replaceScanTicket, ticketInGroup } from './groupSeat.ts'
import {
  addScanTime,
  atItsEvent,
  buildScanEntry,
  findAdmissionGate,
  findTicketId,
  isOnOtherDay,
  readScan,
  recordScanRefusal,
  refusalFacts,
  type ScanFacts,
  type SentScan,
  timeNote,
  toAdmissionTicket,
} from './scanFacts.ts'

export interface ScanAnswer {
  status: (typeof STATUS_OF)[Code]
  body: Record<string, unknown>
}
interface JudgedScan extends ScanAnswer {
  outcome: ScanRow['outcome']
}

/**
 * Admits a ticket's holder, or says why not. The scanId is checked before the rules, so a repeated scan gets its first
 * answer. Only a refused scan that its device sends again as `admittedOffline` is judged again, because the person is
 * inside.
 */
export async function admitTicket(
  deps: Deps,
  given: { sender: AnyCaller; scan: ScanBody; flag?: ScanFlag | null },
): Promise<ScanAnswer> {
  const sent = await readScan(deps, given)
  return deps.store.write((tx) => admitWithin(tx, sent, given.flag), { touches: scanKeys(sent) })
}

/**
 * The keys that an admission, a swap or a late undo touches: its scan, and its ticket with all its scans and conflicts.
 */
export function scanKeys({
  scanId,
  code,
  admittedOffline,
}: Pick<SentScan, 'scanId' | 'code' | 'admittedOffline'>): string[] {
  // It may move between the tickets of a group, so it runs alone.
  if (admittedOffline) return []
  const ticketId = findTicketId(code)
  return [`scan:${scanId}`, ...(ticketId === null ? [] : [`ticket:${ticketId}`])]
}

export async function admitWithin(tx: WriteTx, sent: SentScan, flag: ScanFlag | null = null): Promise<ScanAnswer> {
  tx.announceChanges('roster', 'evening')
  const ticketId = findTicketId(sent.code)
  const [known, chosen, likely] = await Promise.all([
    knownScan(tx, sent),
    ticketId === null ? undefined : findTicketOrTombstone(tx, ticketId),
    sent.event === null ? undefined : findEventById(tx, sent.event.id),
  ])
  if (known && !isReportedInside(known, sent)) return firstAnswer(known)
  const ticket = await ticketInGroup(tx, sent, chosen)
  const facts = addScanTime(await atItsEvent(tx, replaceScanTicket(sent, ticket), { ticket, likely }), ticket)
  const doubt = flag ?? (isOfflineInDoubt(facts) ? 'online' : null)
  const judged = await judgeScan(tx, { facts, ticket, doubted: doubt !== null })
  if (known && judged.outcome === 'refused') return firstAnswer(known)
  await writeScan(tx, facts, { ...judged, flag: doubt }, known !== undefined)
  const countedWith = findTicketId(facts.code)
  if (countedWith !== null && judged.outcome !== 'refused') {
    const leftAt = ticket?.leftAt ?? null
    await settlePassages(tx, countedWith, { now: sent.receivedAt, byName: sent.sender.name, leftAt })
  }
  return judged
}

const isOfflineInDoubt = ({ code, admittedOffline, at, wasHeard }: ScanFacts): boolean =>
  admittedOffline && code.type === 'manual' && wasHeard?.(at) === true

async function knownScan(tx: WriteTx, sent: SentScan): Promise<ScanRow | undefined> {
  const [known, moved] = await Promise.all([findScan(tx, sent.scanId), findMovement(tx, sent.scanId)])
  if (moved) throw new Refusal('SCAN_ID_REUSED')
  if (known && !isScanOfTicket(sent, known, findTicketId(sent.code))) throw new Refusal('SCAN_ID_REUSED')
  if (known?.undoneAt) throw new Refusal('SCAN_UNDONE')
  return known
}

/** Only the device that was refused may report that it let the person in anyway. */
const isReportedInside = ({ outcome, deviceId }: ScanRow, { admittedOffline, device }: SentScan): boolean =>
  outcome === 'refused' && admittedOffline && deviceId === device.id

const firstAnswer = ({ answerStatus, answer }: ScanRow): ScanAnswer => ({
  status: answerStatus as ScanAnswer['status'],
  body: answer,
})

async function judgeScan(
  tx: WriteTx,
  { facts, ticket, doubted }: { facts: ScanFacts; ticket: TicketRow | undefined; doubted: boolean },
): Promise<JudgedScan> {
  const verdict = judgeAdmission({
    code: facts.code,
    ticket: toAdmissionTicket(ticket),
    authority: 'server',
    admittedOffline: facts.admittedOffline,
    isReturnOpen: isReturn(facts, ticket),
    calledOff: facts.event?.state === 'calledOff',
    at: facts.bySale ? undefined : await findAdmissionGate(tx, facts),
  })
  if (!verdict.admit) return await refused(tx, facts, { verdict, ticket })
  if (verdict.conflict) {
    const body = await recordConflict(tx, { facts, ticket, ticketId: findTicketId(facts.code) ?? '', doubted })
    return { outcome: body.conflict.second.scanId === facts.scanId ? 'conflict' : 'admitted', status: 200, body }
  }
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return verdict.again ? await returned(tx, facts, ticket) : await admitted(tx, facts, ticket)
}

/** Late rows may be of before the exit; `settlePassages` decides those by their times. */
const isReturn = ({ event, at }: ScanFacts, ticket: TicketRow | undefined): boolean =>
  event !== null && ticket?.leftAt != null && at >= ticket.leftAt && mayReturn(event, at.getTime())

/** The ticket keeps its first entry, because the person was counted then. */
async function returned(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<JudgedScan> {
  const { scanId, checker, receivedAt } = facts
  const ticketNow = await correctEntry(tx, ticket.id, { leftAt: null, updatedAt: receivedAt })
  const detail = [AUDIT.cameBack, facts.admittedOffline && 'offline', timeNote(facts)].filter(Boolean).join(', ')
  const subject = aboutTicket(ticket)
  await auditChange(tx, { at: receivedAt, action: 'ticket.admitted', actor: checker, subject, detail })
  const shown = scannedTicketView(ticketNow, facts.event)
  return {
    outcome: 'returned',
    status: 200,
    body: { success: true, ticket: shown, outcome: 'admitted', again: true, scanId },
  }
}

async function admitted(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<JudgedScan> {
  const { scanId, checker, receivedAt } = facts
  const entry = buildScanEntry(facts)
  const moved = await moveTicket(tx, ticket, { status: 'used', ...entry }, receivedAt)
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  const where = entry.scannedAtDevice && `At ${entry.scannedAtDevice}`
  const how = [facts.code.type === 'manual' && 'by hand', facts.admittedOffline && 'offline']
  // One checker's queued scans may be sent by another; the audit row names both.
  const sentBy = checker.id !== facts.sender.id && `sent by ${facts.sender.name}`
  const detail = [where, ...how, chosenNote(facts), timeNote(facts), sentBy].filter(Boolean).join(', ')
  await auditChange(tx, {
    at: receivedAt,
    action: 'ticket.admitted',
    actor: checker,
    subject: aboutTicket(ticket),
    detail,
  })
  const otherDay = isOnOtherDay(facts) ? { otherDay: true } : {}
  const ticketNow = scannedTicketView(moved, facts.event)
  const body = { success: true, ticket: ticketNow, outcome: 'admitted', scanId, ...otherDay }
  return { outcome: 'admitted', status: 200, body }
}

async function refused(
  tx: WriteTx,
  facts: ScanFacts,
  { verdict, ticket }: { verdict: Extract<Verdict, { admit: false }>; ticket: TicketRow | undefined },
): Promise<JudgedScan> {
  const { code } = verdict
  const existing = ticket && ticket.status !== 'deleted' ? ticket : undefined
  if (ticket && verdict.code === 'CODE_REPLACED') await addOldCodeMatter(tx, ticket, facts.receivedAt)
  await recordScanRefusal(tx, {
    ...facts,
    code,
    ticketId: findTicketId(facts.code),
    eventId: facts.event?.id ?? null,
    holderName: existing ? getNameOnTicket(existing) : null,
  })
  const withTicket =
    existing && facts.code.type !== 'forged'
      ? { ticket: scannedTicketView(existing, await getEventFor(tx, existing)) }
      : {}
  const more =
    verdict.code === 'CODE_REPLACED'
      ? replacedIn(facts, verdict.replacedAt)
      : { ...buildGateFacts(verdict), ...(await refusalFacts(tx, code, facts.code)) }
  const body = failureBody(code, { ...more, body: { ...more.body, scanId: facts.scanId, ...withTicket } })
  return { outcome: 'refused', status: STATUS_OF[code], body }
}

const replacedIn = ({ receivedAt: now, timezone }: ScanFacts, replacedAt: string): RefusalFacts =>
  replacedFacts(replacedAt, { now, timezone })

const buildGateFacts = (verdict: Verdict): RefusalFacts => ({
  ...('gates' in verdict && { gates: verdict.gates }),
  ...('leftAt' in verdict && { body: { leftAt: verdict.leftAt } }),
})

export async function writeScan(
  tx: WriteTx,
  facts: ScanFacts,
  { outcome, status, body, flag }: JudgedScan & { flag: ScanFlag | null },
  again: boolean,
): Promise<void> {
  const { scanId, code, device, checker, sender } = facts
  const row = {
    ticketId: findTicketId(code),
    chosenId: facts.chosen ?? findTicketId(code),
    groupIds: facts.group ?? null,
    outcome,
    admittedOffline: facts.admittedOffline,
    manual: code.type === 'manual',
    deviceId: device.id,
    deviceName: device.name,
    gate: facts.gate,
    checkerId: checker.id,
    checkerName: checker.name,
    senderId: sender.id,
    senderName: sender.name,
    deviceTime: facts.deviceTime,
    at: facts.at,
    claimedAt: facts.claimedAt,
    backDated: facts.backDated,
    receivedAt: facts.receivedAt,
    answerStatus: status,
    answer: body,
    eventId: facts.event?.id ?? null,
    flag,
    otherDay: outcome === 'admitted' && isOnOtherDay(facts),
  }
  if (again) await updateScan(tx, scanId, row)
  else await insertScan(tx, { id: scanId, ...row })
}

/**
 * Lets in the holder of a ticket that another person has used with a copy of its code, after the supervisor has
 * compared the name. The ticket's entry becomes this admission, and the first is kept as disputed. Both people count as
 * let in. Only an admin may swap a ticket a second time, and each attempt after the first counts towards an alarm. A
 * repeated scanId gets its first answer.
 */
export async function swapEntry(deps: Deps, { user, scan }: { user: AnyCaller; scan: ScanBody }): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender: user, scan: { ...scan, admittedOffline: false } })
  const work = async (tx: WriteTx): Promise<ScanAnswer> => {
    tx.announceChanges('roster', 'evening')
    const ticketId = findTicketId(sent.code)
    const known = await knownScan(tx, sent)
    if (known) return firstAnswer(known)
    const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
    const facts = addScanTime(await atItsEvent(tx, sent, { ticket }), ticket)
    requireUsed(facts, ticket)
    if (user.role !== 'admin' && (await listTicketSwaps(tx, ticket.id)).length > 0)
      return await swappedBefore(tx, facts, ticket)
    const body = await swap(tx, facts, ticket)
    await writeScan(tx, facts, { outcome: 'admitted', status: 200, body, flag: null }, false)
    await settlePassages(tx, ticket.id, { now: sent.receivedAt, byName: user.name })
    return { status: 200, body }
  }
  return deps.store.write(work, { touches: scanKeys(sent) })
}

/** The gate does not matter: the holder may enter where the first person did. */
function requireUsed(facts: ScanFacts, ticket: TicketRow | undefined): asserts ticket is TicketRow {
  const { code } = facts
  const verdict = judgeAdmission({
    code,
    ticket: toAdmissionTicket(ticket),
    authority: 'server',
    admittedOffline: false,
    isReturnOpen: isReturn(facts, ticket),
    calledOff: facts.event?.state === 'calledOff',
  })
  if (!verdict.admit && verdict.code === 'CODE_REPLACED')
    throw new Refusal(verdict.code, replacedIn(facts, verdict.replacedAt))
  if (!verdict.admit && verdict.code !== 'ALREADY_USED') throw new Refusal(verdict.code)
  if (verdict.admit || !ticket) throw new Refusal('SWAP_NOT_POSSIBLE')
}

/** The refusal is recorded, because someone may be using one ticket to let several people in. */
async function swappedBefore(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<ScanAnswer> {
  const code = 'SWAP_AGAIN'
  const { id: ticketId, eventId } = ticket
  await recordScanRefusal(tx, { ...facts, code, ticketId, eventId, holderName: getNameOnTicket(ticket) })
  return { status: STATUS_OF[code], body: failureBody(code, { body: { scanId: facts.scanId } }) }
}

async function swap(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<Record<string, unknown>> {
  const { scanId, checker, receivedAt } = facts
  const { side: first } = await otherSide(tx, { facts, ticket }, 'used')
  const second = buildAdmissionSide(facts)
  if (first.scanId !== null) await updateScan(tx, first.scanId, { outcome: 'conflict' })
  const held = await correctEntry(tx, ticket.id, { ...buildScanEntry(facts), updatedAt: receivedAt })
  await insertConflict(tx, {
    id: scanId,
    ticketId: ticket.id,
    holderName: getNameOnTicket(ticket),
    over: 'used',
    disputed: true,
    first,
    second,
    createdAt: receivedAt,
    revision: await nextRevision(tx),
    eventId: ticket.eventId,
  })
  const detail = `${formatAdmissionSide(second)}; disputed: ${formatAdmissionSide(first)}`
  await auditChange(tx, {
    at: receivedAt,
    action: 'ticket.swapped',
    actor: checker,
    subject: aboutTicket(ticket),
    detail,
  })
  const conflict = { id: scanId, over: 'used', disputed: true, first, second }
  return { success: true, ticket: scannedTicketView(held, facts.event), outcome: 'admitted', scanId, conflict }
}
