import type { Code } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import type { TicketRow } from '../store/tables/tickets.ts'
import { findTicketOrTombstone } from '../store/tickets.ts'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { recordRefusal } from './recordRefusal.ts'
import { readCode, ticketIdOf } from './scanFacts.ts'
import { scannedTicketView } from './views/ticket.ts'

interface Verifying {
  user: Caller
  qrCode: string
  deviceId?: string | undefined
  deviceName?: string | undefined
}

const CODE_REFUSALS = { malformed: 'QR_MALFORMED', forged: 'QR_FORGED', otherEvent: 'QR_OTHER_EVENT' } as const

/**
 * What a QR code stands for: its ticket, whatever the status (DECISIONS 2). A code that will be turned away is noted for
 * the gate view. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT or TICKET_NOT_FOUND.
 */
export async function verifyQr(deps: Deps, { user, qrCode, deviceId, deviceName }: Verifying): Promise<ScannedTicket> {
  const code = await readCode(deps, qrCode)
  const ticketId = ticketIdOf(code)
  const found = ticketId === null ? undefined : findTicketOrTombstone(deps.db, ticketId)
  const ticket = found?.status === 'deleted' ? undefined : found
  const provesNothing = code.kind === 'genuine' || code.kind === 'manual' ? undefined : CODE_REFUSALS[code.kind]
  const refusal = provesNothing ?? turnedAway(ticket)
  if (refusal) {
    const facts = { receivedAt: deps.now(), checker: user, device: { id: deviceId ?? null, name: deviceName || null } }
    inTransaction(deps, (tx) =>
      recordRefusal(tx, { ...facts, code: refusal, ticketId, holderName: ticket?.buyerName ?? null }),
    )
    deps.changes.tell('gate')
  }
  if (provesNothing) throw new Refusal(provesNothing)
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  return scannedTicketView(ticket, findEvent(deps.db)?.name ?? '')
}

function turnedAway(ticket: TicketRow | undefined): Code | undefined {
  if (!ticket) return 'TICKET_NOT_FOUND'
  if (ticket.status === 'used') return 'ALREADY_USED'
  return ticket.status === 'cancelled' ? 'TICKET_CANCELLED' : undefined
}
