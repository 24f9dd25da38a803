import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { CANCELLATION } from '@garba/shared/messages/codes'
import { mayMove, REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import { updateScan } from '../store/scans.ts'
import type { Sql } from '../store/sql.ts'
import { findTicket, moveTicket, NO_CANCELLATION, NO_ENTRY, type TicketRow } from '../store/tickets.ts'
import { aboutTicket, audited } from './audited.ts'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { ticketView } from './views/ticket.ts'

interface Moving {
  admin: Caller
  id: string
  to: TicketStatus
  now: Date
  /** Seats free before the whole change: a refusal because none is left shows this number. */
  seats: number
}

/**
 * An admin's move of one ticket, inside a transaction; every move is open to an admin (SPEC 4). The facts follow the
 * status: used has an entry, made by the admin; cancelled a time, a reason and a refund still to come; and whatever
 * belonged to the status before goes. To where it is already is no change. Refuses with TICKET_NOT_FOUND, or SOLD_OUT
 * when it needs a seat and none is left.
 */
export function moveByAdmin(tx: Sql, { admin, id, to, now, seats }: Moving): TicketRow {
  const ticket = findTicket(tx, id)
  if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
  if (ticket.status === to) return ticket
  if (!mayMove({ from: ticket.status, to, by: 'admin' })) throw new Refusal('TICKET_NOT_ACTIVE')
  const set = { status: to, ...factsOf(to, { admin, now }) }
  const moved = moveTicket(tx, { id, eventId: ticket.eventId, from: ticket.status, set, now })
  if (moved === 'noSeat') throw new Refusal('SOLD_OUT', { remaining: seats })
  if (moved === 'stale') throw new Refusal('UNAVAILABLE')
  takeBackAdmission(tx, ticket, now)
  const detail = AUDIT.statusByAdmin({ from: ticket.status, to, refund: REFUND_STATE(ticket.isRefundDone) })
  audited(tx, { at: now, action: 'ticket.status', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}

const factsOf = (to: TicketStatus, { admin, now }: { admin: Caller; now: Date }): Partial<TicketRow> =>
  ({
    active: { ...NO_ENTRY, ...NO_CANCELLATION },
    used: { ...NO_ENTRY, ...NO_CANCELLATION, entryTime: now, scannedByName: admin.name },
    cancelled: { ...NO_ENTRY, cancelledAt: now, cancellationReason: CANCELLATION.byOrganiser, isRefundDone: null },
  })[to]

/** Seats on sale now. */
export function seatsLeft(tx: Sql): number {
  const event = findEvent(tx)
  return event ? event.totalTickets - event.takenSeats : 0
}

/** The scan that let the holder in stays, marked undone, so that the devices' counts add up to the tickets used. */
export function takeBackAdmission(tx: Sql, { status, entryScanId }: TicketRow, now: Date): void {
  if (status === 'used' && entryScanId !== null) updateScan(tx, entryScanId, { undoneAt: now })
}

/** Sets a ticket to any status (SPEC 4, DECISIONS 2). Refuses with TICKET_NOT_FOUND, or SOLD_OUT when no seat is left. */
export function setTicketStatus(
  deps: Deps,
  { admin, id, status }: { admin: Caller; id: string; status: TicketStatus },
): Ticket {
  const ticket = inTransaction(deps, (tx) => {
    const row = moveByAdmin(tx, { admin, id, to: status, now: deps.now(), seats: seatsLeft(tx) })
    return ticketView(row, findEvent(tx)?.name ?? '')
  })
  deps.changes.publish('roster', 'evening')
  return ticket
}

/**
 * Sets many tickets to one status, all or nothing, seats included (DECISIONS 2). Says how many tickets have the status
 * now: one named twice counts once, one that had it already counts. Refuses with TICKET_NOT_FOUND or SOLD_OUT.
 */
export function bulkUpdate(
  deps: Deps,
  { admin, ticketIds, status }: { admin: Caller; ticketIds: readonly string[]; status: TicketStatus },
): number {
  const ids = new Set(ticketIds)
  inTransaction(deps, (tx) => {
    const now = deps.now()
    const seats = seatsLeft(tx)
    for (const id of ids) moveByAdmin(tx, { admin, id, to: status, now, seats })
  })
  deps.changes.publish('roster', 'evening')
  return ids.size
}
