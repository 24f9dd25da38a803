import type { CallInput } from '@garba/shared/calls/calls'
import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { judgeAdmission, type Verdict } from '@garba/shared/rules/admission'
import { mayReturn } from '@garba/shared/rules/event/inside'
import { memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import type { QrFact } from '@garba/shared/rules/qr'
import { Refusal } from '../../refusal.ts'
import { sentTickets } from '../../store/ticketLinks.ts'
import { findTicketOrTombstone, getNameOnTicket, type TicketRow, ticketsWithIds } from '../../store/tickets.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { knowNewCode, replacedFacts } from '../tickets/newCode.ts'
import { scannedTicketView } from '../tickets/readTickets.ts'
import {
  findScanGate,
  findTicketId,
  isGroupCode,
  readCode,
  readKeys,
  recordScanRefusal,
  refusalFacts,
  toAdmissionTicket,
} from './scanFacts.ts'

type VerifyQrRequest = CallInput<'verifyQr'> & { user: AnyCaller }

/**
 * The ticket of a QR code, whatever its status. A code that would be refused is recorded for the evening view. A
 * group's code is refused with GROUP_CODE: scanners that know groups ask `verifyGroup`.
 */
export async function verifyQr(deps: Deps, verifying: VerifyQrRequest): Promise<ScannedTicket> {
  const { qrCode } = verifying
  if (isGroupCode(qrCode)) throw new Refusal('GROUP_CODE')
  const { code, event } = await readCode(deps, { qrCode })
  const ticketId = findTicketId(code)
  const found = ticketId === null ? undefined : await deps.store.read((tx) => findTicketOrTombstone(tx, ticketId))
  const ticket = found?.status === 'deleted' ? undefined : found
  const verdict = judgeAdmission({
    code,
    ticket: toAdmissionTicket(found),
    authority: 'server',
    admittedOffline: false,
    isReturnOpen: event !== null && mayReturn(event, deps.now().getTime()),
    calledOff: event?.state === 'calledOff',
  })
  if (!verdict.admit) {
    await recordRefused(deps, { verifying, code: verdict.code, ticketId, ticket, eventId: event?.id ?? null })
    if (!ticket || code.type !== 'genuine' || verdict.code === 'EVENT_CALLED_OFF')
      throw await buildVerdictRefusal(deps, verdict, code)
  }
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return scannedTicketView(ticket, event)
}

const buildVerdictRefusal = async (
  { store, now, settings }: Deps,
  verdict: Extract<Verdict, { admit: false }>,
  code: QrFact,
): Promise<Refusal> =>
  new Refusal(
    verdict.code,
    verdict.code === 'CODE_REPLACED'
      ? replacedFacts(verdict.replacedAt, { now: now(), timezone: settings.timezone })
      : await store.read((tx) => refusalFacts(tx, verdict.code, code)),
  )

interface RefusedCode {
  verifying: VerifyQrRequest
  code: RefusalCode
  ticketId: string | null
  ticket: TicketRow | undefined
  eventId: string | null
}

function recordRefused(deps: Deps, { verifying, code, ticketId, ticket, eventId }: RefusedCode): Promise<void> {
  const { user, deviceId, deviceName } = verifying
  const device = user.device ?? { id: deviceId ?? null, name: deviceName || null }
  const facts = { scanId: null, receivedAt: deps.now(), checker: user, device, gate: findScanGate(verifying, user) }
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening')
    await recordScanRefusal(tx, {
      ...facts,
      code,
      ticketId,
      eventId,
      holderName: ticket ? getNameOnTicket(ticket) : null,
    })
  })
}

/**
 * The tickets of a group code that the server knows, whatever their status. A code that no longer admits anyone is
 * recorded for the evening view, as in `verifyQr`.
 */
export async function verifyGroup(deps: Deps, verifying: VerifyQrRequest): Promise<ScannedTicket[]> {
  const { event, keys } = await readKeys(deps, {})
  const group = await readGroupQr({ text: verifying.qrCode.trim(), keys, eventId: event?.id ?? '' })
  const ids = group.type === 'malformed' ? [] : group.ticketIds
  if (group.type === 'genuine') for (const id of ids) await knowNewCode(deps, id)
  const { known, sent } = await deps.store.read(async (tx) => ({
    known: await ticketsWithIds(tx, ids),
    sent: await sentTickets(tx, { ids }),
  }))
  const rows = new Map(known.map((row) => [row.id, row]))
  const verdicts = ids.map((id) => {
    const ticket = toAdmissionTicket(rows.get(id))
    const calledOff = event?.state === 'calledOff'
    return judgeAdmission({
      code: memberFact(group, id),
      ticket,
      authority: 'server',
      admittedOffline: false,
      calledOff,
      isReturnOpen: event !== null && mayReturn(event, deps.now().getTime()),
    })
  })
  const tickets = ids.flatMap((id) => rows.get(id) ?? []).filter(({ status }) => status !== 'deleted')
  if (verdicts.every(({ admit }) => !admit)) {
    const [first] = verdicts
    const code: RefusalCode = first && !first.admit ? first.code : 'QR_MALFORMED'
    const ticketId = ids[0] ?? null
    const ticket = tickets.find(({ id }) => id === ticketId)
    await recordRefused(deps, { verifying, code, ticketId, ticket, eventId: event?.id ?? null })
    if (group.type !== 'genuine' || tickets.length === 0 || code === 'EVENT_CALLED_OFF')
      throw first && !first.admit
        ? await buildVerdictRefusal(deps, first, memberFact(group, ticketId ?? ''))
        : new Refusal(code)
  }
  return tickets.map((ticket) => ({
    ...scannedTicketView(ticket, event),
    ...(sent.has(ticket.id) && { sent: true as const }),
  }))
}
