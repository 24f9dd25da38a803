import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { SCAN } from '@garba/shared/messages/codes'
import { ticketTail } from '@garba/shared/messages/common'
import { judge } from '@garba/shared/rules/admission'
import { decodeGroupQr, memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { hasRight } from '../core/pairing.ts'
import type { Made, Member, Scan, ShownScan, Station } from '../core/scan.ts'
import { entryOfTicket } from '../core/words.ts'
import { recallAdmissions } from '../store/journal.ts'
import { undoableAdmission } from '../store/record.ts'
import {
  isListBehind,
  isUnsettled,
  type KnownTicket,
  knownTicket,
  rosterKeys,
  standingAt,
} from '../store/rosterMemory.ts'
import { useStored } from '../store/useStored.ts'
import { asksServer, connectionNow } from '../sync/connection.ts'
import { GROUP, SCAN_NOTES } from '../texts/scanner.ts'
import { asBefore, askForGroup, askTogether, type GroupAnswer, SILENT, unheardScan } from './askServer.ts'
import { barTo, decide, entryBehind, failedHere, isOwnUnsettled, type Outcome, refusedByServer } from './decide.ts'
import { finish } from './finish.ts'

/**
 * The tickets of a group's code and what each may do, decided by the server if it answers in time, else by the device's list.
 * Returns an outcome if the code is refused as a whole or admits nobody any more. Admits nobody yet. Never throws.
 */
export async function lookAtGroup({ scan, station }: Made): Promise<{ members: Member[] } | Outcome> {
  const text = scan.subject.type === 'hand' ? '' : scan.subject.text.trim()
  const asks = asksServer(connectionNow()) && !isListBehind()
  const answered: GroupAnswer = asks ? await askForGroup(text, station) : SILENT
  // The answer may have been the first of a restored server.
  const answer = isListBehind() ? SILENT : answered
  await recallAdmissions()
  if (answer.type === 'refused') return refusedByServer(answer)
  if (answer.type === 'failed') return failedHere(SCAN.failed(answer.message), 'server')
  const bar = answer.type === 'silent' ? barTo(scan.subject) : null
  if (bar !== null) return failedHere(bar)
  const members =
    answer.type === 'group' ? answeredMembers(text, answer.tickets, station) : await listedMembers(text, station)
  if (members === null) return failedHere(SCAN.failed(SCAN_NOTES.notSynced))
  const open = members.some((member) => member.refusal === null || isUndoable(member, station))
  return open ? { members } : refusedWhole(members, answer.type === 'group' ? 'server' : 'device')
}

/** Only the device knows of an admission that it has not sent yet. */
function answeredMembers(text: string, tickets: readonly ScannedTicket[], { gate }: Station): Member[] {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  return (decodeGroupQr(text)?.ticketIds ?? []).map((ticketId) => {
    const ticket = byId.get(ticketId)
    // The server leaves out a replaced code, whose time the list may have.
    const listed = knownTicket(ticketId)
    const isListNewer = isUnsettled(ticketId) || listed?.replacedAt !== undefined
    const known = isListNewer ? listed : ticket ? knownFrom(ticket) : null
    // Nothing is known against a ticket whose kind is unknown here: the server decides when it is admitted.
    const at = listed === null ? undefined : standingAt(gate)
    const member = memberOf(ticketId, { known, authority: 'server', code: { type: 'genuine', ticketId }, at })
    return { ...member, proven: true }
  })
}

/** Only the list has a ticket's kind. */
const knownFrom = (ticket: ScannedTicket): KnownTicket => ({
  kind: knownTicket(ticket.id)?.kind,
  status: ticket.status,
  entryTime: ticket.entryTime,
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
    memberOf(ticketId, {
      known: knownTicket(ticketId),
      authority: 'device',
      code: memberFact(fact, ticketId),
      at: standingAt(gate),
    }),
  )
}

type Judged = Pick<Parameters<typeof judge>[0], 'authority' | 'code' | 'at'> & { known: KnownTicket | null }

function memberOf(ticketId: string, { known, ...facts }: Judged): Member {
  const verdict = judge({ ...facts, ticket: known, admittedOffline: false })
  const isUnheard = !verdict.admit && verdict.code === 'ALREADY_USED' && unheardScan(ticketId) !== null
  const refusal = verdict.admit || isUnheard ? null : verdict.code
  return {
    ticketId,
    name: known?.name ?? null,
    refusal,
    gates: !verdict.admit && verdict.code === 'WRONG_GATE' ? verdict.gates : undefined,
    entry: refusal === null ? null : entryBehind(refusal, known),
  }
}

const isUndoable = ({ ticketId }: Member, { checkerName }: Station): boolean =>
  hasRight('undo') &&
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
    name: proven ? `${GROUP.title(members.length)}: ${GROUP.counts(countsOf(members))}` : null,
  }
}

