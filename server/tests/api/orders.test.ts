import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { buy, eventForm, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const freeSeats = async ({ nobody }: World): Promise<number> => {
  const { data } = await must(nobody.request('GET', '/api/event'))
  return (data as { availableTickets: number }).availableTickets
}
const ticketsOf = async (client: Client): Promise<Ticket[]> =>
  (await must(client.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]

testOnSqlite('an order holds its seats, and its tickets are made when it is paid', async () => {
  const world = await payingWorld({ event: { totalTickets: 10 } })
  const guest = await world.as('guest')
  const reply = await place(guest, { quantity: 4, provider: 'razorpay' })
  expect(reply).toMatchObject({
    status: 201,
    body: {
      order: {
        state: 'held',
        channel: 'web',
        provider: 'razorpay',
        quantity: 4,
        unitPrice: 249,
        total: 996,
        holdUntil: '2025-08-08T12:15:00.000Z',
        payUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/pay\/plink_/),
      },
    },
  })
  const { code } = reply.body.order as Order
  expect(await freeSeats(world)).toBe(6)
  expect(await ticketsOf(guest)).toEqual([])
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const order = await orderOf(guest, code)
  expect(order).toMatchObject({ state: 'paid', holdUntil: null, payments: [{ state: 'captured', amount: 996 }] })
  expect(order).not.toHaveProperty('payUrl')
  expect(order.tickets).toHaveLength(4)
  expect(order.tickets[0]).toMatchObject({ status: 'active', price: 249, qrCode: expect.stringMatching(/^GR1:/) })
  expect(await ticketsOf(guest)).toHaveLength(4)
  expect(await freeSeats(world)).toBe(6)
  expect(await must(guest.request('GET', '/api/orders/mine'))).toMatchObject({ orders: [{ code, state: 'paid' }] })
})

testOnSqlite('an order at a price that the buyer was not shown is refused, and holds no seat', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await must(admin.request('PUT', '/api/event', eventForm({ ticketPrice: 399 })))
  const guest = await world.as('guest')
  const key = randomUUID()
  const free = await freeSeats(world)
  const stale = await place(guest, { quantity: 1, provider: 'razorpay', total: 299 }, key)
  expect(stale).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } })
  expect(await freeSeats(world)).toBe(free)
  const placed = await place(guest, { quantity: 1, provider: 'razorpay', total: 399 }, key)
  expect(placed).toMatchObject({ status: 201, body: { order: { total: 399 } } })
  await must(admin.request('PUT', '/api/event', eventForm({ ticketPrice: 299 })))
  const repeated = await place(guest, { quantity: 1, provider: 'razorpay', total: 399 }, key)
  expect(repeated).toMatchObject({ status: 201, body: { order: { total: 399 } } })
})

testOnSqlite('without webhooks, reading the order finds the payment, and so does the check each minute', async () => {
  const world = await payingWorld()
  world.double.setFaults({ lostEvent: 1 })
  const [one, other] = [await world.as('guest'), await world.as('guest', person('Radha'))]
  const [first, second] = [await ordered(one), await ordered(other)]
  world.double.pay(linkOf(world, first.code))
  world.clock.forward(6_000)
  expect(await orderOf(one, first.code)).toMatchObject({ state: 'paid' })
  world.double.pay(linkOf(world, second.code))
  await minutesPass(world, 1)
  expect(await ticketsOf(other)).toHaveLength(1)
})

testOnSqlite('a hold that nobody pays for lapses, and its seats are on sale again', async () => {
  const world = await payingWorld({ event: { totalTickets: 8 } })
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 4)
  expect(await place(await world.as('guest', person('Radha')), { quantity: 5 })).toMatchObject({
    status: 409,
    body: { code: 'SOLD_OUT', remaining: 4 },
  })
  await minutesPass(world, 14)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held' })
  await minutesPass(world, 1)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'expired', payments: [{ state: 'void' }] })
  expect(world.double.link(linkOf(world, code)).status).toBe('cancelled')
  expect(await freeSeats(world)).toBe(8)
})

testOnSqlite('while the provider does not answer, the seats of a lapsed hold stay held', async () => {
  const world = await payingWorld({ event: { totalTickets: 8 } })
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 4)
  world.double.setFaults({ lostRequest: 1 })
  await minutesPass(world, 16)
  expect(await freeSeats(world)).toBe(4)
  world.double.setFaults({ lostRequest: 0 })
  await minutesPass(world, 1)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'expired' })
})

testOnSqlite('a hold whose link the provider always refuses to make lapses too', async () => {
  // The provider takes one rupee at least.
  const world = await payingWorld({ event: { totalTickets: 8, ticketPrice: 0.5, groupPrice4: 0.2 } })
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 4)
  expect(await orderOf(guest, code)).not.toHaveProperty('payUrl')
  await minutesPass(world, 16)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'expired', payments: [{ state: 'void' }] })
  expect(await freeSeats(world)).toBe(8)
})

testOnSqlite('an attempt that fails leaves the order open for another', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.fail(linkOf(world, code))
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', payUrl: expect.any(String), tickets: [] })
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', payments: [{ state: 'captured' }] })
})

