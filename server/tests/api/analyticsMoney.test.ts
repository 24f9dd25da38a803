import { DAY_MS } from '@garba/shared/constants'
import type { Analytics } from '@garba/shared/contracts/desk'
import type { Order } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const figuresOf = async (client: Client) =>
  (await must(client.request('GET', '/api/admin/analytics/dashboard'))).data as Analytics

async function paid(world: World, name: string, quantity: number): Promise<{ guest: Client; code: string }> {
  const guest = await world.as('guest', person(name))
  const { code } = await ordered(guest, quantity)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return { guest, code }
}

const cancelOne = async ({ guest, code }: { guest: Client; code: string }) => {
  const [ticket] = (await orderOf(guest, code)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
}

test('revenue is the money captured minus refunds on their way or done, on the day the money came', async () => {
  const world = await payingWorld()
  const { code } = await paid(world, 'Radha', 2)
  world.clock.forward(DAY_MS)
  // Their tokens of the day before have expired.
  const [admin, radha] = [await world.as('admin'), { guest: await world.as('guest', person('Radha')), code }]
  const meera = await paid(world, 'Meera', 1)
  await ordered(await world.as('guest', person('Unpaid')), 3)
  expect(await figuresOf(admin)).toMatchObject({
    revenue: { total: 897, today: 299 },
    tickets: { total: 3, soldToday: 1 },
    salesChart: [
      { count: 2, revenue: 598 },
      { count: 1, revenue: 299 },
    ],
  })
  await cancelOne(radha)
  await cancelOne(meera)
  const after = {
    revenue: { total: 897 - 2 * 259, today: 40 },
    tickets: { total: 1, soldToday: 0 },
    analytics: { averageTicketValue: 299 },
    event: { soldTickets: 1 },
    salesChart: [
      { count: 1, revenue: 339, prices: 299 },
      { count: 0, revenue: 40, prices: 0 },
    ],
  }
  expect(await figuresOf(admin)).toMatchObject(after)
  await minutesPass(world, 2)
  const figures = await figuresOf(admin)
  expect(figures).toMatchObject(after)
  expect(figures.hourlySales.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(40)
  expect(await must(admin.request('GET', '/api/tickets/admin/stats'))).toMatchObject({ total: 1, revenue: 379 })
})

test.each([
  ['requested', 40],
  ['sent', 40],
  ['done', 40],
  ['manual', 40],
  ['failed', 299],
])('a refund that is %s leaves %i of 299', async (state, left) => {
  const world = await payingWorld()
  await cancelOne(await paid(world, 'Radha', 1))
  await world.sql(`update refunds set state = '${state}'`)
  expect(await figuresOf(await world.as('admin'))).toMatchObject({ revenue: { total: left, today: left } })
})

test('tickets sold before payments were switched on still count at their price, as do sales at the desk', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await paid(world, 'Radha', 2)
  await paid(world, 'Meera', 1)
  const provider = (of: string) => `(select id from orders where buyer_name = '${of}')`
  await world.sql(`delete from payments where order_id = ${provider('Radha')}`)
  await world.sql(`update orders set provider = 'none' where id = ${provider('Radha')}`)
  await openDrawer(admin)
  await must(
    admin.request(
      'POST',
      '/api/admin/orders',
      { quantity: 4, name: 'Kiran', method: 'cash' },
      { 'Idempotency-Key': crypto.randomUUID() },
    ),
  )
  expect(await figuresOf(admin)).toMatchObject({
    revenue: { total: 598 + 299 + 4 * 249, today: 598 + 299 + 4 * 249 },
    tickets: { total: 7 },
  })
})

test('the chart of a closed event has the sales whose money the bank showed only later', async () => {
  const world = await payingWorld()
  world.clock.set('2025-09-21T15:00:00Z')
  await paid(world, 'Radha', 1)
  const sale = { quantity: 2, method: 'upi', name: 'Meera', reference: '412345678901' }
  world.clock.set('2025-09-22T15:00:00Z')
  const desk = await world.as('admin')
  const { order } = await must(
    desk.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': crypto.randomUUID() }),
  )
  world.clock.set('2025-09-23T06:00:00Z')
  const nextDay = await world.as('admin')
  await must(nextDay.request('POST', `/api/admin/orders/${(order as Order).code}/confirm`, { amount: 598 }))
  const [event] = await world.sql('select id from events')
  await must(nextDay.request('POST', `/api/admin/events/${event?.id}/close`))
  const { data } = await must(nextDay.request('GET', `/api/admin/analytics/dashboard?event=${event?.id}`))
  const { revenue, tickets, salesChart } = data as Analytics
  expect([revenue.total, tickets.total]).toEqual([897, 3])
  expect(salesChart).toEqual([
    { _id: '2025-09-21', count: 1, revenue: 299, prices: 299 },
    { _id: '2025-09-22', count: 0, revenue: 0, prices: 0 },
    { _id: '2025-09-23', count: 2, revenue: 598, prices: 598 },
  ])
})
