import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { endLeases } from '../../src/flows/doorSales/deviceBlocks.ts'
import { brokenRules, takenSeats } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, ask, attention, giveBack, kept, replay } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import type { World } from '../../src/testing/world.ts'

const revoke = async (world: World, id: string) =>
  must((await world.as('admin')).request('PATCH', `/api/admin/devices/${id}`, { revoked: true }))
const tickets = async ({ sql }: World): Promise<number> =>
  Number((await sql('select count(*) as n from tickets'))[0]?.n)

test('a phone never sells codes that it gave back: no ticket, no money, one matter for the desk, and who returned them is kept', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 5)
  const copied = kept(world, block, [1, 2], { name: 'Meera', scanIds: [randomUUID(), randomUUID()] })
  world.clock.forward(60_000)
  const returnedAt = world.clock.now().getTime()
  await must(giveBack(phone, block))
  expect(await world.sql('select distinct state, returned_by_id, returned_at from block_codes')).toEqual([
    { state: 'returned', returned_by_id: phone.id, returned_at: returnedAt },
  ])
  const refused = { success: false, status: 409, code: 'CODES_RETURNED' }
  expect(await replay(phone, copied)).toMatchObject([refused])
  await revoke(world, phone.id)
  // Sent again, or under another key, it stays one matter.
  expect(await replay(phone, copied, { ...copied, key: randomUUID() })).toMatchObject([
    refused,
    { success: false, code: 'CODES_NOT_LEFT' },
  ])
  expect(await attention(world)).toMatchObject([
    { kind: 'codesReturned', amount: 598, order: expect.any(String), detail: expect.stringContaining('No tickets') },
  ])
  expect(await world.sql('select buyer_name, state, total_paise from orders')).toEqual([
    { buyer_name: 'Meera', state: 'cancelled', total_paise: 59_800 },
  ])
  for (const table of ['tickets', 'payments', 'scans']) expect(await world.sql(`select 1 from ${table}`)).toEqual([])
  expect(await takenSeats(world)).toBe(0)
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('a revoked phone sells no more than it may hold, whatever it copied; the rest waits for a person', async () => {
  const world = await payingWorld()
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const phone = await pairedPhone(world, { until })
  const earlier = [await allot(phone, 100), await allot(phone, 100)]
  const copies = earlier.flatMap((block) => [
    kept(
      world,
      block,
      Array.from({ length: 50 }, (_, index) => index + 1),
    ),
    kept(
      world,
      block,
      Array.from({ length: 50 }, (_, index) => index + 51),
    ),
  ])
  // The time of the first codes is over; the phone gets more time and draws others.
  world.clock.forward(3_600_001)
  await endLeases(world.deps)
  const later = new Date(world.clock.now().getTime() + 7_200_000).toISOString()
  await must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { until: later }))
  const fresh = await allot(phone, 50)
  const sold = kept(world, fresh, [1, 2])
  const beyond = kept(world, fresh, [3, 4], { name: 'Radha' })
  world.clock.forward(60_000)
  await revoke(world, phone.id)
  const results = await replay(phone, sold, ...copies, beyond)
  // 2 + 150 codes are within 200, 50 more are not, and the last two are again.
  expect(results.map(({ outcome, success }) => [success, outcome ?? 'sold'])).toEqual([
    [true, 'sold'],
    [true, 'sold'],
    [true, 'sold'],
    [true, 'sold'],
    [true, 'noted'],
    [true, 'sold'],
  ])
  expect(await replay(phone, ...copies)).toEqual(results.slice(1, 5))
  expect(await tickets(world)).toBe(154)
  expect((await attention(world)).filter(({ kind }) => kind === 'overLimit')).toMatchObject([{ amount: 12_450 }])
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('a phone draws a bounded number of codes in an evening, given back or not, and again the next day', async () => {
  const world = await payingWorld({ event: { totalTickets: 5_000 } })
  const phone = await pairedPhone(world)
  for (let drawn = 0; drawn < 1_000; drawn += 100) await must(giveBack(phone, await allot(phone, 100)))
  const draw = (size: number) => ask(phone, 'POST', '/api/devices/blocks', { size })
  expect(await draw(1)).toMatchObject({
    status: 409,
    body: { code: 'CODES_DRAWN', message: expect.stringContaining('as many tickets for offline sale as it may') },
  })
  expect((await ask(await pairedPhone(world), 'POST', '/api/devices/blocks', { size: 100 })).status).toBe(201)
  world.clock.forward(24 * 3_600_000)
  expect((await draw(100)).status).toBe(201)
})

test('an honest phone keeps working: a return whose answer was lost, other codes drawn since, and sales it had not sent', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const first = await allot(phone, 10)
  const before = kept(world, first, [1])
  await replay(phone, before)
  await must(giveBack(phone, first))
  expect((await must(giveBack(phone, first))).returned).toBe(0)
  const second = await allot(phone, 10)
  expect(await replay(phone, before, kept(world, second, [1, 2]))).toMatchObject([
    { success: true, tickets: [{ status: 'active' }] },
    { success: true, tickets: { length: 2 } },
  ])
  const unsent = kept(world, second, [3], { scanIds: [randomUUID()] })
  world.clock.forward(60_000)
  await revoke(world, phone.id)
  expect(await replay(phone, unsent)).toMatchObject([{ success: true, tickets: [{ status: 'used' }] }])
  expect(await attention(world)).toMatchObject([{ kind: 'phoneEnded' }])
  expect(await takenSeats(world)).toBe(4)
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})
