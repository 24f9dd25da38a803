import { randomUUID } from 'node:crypto'
import { decodeQr, readQr } from '@garba/shared/rules/qr'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, buy, codeOf, mark, person, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, type World } from '../../testing/world.ts'

const count = async ({ sql }: World, table: string) => (await sql(`select count(*) as n from ${table}`))[0]?.n
const takenSeats = async ({ sql }: World) => (await sql('select taken_seats as n from events'))[0]?.n

describe('a sale', () => {
  test.each([
    [1, 299],
    [3, 299],
    [4, 249],
    [7, 249],
  ])('of %i costs %i rupees each and is audited', async (quantity, price) => {
    const world = await makeWorld()
    await putOnSale(world)
    const reply = await buy(await world.as('guest'), quantity)
    expect(reply).toMatchObject({ status: 201, body: { success: true, availableTickets: 500 - quantity } })
    const tickets = reply.body.tickets as { price: number; status: string }[]
    expect(tickets).toHaveLength(quantity)
    expect(tickets.every((ticket) => ticket.price === price && ticket.status === 'active')).toBe(true)
    const row = await world.sql("select * from audit where action = 'ticket.sold'")
    expect(row).toMatchObject([{ actor_name: 'Garima Guest' }])
  })

  testOnSqlite('gives each ticket its own code, valid with this event’s key', async () => {
    const world = await makeWorld()
    const event = await putOnSale(world)
    const tickets = await bought(await world.as('guest'), 5)
    const keys = await world.deps.signer.publicKeys(event._id)
    for (const ticket of tickets) {
      expect(decodeQr(codeOf(ticket))?.ticketId).toBe(ticket._id)
      const fact = await readQr({ text: codeOf(ticket), keys, eventId: event._id })
      expect(fact).toEqual({ type: 'genuine', ticketId: ticket._id })
    }
    expect(new Set(tickets.map((ticket) => ticket._id)).size).toBe(5)
  })

  testOnSqlite('uses the price at the time of the sale', async () => {
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
    expect([await count(world, 'tickets'), await count(world, 'orders'), await takenSeats(world)]).toEqual([0, 0, 0])
  })

  testOnSqlite('of more than remain reports how many do', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 10 })
    expect(await buy(await world.as('guest'), 11)).toMatchObject({
      status: 409,
      body: { code: 'SOLD_OUT', remaining: 10, message: 'Only 10 tickets remain.' },
    })
    expect(await count(world, 'tickets')).toBe(0)
  })

  testOnSqlite('needs an event and a key', async () => {
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

  testOnSqlite('is possible until the event ends, and not after', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    world.clock.set('2025-09-22T16:59:59.999Z')
    expect((await buy(await world.as('guest'), 1)).status).toBe(201)
    world.clock.set('2025-09-22T17:00:00.000Z')
    expect(await buy(await world.as('guest'), 1)).toMatchObject({ status: 409, body: { code: 'SALES_CLOSED' } })
  })
})

describe('in a rush', () => {
  test('200 buyers of the last 50 seats get exactly 50', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 50 })
    const buyers = await Promise.all(Array.from({ length: 200 }, (_, i) => world.as('guest', person(`Buyer${i}`))))
    const replies = await Promise.all(buyers.map((buyer) => buy(buyer, 1)))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(50)
    const short = replies.filter((reply) => reply.status === 409)
    expect(short).toHaveLength(150)
    expect(short.every((reply) => reply.body.code === 'SOLD_OUT')).toBe(true)
    expect([await count(world, 'tickets'), await takenSeats(world)]).toEqual([50, 50])
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ availableTickets: 0 })
  })

  test('groups of three never oversell', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 50 })
    const buyers = await Promise.all(Array.from({ length: 40 }, (_, i) => world.as('guest', person(`Buyer${i}`))))
    await Promise.all(buyers.map((buyer) => buy(buyer, 3)))
    expect([await count(world, 'tickets'), await takenSeats(world)]).toEqual([48, 48])
  })

  test('the same key sent 20 times at once sells once, and everyone gets the same answer', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => buy(guest, 4, key)))
    expect(replies.every((reply) => reply.status === 201)).toBe(true)
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
    expect([await count(world, 'tickets'), await count(world, 'orders'), await takenSeats(world)]).toEqual([4, 1, 4])
  })
})

testOnSqlite('a repeated key gets its first answer even after everything has sold out', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 2 })
  const guest = await world.as('guest')
  const key = randomUUID()
  const first = await buy(guest, 2, key)
  world.clock.set('2025-10-01T00:00:00Z')
  const later = await world.as('guest')
  expect((await buy(later, 2, key)).body).toEqual(first.body)
})

