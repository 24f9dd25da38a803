import { cancelTicket, groupCodes, nameTicket } from '../../flows/tickets/ownTickets.ts'
import { myTickets, oneTicket } from '../../flows/tickets/readTickets.ts'
import { sellTickets } from '../../flows/tickets/sellTickets.ts'
import { idempotencyKeyOf } from '../context.ts'
import type { Routes } from '../mount.ts'

export const ticketRoutes = {
  buyTickets: ({ deps, user, body, c }) =>
    sellTickets(deps, { user, quantity: body.quantity, idempotencyKey: idempotencyKeyOf(c) }),
  myTickets: async ({ deps, user }) => ({ tickets: await myTickets(deps, user) }),
  groupCodes: async ({ deps, user }) => ({ groups: await groupCodes(deps, user) }),
  ticket: async ({ deps, user, params }) => ({ ticket: await oneTicket(deps, { user, id: params.id ?? '' }) }),
  cancelTicket: async ({ deps, user, body, params }) => ({
    ticket: await cancelTicket(deps, { user, id: params.id ?? '', reason: body.reason }),
  }),
  nameTicket: async ({ deps, user, body, params }) => ({
    ticket: await nameTicket(deps, { user, id: params.id ?? '', name: body.name }),
  }),
} satisfies Routes
