import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { judge, type Verdict } from '@garba/shared/rules/admission'
import { memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { Refusal } from '../../refusal.ts'
import { findTicketOrTombstone, nameOn, type TicketRow, ticketsWithIds } from '../../store/tickets.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { knowNewCode, replacedFacts } from '../tickets/newCode.ts'
import { scannedTicketView } from '../tickets/readTickets.ts'
import { isGroupCode, knownTicket, readCode, readKeys, recordRefusal, ticketIdOf } from './scanFacts.ts'

interface Verifying {
  user: AnyCaller
  qrCode: string
  deviceId?: string | undefined
  deviceName?: string | undefined
}

/**
 * The ticket of a QR code, whatever its status. A code that would be refused is recorded for the evening
 * view. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT, NOT_ACTIVATED, CODE_REPLACED or TICKET_NOT_FOUND, and
 * a group's code with GROUP_CODE: scanners that know groups ask `verifyGroup`.
 */
export async function verifyQr(deps: Deps, verifying: Verifying): Promise<ScannedTicket> {
  const { qrCode } = verifying
  if (isGroupCode(qrCode)) throw new Refusal('GROUP_CODE')
  const { code, event } = await readCode(deps, { qrCode })
  const ticketId = ticketIdOf(code)
  const found = ticketId === null ? undefined : await deps.store.read((tx) => findTicketOrTombstone(tx, ticketId))
  const ticket = found?.status === 'deleted' ? undefined : found
  const verdict = judge({ code, ticket: knownTicket(found), authority: 'server', admittedOffline: false })
  if (!verdict.admit) {
    await recordRefused(deps, { verifying, code: verdict.code, ticketId, ticket, eventId: event?.id ?? null })
    if (!ticket || code.type !== 'genuine') throw refusalOf(deps, verdict)
  }
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return scannedTicketView(ticket, event?.name ?? '')
}

const refusalOf = ({ now, settings }: Deps, verdict: Extract<Verdict, { admit: false }>): Refusal =>
  new Refusal(
    verdict.code,
    verdict.code === 'CODE_REPLACED'
      ? replacedFacts(verdict.replacedAt, { now: now(), timezone: settings.timezone })
      : {},
  )

interface Refused {
  verifying: Verifying
  code: RefusalCode
  ticketId: string | null
  /** The ticket, if it exists. */
  ticket: TicketRow | undefined
  eventId: string | null
}

/** Records a code that admits no one, for the evening view. */
function recordRefused(deps: Deps, { verifying, code, ticketId, ticket, eventId }: Refused): Promise<void> {
  const { user, deviceId, deviceName } = verifying
  const device = user.device ?? { id: deviceId ?? null, name: deviceName || null }
  const facts = { receivedAt: deps.now(), checker: user, device }
  return deps.store.write(async (tx) => {
    tx.announce('evening')
    await recordRefusal(tx, { ...facts, code, ticketId, eventId, holderName: ticket ? nameOn(ticket) : null })
  })
}

/**
 * The tickets of a group code that the server knows, whatever their status. A code that no longer admits anyone is
 * recorded for the evening view, as in `verifyQr`. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT, or
 * TICKET_NOT_FOUND when it knows none of its tickets.
 */
export async function verifyGroup(deps: Deps, verifying: Verifying): Promise<ScannedTicket[]> {
  const { event, keys } = await readKeys(deps, {})
  const group = await readGroupQr({ text: verifying.qrCode.trim(), keys, eventId: event?.id ?? '' })
  const ids = group.type === 'malformed' ? [] : group.ticketIds
  if (group.type === 'genuine') for (const id of ids) await knowNewCode(deps, id)
  const known = await deps.store.read((tx) => ticketsWithIds(tx, ids))
  const rows = new Map(known.map((row) => [row.id, row]))
  const verdicts = ids.map((id) => {
    const ticket = knownTicket(rows.get(id))
    return judge({ code: memberFact(group, id), ticket, authority: 'server', admittedOffline: false })
  })
  const tickets = ids.flatMap((id) => rows.get(id) ?? []).filter(({ status }) => status !== 'deleted')
  if (verdicts.every(({ admit }) => !admit)) {
    const [first] = verdicts
    const code: RefusalCode = first && !first.admit ? first.code : 'QR_MALFORMED'
    const ticketId = ids[0] ?? null
    const ticket = tickets.find(({ id }) => id === ticketId)
    await recordRefused(deps, { verifying, code, ticketId, ticket, eventId: event?.id ?? null })
    if (group.type !== 'genuine' || tickets.length === 0)
      throw first && !first.admit ? refusalOf(deps, first) : new Refusal(code)
  }
  return tickets.map((ticket) => scannedTicketView(ticket, event?.name ?? ''))
}
