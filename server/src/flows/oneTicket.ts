import type { Ticket } from '@garba/shared/contracts/ticket'
import { correction, generate } from 'lean-qr'
import { toSvgDataURL } from 'lean-qr/extras/svg'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import { findTicket } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'
import { ticketView } from './views/ticket.ts'

/** Pure black on pure white with the quiet zone a reader needs (LOOK). */
const drawn = (qrCode: string): string => {
  const code = generate(qrCode, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  return toSvgDataURL(code, { on: '#000000', off: '#ffffff', padX: 4, padY: 4 })
}

/** One ticket with its QR code drawn, for its owner and for admins. Refuses with TICKET_NOT_FOUND or FORBIDDEN. */
export function oneTicket(
  { db }: Deps,
  { user, id }: { user: Caller; id: string },
): Ticket & { qrCodeImage: string | null } {
  const row = findTicket(db, id)
  if (!row) throw new Refusal('TICKET_NOT_FOUND')
  if (row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
  const ticket = ticketView(row, findEvent(db)?.name ?? '')
  return { ...ticket, qrCodeImage: ticket.qrCode === null ? null : drawn(ticket.qrCode) }
}
