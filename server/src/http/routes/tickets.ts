import type { Ticket } from '@garba/shared/contracts/ticket'
import { REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import {
  bulkUpdate,
  cancelTicket,
  deleteTicket,
  groupCodes,
  nameTicket,
  recordRefund,
  recordRefunds,
  setTicketStatus,
} from '../../flows/tickets/changeTickets.ts'
import { newCode } from '../../flows/tickets/newCode.ts'
import { everyTicket, listTickets, myTickets, oneTicket, peopleOnTickets } from '../../flows/tickets/readTickets.ts'
import { sellTickets } from '../../flows/tickets/sellTickets.ts'
import { claimWallet, endTicketLink, listLinks, makeLink, openWallet } from '../../flows/tickets/ticketLinks.ts'
import { Refusal } from '../../refusal.ts'
import { addressOf, idempotencyKeyOf, optionalKeyOf, timed } from '../context.ts'
import { type Columns, csvAnswer, fileAnswer } from '../csv.ts'
import { counted } from '../limits.ts'
import type { Routes } from '../mount.ts'

const columnsWith = (people: ReadonlyMap<string, number>): Columns<Ticket> => [
  ['Ticket ID', (ticket) => ticket.ticketId],
  ['Name', (ticket) => ticket.user.name],
  ['Email', (ticket) => ticket.user.email],
  ['Event', (ticket) => ticket.eventName],
  ['Price', (ticket) => ticket.price],
  ['Status', (ticket) => ticket.status],
  ['Bought', (ticket) => ticket.createdAt],
  ['Entry', (ticket) => ticket.entryTime],
  ['Scanned by', (ticket) => ticket.scannedBy?.name ?? null],
  ['Cancelled', (ticket) => ticket.cancelledAt],
  ['Cancellation reason', (ticket) => ticket.cancellationReason],
  ['Refund', (ticket) => (ticket.status === 'cancelled' ? REFUND_STATE(ticket.isRefundDone) : null)],
  ['Name on ticket', (ticket) => ticket.holderName],
  ['People let in', (ticket) => people.get(ticket._id) ?? 0],
]

export const ticketRoutes = {
  buyTickets: ({ deps, user, body, c }) =>
    sellTickets(deps, { user, quantity: body.quantity, idempotencyKey: idempotencyKeyOf(c) }),
  myTickets: async ({ deps, user }) => timed(deps, { tickets: await myTickets(deps, user) }),
  groupCodes: async ({ deps, user }) => ({ groups: await groupCodes(deps, user) }),
  ticket: async ({ deps, user, params }) => ({ ticket: await oneTicket(deps, { user, ...params }) }),
  cancelTicket: async ({ deps, user, body, params }) => ({
    ticket: await cancelTicket(deps, { user, ...params, reason: body.reason }),
  }),
  nameTicket: async ({ deps, limits, user, body, params }) => {
    await limits.count('names', user.id)
    return { ticket: await nameTicket(deps, { user, ...params, name: body.name }) }
  },
  newCode: async ({ deps, user, params, c }) => ({
    ticket: await newCode(deps, { user, ...params, idempotencyKey: optionalKeyOf(c) }),
  }),
  makeLink: async ({ deps, user, body }) => ({ link: await makeLink(deps, { user, ...body }) }),
  links: async ({ deps, user, query }) => ({ links: await listLinks(deps, { user, ticket: query.ticket }) }),
  endLink: async ({ deps, user, params }) => {
    await endTicketLink(deps, { user, ...params })
    return {}
  },
  openWallet: async ({ deps, body, limits, c }) => {
    try {
      return await openWallet(deps, { ...body, count: (link, limit) => limits.count(limit, `link:${link}`) })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'LINK_UNKNOWN')
        await limits.count('address', counted(addressOf(c, deps.settings.trustedProxies)))
      throw error
    }
  },
  claimWallet: async ({ deps, user, body }) => ({ ticketIds: await claimWallet(deps, { user, ...body }) }),
  allTickets: ({ deps, query }) => listTickets(deps, query),
  ticketManagement: ({ deps, query }) => listTickets(deps, query),
  setTicketStatus: async ({ deps, user, body, params, c }) => ({
    ticket: await setTicketStatus(deps, { admin: user, ...params, ...body, idempotencyKey: optionalKeyOf(c) }),
  }),
  bulkUpdate: async ({ deps, user, body, c }) => ({
    updated: await bulkUpdate(deps, { admin: user, ...body, idempotencyKey: optionalKeyOf(c) }),
  }),
  refund: async ({ deps, user, body, params }) => ({
    ticket: await recordRefund(deps, { admin: user, ...params, isRefundDone: body.isRefundDone }),
  }),
  bulkRefund: async ({ deps, user, body }) => ({ updated: await recordRefunds(deps, { admin: user, ...body }) }),
  deleteTicket: async ({ deps, user, params }) => {
    await deleteTicket(deps, { admin: user, ...params })
    return {}
  },
  exportTickets: async ({ deps, query, c }) => {
    const tickets = await everyTicket(deps, query)
    if (query.format === 'csv')
      return csvAnswer(c, 'tickets.csv', columnsWith(await peopleOnTickets(deps, query)), tickets)
    const text = JSON.stringify({ success: true, tickets })
    return fileAnswer(c, { name: 'tickets.json', type: 'application/json', text })
  },
} satisfies Routes
