import type { Ticket } from '@garba/shared/contracts/ticket'
import { findEvent } from '../store/events.ts'
import { countTickets, listTickets as findTickets, type TicketFilter } from '../store/tickets.ts'
import type { Deps } from './deps.ts'
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
