import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { judge } from '@garba/shared/rules/admission'
import { Refusal } from '../../refusal.ts'
import { findTicketOrTombstone, nameOn, type TicketRow } from '../../store/tickets.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { scannedTicketView } from '../tickets/ticketView.ts'
import { recordRefusal } from './recordRefusal.ts'
import { isGroupCode, knownTicket, readCode, ticketIdOf } from './scanFacts.ts'

export interface Verifying {
  user: AnyCaller
  qrCode: string
  deviceId?: string | undefined
  deviceName?: string | undefined
}

/**
 * The ticket of a QR code, whatever its status. A code that would be refused is recorded for the evening
 * view. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT, NOT_ACTIVATED or TICKET_NOT_FOUND, and
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
    if (!ticket || code.type !== 'genuine') throw new Refusal(verdict.code)
  }
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return scannedTicketView(ticket, event?.name ?? '')
}

interface Refused {
  verifying: Verifying
  code: RefusalCode
  ticketId: string | null
  /** The ticket, if it exists. */
  ticket: TicketRow | undefined
  eventId: string | null
}

/** Records a code that admits no one, for the evening view. */
export function recordRefused(deps: Deps, { verifying, code, ticketId, ticket, eventId }: Refused): Promise<void> {
  const { user, deviceId, deviceName } = verifying
  const device = user.device ?? { id: deviceId ?? null, name: deviceName || null }
  const facts = { receivedAt: deps.now(), checker: user, device }
  return deps.store.write(async (tx) => {
    tx.announce('evening')
    await recordRefusal(tx, { ...facts, code, ticketId, eventId, holderName: ticket ? nameOn(ticket) : null })
  })
}
