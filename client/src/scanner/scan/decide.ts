import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import type { GateType } from '@garba/shared/contracts/types/ticketType'
import type { ScanText } from '@garba/shared/messages/codes'
import { judgeAdmission } from '@garba/shared/rules/admission'
import { memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { type QrFact, readQr } from '@garba/shared/rules/qr'
import { clockOffset } from '../../platform/net/clock.ts'
import { endNow, hasPhoneRight } from '../core/pairing.ts'
import type { Scan, ScanAttempt, ShownScan, Subject } from '../core/scan.ts'
import { type Entry, entryOfTicket } from '../core/words.ts'
import { recallAdmissions } from '../store/journal.ts'
import {
  findGateFacts,
  findKnownTicket,
  isCalledOff,
  isListBehind,
  isListCurrent,
  isTicketUnsettled,
  type KnownTicket,
  mayReturnNow,
  rosterEntries,
  rosterKeys,
} from '../store/rosterMemory.ts'
import { asksServer, connectionNow } from '../sync/connection.ts'
import { PAIRING } from '../texts/phone.ts'
import { SCAN, SCAN_NOTES } from '../texts/scanner.ts'
import {
  answerInTime,
  askServer,
  findSubjectTicketId,
  type ServerAnswer,
  type ServerRequest,
  SILENT,
} from './askServer.ts'

interface Facts {
  by: ShownScan['by']
  ticketId: string | null
  name: string | null
  gateType?: GateType | undefined
}

/** The outcome of a scan. Nothing has been written or shown yet: `finish` does that. */
export type Outcome =
  | { type: 'admitted'; ticket: ScannedTicket; again?: true | undefined }
  /**
   * The device lets the person in, if it can keep the scan. `unanswered` is the request to admit that the server may
   * have received and may still answer; null when none was sent.
   */
  | {
      type: 'pending'
      ticketId: string
      name: string | null
      gateType?: GateType | undefined
      unanswered: Promise<ServerAnswer> | null
    }
  /**
   * `entry`: the first entry, if known, or the time of a new code. `gates`: the gates that take the ticket; only with
   * WRONG_GATE. `isGroup`: a whole group was refused, and `ticketId` is one of its tickets.
   */
  | ({
      type: 'refused'
      code: RefusalCode
      entry: Entry | null
      gates?: readonly string[] | undefined
      /** What only the server knows: the phone that has a code, or the name of a closed event. */
      said?: string | undefined
      isGroup?: true
    } & Facts)
  /** Nothing could be decided. `valid`: the ticket is good but was not marked. */
  | ({ type: 'failed'; words: ScanText; valid: boolean } & Facts)

const UNKNOWN = { ticketId: null, name: null } as const

export const failedHere = (words: ScanText, by: ShownScan['by'] = 'device'): Outcome => ({
  type: 'failed',
  words,
  valid: false,
  by,
  ...UNKNOWN,
})

/**
 * Decides a scan. The server decides if it answers verify and mark in time; else the device does, by signature, list
 * and own admissions. The device's unsent admissions come first, because a server that has not received them would let
 * a second person in. A restored server may lack sales and admissions that the list still knows: until they are sent
 * again, the list refuses first, and of the server's refusals only a used ticket counts. What the list learns while the server
 * marks may be this very scan, so it does not refuse it. Never throws.
 */
export async function decideScan({ scan, station }: ScanAttempt, ask = askServer): Promise<Outcome> {
  const { subject } = scan
  if (subject.type === 'code' && subject.text.trim() === '') return failedHere(SCAN.empty)
  await recallAdmissions()
  const judged = { subject, gate: station.gate, again: scan.again }
  if (isListBehind()) {
    const here = await decideHere(judged, null)
    if (here.type === 'refused') return here
  }
  const asks = asksServer(connectionNow()) && !isSubjectUnsettled(subject)
  const asking = asks ? ask(scan, station, { isActive: await isActiveHere(judged) }) : null
  const answer = asking === null ? SILENT : await answerInTime(asking)
  switch (answer.type) {
    case 'admitted':
      return { type: 'admitted', ticket: answer.ticket, again: answer.again }
    case 'refused':
      // This answer may have been the first sign that the server was restored.
      if (isListBehind() && answer.code !== 'ALREADY_USED') return decideHere(judged, asking)
      return refusedByServer(answer)
    case 'failed':
      return failedAtServer(subject, answer.message, asking?.verified() ?? null)
    default:
      return decideHere(judged, asking)
  }
}

/** Whether this phone's signature check and its current list both call a code's ticket active. */
async function isActiveHere(judged: JudgedScan): Promise<boolean> {
  if (judged.subject.type !== 'code' || !isListCurrent()) return false
  const here = await decideHere(judged, null)
  return here.type === 'pending' && rosterEntries().has(here.ticketId)
}

/** Only the server decides a swap: without its consent nobody goes in. */
export const outcomeOfSwap = (answer: ServerAnswer): Outcome =>
  answer.type === 'admitted'
    ? { type: 'admitted', ticket: answer.ticket }
    : {
        type: 'failed',
        words: SCAN.failed(answer.type === 'failed' ? answer.message : ''),
        valid: false,
        by: 'server',
        ...UNKNOWN,
      }

/** Slower answers are given up, so the server's entry for such a scan is at most this far from it. */
const NEAR_MS = 60_000

/** Whether the list's entry of a used ticket may be the scan that this device gave up at `at`. */
const isOwnEntry = ({ status, entry }: KnownTicket, { gate, at }: { gate: string | undefined; at: number }): boolean =>
  status === 'used' && entry.gate === gate && Math.abs(Date.parse(entry.at ?? '') - clockOffset() - at) < NEAR_MS

export function isSubjectUnsettled(subject: Subject): boolean {
  const ticketId = findSubjectTicketId(subject)
  return ticketId !== undefined && isTicketUnsettled(ticketId)
}

export const refusedByServer = ({
  code,
  ticket,
  gates,
  replacedAt,
  message,
}: Extract<ServerAnswer, { type: 'refused' }>): Outcome => ({
  type: 'refused',
  code,
  gates,
  said: code === 'NOT_ACTIVATED' || code === 'QR_OTHER_EVENT' ? message : undefined,
  entry: replacedAt ? { at: replacedAt, by: null, device: null } : ticket === null ? null : entryOfTicket(ticket),
  by: 'server',
  ticketId: ticket?.id ?? null,
  name: ticket?.user.name ?? null,
  gateType: ticket?.type,
})

function failedAtServer(subject: Subject, message: string, verified: ScannedTicket | null): Outcome {
  if (verified === null && subject.type !== 'hand')
    return { type: 'failed', words: SCAN.failed(message), valid: false, by: 'server', ...UNKNOWN }
  const [ticketId, name] = [verified?.id ?? null, verified?.user.name ?? null]
  return { type: 'failed', words: SCAN.notMarked, valid: true, by: 'server', ticketId, name, gateType: verified?.type }
}

/** Why this device may not decide a scan, whose row the server would refuse; null if it may. */
export function barTo({ type }: Subject): ScanText | null {
  if (endNow() !== null) return PAIRING.scanAfterEnd
  return hasPhoneRight(type === 'hand' ? 'find' : 'scan') ? null : SCAN.failed(PAIRING.mayNot)
}

type JudgedScan = Pick<Scan, 'subject' | 'again'> & { gate: string | undefined }

/**
 * The device decides: a valid signature lets the holder in as pending, unless something is known against the ticket.
 * `asking` is the request that the server did not answer in time, if one was made.
 */
async function decideHere({ subject, gate, again }: JudgedScan, asking: ServerRequest | null): Promise<Outcome> {
  const bar = barTo(subject)
  if (bar !== null) return failedHere(bar)
  // The server may have marked a code, which was verified before, so missing or outdated keys here must not refuse it.
  const isProven = subject.type === 'member' ? subject.proven : subject.type === 'code' && asking?.mayHaveMarked()
  const verified = isProven ? findSubjectTicketId(subject) : asking?.verified()?.id
  const code = verified ? ({ type: 'genuine', ticketId: verified } as const) : await verifyCode(subject)
  if (code === null) return failedHere(SCAN.failed(SCAN_NOTES.notSynced))
  const ticketId = code.type === 'malformed' ? null : code.ticketId
  const known = ticketId === null ? null : knownNow(ticketId, asking, { gate, again })
  const verdict = judgeAdmission({
    code,
    ticket: known,
    authority: 'device',
    admittedOffline: false,
    isReturnOpen: mayReturnNow(),
    calledOff: isCalledOff(),
    at: findGateFacts(gate),
  })
  const name = known?.name ?? null
  if (verdict.admit && ticketId !== null)
    return {
      type: 'pending',
      ticketId,
      name,
      gateType: asking?.verified()?.type,
      unanswered: asking?.mayHaveMarked() ? asking.final : null,
    }
  const refusal = verdict.admit ? 'QR_MALFORMED' : verdict.code
  const entry = entryBehind(refusal, known)
  const gates = !verdict.admit && verdict.code === 'WRONG_GATE' ? verdict.gates : undefined
  return { type: 'refused', code: refusal, entry, gates, by: 'device', ticketId, name }
}

/** The first entry of a used ticket, or the time at which a replaced ticket got its new code. */
export function entryBehind(refusal: RefusalCode, known: KnownTicket | null): Entry | null {
  if (refusal === 'CODE_REPLACED') return { at: known?.replacedAt ?? null, by: null, device: null }
  return refusal === 'ALREADY_USED' ? (known?.entry ?? null) : null
}

export async function verifyCode(subject: Subject): Promise<QrFact | null> {
  if (subject.type === 'hand') return { type: 'manual', ticketId: subject.ticketId }
  const signed = rosterKeys()
  if (signed === null) return null
  const scanned = { text: subject.text.trim(), ...signed }
  return subject.type === 'member' ? memberFact(await readGroupQr(scanned), subject.ticketId) : readQr(scanned)
}

/**
 * A ticket that verify-qr just called active is fresher than the list. If this scan, or its first try, may be what made it used,
 * its earlier state counts: if another gate let somebody in meanwhile, both gates learn of it.
 */
function knownNow(
  ticketId: string,
  asking: ServerRequest | null,
  { gate, again }: { gate: string | undefined; again: number | undefined },
): KnownTicket | null {
  const known = findKnownTicket(ticketId)
  if (known && again !== undefined && isOwnEntry(known, { gate, at: again }))
    return { ...known, status: 'active', entryTime: null }
  const verified = asking?.verified()
  if (verified?.id !== ticketId) return asking?.mayHaveMarked() && known?.status === 'used' ? asking.before() : known
  return {
    status: 'active',
    entryTime: null,
    kind: known?.kind,
    type: known?.type,
    name: verified.user.name,
    entry: { at: null, by: null, device: null },
  }
}
