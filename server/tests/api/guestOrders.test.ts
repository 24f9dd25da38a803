import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import { expect, test, vi } from 'vitest'
import { insertOrder } from '../../src/store/orders.ts'
import { insertPayment } from '../../src/store/payments.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

/** Past orders that a guest never paid, each with its payment. */
async function manyOrders({ store, clock, sql }: World, guest: Client, count: number, firstUtr = 0): Promise<void> {
  const [event] = await sql('select id from events')
  await store.write(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const createdAt = new Date(clock.now().getTime() - 86_400_000 + n)
      const order = await insertOrder(tx, {
        ...{
          eventId: String(event?.id),
          userId: guest.user?.id ?? '',
          idempotencyKey: randomUUID(),
        },
        lines: [],
        ...{ quantity: 1, unitPaise: 29_900, totalPaise: 29_900, buyerName: 'Garima', buyerEmail: 'g@example.org' },
        ...{ createdAt, state: 'cancelled', provider: 'upi', settledAt: createdAt },
      })
      const asked = {
        provider: 'upi',
        amountPaise: 29_900,
        state: 'void',
        utr: String(10 ** 11 + n + firstUtr),
      } as const
      await insertPayment(tx, { orderId: order.id, ...asked, createdAt })
    }
  })
}

const mine = async (guest: Client, query = '') =>
  (await must(guest.request('GET', `/api/orders/mine${query}`))) as unknown as {
    orders: Order[]
    pagination: { current: number; total: number; count: number; totalOrders: number }
  }

test('a guest reads their orders page by page, the newest and the one that waits first', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  await manyOrders(world, guest, 45)
  const { code } = await ordered(guest)
  const first = await mine(guest)
  expect(first.pagination).toEqual({ current: 1, total: 3, count: 20, totalOrders: 46 })
  expect(first.orders[0]).toMatchObject({ code, state: 'held', payUrl: expect.any(String) })
  expect(first.orders[1]).toMatchObject({
    state: 'cancelled',
    utr: String(10 ** 11 + 44),
    eventName: 'Garba Rass 2025',
  })
  const last = await mine(guest, '?page=3')
  const all = [...first.orders, ...(await mine(guest, '?page=2')).orders, ...last.orders].map((order) => order.code)
  expect([last.pagination.count, new Set(all).size]).toEqual([6, 46])
  expect((await mine(guest, '?page=9')).orders).toEqual([])
  expect(await guest.request('GET', '/api/orders/mine?limit=101')).toMatchObject({ status: 400 })
  expect((await mine(await world.as('guest', person('Radha')))).pagination.totalOrders).toBe(0)
})

test('the number of orders changes nothing in how often the database is asked, so a scan does not wait behind a list', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const asked = async () => {
    const read = vi.spyOn(world.store, 'read')
    const began = performance.now()
    await mine(guest, '?limit=100')
    const ms = performance.now() - began
    const reads = read.mock.calls.length
    read.mockRestore()
    return { reads, ms }
  }
  await manyOrders(world, guest, 1)
  const few = await asked()
  await manyOrders(world, guest, 2_000, 1_000)
  const many = await asked()
  expect(many.reads).toBe(few.reads)
  expect(many.ms).toBeLessThan(1_000)
})

test('ten orders within an hour can be cancelled; then a guest waits, and others do not', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  for (let n = 0; n < 10; n += 1) {
    world.clock.forward(60_000)
    const { code } = await ordered(guest)
    await must(guest.request('POST', `/api/orders/${code}/cancel`))
  }
  const refused = await place(guest, { quantity: 1, provider: 'razorpay' })
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'TOO_MANY_ORDERS',
      message: 'You placed 10 orders within an hour and did not pay for them. You can order again in 51 minutes.',
      retryAfterSeconds: 51 * 60,
    },
  })
  expect(refused.headers.get('retry-after')).toBe(String(51 * 60))
  await ordered(await world.as('guest', person('Radha')))
  world.clock.forward(51 * 60_000)
  await ordered(await world.as('guest'))
})

test('orders that were paid are not counted, and a repeated request is the same order', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  for (let n = 0; n < 12; n += 1) {
    const { code } = await ordered(guest)
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
  }
  const key = randomUUID()
  for (let n = 0; n < 15; n += 1)
    expect(await place(guest, { quantity: 1, provider: 'razorpay' }, key)).toMatchObject({ status: 201 })
  await minutesPass(world, 1)
  expect((await mine(guest)).pagination.totalOrders).toBe(13)
})

const byUpi = (guest: Client, quantity: number) => place(guest, { quantity, provider: 'upi' })
const waiting = async (world: World) =>
  (await must((await world.as('admin')).request('GET', '/api/admin/attention'))).unpaid

test('unpaid orders hold at most twenty seats a person and half of what is left in all, and the desk sees them', async () => {
  const world = await payingWorld({ event: { totalTickets: 100 } })
  const names = ['Asmita', 'Bina', 'Chaya', 'Divya']
  const guests = await Promise.all(names.map((name) => world.as('guest', person(name))))
  const [first, second, third, fourth] = guests as [Client, Client, Client, Client]
  expect(await waiting(world)).toEqual({ orders: 0, upi: 0, claimed: 0, seats: 0, most: 50 })
  const { code } = (await must(byUpi(first, 20))).order as Order
  await must(byUpi(second, 20))
  expect(await byUpi(third, 11)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_UNPAID', mayBuy: 10 } })
  await must(byUpi(third, 10))
  await must(first.request('POST', `/api/orders/${code}/utr`, { utr: '412345678901' }))
  expect(await waiting(world)).toEqual({ orders: 3, upi: 3, claimed: 1, seats: 50, most: 50 })
  // Orders that the desk settles make room, whatever the way to pay.
  expect(await place(fourth, { quantity: 1, provider: 'razorpay' })).toMatchObject({
    body: { code: 'TOO_MANY_UNPAID' },
  })
  const admin = await world.as('admin')
  await must(admin.request('POST', `/api/admin/orders/${code}/cancel`))
  expect(await waiting(world)).toEqual({ orders: 2, upi: 2, claimed: 0, seats: 30, most: 50 })
  await must(byUpi(first, 20))
})

test('a number that a guest has replaced no longer finds their order, however many they try', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = (await must(byUpi(guest, 1))).order as Order
  for (let n = 0; n < 5; n += 1)
    await must(guest.request('POST', `/api/orders/${code}/utr`, { utr: `4123456789${n + 10}` }))
  const [row] = await world.sql('select search_text from orders')
  expect(String(row?.search_text).match(/\d{12}/g)).toEqual(['412345678914'])
  const admin = await world.as('admin')
  const found = async (search: string) =>
    ((await must(admin.request('GET', `/api/admin/orders?search=${search}`))).orders as Order[]).map((one) => one.code)
  expect([await found('412345678912'), await found('412345678914')]).toEqual([[], [code]])
})

test('half of the seats of a small event can wait for their money, and where nobody pays nothing waits', async () => {
  const world = await payingWorld({ event: { totalTickets: 12 } })
  await must(byUpi(await world.as('guest'), 6))
  expect(await waiting(world)).toMatchObject({ seats: 6, most: 6 })
  const free = await payingWorld({ settings: { PAYMENTS: 'none', UPI_ID: '', UPI_NAME: '' } })
  expect(await waiting(free)).toBeNull()
})
