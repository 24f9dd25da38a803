import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { buyer, must } from './desk.ts'
import { codeOf, mark, putOnSale } from './scenes.ts'
import { type Client, makeWorld, type World } from './world.ts'

export const AFTERWARDS = '2025-09-22T17:00:00Z'
export const LATER_YEAR = { name: 'Garba Rass 2026', date: '2026-09-22' }

/** An event of last year with four tickets: two unused, one used and one cancelled. It is over. */
export async function over() {
  const world = await makeWorld()
  const event = await putOnSale(world)
  const { client, tickets } = await buyer(world, { quantity: 4 })
  await must(client.request('PATCH', `/api/tickets/cancel/${tickets[3]?._id}`, { reason: 'Away' }))
  world.clock.set('2025-09-22T14:00:00Z')
  await must(mark(await world.as('qrchecker'), { qrCode: codeOf(tickets[2] as Ticket), deviceId: 'gate-a' }))
  world.clock.set(AFTERWARDS)
  // Identity tokens of before have expired.
  const [admin, checker] = [await world.as('admin'), await world.as('qrchecker')]
  return { world, event, tickets, admin, checker, guest: await sameGuest(world) }
}

export const sameGuest = (world: World) =>
  world.as('guest', { uid: 'uid-guest@garba.test', email: 'guest@garba.test', name: 'Garima Guest' })

export const close = (admin: Client, id: string) => admin.request('POST', `/api/admin/events/${id}/close`)

/** The same after closing, and with next year's event on sale. */
export async function nextYear() {
  const scene = await over()
  const { world, event, admin } = scene
  await must(close(admin, event._id))
  const next = await putOnSale(world, LATER_YEAR)
  const { client: other, tickets: fresh } = await buyer(world, { name: 'Bhavna', email: 'b@garba.test', quantity: 2 })
  return { ...scene, next, other, fresh }
}

export const rosterOf = async (checker: Client, query = '') =>
  (await must(checker.request('GET', `/api/scanner/roster${query}`))) as unknown as RosterAnswer
export const managed = async (admin: Client, query = '') =>
  (await must(admin.request('GET', `/api/admin/tickets/management${query}`))) as unknown as {
    tickets: Ticket[]
    pagination: { totalTickets: number }
  }
export const dataOf = async <D>(client: Client, path: string) => (await must(client.request('GET', path))).data as D