testOnSqlite(
  'the same key gives the same order; the key of another order is refused; one order waits at a time',
  async () => {
    const world = await payingWorld()
    const guest = await world.as('guest')
    const key = randomUUID()
    const asked = { quantity: 2, provider: 'razorpay' }
    const [first, again] = [await place(guest, asked, key), await place(guest, asked, key)]
    const { code } = first.body.order as Order
    expect(again).toMatchObject({ status: 201, body: { order: { code } } })
    expect(await place(guest, { ...asked, quantity: 3 }, key)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
    expect(await place(guest, asked)).toMatchObject({ status: 409, body: { code: 'ORDER_OPEN', order: code } })
    expect(await freeSeats(world)).toBe(498)
  },
)

test('twenty requests at once with one key hold seats once, and of twenty keys one is taken', async () => {
  const world = await payingWorld()
  const [one, other] = [await world.as('guest'), await world.as('guest', person('Radha'))]
  const key = randomUUID()
  const same = await Promise.all(Array.from({ length: 20 }, () => place(one, { quantity: 1 }, key)))
  expect(new Set(same.map(({ body }) => (body.order as Order).code)).size).toBe(1)
  const rush = await Promise.all(Array.from({ length: 20 }, () => place(other, { quantity: 1 })))
  expect(rush.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(rush.filter(({ body }) => body.code === 'ORDER_OPEN')).toHaveLength(19)
  expect(await freeSeats(world)).toBe(498)
})

testOnSqlite('a cancelled order gives its seats back, and nobody can pay for it any more', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 3)
  const reply = await guest.request('POST', `/api/orders/${code}/cancel`)
  expect(reply).toMatchObject({ status: 200, body: { order: { code, state: 'cancelled', holdUntil: null } } })
  expect(world.double.link(linkOf(world, code)).status).toBe('cancelled')
  expect(await freeSeats(world)).toBe(500)
  expect(await guest.request('POST', `/api/orders/${code}/cancel`)).toMatchObject({
    status: 409,
    body: { code: 'ORDER_NOT_HELD' },
  })
})

testOnSqlite('an order that was paid a moment before it is cancelled stays paid', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  const reply = await guest.request('POST', `/api/orders/${code}/cancel`)
  expect(reply).toMatchObject({ status: 200, body: { order: { state: 'paid' } } })
  expect(await ticketsOf(guest)).toHaveLength(1)
})

testOnSqlite(
  'the audit trail does not say that the desk cancelled an order that was paid a moment before',
  async () => {
    const world = await payingWorld()
    const { code } = await ordered(await world.as('guest'))
    const { code: unpaid } = await ordered(await world.as('guest', person('Radha')))
    world.double.pay(linkOf(world, code))
    const admin = await world.as('admin')
    const cancelled = (order: string) => admin.request('POST', `/api/admin/orders/${order}/cancel`)
    expect(await cancelled(code)).toMatchObject({ status: 200, body: { order: { state: 'paid' } } })
    expect(await cancelled(unpaid)).toMatchObject({ status: 200, body: { order: { state: 'cancelled' } } })
    expect(await world.sql("select detail from audit where action = 'order.cancelled'")).toEqual([
      { detail: expect.stringContaining(unpaid) },
    ])
  },
)

testOnSqlite(
  'a lost answer to the start of a payment does no harm: the order gets its link when it is read',
  async () => {
    const world = await payingWorld()
    const guest = await world.as('guest')
    world.double.setFaults({ lostAnswer: 1 })
    const order = await ordered(guest)
    expect(order).not.toHaveProperty('payUrl')
    world.double.setFaults({ lostAnswer: 0 })
    world.clock.forward(6_000)
    expect(await orderOf(guest, order.code)).toMatchObject({ payUrl: expect.any(String) })
    expect(world.double.links()).toHaveLength(1)
  },
)

testOnSqlite('orders of others and unknown ones are not found; an admin may read any', async () => {
  const world = await payingWorld()
  const [guest, other, admin] = [
    await world.as('guest'),
    await world.as('guest', person('Radha')),
    await world.as('admin'),
  ]
  const { code } = await ordered(guest)
  for (const address of [`/api/orders/${code}`, '/api/orders/NOSUCHCD'])
    expect(await other.request('GET', address)).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } })
  expect(await other.request('POST', `/api/orders/${code}/cancel`)).toMatchObject({ status: 404 })
  expect(await admin.request('GET', `/api/orders/${code}`)).toMatchObject({ status: 200 })
  expect(await admin.request('POST', `/api/orders/${code}/cancel`)).toMatchObject({ status: 404 })
})

testOnSqlite(
  'where tickets are paid for they are not given away, and where they are not there is nothing to pay',
  async () => {
    const paying = await payingWorld()
    expect(await buy(await paying.as('guest'), 1)).toMatchObject({ status: 409, body: { code: 'PAYMENT_REQUIRED' } })
    const free = await makeWorld()
    await putOnSale(free)
    expect(await place(await free.as('guest'), { quantity: 1 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_NOT_NEEDED' },
    })
  },
)

test.each([
  [{ quantity: 0 }, 'quantity'],
  [{ quantity: 101 }, 'quantity'],
  [{ quantity: 1, provider: 'demo' }, 'provider'],
  [{ quantity: 1, provider: 'cash' }, 'provider'],
])('an order of %j is refused', async (body, field) => {
  const world = await payingWorld()
  expect(await place(await world.as('guest'), body)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ field }] },
  })
})

testOnSqlite('seats of an open order count against the limit per person', async () => {
  const world = await payingWorld({ settings: { MAX_PER_PERSON: '3' } })
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  expect(await place(guest, { quantity: 2 })).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED', mayBuy: 1 } })
  expect(await place(guest, { quantity: 1 })).toMatchObject({ status: 201 })
})
