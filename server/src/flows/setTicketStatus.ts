import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { findEvent } from '../store/events.ts'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { moveByAdmin, seatsLeft } from './moveByAdmin.ts'
import { ticketView } from './views/ticket.ts'

/** Sets a ticket to any status (SPEC 4, DECISIONS 2). Refuses with TICKET_NOT_FOUND, or SOLD_OUT for want of a seat. */
export function setTicketStatus(
  deps: Deps,
  { admin, id, status }: { admin: Caller; id: string; status: TicketStatus },
): Ticket {
  const ticket = inTransaction(deps, (tx) => {
    const row = moveByAdmin(tx, { admin, id, to: status, now: deps.now(), seats: seatsLeft(tx) })
    return ticketView(row, findEvent(tx)?.name ?? '')
  })
  deps.changes.tell('roster', 'gate')
  return ticket
}
