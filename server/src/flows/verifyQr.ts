import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { judge } from '@garba/shared/rules/admission'
import { Refusal } from '../refusal.ts'
import { findTicketOrTombstone, nameOn } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'
import { recordRefusal } from './recordRefusal.ts'
import { knownTicket, readCode, ticketIdOf } from './scanFacts.ts'
import { scannedTicketView } from './views/ticket.ts'

interface Verifying {
  user: Caller
  qrCode: string
  deviceId?: string | undefined
  deviceName?: string | undefined
}

/**
 * The ticket of a QR code, whatever its status (DECISIONS 2). A code that would be refused is recorded for the evening
 * view. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT, NOT_ACTIVATED or TICKET_NOT_FOUND.
 */
export async function verifyQr(deps: Deps, { user, qrCode, deviceId, deviceName }: Verifying): Promise<ScannedTicket> {
  const { code, event } = await readCode(deps, { qrCode })
  const ticketId = ticketIdOf(code)
  const found = ticketId === null ? undefined : await deps.store.read((tx) => findTicketOrTombstone(tx, ticketId))
  const ticket = found?.status === 'deleted' ? undefined : found
  const verdict = judge({ code, ticket: knownTicket(found), authority: 'server', admittedOffline: false })
  if (!verdict.admit) {
    const facts = { receivedAt: deps.now(), checker: user, device: { id: deviceId ?? null, name: deviceName || null } }
    await deps.store.write(async (tx) => {
      tx.announce('evening')
      await recordRefusal(tx, {
        ...facts,
        code: verdict.code,
        ticketId,
        eventId: event?.id ?? null,
        holderName: ticket ? nameOn(ticket) : null,
      })
    })
    if (!ticket || code.type !== 'genuine') throw new Refusal(verdict.code)
  }
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return scannedTicketView(ticket, event?.name ?? '')
}
