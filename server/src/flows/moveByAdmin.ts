import type { TicketStatus } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { CANCELLATION } from '@garba/shared/messages/codes'
import { mayMove, REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import { updateScan } from '../store/scans.ts'
import type { Sql } from '../store/sql.ts'
import { findTicket, moveTicket, NO_CANCELLATION, NO_ENTRY, type TicketRow } from '../store/tickets.ts'
import { aboutTicket, audited } from './audited.ts'
import type { Caller } from './deps.ts'

interface Moving {
  admin: Caller
  id: string
  to: TicketStatus
  now: Date
  /** Seats free before the whole change: what a refusal for want of seats tells. */
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
