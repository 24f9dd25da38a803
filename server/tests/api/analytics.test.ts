import type { Analytics } from '@garba/shared/contracts/desk'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { expect, test } from 'vitest'
import { onPostgres, testOnSqlite } from '../../src/testing/database.ts'
import { buyer, must } from '../../src/testing/desk.ts'
import { bought, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const figuresOf = async (client: Client) =>
  (await must(client.request('GET', '/api/admin/analytics/dashboard'))).data as Analytics

/** A guest who buys one ticket at each of these instants, in an event of this time zone. */
async function salesAt(timezone: string, instants: string[]): Promise<{ world: World; figures: Analytics }> {
  const world = await makeWorld({ settings: { EVENT_TIMEZONE: timezone } })
  const [first = ''] = instants
  world.clock.set(first)
  await putOnSale(world, { date: toLocalDay(new Date(Date.parse(first) + 400 * 86_400_000), timezone) })
  for (const instant of instants) {
    world.clock.set(instant)
    await buyer(world, {})
  }
  return { world, figures: await figuresOf(await world.as('admin')) }
}
const sold = (points: { _id: string | number; count: number }[]) =>
  points.filter(({ count }) => count > 0).map(({ _id, count }) => [_id, count])

testOnSqlite('revenue and tickets sold count active and used tickets, not cancelled or deleted ones', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 100 })
  const [admin, manager] = [await world.as('admin'), await world.as('manager')]
  const { client, tickets } = await buyer(world, { quantity: 4 })
  const [single] = await bought(client)
  const set = (id: string | undefined, status: string) =>
    must(admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status }))
  await set(tickets[0]?.id, 'used')
  await set(tickets[1]?.id, 'cancelled')
  await must(admin.request('DELETE', `/api/admin/tickets/${tickets[2]?.id}`))
  expect(single?.price).toBe(299)
  expect(await must(manager.request('GET', '/api/tickets/admin/stats'))).toEqual({
    success: true,
    total: 3,
    revenue: 249 + 249 + 299,
  })
  expect(await figuresOf(manager)).toMatchObject({
    revenue: { total: 797, today: 797 },
    tickets: { total: 3, soldToday: 3 },
    users: { total: 3 },
    analytics: { averageTicketValue: 797 / 3, conversionRate: 100 },
    event: {
      name: 'Garba Rass 2025',
      soldTickets: 3,
      availableTickets: 97,
      soldPercentage: 3,
      ticketPrice: 299,
    },
  })
})

testOnSqlite(
  'conversion is that of guests, without staff, and with those whose tickets were cancelled since',
  async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const admin = await world.as('admin')
    const { client, tickets } = await buyer(world, {})
    await must(client.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }))
    await bought(await world.as('qrchecker'))
    const checker = await must(admin.request('GET', '/api/admin/tickets/management?status=active'))
    await must(admin.request('DELETE', `/api/admin/tickets/${(checker.tickets as Ticket[])[0]?.id}`))
    await world.as('guest')
    expect(await figuresOf(admin)).toMatchObject({
      analytics: { averageTicketValue: 0, conversionRate: 50 },
      salesChart: [],
    })
  },
)

testOnSqlite('before there is an event the figures are zeros', async () => {
  const figures = await figuresOf(await (await makeWorld()).as('manager'))
  expect(figures).toMatchObject({
    revenue: { total: 0, today: 0 },
    tickets: { total: 0, soldToday: 0 },
    event: null,
    salesChart: [],
  })
  expect(figures.hourlySales).toHaveLength(24)
})

test('the daily chart runs from the first sale to today and includes days without sales', async () => {
  const { world, figures } = await salesAt('Asia/Kolkata', ['2025-08-08T12:00:00Z', '2025-08-11T12:00:00Z'])
  expect(figures.salesChart).toEqual([
    { _id: '2025-08-08', count: 1, revenue: 299, prices: 299 },
    { _id: '2025-08-09', count: 0, revenue: 0, prices: 0 },
    { _id: '2025-08-10', count: 0, revenue: 0, prices: 0 },
    { _id: '2025-08-11', count: 1, revenue: 299, prices: 299 },
  ])
  expect(figures.tickets).toEqual({ total: 2, soldToday: 1 })
  world.clock.set('2025-08-12T12:00:00Z')
  expect(await figuresOf(await world.as('manager'))).toMatchObject({
    revenue: { total: 598, today: 0 },
    tickets: { soldToday: 0 },
  })
})

