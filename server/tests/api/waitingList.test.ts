import { randomUUID } from 'node:crypto'
import type { OwnWaiting } from '@garba/shared/contracts/waiting'
import { expect, test } from 'vitest'
import { accountantFindings } from '../../src/accountant/accountant.ts'
import { waitingRound } from '../../src/flows/money/orders/waitingList.ts'
import { must } from '../../src/testing/desk.ts'
import { dice } from '../../src/testing/dice.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { bought, buy, eventForm, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type Reply, type World } from '../../src/testing/world.ts'

const join = (guest: Client, quantity = 1) => guest.request('POST', '/api/waiting', { quantity })
const own = async (guest: Client): Promise<OwnWaiting> =>
  (await must(guest.request('GET', '/api/waiting/mine'))) as unknown as OwnWaiting
const cancel = (guest: Client, id: string) => guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' })
const seats = async (world: World) =>
  (await world.sql('select taken_seats as taken, total_tickets as total from events'))[0]
const findings = (world: World) => accountantFindings((query) => world.sql(query))

/** Pays for tickets one by one, because unpaid orders may hold half of what is left. */
async function pay(world: World, guest: Client, quantity: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < quantity; at += 1) {
    const { code } = await ordered(guest)
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
    ids.push(...(await orderOf(guest, code)).tickets.map(({ _id }) => _id))
  }
  return ids
}

test('returned seats are offered to the first in line for half an hour, by mail and in the same write, then to the next', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>', MAX_PER_PERSON: '0' }
  const world = await payingWorld({ event: { totalTickets: 4 }, settings })
  const guests = { ...(await people(world, 'Owner', 'Asha', 'Bina', 'Charu')) }
  const tickets = await pay(world, guests.Owner, 4)
  expect(await join(guests.Asha, 2)).toMatchObject({ status: 201, body: { waiting: { quantity: 2, ahead: 0 } } })
  await join(guests.Bina)
  await join(guests.Charu)
  expect(await own(guests.Charu)).toMatchObject({ waiting: { quantity: 1, ahead: 2 }, offer: null })
  mails.length = 0

  // One seat is not enough for Asha, who keeps her place. Nobody else can buy it in between.
  await must(cancel(guests.Owner, tickets[0] ?? ''))
  const { offer } = await own(guests.Bina)
  expect(offer).toMatchObject({ quantity: 1, until: new Date(world.clock.now().getTime() + 1_800_000).toISOString() })
  expect(await place(await world.as('guest', person('Stranger')), { quantity: 1 })).toMatchObject({
    status: 409,
    body: { code: 'SOLD_OUT', remaining: 0 },
  })
  expect(await own(guests.Asha)).toMatchObject({ waiting: { ahead: 0 } })
  await settleMoney(world)
  const [mail] = mails.filter(({ subject }) => subject?.includes('held for you'))
  expect(mail).toMatchObject({ to: [{ address: 'bina@example.org' }] })
  expect(mail?.text).toContain('A ticket is held for you until')

  // Bina pays for hers; what Charu is offered next lapses.
  world.clock.forward(6_000)
  const order = await orderOf(guests.Bina, offer?.order ?? '')
  expect(order).toMatchObject({ state: 'held', offeredUntil: offer?.until, total: 299 })
  world.double.pay(linkOf(world, order.code))
  await settleMoney(world)
  expect(await orderOf(guests.Bina, order.code)).toMatchObject({ state: 'paid', tickets: [{ status: 'active' }] })
  await must(cancel(guests.Owner, tickets[1] ?? ''))
  const lapsing = (await own(guests.Charu)).offer
  expect(lapsing).not.toBeNull()
  await join(guests.Owner)
  await minutesPass(world, 33)
  const after = await people(world, 'Charu', 'Owner')
  expect(await orderOf(after.Charu, lapsing?.order ?? '')).toMatchObject({ state: 'expired' })
  expect(await own(after.Charu)).toMatchObject({ waiting: null, offer: null })
  expect((await own(after.Owner)).offer).toMatchObject({ quantity: 1 })
  expect(await seats(world)).toEqual({ taken: 4, total: 4 })
  expect(await findings(world)).toEqual([])
})

async function people<Name extends string>(world: World, ...names: Name[]): Promise<Record<Name, Client>> {
  const made: [string, Client][] = []
  for (const name of names) made.push([name, await world.as('guest', person(name))])
  return Object.fromEntries(made) as Record<Name, Client>
}

