import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { ticketTail } from '@garba/shared/messages/common'
import { judgeAdmission } from '@garba/shared/rules/admission'
import { decodeGroupQr, memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { hasPhoneRight } from '../core/pairing.ts'
import type { Member, Scan, ScanAttempt, ShownScan, Station } from '../core/scan.ts'
import { entryOfTicket } from '../core/words.ts'
import { recallAdmissions } from '../store/journal.ts'
import { undoableAdmission } from '../store/record.ts'
import {
  findGateFacts,
  findKnownTicket,
  isCalledOff,
  isListBehind,
  isTicketUnsettled,
  type KnownTicket,
  mayReturnNow,
  rosterKeys,
} from '../store/rosterMemory.ts'
import { useStored } from '../store/useStored.ts'
import { asksServer, connectionNow } from '../sync/connection.ts'
import { EXITS } from '../texts/movement.ts'
import { GROUP, SCAN, SCAN_NOTES } from '../texts/scanner.ts'
import { asBefore, askForGroup, askTogether, findUnconfirmedScan, type GroupAnswer, SILENT } from './askServer.ts'
import {
  barTo,
  decideScan,
  entryBehind,
  failedHere,
  isSubjectUnsettled,
  type Outcome,
  refusedByServer,
} from './decide.ts'
import { finishScan } from './finish.ts'

interface LookOptions {
  party?: readonly string[] | undefined
  asks?: boolean
}

/**
 * The tickets of a group's code and what each may do, decided by the server if it answers in time, else by the device's list.
 * A party is listed by the device; the server decides when it is let in. Returns an outcome if the code is refused as a whole or
 * admits nobody any more. Admits nobody yet. Never throws.
 */
export async function lookAtGroup(
  { scan, station }: ScanAttempt,
  { party, asks = asksServer(connectionNow()) && !isListBehind() }: LookOptions = {},
): Promise<{ members: Member[] } | Outcome> {
  if (party !== undefined) return lookAtParty(party, { scan, station })
  const text = scan.subject.type === 'hand' ? '' : scan.subject.text.trim()
  const answered: GroupAnswer = asks ? await askForGroup(text, station) : SILENT
  const answer = isListBehind() ? SILENT : answered
  await recallAdmissions()
  if (answer.type === 'refused') return refusedByServer(answer)
  if (answer.type === 'failed') return failedHere(SCAN.failed(answer.message), 'server')
  const bar = answer.type === 'silent' ? barTo(scan.subject) : null
  if (bar !== null) return failedHere(bar)
  const members =
    answer.type === 'group' ? answeredMembers(text, answer.tickets, station) : await listedMembers(text, station)
  if (members === null) return failedHere(SCAN.failed(SCAN_NOTES.notSynced))
  return membersOrRefusal(members, { station, by: answer.type === 'group' ? 'server' : 'device' })
}

async function lookAtParty(ticketIds: readonly string[], { scan, station }: ScanAttempt) {
  await recallAdmissions()
  const bar = barTo(scan.subject)
  if (bar !== null) return failedHere(bar)
  const at = findGateFacts(station.gate)
  const members = ticketIds.map((ticketId) =>
    buildMember(ticketId, {
      known: findKnownTicket(ticketId),
      authority: 'device',
      code: { type: 'manual', ticketId },
      at,
    }),
  )
  return membersOrRefusal(members, { station, by: 'device' })
}

function membersOrRefusal(
  members: Member[],
  { station, by }: { station: Station; by: ShownScan['by'] },
): { members: Member[] } | Outcome {
  const open = members.some((member) => member.refusal === null || isUndoable(member, station))
  return open ? { members } : refusedWhole(members, by)
}

/** Only the device knows of an admission that it has not sent yet. */
function answeredMembers(text: string, tickets: readonly ScannedTicket[], { gate }: Station): Member[] {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  return (decodeGroupQr(text)?.ticketIds ?? []).map((ticketId) => {
    const ticket = byId.get(ticketId)
    // The server leaves out a replaced code, whose time the list may have.
    const listed = findKnownTicket(ticketId)
    const isListNewer = isTicketUnsettled(ticketId) || listed?.replacedAt !== undefined
    const known = isListNewer ? listed : ticket ? knownFrom(ticket, listed) : null
    // Nothing is known against a ticket whose kind is unknown here: the server decides when it is admitted.
    const at = listed === null ? undefined : findGateFacts(gate)
    const member = buildMember(ticketId, { known, authority: 'server', code: { type: 'genuine', ticketId }, at })
    return { ...member, proven: true, type: ticket?.type, ...(ticket?.sent && { sent: ticket.sent }) }
  })
}

const knownFrom = (ticket: ScannedTicket, listed: KnownTicket | null): KnownTicket => ({
  kind: listed?.kind,
  type: listed?.type,
  status: ticket.status,
  entryTime: ticket.entryTime,
  ...(ticket.leftAt && { leftAt: ticket.leftAt }),
  name: ticket.user.name,
  entry: entryOfTicket(ticket),
})

/** Null if this device has no keys yet and cannot judge. */
async function listedMembers(text: string, { gate }: Station): Promise<Member[] | null> {
  const signed = rosterKeys()
  if (signed === null) return null
  const fact = await readGroupQr({ text, ...signed })
  const ids = fact.type === 'malformed' ? [''] : fact.ticketIds
  return ids.map((ticketId) =>
    buildMember(ticketId, {
      known: findKnownTicket(ticketId),
      authority: 'device',
      code: memberFact(fact, ticketId),
      at: findGateFacts(gate),
    }),
  )
}

type MemberFacts = Pick<Parameters<typeof judgeAdmission>[0], 'authority' | 'code' | 'at'> & {
  known: KnownTicket | null
}

function buildMember(ticketId: string, { known, ...facts }: MemberFacts): Member {
  const verdict = judgeAdmission({
    ...facts,
    ticket: known,
    admittedOffline: false,
    calledOff: isCalledOff(),
    isReturnOpen: mayReturnNow(),
  })
  const isUnconfirmed = !verdict.admit && verdict.code === 'ALREADY_USED' && findUnconfirmedScan(ticketId) !== null
  const refusal = verdict.admit || isUnconfirmed ? null : verdict.code
  return {
    ticketId,
    name: known?.name ?? null,
    refusal,
    gates: !verdict.admit && verdict.code === 'WRONG_GATE' ? verdict.gates : undefined,
    entry: refusal === null ? null : entryBehind(refusal, known),
  }
}

const isUndoable = ({ ticketId }: Member, { checkerName }: Station): boolean =>
  hasPhoneRight('undo') &&
  undoableAdmission(useStored.getState().history, { ticketId, checkerName, now: Date.now() }) !== null

/** Nobody can be admitted any more. A first entry explains more than a cancellation. */
function refusedWhole(members: readonly Member[], by: ShownScan['by']): Outcome {
  const reason = members.find(({ refusal }) => refusal === 'ALREADY_USED') ?? members[0]
  const code = reason?.refusal ?? 'QR_MALFORMED'
  const proven = code !== 'QR_MALFORMED' && code !== 'QR_FORGED' && code !== 'QR_OTHER_EVENT'
  return {
    type: 'refused',
    code,
    entry: reason?.entry ?? null,
    gates: reason?.gates,
    isGroup: true,
    by,
    ticketId: proven ? (reason?.ticketId ?? null) : null,
    name: proven ? `${GROUP.title(members.length)}: ${GROUP.counts(countGroupMembers(members))}` : null,
  }
}

export function countGroupMembers(members: readonly Member[]) {
  const n = (codes: readonly (RefusalCode | null)[]) => members.filter(({ refusal }) => codes.includes(refusal)).length
  const [left, inside, cancelled] = [n([null]), n(['ALREADY_USED']), n(['TICKET_CANCELLED'])]
  return { left, inside, cancelled, others: members.length - left - inside - cancelled }
}

/**
 * Lets the chosen members in, each with its own scan, by the rules and writes of a single code (`decide`, `finish`). The server
 * is asked with one call, and there is one verdict for all. Never throws.
 */
export async function admitMembers(chosen: readonly Member[], { scan, station }: ScanAttempt): Promise<ShownScan> {
  await recallAdmissions()
  const { subject } = scan
  const scans = chosen.map(
    ({ ticketId, proven }): Scan =>
      asBefore({
        scanId: crypto.randomUUID(),
        subject:
          subject.type === 'hand'
            ? { type: 'hand', ticketId }
            : { type: 'member', text: subject.text, ticketId, proven },
        at: scan.at,
      }),
  )
  const ask = askTogether(
    scans.filter(({ subject }) => !isSubjectUnsettled(subject)),
    station,
  )
  const verdicts = await Promise.all(
    scans.map(async (one, index) => {
      const made = { scan: one, station }
      const shown = await finishScan(await decideScan(made, ask), made)
      return { ...shown, name: shown.name ?? chosen[index]?.name ?? null }
    }),
  )
  return verdictOver(verdicts, scan)
}

/** The only verdict; of several, green only if the server let all of them in, or out, and amber only if all may go. */
export function verdictOver(
  verdicts: readonly ShownScan[],
  { scanId, subject }: Scan,
  { isExit = false }: { isExit?: boolean } = {},
): ShownScan {
  const [only, ...others] = verdicts
  if (only && others.length === 0) return only
  const said = isExit ? EXIT_WORDS : ENTRY_WORDS
  const out = verdicts.filter(({ look }) => look === 'refused')
  const inside = verdicts.length - out.length
  const by = verdicts.some((shown) => shown.by === 'device') ? 'device' : 'server'
  const base = { scanId, ticketId: null, manual: subject.type === 'hand', by } as const
  if (out.length > 0) {
    const detail = out.map((shown) => GROUP.reason(formatHolderName(shown), shown.title)).join('; ')
    const title = said.partly(inside, out.length)
    return { ...base, look: 'refused', title, name: null, detail, status: 'invalid', ending: 'refused' }
  }
  const passed = isExit ? ({ isExit, status: 'valid' } as const) : ({ status: 'valid' } as const)
  const went = { ...base, ...passed, name: said.went(inside), people: inside }
  if (verdicts.some(({ look }) => look === 'pending'))
    return { ...went, look: 'pending', title: said.pending(), detail: SCAN.pendingDetail, ending: said.endings[1] }
  const names = [...new Set(verdicts.map(formatHolderName))].join(', ')
  return { ...went, look: 'allowed', title: said.allowed(), detail: names, ending: said.endings[0] }
}

const ENTRY_WORDS = {
  partly: (inside: number, out: number) => GROUP.partly(inside, out),
  went: (n: number) => GROUP.wentIn(n),
  allowed: () => SCAN.entryAllowed,
  pending: () => SCAN.pending,
  endings: ['admitted', 'pending'],
} as const

const EXIT_WORDS = {
  partly: (out: number, not: number) => EXITS.group.partly(out, not),
  went: (n: number) => EXITS.group.wentOut(n),
  allowed: () => EXITS.left,
  pending: () => EXITS.leaving,
  endings: ['left', 'leaving'],
} as const

const formatHolderName = ({ name, ticketId }: ShownScan): string =>
  name ?? (ticketId === null ? SCAN.unknownChecker : ticketTail(ticketId))