test('a key reused for another quantity sells nothing and reports what the first order bought', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const key = randomUUID()
  await buy(guest, 2, key)
  for (const quantity of [1, 3, 100_000])
    expect(await buy(guest, quantity, key)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED', bought: 2, message: expect.stringContaining('2 tickets') },
    })
  const racing = randomUUID()
  const replies = await Promise.all([1, 2, 1, 2].map((quantity) => buy(guest, quantity, racing)))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  expect(await count(world, 'orders')).toBe(2)
})

describe('MAX_PER_ORDER', () => {
  test.each([101, 100_000, 1e9, Number.MAX_SAFE_INTEGER])(
    'refuses an order of %i with an error on its field',
    async (quantity) => {
      const world = await makeWorld()
      await putOnSale(world, { totalTickets: 1_000_000 })
      const message = 'One order can hold at most 100 tickets'
      expect(await buy(await world.as('guest'), quantity)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', message, errors: [{ field: 'quantity', message }] },
      })
      expect([await count(world, 'tickets'), await takenSeats(world)]).toEqual([0, 0])
    },
  )

  testOnSqlite('sells an order that large', async () => {
    const world = await makeWorld({ settings: { MAX_PER_ORDER: '3' } })
    await putOnSale(world)
    expect((await buy(await world.as('guest'), 3)).status).toBe(201)
    expect((await buy(await world.as('guest'), 4)).status).toBe(400)
  })
})

describe('MAX_PER_PERSON', () => {
  async function limited() {
    const world = await makeWorld({ settings: { MAX_PER_PERSON: '5' } })
    await putOnSale(world)
    return { world, guest: await world.as('guest') }
  }

  testOnSqlite('reports how many more the person may buy', async () => {
    const { guest } = await limited()
    await bought(guest, 3)
    expect(await buy(guest, 3)).toMatchObject({
      status: 409,
      body: {
        code: 'LIMIT_REACHED',
        mayBuy: 2,
        maxPerPerson: 5,
        message: 'One person may have at most 5 tickets. You may buy 2 more.',
      },
    })
    await bought(guest, 2)
    expect(await buy(guest, 1)).toMatchObject({
      body: { mayBuy: 0, message: 'One person may have at most 5 tickets. You cannot buy more.' },
    })
  })

  testOnSqlite('counts active and used tickets, not cancelled ones, and nobody else’s', async () => {
    const { world, guest } = await limited()
    const [used, gone] = await bought(guest, 5)
    await mark(await world.as('qrchecker'), { qrCode: codeOf(used) })
    expect((await buy(guest, 1)).body).toMatchObject({ code: 'LIMIT_REACHED', mayBuy: 0 })
    await guest.request('PATCH', `/api/tickets/cancel/${gone?._id}`, { reason: 'ill' })
    expect((await buy(guest, 1)).status).toBe(201)
    expect((await buy(await world.as('manager'), 5)).status).toBe(201)
  })

  test('holds for twenty orders at once', async () => {
    const { world, guest } = await limited()
    await Promise.all(Array.from({ length: 20 }, () => buy(guest, 2)))
    expect([await count(world, 'tickets'), await takenSeats(world)]).toEqual([4, 4])
  })
})

testOnSqlite('two users may choose the same key', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const key = randomUUID()
  expect((await buy(await world.as('guest'), 1, key)).status).toBe(201)
  expect((await buy(await world.as('manager'), 1, key)).status).toBe(201)
  expect(await count(world, 'tickets')).toBe(2)
})

testOnSqlite('a full disk gets 503, sells nothing and does not stop the server', async () => {
  const world = await makeWorld({ settings: { MAX_PER_ORDER: '400' } })
  await putOnSale(world)
  const { sqlite } = world.sqliteStore()
  sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
  const guest = await world.as('guest')
  expect(await buy(guest, 400)).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } })
  expect([await count(world, 'tickets'), await count(world, 'orders'), await takenSeats(world)]).toEqual([0, 0, 0])
  sqlite.pragma('max_page_count = 1073741823')
  expect((await buy(guest, 4)).status).toBe(201)
})

test('a sale whose commit fails gets 503 and sells nothing; repeating it sells once', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const mend = await world.spoilCommits('orders')
  const body = { quantity: 2 }
  const headers = { 'idempotency-key': 'key-of-this-order' }
  const reply = await guest.request('POST', '/api/tickets', body, headers)
  expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect(reply.headers.get('retry-after')).toBe('1')
  expect([await count(world, 'tickets'), await count(world, 'orders'), await takenSeats(world)]).toEqual([0, 0, 0])
  await mend()
  const again = await guest.request('POST', '/api/tickets', body, headers)
  expect(again.status).toBe(201)
  expect(await guest.request('POST', '/api/tickets', body, headers)).toMatchObject({ status: 201, body: again.body })
  expect([await count(world, 'tickets'), await count(world, 'orders'), await takenSeats(world)]).toEqual([2, 1, 2])
})