test('where tickets are free, buying takes the offer up, and what is left of it goes to the next', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 3 })
  const { Owner, Asha, Bina } = await people(world, 'Owner', 'Asha', 'Bina')
  const tickets = await bought(Owner, 3)
  expect(await join(Asha, 2)).toMatchObject({ status: 201 })
  await join(Bina)
  for (const { _id } of tickets.slice(0, 2)) await must(cancel(Owner, _id))
  // Bina's one seat came first; then there was one more, and Asha needs two.
  expect([(await own(Bina)).offer?.quantity, (await own(Asha)).offer]).toEqual([1, null])
  expect((await buy(Bina, 1)).status).toBe(201)
  await must(cancel(Owner, tickets[2]?._id ?? ''))
  expect((await own(Asha)).offer).toMatchObject({ quantity: 2 })
  expect(await buy(Asha, 3)).toMatchObject({ status: 409, body: { code: 'SOLD_OUT', remaining: 2 } })
  await join(Bina)
  expect((await buy(Asha, 1)).status).toBe(201)
  expect((await own(Bina)).offer).toMatchObject({ quantity: 1 })
  world.clock.forward(1_800_000)
  await waitingRound(world.deps)
  expect(await seats(world)).toEqual({ taken: 2, total: 3 })
  expect(await findings(world)).toEqual([])
})

test('nobody waits while so many are on sale, while an order is open, or with the setting off', async () => {
  const world = await payingWorld({ event: { totalTickets: 2 } })
  const { Asha, Bina } = await people(world, 'Asha', 'Bina')
  expect(await join(Asha)).toMatchObject({ status: 409, body: { code: 'NOT_SOLD_OUT' } })
  expect(await join(Asha, 0)).toMatchObject({ status: 400 })
  await pay(world, Asha, 2)
  expect(await join(Bina)).toMatchObject({ status: 201 })
  expect(await join(Bina, 2)).toMatchObject({ body: { waiting: { quantity: 2 } } })
  const desk = await world.as('manager')
  expect(await must(desk.request('GET', '/api/admin/waiting'))).toMatchObject({
    waiting: [{ name: 'Bina', quantity: 2 }],
    offers: [],
    tickets: 2,
  })
  expect(await must(Bina.request('DELETE', '/api/waiting/mine'))).toMatchObject({ waiting: null })

  const off = await payingWorld({ event: { totalTickets: 1 }, settings: { WAITING_LIST: 'off' } })
  const guest = await off.as('guest')
  await pay(off, guest, 1)
  expect(await join(await off.as('guest', person('Asha')))).toMatchObject({ body: { code: 'WAITING_LIST_OFF' } })
})

test('a pause offers nothing; its end and more tickets do', async () => {
  const world = await payingWorld({ event: { totalTickets: 2 } })
  const { Owner, Asha, Bina } = await people(world, 'Owner', 'Asha', 'Bina')
  const tickets = await pay(world, Owner, 2)
  await join(Asha)
  await join(Bina)
  const save = async (more: object) =>
    must((await world.as('admin')).request('PUT', '/api/event', eventForm({ totalTickets: 2, ...more })))
  await save({ paused: 'Back at six.' })
  await must(cancel(Owner, tickets[0] ?? ''))
  expect((await own(Asha)).offer).toBeNull()
  await save({ paused: null })
  expect((await own(Asha)).offer).toMatchObject({ quantity: 1 })
  await save({ totalTickets: 3 })
  expect((await own(Bina)).offer).toMatchObject({ quantity: 1 })
})

test('in any order of joining, leaving, buying, cancelling and lapsing no seat is sold twice, and none is lost', async () => {
  const random = dice(50)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const world = await makeWorld({ settings: { MAX_PER_PERSON: '0' } })
  await putOnSale(world, { totalTickets: 6 })
  const names = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `Guest${name}`)
  const steps = async (guest: Client) => {
    const mine = (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as {
      _id: string
      status: string
    }[]
    const active = mine.find(({ status }) => status === 'active')
    const moves: (() => Promise<Reply>)[] = [
      () => join(guest, upTo(3)),
      () => buy(guest, upTo(3), randomUUID()),
      () => buy(guest, 1, randomUUID()),
      () => (active ? cancel(guest, active._id) : join(guest)),
      () => (active ? cancel(guest, active._id) : buy(guest, 1)),
      () => guest.request('DELETE', '/api/waiting/mine'),
    ]
    return moves[upTo(moves.length) - 1] ?? (() => join(guest))
  }
  for (let round = 0; round < 25; round += 1) {
    const guests = Object.values(await people(world, ...names))
    const moves = await Promise.all(guests.map(steps))
    const replies = await Promise.all(moves.map((move) => move()))
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    if (round % 5 === 4) {
      world.clock.forward(1_800_000)
      await waitingRound(world.deps)
    }
    expect(await findings(world)).toEqual([])
  }
})

test('a write that fails while it offers a seat frees none, and loses nobody’s place', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 1 })
  const { Owner, Asha } = await people(world, 'Owner', 'Asha')
  const [{ _id }] = await bought(Owner)
  await join(Asha)
  await world.sql(
    "create trigger cut before insert on orders when new.offered_until is not null begin select raise(abort, 'cut'); end",
  )
  expect((await cancel(Owner, _id)).status).toBe(500)
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'active' }])
  expect([await seats(world), (await own(Asha)).waiting?.ahead]).toEqual([{ taken: 1, total: 1 }, 0])
  await world.sql('drop trigger cut')
  await must(cancel(Owner, _id))
  expect((await own(Asha)).offer).toMatchObject({ quantity: 1 })
})
