import { randomUUID } from 'node:crypto'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect } from 'vitest'
import type { Client, Reply, World } from './world.ts'

/** An event on 22 September 2025, 45 days after the tests' clock starts: 299 rupees, or 249 in groups. */
export const eventForm = (overrides: Record<string, unknown> = {}) => ({
  name: 'Garba Rass 2025',
  venue: 'Riverfront Ground, Ahmedabad',
  description: 'One night of garba before Navratri.',
  date: '2025-09-22',
  startTime: '18:30',
  endTime: '22:30',
  ticketPrice: 299,
  groupPrice4: 249,
  totalTickets: 500,
  eventImage: null,
  features: ['Live dhol', 'Dandiya sticks'],
  aboutText: 'Come as you are.',
  ...overrides,
})

/** Creates the event as the admin and returns it. */
export async function putOnSale(world: World, overrides: Record<string, unknown> = {}): Promise<GarbaEvent> {
  const admin = await world.as('admin')
  const reply = await admin.request('POST', '/api/event', eventForm(overrides))
  expect(reply.body).toMatchObject({ success: true })
  return reply.body.data as GarbaEvent
}

/** One purchase with a new idempotency key, or with the given one. */
export const buy = (buyer: Client, quantity: unknown, key: string = randomUUID()): Promise<Reply> =>
  buyer.request('POST', '/api/tickets', { quantity }, { 'Idempotency-Key': key })

/** Buys as the client and returns the tickets. */
export async function bought(buyer: Client, quantity = 1): Promise<[Ticket, ...Ticket[]]> {
  const reply = await buy(buyer, quantity)
  expect(reply.status).toBe(201)
  return reply.body.tickets as [Ticket, ...Ticket[]]
}

export const codeOf = (ticket: Ticket): string => {
  if (ticket.qrCode === null) throw new Error(`Ticket ${ticket._id} shows no code`)
  return ticket.qrCode
}

/** A scan as a phone sends it. */
export const mark = (checker: Client, scan: Record<string, unknown>): Promise<Reply> =>
  checker.request('POST', '/api/tickets/mark-used', scan)

/** Another person than a role's default one. */
export const person = (name: string) => ({ uid: `uid-${name}`, email: `${name.toLowerCase()}@example.org`, name })
