import { okSchema } from '../common.ts'
import { PATHS } from '../paths.ts'
import * as ticket from '../ticket.ts'
import { ADMIN, type Calls, READERS } from './call.ts'

/** Tickets, for their owners and for the desk. */
export const TICKETS_CALLS = {
  buyTickets: {
    ...PATHS.buyTickets,
    access: 'signedIn',
    summary: 'Buy tickets; needs an Idempotency-Key header',
    body: ticket.buyBodySchema,
    answer: ticket.soldAnswerSchema,
    status: 201,
  },
  myTickets: {
    ...PATHS.myTickets,
    access: 'signedIn',
    summary: 'Own tickets, newest first',
    answer: ticket.ticketsAnswerSchema,
  },
  allTickets: {
    ...PATHS.allTickets,
    access: ADMIN,
    summary: 'All tickets, a page at a time',
    query: ticket.ticketsQuerySchema,
    answer: ticket.ticketsPageSchema,
  },
  ticketStats: {
    ...PATHS.ticketStats,
    access: READERS,
    summary: 'Tickets sold and revenue',
    answer: ticket.ticketStatsSchema,
  },
  setTicketStatus: {
    ...PATHS.setTicketStatus,
    access: ADMIN,
    summary: 'Set a ticket to any status',
    body: ticket.statusBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  cancelTicket: {
    ...PATHS.cancelTicket,
    access: 'signedIn',
    summary: 'Cancel an own active ticket',
    body: ticket.cancelBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  ticket: {
    ...PATHS.ticket,
    access: 'signedIn',
    summary: 'One ticket, for its owner or an admin',
    answer: ticket.ticketWithImageSchema,
  },
  ticketManagement: {
    ...PATHS.ticketManagement,
    access: ADMIN,
    summary: 'Tickets by status and search',
    query: ticket.ticketsQuerySchema,
    answer: ticket.ticketsPageSchema,
  },
  bulkUpdate: {
    ...PATHS.bulkUpdate,
    access: ADMIN,
    summary: 'Set many tickets to one status, all or nothing',
    body: ticket.bulkBodySchema,
    answer: ticket.bulkAnswerSchema,
  },
  exportTickets: {
    ...PATHS.exportTickets,
    access: ADMIN,
    summary: 'All tickets as CSV or JSON',
    query: ticket.exportQuerySchema,
  },
  refund: {
    ...PATHS.refund,
    access: ADMIN,
    summary: 'Record the refund of a cancelled ticket',
    body: ticket.refundBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  deleteTicket: { ...PATHS.deleteTicket, access: ADMIN, summary: 'Delete a ticket', answer: okSchema },
} as const satisfies Calls
