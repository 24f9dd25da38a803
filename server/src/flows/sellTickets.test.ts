import { randomUUID } from 'node:crypto'
import { decodeQr, readQr } from '@garba/shared/rules/qr'
import { describe, expect, test } from 'vitest'
import { bought, buy, codeOf, person, putOnSale } from '../testing/scenes.ts'
import { makeWorld, type World } from '../testing/world.ts'

const count = ({ store }: World, table: string): number =>
  (store.sqlite.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
const takenSeats = ({ store }: World): number =>
  (store.sqlite.prepare('select taken_seats as n from events').get() as { n: number }).n

describe('a sale', () => {
  test.each([
    [1, 299],
    [3, 299],
    [4, 249],
    [7, 249],
  ])('of %i is at %i rupees each, and leaves a row of audit', async (quantity, price) => {
    const world = await makeWorld()
    await putOnSale(world)
    const reply = await buy(await world.as('guest'), quantity)
    expect(reply).toMatchObject({ status: 201, body: { success: true, availableTickets: 500 - quantity } })
    const tickets = reply.body.tickets as { price: number; status: string }[]
    expect(tickets).toHaveLength(quantity)
    expect(tickets.every((ticket) => ticket.price === price && ticket.status === 'active')).toBe(true)
    const row = world.store.sqlite.prepare("select * from audit where action = 'ticket.sold'").all()
    expect(row).toMatchObject([{ actor_name: 'Garima Guest' }])
  })

  test('gives each ticket a code of its own that this event’s key vouches for', async () => {
    const world = await makeWorld()
    const event = await putOnSale(world)
    const tickets = await bought(await world.as('guest'), 5)
    const keys = world.deps.signer.publicKeys(event._id)
    for (const ticket of tickets) {
      expect(decodeQr(codeOf(ticket))?.ticketId).toBe(ticket._id)
      const fact = await readQr({ text: codeOf(ticket), keys, eventId: event._id })
      expect(fact).toEqual({ kind: 'genuine', ticketId: ticket._id })
    }
    expect(new Set(tickets.map((ticket) => ticket._id)).size).toBe(5)
  })

  test('takes the price of the moment of the sale', async () => {
    const world = await makeWorld()
    await putOnSale(world, { ticketPrice: 150.5 })
    const [first] = await bought(await world.as('guest'))
    expect(first.price).toBe(150.5)
  })

  test.each([0, -1, 1.5, '2', null, [1], {}])('of %j is refused and nothing changes', async (quantity) => {
    const world = await makeWorld()
    await putOnSale(world)
    expect(await buy(await world.as('guest'), quantity)).toMatchObject({
      status: 400,
      body: { success: false, code: 'VALIDATION_FAILED', errors: [{ field: 'quantity' }] },
    })
    expect([count(world, 'tickets'), count(world, 'orders'), takenSeats(world)]).toEqual([0, 0, 0])
  })

  test.each([11, 1e9, Number.MAX_SAFE_INTEGER])('of %i, more than remain, says how many do', async (quantity) => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 10 })
    expect(await buy(await world.as('guest'), quantity)).toMatchObject({
      status: 409,
      body: { code: 'SOLD_OUT', remaining: 10, message: 'Only 10 tickets remain.' },
    })
    expect(count(world, 'tickets')).toBe(0)
  })

  test('needs an event and a key', async () => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    expect(await buy(guest, 1)).toMatchObject({ status: 404, body: { code: 'EVENT_NOT_FOUND' } })
    await putOnSale(world)
    expect(await guest.request('POST', '/api/tickets', { quantity: 1 })).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_REQUIRED' },
    })
    expect(await buy(guest, 1, 'short')).toMatchObject({ status: 400, body: { code: 'IDEMPOTENCY_KEY_REQUIRED' } })
  })

  test('is possible until the event ends, and not from then on', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    world.clock.set('2025-09-22T16:59:59.999Z')
    expect((await buy(await world.as('guest'), 1)).status).toBe(201)
    world.clock.set('2025-09-22T17:00:00.000Z')
    expect(await buy(await world.as('guest'), 1)).toMatchObject({ status: 409, body: { code: 'SALES_CLOSED' } })
  })
})

describe('in a rush', () => {
  test('200 buyers of the last 50 seats leave exactly 50 sold', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 50 })
    const buyers = await Promise.all(Array.from({ length: 200 }, (_, i) => world.as('guest', person(`Buyer${i}`))))
    const replies = await Promise.all(buyers.map((buyer) => buy(buyer, 1)))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(50)
    const short = replies.filter((reply) => reply.status === 409)
    expect(short).toHaveLength(150)
    expect(short.every((reply) => reply.body.code === 'SOLD_OUT')).toBe(true)
    expect([count(world, 'tickets'), takenSeats(world)]).toEqual([50, 50])
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ availableTickets: 0 })
  })

  test('groups of three never sell a seat that is not there', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 50 })
    const buyers = await Promise.all(Array.from({ length: 40 }, (_, i) => world.as('guest', person(`Buyer${i}`))))
    await Promise.all(buyers.map((buyer) => buy(buyer, 3)))
    expect([count(world, 'tickets'), takenSeats(world)]).toEqual([48, 48])
  })

  test('the same key sent 20 times at once sells once, and everyone hears the same answer', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => buy(guest, 4, key)))
    expect(replies.every((reply) => reply.status === 201)).toBe(true)
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
    expect([count(world, 'tickets'), count(world, 'orders'), takenSeats(world)]).toEqual([4, 1, 4])
  })
})

test('a key hears its first answer even when everything is sold since', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 2 })
  const guest = await world.as('guest')
  const key = randomUUID()
  const first = await buy(guest, 2, key)
  world.clock.set('2025-10-01T00:00:00Z')
  const later = await world.as('guest')
  expect((await buy(later, 2, key)).body).toEqual(first.body)
})

test('two users may choose the same key', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const key = randomUUID()
  expect((await buy(await world.as('guest'), 1, key)).status).toBe(201)
  expect((await buy(await world.as('manager'), 1, key)).status).toBe(201)
  expect(count(world, 'tickets')).toBe(2)
})

test('a full disk is told as busy, sells nothing and keeps the server up', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const { sqlite } = world.store
  sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
  const guest = await world.as('guest')
  expect(await buy(guest, 400)).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } })
  expect([count(world, 'tickets'), count(world, 'orders'), takenSeats(world)]).toEqual([0, 0, 0])
  sqlite.pragma('max_page_count = 1073741823')
  expect((await buy(guest, 4)).status).toBe(201)
})
