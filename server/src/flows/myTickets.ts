import type { Ticket } from '@garba/shared/contracts/ticket'
import { findEvent } from '../store/events.ts'
import { ticketsOf } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'
import { ticketView } from './views/ticket.ts'

/** The caller's own tickets, newest first. */
export function myTickets({ db }: Deps, user: Caller): Ticket[] {
  const eventName = findEvent(db)?.name ?? ''
  return ticketsOf(db, user.id).map((ticket) => ticketView(ticket, eventName))
}