testOnSqlite(
  "days and hours are the event's: in Kolkata a day begins at 18:30 UTC and an hour at half past",
  async () => {
    const { figures } = await salesAt('Asia/Kolkata', [
      '2025-08-08T18:29:59.999Z',
      '2025-08-08T18:30:00.000Z',
      '2025-08-08T19:29:59.999Z',
      '2025-08-08T19:30:00.000Z',
    ])
    expect(sold(figures.salesChart)).toEqual([
      ['2025-08-08', 1],
      ['2025-08-09', 3],
    ])
    expect(sold(figures.hourlySales)).toEqual([
      [0, 2],
      [1, 1],
    ])
  },
)

testOnSqlite('when clocks go back, the repeated hour holds the sales of both passes', async () => {
  const { figures } = await salesAt('Europe/Berlin', [
    '2025-10-25T21:59:00Z', // 23:59 the day before
    '2025-10-26T00:30:00Z', // 02:30 for the first time
    '2025-10-26T01:30:00Z', // 02:30 for the second time
    '2025-10-26T02:00:00Z', // 03:00
    '2025-10-26T22:59:00Z', // 23:59, the 25th hour of the day
  ])
  expect(sold(figures.salesChart)).toEqual([
    ['2025-10-25', 1],
    ['2025-10-26', 4],
  ])
  expect(sold(figures.hourlySales)).toEqual([
    [2, 2],
    [3, 1],
    [23, 1],
  ])
})

testOnSqlite('when clocks go forward, the skipped hour holds nothing', async () => {
  const { figures } = await salesAt('Europe/Berlin', ['2025-03-30T00:59:00Z', '2025-03-30T01:00:00Z'])
  expect(sold(figures.hourlySales)).toEqual([
    [1, 1],
    [3, 1],
  ])
})

const hourOf = (instant: Date, timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(instant))

/** The days are reckoned before the database is asked, so PostgreSQL gets the strangest and one without summer time. */
const ZONES = ['Australia/Lord_Howe', 'Asia/Kathmandu']
const MORE_ZONES = onPostgres() ? [] : ['America/St_Johns', 'Africa/Cairo', 'America/Havana']

test.each([...ZONES, ...MORE_ZONES])(
  'in %s every sale counts on its local day and hour, even when clocks change',
  async (timezone) => {
    const from = Date.parse('2025-03-01T00:07:00Z')
    const instants = Array.from({ length: 60 }, (_, i) => new Date(from + i * 4.3 * 86_400_000))
    const { figures } = await salesAt(
      timezone,
      instants.map((instant) => instant.toISOString()),
    )
    const days = new Map<string, number>()
    for (const instant of instants)
      days.set(toLocalDay(instant, timezone), (days.get(toLocalDay(instant, timezone)) ?? 0) + 1)
    expect(sold(figures.salesChart)).toEqual([...days])
    const last = instants.at(-1) ?? new Date(0)
    expect(sold(figures.hourlySales)).toEqual([[hourOf(last, timezone), 1]])
  },
)

test('an admin sees the state of the system', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const { data } = await must(admin.request('GET', '/api/admin/system/health'))
  expect(data).toMatchObject({
    database: { ok: true, sizeBytes: expect.any(Number), walBytes: expect.any(Number), revision: 0 },
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    versions: { app: world.deps.settings.version, node: process.versions.node, ...world.versions },
    lastBackup: null,
  })
  const { database, disk } = data as { database: { sizeBytes: number }; disk: { freeBytes: number } }
  expect(database.sizeBytes).toBeGreaterThan(0)
  expect(disk.freeBytes).toBeGreaterThan(0)
})
