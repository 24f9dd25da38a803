import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { toRupees } from '@garba/shared/rules/money'
import type { EventRow } from '../../store/events.ts'
import { nameOn, type TicketRow } from '../../store/tickets.ts'

/** Scanners treat a tombstone as "not found". Where a ticket must be shown, it counts as cancelled. */
const statusOf = ({ status }: TicketRow): TicketStatus => (status === 'deleted' ? 'cancelled' : status)

/** A ticket for its owner and for admins. */
export const ticketView = (ticket: TicketRow, { name, closedAt }: Pick<EventRow, 'name' | 'closedAt'>): Ticket => ({
  _id: ticket.id,
  id: ticket.id,
  ticketId: ticket.id,
  user: { _id: ticket.userId, name: ticket.buyerName, email: ticket.buyerEmail },
  eventName: name,
  isPast: closedAt !== null,
  price: toRupees(ticket.pricePaise),
  status: statusOf(ticket),
  createdAt: ticket.createdAt.toISOString(),
  updatedAt: ticket.updatedAt.toISOString(),
  qrCode: ticket.status === 'active' && closedAt === null ? ticket.qrCode : null,
  entryTime: ticket.entryTime?.toISOString() ?? null,
  scannedBy: ticket.scannedByName === null ? null : { name: ticket.scannedByName },
  cancelledAt: ticket.cancelledAt?.toISOString() ?? null,
  cancellationReason: ticket.cancellationReason,
  isRefundDone: ticket.isRefundDone,
  holderName: ticket.holderName,
})

/** A ticket for a scanner phone: a name, no email, no price. */
export const scannedTicketView = (ticket: TicketRow, eventName: string): ScannedTicket => ({
  _id: ticket.id,
  id: ticket.id,
  ticketId: ticket.id,
  user: { name: nameOn(ticket) },
  eventName,
  status: statusOf(ticket),
  entryTime: ticket.entryTime?.toISOString() ?? null,
  scannedBy: ticket.scannedByName === null ? null : { name: ticket.scannedByName },
  scannedAtDevice: ticket.scannedAtDevice,
  ...(ticket.entryGate === null ? {} : { scannedAtGate: ticket.entryGate }),
  cancelledAt: ticket.cancelledAt?.toISOString() ?? null,
})
