import { SERVER_PATIENCE_MS } from '@garba/shared/constants'
import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { AnsweredConflict, BatchResult, ScanBody, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { messageFor } from '@garba/shared/messages/codes'
import { refusalOfStatus } from '@garba/shared/rules/admission'
import { decodeQr } from '@garba/shared/rules/qr'
import pTimeout from 'p-timeout'
import { epochNow } from '../../platform/http/epoch.ts'
import { type ApiFailure, getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { local } from '../../platform/store/local.ts'
import { isOfPairedPhone, type Scan, type Station, type Subject } from '../core/scan.ts'
import { isRefusal } from '../core/words.ts'
import { recallAdmissions } from '../store/journal.ts'
import { findKnownTicket, isListBehind, type KnownTicket, mayReturnNow } from '../store/rosterMemory.ts'
import { isNoAnswer, isNoAnswerToCall, scannerCall, updateConnection } from '../sync/connection.ts'
import { endPairing } from '../sync/pairing.ts'
import { syncRoster } from '../sync/syncRoster.ts'

export type ServerAnswer =
  | { type: 'active'; ticket: ScannedTicket }
  | { type: 'admitted'; ticket: ScannedTicket; conflict: AnsweredConflict | null; again?: true | undefined }
  | {
      type: 'refused'
      code: RefusalCode
      ticket: ScannedTicket | null
      gates?: readonly string[] | undefined
      replacedAt?: string | undefined
      message?: string | undefined
    }
  /** The answer decides nothing, but the checker must read it. */
  | { type: 'failed'; message: string }
  | { type: 'silent' }

type RefusedAnswer = Extract<ServerAnswer, { type: 'refused' }>

export const SILENT = { type: 'silent' } as const satisfies ServerAnswer

/** A request to the server, which continues after the checker has stopped waiting for it. */
export interface ServerRequest<A = ServerAnswer> {
  final: Promise<A>
  /** The server has, or may have, received the request to admit. */
  mayHaveMarked(): boolean
  before(): KnownTicket | null
  verified(): ScannedTicket | null
  giveUp(): void
}

/**
 * Verifies first, then marks an active ticket. A ticket chosen by hand or in a group is marked at once, and so is a code that the
 * phone's own current list calls active (`isActive`): marking verifies it too.
 */
export function askServer(scan: Scan, station: Station, { isActive } = { isActive: false }): ServerRequest {
  const { subject } = scan
  let marked = false
  let before: KnownTicket | null = null
  let givenUp = false
  let verified: ScannedTicket | null = null

  const mark = (): Promise<ServerAnswer> => {
    marked = true
    before = findKnownTicket(findSubjectTicketId(subject) ?? '')
    return askToMark(scan, station)
  }
  const ask = async (): Promise<ServerAnswer> => {
    if (subject.type !== 'code') return (await mayHaveLost([subject.ticketId])) || givenUp ? SILENT : mark()
    // Verified before; by now verify-qr would call it used, perhaps because of this scan.
    if (scan.again) return mark()
    if (isActive) {
      const answer = await mark().catch((error: unknown) => answerOfFailure(error, { manual: false }))
      // Both calls together say whether the ticket is valid and could not be marked.
      if (answer.type !== 'failed' || givenUp) return answer
    }
    const [wasBehind, epoch] = [isListBehind(), epochNow()]
    const { ticket } = await scannerCall('verifyQr', { body: { qrCode: subject.text, ...buildPlaceFields(station) } })
    const answer = answerOfTicket(ticket)
    if (answer.type !== 'active') return answer
    // The answer was the first of a restored server, which may lack what is known here: the device decides.
    if (epochNow() > epoch) await recallAdmissions()
    if ((isListBehind() && !wasBehind) || (epochNow() > epoch && isRefusedHere(ticket.id))) return SILENT
    verified = ticket
    return givenUp ? SILENT : mark()
  }
  return {
    final: ask().catch((error: unknown) => answerOfFailure(error, { manual: subject.type === 'hand' })),
    mayHaveMarked: () => marked,
    before: () => before,
    verified: () => verified,
    giveUp: () => {
      givenUp = true
    },
  }
}

const isRefusedHere = (ticketId: string): boolean =>
  refusalOfStatus(findKnownTicket(ticketId)?.status ?? 'active') !== null

/**
 * If the list refuses one of these tickets, it is first brought up to date: it may be outdated, or the server may turn out to be
 * restored and admit somebody whom the list refuses. Resolves to whether it was restored. Rejects with ApiFailure.
 */
async function mayHaveLost(ticketIds: readonly string[]): Promise<boolean> {
  if (!ticketIds.some(isRefusedHere) || isListBehind()) return false
  const epoch = epochNow()
  await syncRoster()
  return epochNow() > epoch
}

/** The answer, if it comes while people can wait; else the request is left to finish and nothing new is started. */
export async function answerInTime<A>(asking: Pick<ServerRequest<A>, 'final' | 'giveUp'>): Promise<A | typeof SILENT> {
  const answer = await pTimeout(asking.final, { milliseconds: SERVER_PATIENCE_MS, fallback: late })
  if (answer !== 'late') return answer
  asking.giveUp()
  updateConnection({ type: 'late' })
  return SILENT
}

const late = () => 'late' as const

/** Without storage only the server can decide; the person at the gate waits at most this long (ms). */
const LAST_RESORT_MS = 5_000

/**
 * The device cannot store the scan, so it must not decide. `unanswered` is the request to admit that is already under
 * way, if there is one. Never throws.
 */
export async function askServerAsLastResort(
  scan: Scan,
  station: Station,
  unanswered: Promise<ServerAnswer> | null,
): Promise<ServerAnswer> {
  const pending =
    unanswered ??
    askToMark(scan, station).catch((error: unknown) => answerOfFailure(error, { manual: scan.subject.type === 'hand' }))
  const answer = await pTimeout(pending, { milliseconds: LAST_RESORT_MS, fallback: late })
  return answer === 'late' ? SILENT : answer
}

/** Asks the server to admit. Requests with the same scanId count as one scan. Rejects with ApiFailure. */
async function askToMark(scan: Scan, station: Station): Promise<ServerAnswer> {
  const { ticket, conflict, again } = await scannerCall('markUsed', { body: buildScanBody(scan, station) })
  return { type: 'admitted', ticket, conflict: conflict ?? null, again }
}

export const buildScanBody = ({ scanId, subject, at }: Scan, station: Station): ScanBody => ({
  ...(subject.type === 'hand' ? { manual: true } : { qrCode: subject.text }),
  ...(subject.type === 'code' ? {} : { ticketId: subject.ticketId }),
  scanId,
  scannedAt: new Date(at).toISOString(),
  clockOffset: station.clockOffset,
  ...(isOfPairedPhone(station) ? { checkerName: station.checkerName } : {}),
  ...buildPlaceFields(station),
})

/** How long the person of an unanswered request is assumed to stand before the phone. Later it may be somebody else. */
const SAME_PERSON_MS = 5 * 60_000

interface UnansweredRequest {
  scanId: string
  /** Device time in ms. */
  at: number
}

const isOfSamePerson = ({ at }: UnansweredRequest): boolean => Math.abs(Date.now() - at) < SAME_PERSON_MS

interface UnconfirmedScan extends UnansweredRequest {
  code: string | undefined
}

/** Scans, by ticket, that were neither stored nor answered: the server may have admitted a person this phone turned away. */
const unconfirmedScans = new Map<string, UnconfirmedScan>()

export const addUnconfirmedScan = (ticketId: string, { scanId, subject }: Scan): void => {
  if (unconfirmedScans.get(ticketId)?.scanId !== scanId)
    unconfirmedScans.set(ticketId, { scanId, at: Date.now(), code: codeIn(subject) })
}
export const removeUnconfirmedScan = (ticketId: string): boolean => unconfirmedScans.delete(ticketId)

export function findUnconfirmedScan(ticketId: string): UnconfirmedScan | null {
  const scan = unconfirmedScans.get(ticketId)
  return scan && isOfSamePerson(scan) ? scan : null
}

const codeIn = (subject: Subject): string | undefined => (subject.type === 'code' ? subject.text.trim() : undefined)

export const findSubjectTicketId = (subject: Subject): string | undefined =>
  subject.type === 'code' ? decodeQr(subject.text.trim())?.ticketId : subject.ticketId

/**
 * A scan that is tried again because its answer was lost is the same scan, and gets the first answer. Another code of the
 * ticket does not: it may be forged.
 */
export function asBefore(scan: Scan): Scan {
  const before = findUnconfirmedScan(findSubjectTicketId(scan.subject) ?? '')
  const code = codeIn(scan.subject)
  const isSame = before !== null && (code === undefined || code === before.code)
  return isSame ? { ...scan, scanId: before.scanId, again: before.at } : scan
}

const SWAPS = 'garba.swaps'

/**
 * Unanswered swaps, by ticket. The server may have made them and would then refuse another. Local storage keeps them for the next
 * time the page is loaded.
 */
const unanswered = new Map<string, UnansweredRequest>(Object.entries(local.readJson(SWAPS) ?? {}))

function setUnansweredSwap(ticketId: string, scanId: string | null): void {
  if (scanId === null) unanswered.delete(ticketId)
  else if (unanswered.get(ticketId)?.scanId !== scanId) unanswered.set(ticketId, { scanId, at: Date.now() })
  local.writeJson(SWAPS, unanswered.size === 0 ? null : Object.fromEntries(unanswered))
}

export function scanIdOfSwap(ticketId: string): string {
  const swap = unanswered.get(ticketId)
  return swap && isOfSamePerson(swap) ? swap.scanId : crypto.randomUUID()
}

/**
 * Asks the server to let the holder of a used ticket in. Swaps are too rare to be decided without the server, even while
 * somebody waits. Never throws.
 */
export async function askToSwap(scan: Scan, station: Station): Promise<ServerAnswer> {
  const ticketId = scan.subject.type === 'code' ? null : scan.subject.ticketId
  if (ticketId !== null) setUnansweredSwap(ticketId, scan.scanId)
  try {
    const { ticket, conflict } = await scannerCall('swapEntry', { body: buildScanBody(scan, station) })
    if (ticketId !== null) setUnansweredSwap(ticketId, null)
    return { type: 'admitted', ticket, conflict: conflict ?? null }
  } catch (error) {
    if (ticketId !== null && isFailure(error) && !isNoAnswerToCall(error.status)) setUnansweredSwap(ticketId, null)
    return { type: 'failed', message: getErrorMessage(error) }
  }
}

/** Admits several tickets with one call, which is made when the first of them is asked about. */
export function askTogether(scans: readonly Scan[], station: Station): (scan: Scan) => ServerRequest {
  let request: Promise<ServerAnswer[]> | null = null
  let before: ReadonlyMap<string, KnownTicket | null> | null = null
  let givenUp = false
  const ask = async (): Promise<ServerAnswer[]> => {
    const ids = scans.flatMap(({ subject }) => (subject.type === 'code' ? [] : [subject.ticketId]))
    try {
      if ((await mayHaveLost(ids)) || givenUp) return []
      before = new Map(ids.map((id) => [id, findKnownTicket(id)]))
      return await markTogether(scans, station)
    } catch (error) {
      const answer = await answerOfFailure(error, { manual: true })
      return scans.map(() => answer)
    }
  }
  return (scan) => {
    request ??= ask()
    return {
      final: request.then((answers) => answers[scans.indexOf(scan)] ?? SILENT),
      mayHaveMarked: () => before !== null,
      before: () => (scan.subject.type === 'code' ? null : (before?.get(scan.subject.ticketId) ?? null)),
      verified: () => null,
      giveUp: () => {
        givenUp = true
      },
    }
  }
}

async function markTogether(scans: readonly Scan[], station: Station): Promise<ServerAnswer[]> {
  const epoch = epochNow()
  const { results, ended } = await scannerCall('markUsedBatch', {
    body: { scans: scans.map((scan) => buildScanBody(scan, station)) },
  })
  // The server counts this phone as informed and accepts none of its later scans.
  if (ended) await endPairing(ended, { isLatest: epochNow() === epoch })
  return scans.map(({ scanId }, index) => answerOfRow(scanId, results[index]))
}

function answerOfRow(scanId: string, result: BatchResult | undefined): ServerAnswer {
  if (result?.scanId !== scanId) return SILENT
  const { success, status, code, message, ticket, conflict, gates, replacedAt, again } = result
  if (success && ticket) return { type: 'admitted', ticket, conflict: conflict ?? null, again }
  if (code !== undefined && isRefusal(code))
    return { type: 'refused', code, ticket: ticket ?? null, gates, replacedAt, message }
  return isNoAnswer(status) || code === undefined ? SILENT : { type: 'failed', message: message ?? messageFor(code) }
}

export type GroupAnswer =
  | { type: 'group'; tickets: readonly ScannedTicket[] }
  | Extract<ServerAnswer, { type: 'refused' | 'failed' | 'silent' }>

/** The tickets of a group's code, if the answer comes while people can wait. Never throws. */
export async function askForGroup(text: string, station: Station): Promise<GroupAnswer> {
  const ask = async (): Promise<GroupAnswer> => {
    try {
      const { tickets } = await scannerCall('verifyGroup', { body: { qrCode: text, ...buildPlaceFields(station) } })
      return { type: 'group', tickets }
    } catch (error) {
      const answer = await answerOfFailure(error, { manual: false })
      return answer.type === 'refused' || answer.type === 'failed' ? answer : SILENT
    }
  }
  return answerInTime({ final: ask(), giveUp: () => {} })
}

const buildPlaceFields = ({ deviceId, deviceName, gate }: Station) => ({
  deviceId,
  ...(gate === undefined ? {} : { gate }),
  ...(deviceName === '' ? {} : { deviceName }),
})

export function answerOfTicket(ticket: ScannedTicket): ServerAnswer {
  const code = ticket.leftAt && mayReturnNow() ? null : refusalOfStatus(ticket.status)
  return code === null ? { type: 'active', ticket } : { type: 'refused', code, ticket }
}

/**
 * Converts a failed call. The checker must read a 401: the session could not be renewed, and the device must not keep
 * admitting for an account that the server no longer accepts (a demotion works at once).
 */
export async function answerOfFailure(error: unknown, { manual }: { manual: boolean }): Promise<ServerAnswer> {
  if (!isFailure(error)) return SILENT
  const { status, code, message } = error
  if (isRefusal(code)) return { type: 'refused', code, message, ...(await parseRefusalDetails(error)) }
  if (isNoAnswerToCall(status)) return SILENT
  // The server answers 400 to a text that cannot be a code.
  if (status === 400 && !manual) return { type: 'refused', code: 'QR_MALFORMED', ticket: null }
  return { type: 'failed', message }
}

/** How long a refusal waits for its details; then it is shown without them (ms). */
const DETAILS_MS = 500

async function parseRefusalDetails({
  body,
}: ApiFailure): Promise<Pick<RefusedAnswer, 'ticket' | 'gates' | 'replacedAt'>> {
  try {
    const [{ batchResultSchema, scannedTicketSchema }, { gateNamesSchema }] = await pTimeout(contracts(), {
      milliseconds: DETAILS_MS,
    })
    return {
      ticket: scannedTicketSchema.safeParse(body.ticket).data ?? null,
      gates: gateNamesSchema.safeParse(body.gates).data,
      replacedAt: batchResultSchema.shape.replacedAt.safeParse(body.replacedAt).data,
    }
  } catch (error) {
    console.warn('The details of a refusal could not be read', error)
    return { ticket: null }
  }
}

// Loaded when first needed, because the scanner starts a tenth sooner without them.
const contracts = () =>
  Promise.all([import('@garba/shared/contracts/phones/scan'), import('@garba/shared/contracts/phones/device')])
