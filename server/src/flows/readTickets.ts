import type { Ticket } from '@garba/shared/contracts/ticket'
import { correction, generate } from 'lean-qr'
import { toSvgDataURL } from 'lean-qr/extras/svg'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import { countTickets, findTicket, listTickets as findTickets, type TicketFilter, ticketsOf } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'
import { ticketView } from './views/ticket.ts'

/** Tickets by status and by words of id, name or email, newest first, a page at a time (DECISIONS 2). */
export function listTickets({ db }: Deps, query: TicketFilter & PageQuery) {
  const eventName = findEvent(db)?.name ?? ''
  const totalTickets = countTickets(db, query)
  const tickets = findTickets(db, query, sliceOf(query)).map((row) => ticketView(row, eventName))
  return { tickets, pagination: { ...pageOf(query, { rows: totalTickets, shown: tickets.length }), totalTickets } }
}

/** Every ticket, newest first, for a file. */
export function everyTicket({ db }: Deps): Ticket[] {
  const eventName = findEvent(db)?.name ?? ''
  return findTickets(db, {}).map((row) => ticketView(row, eventName))
}

/** The caller's own tickets, newest first. */
export function myTickets({ db }: Deps, user: Caller): Ticket[] {
  const eventName = findEvent(db)?.name ?? ''
  return ticketsOf(db, user.id).map((ticket) => ticketView(ticket, eventName))
}

/** Pure black on pure white with the quiet zone a reader needs (LOOK 2). */
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
