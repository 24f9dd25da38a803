import { BLOCK } from '@garba/shared/messages/gate'
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
import { renewTicketCode } from '../../flows/tickets/newCode.ts'
import {
  type ExportedTicket,
  everyTicket,
  listTicketPage,
  myTickets,
  oneTicket,
  ticketsForCsv,
} from '../../flows/tickets/readTickets.ts'
import { sellTickets } from '../../flows/tickets/sellTickets.ts'
import { claimWallet, endTicketLink, listLinkPage, makeLink, openWallet } from '../../flows/tickets/ticketLinks.ts'
import { Refusal } from '../../refusal.ts'
import { addServerTime, findIdempotencyKey, getClientAddress, requireIdempotencyKey } from '../context.ts'
import { type Columns, csvAnswer, fileAnswer } from '../csv.ts'
import { getAddressKey, limitGuesses } from '../limits.ts'
import type { Routes } from '../mount.ts'

const TICKETS: Columns<ExportedTicket> = [
  ['Ticket ID', (ticket) => ticket.ticketId],
  ['Name', (ticket) => ticket.user.name],
  ['Email', (ticket) => ticket.user.email],
  ['Event', (ticket) => ticket.eventName],
  ['Price', (ticket) => ticket.price],
  ['Status', (ticket) => ticket.status],
  ['Bought', (ticket) => ticket.createdAt, 'time'],
  ['Entry', (ticket) => ticket.entryTime, 'time'],
  ['Scanned by', (ticket) => ticket.scannedBy?.name ?? null],
  ['Cancelled', (ticket) => ticket.cancelledAt, 'time'],
  ['Cancellation reason', (ticket) => ticket.cancellationReason],
  ['Refund', (ticket) => (ticket.status === 'cancelled' ? REFUND_STATE(ticket) : null)],
  ['Refund amount', ({ refund }) => refund?.amount ?? null],
  ['Name on ticket', (ticket) => ticket.holderName],
  ['People let in', (ticket) => ticket.people],
  ['Order', (ticket) => ticket.order],
  ['Channel', (ticket) => ticket.channel],
  ['Gate', (ticket) => ticket.gate],
  ['Paper', ({ paperNumber, paperBlock }) => (paperNumber ? `${BLOCK.printed(paperNumber)}, ${paperBlock}` : null)],
]

const TICKETS_WITH_TYPE: typeof TICKETS = [...TICKETS, ['Type', ({ type }) => type?.name.en ?? null]]

export const ticketRoutes = {
  buyTickets: ({ deps, user, body, limits, c }) => {
    const sell = () => sellTickets(deps, { user, ...body, idempotencyKey: requireIdempotencyKey(c) })
    return body.code === undefined ? sell() : limitGuesses({ deps, limits, c, user }, sell)
  },
  myTickets: async ({ deps, user }) => addServerTime(deps, { tickets: await myTickets(deps, user) }),
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
    ticket: await renewTicketCode(deps, { user, ...params, idempotencyKey: findIdempotencyKey(c) }),
  }),
  makeLink: async ({ deps, user, body }) => ({ link: await makeLink(deps, { user, ...body }) }),
  links: ({ deps, user, query }) => listLinkPage(deps, { user, ...query }),
  endLink: async ({ deps, user, params }) => {
    await endTicketLink(deps, { user, ...params })
    return {}
  },
  openWallet: async ({ deps, body, limits, c }) => {
    try {
      return await openWallet(deps, {
        ...body,
        count: (link, limit, points) => limits.count(limit, `link:${link}`, points),
      })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'LINK_UNKNOWN')
        await limits.count('address', getAddressKey(getClientAddress(c, deps.settings.trustedProxies)))
      throw error
    }
  },
  claimWallet: async ({ deps, user, body }) => ({ ticketIds: await claimWallet(deps, { user, ...body }) }),
  allTickets: ({ deps, query }) => listTicketPage(deps, query),
  ticketManagement: ({ deps, query }) => listTicketPage(deps, query),
  setTicketStatus: async ({ deps, user, body, params, c }) => ({
    ticket: await setTicketStatus(deps, { admin: user, ...params, ...body, idempotencyKey: findIdempotencyKey(c) }),
  }),
  bulkUpdate: async ({ deps, user, body, c }) => ({
    updated: await bulkUpdate(deps, { admin: user, ...body, idempotencyKey: findIdempotencyKey(c) }),
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
    if (query.format === 'csv') {
      const { rows, hasTypes } = await ticketsForCsv(deps, query)
      return csvAnswer(c, deps, { name: 'tickets.csv', columns: hasTypes ? TICKETS_WITH_TYPE : TICKETS, rows })
    }
    const tickets = await everyTicket(deps, query)
    const text = JSON.stringify({ success: true, tickets })
    return fileAnswer(c, { name: 'tickets.json', type: 'application/json', text })
  },
} satisfies Routes
