import type { CountGroup } from '@garba/shared/contracts/names'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { refusalOfCode } from '@garba/shared/rules/admission'
import { readGroupQr } from '@garba/shared/rules/groupQr'
import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import { isFailure } from '../../platform/http/failure.ts'
import type { LocalAdmission, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { clockNow } from '../core/moment.ts'
import {
  type Member,
  type Scan,
  type ScanAttempt,
  type ShownScan,
  toJournalRow,
  toLocalAdmission,
} from '../core/scan.ts'
import { isRefusal } from '../core/words.ts'
import { stationNow } from '../store/device.ts'
import { setStorageTrouble, storageWords, toStorageFailure } from '../store/failure.ts'
import { recallAdmissions } from '../store/journal.ts'
import { recordAdmission, storeCount } from '../store/record.ts'
import { addLocalAdmission, eventTimes, findKnownTicket, rosterKeys } from '../store/rosterMemory.ts'
import { asksServer, connectionNow, isNoAnswerToCall, scannerCall } from '../sync/connection.ts'
import { sendSoon } from '../sync/replayer.ts'
import { EXITS } from '../texts/movement.ts'
import { SCAN, SCAN_NOTES } from '../texts/scanner.ts'
import { answerInTime, buildScanBody, findSubjectTicketId, SILENT } from './askServer.ts'
import { barTo, failedHere, isSubjectUnsettled, type Outcome, verifyCode } from './decide.ts'
import { buildOutboxRow, buildRecords, finishScan, keepAnsweredAdmission } from './finish.ts'
import { verdictOver } from './group.ts'

/**
 * The tickets of a group's code on the way out, by this device's list. Only who has left cannot leave; who is not known to
 * be inside leaves if the checker ticks them. Lets nobody out yet.
 */
export async function lookAtLeavers({ scan }: ScanAttempt): Promise<{ members: Member[] } | Outcome> {
  await recallAdmissions()
  const bar = barTo(scan.subject)
  const signed = rosterKeys()
  if (bar !== null) return failedHere(bar)
  if (signed === null || scan.subject.type === 'hand') return failedHere(SCAN.failed(SCAN_NOTES.notSynced))
  const group = await readGroupQr({ text: scan.subject.text.trim(), ...signed })
  if (group.type !== 'genuine') {
    const code = refusalOfCode(group.type)
    return { type: 'refused', code, entry: null, by: 'device', ticketId: null, name: null }
  }
  const members = group.ticketIds.map((ticketId): Member => {
    const known = findKnownTicket(ticketId)
    const exit = { isInside: known?.status === 'used' && !known.leftAt, leftAt: known?.leftAt ?? null }
    return { ticketId, name: known?.name ?? null, refusal: null, entry: null, exit }
  })
  const last = members.map(({ exit }) => exit?.leftAt ?? '').toSorted()
  return members.every(({ exit }) => exit?.leftAt) ? notInside(last.at(-1) ?? null, scan, 'device') : { members }
}

/** Lets the chosen members out, each with an exit of their own, and one verdict for all. Never throws. */
export async function letMembersOut(chosen: readonly Member[], { scan, station }: ScanAttempt): Promise<ShownScan> {
  const text = scan.subject.type === 'hand' ? '' : scan.subject.text
  const verdicts = await Promise.all(
    chosen.map(async ({ ticketId, name }) => {
      const own = { scanId: crypto.randomUUID(), subject: { type: 'member', text, ticketId }, at: scan.at } as const
      const shown = await recordLeaving({ scan: own, station })
      return { ...shown, name: shown.name ?? name }
    }),
  )
  return verdictOver(verdicts, scan, { isExit: true })
}

type ExitAnswer =
  | { type: 'left'; ticket: ScannedTicket }
  | { type: 'notInside'; leftAt: string | null }
  | { type: 'failed'; outcome: Outcome }
  | typeof SILENT

/**
 * Records that somebody leaves. As with entries, the server decides if it answers in time, else this device records it and
 * reports it later. The person leaves in any case, so only a code that proves nothing is refused here. Never throws.
 */
export async function recordLeaving(made: ScanAttempt): Promise<ShownScan> {
  const { scan } = made
  await recallAdmissions()
  const asks = asksServer(connectionNow()) && !isSubjectUnsettled(scan.subject)
  const answer = asks ? await answerInTime({ final: askToLeave(made), giveUp: () => {} }) : SILENT
  switch (answer.type) {
    case 'left':
      return showLeft(answer.ticket, made)
    case 'notInside':
      return finishScan(notInside(answer.leftAt, scan, 'server'), made)
    case 'failed':
      return finishScan(answer.outcome, made)
    default:
      return leaveHere(made, { wasAsked: asks })
  }
}

async function askToLeave({ scan, station }: ScanAttempt): Promise<ExitAnswer> {
  const { subject } = scan
  try {
    const qrCode = subject.type === 'hand' ? '' : subject.text
    const body = { ...buildScanBody(scan, station), qrCode, scanId: scan.scanId }
    return { type: 'left', ticket: (await scannerCall('recordExit', { body })).ticket }
  } catch (error) {
    if (!isFailure(error) || isNoAnswerToCall(error.status)) return SILENT
    const { code, message, body } = error
    if (code === 'NOT_INSIDE')
      return { type: 'notInside', leftAt: typeof body.leftAt === 'string' ? body.leftAt : null }
    const ticketId = findSubjectTicketId(subject) ?? null
    const outcome: Outcome = isRefusal(code)
      ? { type: 'refused', code, entry: null, by: 'server', ticketId, name: null }
      : failedHere(SCAN.failed(message), 'server')
    return { type: 'failed', outcome }
  }
}

function notInside(leftAt: string | null, { subject }: Scan, by: ShownScan['by']): Outcome {
  const ticketId = findSubjectTicketId(subject) ?? null
  const name = ticketId === null ? null : (findKnownTicket(ticketId)?.name ?? null)
  const when = leftAt === null ? null : scanTimeText({ instant: new Date(leftAt), ...clockNow() })
  const words = { title: EXITS.notInside, detail: when === null ? EXITS.nobody : EXITS.leftAt(when) }
  return { type: 'failed', words, valid: false, by, ticketId, name }
}

function buildShownExit(
  { scanId }: Scan,
  { ticketId, name, by }: { ticketId: string; name: string | null; by: ShownScan['by'] },
): ShownScan {
  const words =
    by === 'server'
      ? ({ look: 'allowed', title: EXITS.left, detail: name ?? '', ending: 'left' } as const)
      : ({ look: 'pending', title: EXITS.leaving, detail: SCAN.pendingDetail, ending: 'leaving' } as const)
  return { scanId, manual: false, ticketId, name, by, status: 'valid', isExit: true, ...words }
}

function showLeft(ticket: ScannedTicket, made: ScanAttempt): ShownScan {
  const exit = buildShownExit(made.scan, { ticketId: ticket.id, name: ticket.user.name, by: 'server' })
  const shown = { ...exit, type: ticket.type }
  const at = new Date(made.scan.at).toISOString()
  const admission: LocalAdmission = {
    ticketId: ticket.id,
    scanId: made.scan.scanId,
    at: ticket.entryTime ?? at,
    leftAt: ticket.leftAt ?? at,
    name: ticket.user.name,
    checkerName: ticket.scannedBy?.name ?? '',
    deviceName: ticket.scannedAtDevice ?? '',
    settledAt: Date.now(),
  }
  keepAnsweredAdmission(admission, shown, made)
  return shown
}

async function leaveHere(made: ScanAttempt, { wasAsked }: { wasAsked: boolean }): Promise<ShownScan> {
  const { scan } = made
  const bar = barTo(scan.subject)
  if (bar !== null) return finishScan(failedHere(bar), made)
  const code = await verifyCode(scan.subject)
  if (code === null) return finishScan(failedHere(SCAN.failed(SCAN_NOTES.notSynced)), made)
  if (code.type !== 'genuine') {
    const refused = refusalOfCode(code.type)
    return finishScan({ type: 'refused', code: refused, entry: null, by: 'device', ticketId: null, name: null }, made)
  }
  const known = findKnownTicket(code.ticketId)
  if (known?.leftAt) return finishScan(notInside(known.leftAt, scan, 'device'), made)
  const { ticketId } = code
  const shown = buildShownExit(scan, { ticketId, name: known?.name ?? null, by: 'device' })
  const row: OutboxRow = {
    ...buildOutboxRow({ ticketId, name: shown.name }, made, { mayBeThere: wasAsked }),
    movement: 'exit',
  }
  const left = toLocalAdmission(row)
  const admission = { ...left, at: known?.entryTime ?? left.at }
  try {
    const earlier = await recordAdmission({ ...buildRecords(shown, made), admission, row })
    setStorageTrouble(null)
    if (earlier) return finishScan(notInside(earlier.leftAt ?? null, scan, 'device'), made)
  } catch (error) {
    const { trouble } = toStorageFailure(error)
    setStorageTrouble(trouble)
    return finishScan(failedHere(storageWords(trouble)), made)
  }
  addLocalAdmission(admission)
  sendSoon()
  return shown
}

/** Counts people without a code at this phone's gate, and returns the row's id. Throws what must be said if nothing could be written. */
export async function countWithoutCode(group: CountGroup, change: number): Promise<string | null> {
  const station = await stationNow()
  if (station === null) return null
  const scan: Scan = { scanId: crypto.randomUUID(), subject: { type: 'code', text: '' }, at: Date.now() }
  const bar = barTo(scan.subject)
  if (bar !== null) throw new Error(bar.detail)
  const row: OutboxRow = {
    ...buildOutboxRow({ ticketId: '', name: null }, { scan, station }, { mayBeThere: false }),
    movement: 'count',
    group,
    change,
    qrCode: null,
  }
  try {
    await storeCount(row, toJournalRow(row, { event: eventTimes(), epoch: station.epoch }))
  } catch (error) {
    throw new Error(storageWords(toStorageFailure(error).trouble).detail, { cause: error })
  }
  sendSoon()
  return scan.scanId
}