/** How many members can go in, and why the others cannot. */
export function countsOf(members: readonly Member[]) {
  const n = (codes: readonly (RefusalCode | null)[]) => members.filter(({ refusal }) => codes.includes(refusal)).length
  const [left, inside, cancelled] = [n([null]), n(['ALREADY_USED']), n(['TICKET_CANCELLED'])]
  return { left, inside, cancelled, others: members.length - left - inside - cancelled }
}

/**
 * Lets the chosen members in, each with its own scan, by the rules and writes of a single code (`decide`, `finish`). The server
 * is asked with one call, and there is one verdict for all. Never throws.
 */
export async function admitMembers(chosen: readonly Member[], { scan, station }: Made): Promise<ShownScan> {
  await recallAdmissions()
  const text = scan.subject.type === 'hand' ? '' : scan.subject.text
  const scans = chosen.map(
    ({ ticketId, proven }): Scan =>
      asBefore({ scanId: crypto.randomUUID(), subject: { type: 'member', text, ticketId, proven }, at: scan.at }),
  )
  const ask = askTogether(
    scans.filter(({ subject }) => !isOwnUnsettled(subject)),
    station,
  )
  const verdicts = await Promise.all(
    scans.map(async (one, index) => {
      const made = { scan: one, station }
      const shown = await finish(await decide(made, ask), made)
      return { ...shown, name: shown.name ?? chosen[index]?.name ?? null }
    }),
  )
  const [first] = verdicts
  return verdicts.length === 1 && first ? first : verdictOver(verdicts, scan)
}

/** Green only if the server let all of them in; amber only if all of them may go in. */
function verdictOver(verdicts: readonly ShownScan[], { scanId }: Scan): ShownScan {
  const out = verdicts.filter(({ look }) => look === 'refused')
  const inside = verdicts.length - out.length
  const by = verdicts.some((shown) => shown.by === 'device') ? 'device' : 'server'
  const base = { scanId, ticketId: null, manual: false, by } as const
  if (out.length > 0) {
    const detail = out.map((shown) => GROUP.reason(nameOf(shown), shown.title)).join('; ')
    const title = GROUP.partly(inside, out.length)
    return { ...base, look: 'refused', title, name: null, detail, status: 'invalid', ending: 'refused' }
  }
  const went = { ...base, name: GROUP.wentIn(inside), people: inside, status: 'valid' } as const
  if (verdicts.some(({ look }) => look === 'pending'))
    return { ...went, look: 'pending', title: SCAN.pending, detail: SCAN.pendingDetail, ending: 'pending' }
  const names = [...new Set(verdicts.map(nameOf))].join(', ')
  return { ...went, look: 'allowed', title: SCAN.entryAllowed, detail: names, ending: 'admitted' }
}

const nameOf = ({ name, ticketId }: ShownScan): string =>
  name ?? (ticketId === null ? SCAN.unknownChecker : ticketTail(ticketId))
