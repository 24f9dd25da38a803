import { randomUUID } from 'node:crypto'
import { NAME_MAX, SCAN_BATCH_MAX } from '@garba/shared/constants'
import type { Right } from '@garba/shared/contracts/names'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { endLeases } from '../../flows/doorSales/deviceBlocks.ts'
import { brokenRules, takenSeats } from '../../testing/blocks.ts'
import { must } from '../../testing/desk.ts'
import {
  allot,
  ask,
  attention,
  giveBack,
  kept,
  openDrawer,
  replay,
  sellingPhone,
  sellOnline,
} from '../../testing/door.ts'
import { payingWorld } from '../../testing/money.ts'
import { pairedPhone } from '../../testing/phone.ts'
import { mark } from '../../testing/scenes.ts'

test('sales without a network become orders when the phone is back, once each, and their codes admit', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  await must(ask(phone, 'PUT', '/api/devices/shift', { name: 'Bhavin' }))
  const block = await allot(phone, 10)
  expect(block).toMatchObject({ price: 299, groupPrice: 249, codes: { length: 10 } })
  expect(await takenSeats(world)).toBe(10)
  const [checker, code] = [await world.as('qrchecker'), block.codes[0]?.qrCode]
  expect((await mark(checker, { qrCode: code })).body).toMatchObject({
    code: 'NOT_ACTIVATED',
    message: expect.stringMatching(/^Taken by phone .+, which is offline: ask there$/),
  })
  const sale = kept(world, block, [1, 2, 3, 4], { name: 'Radha', checkerName: 'Bhavin', phone: '+91 98765 43210' })
  const inside = kept(world, block, [5], { scanIds: [randomUUID()] })
  const first = await replay(phone, sale, inside, { key: 'nonsense' })
  expect(first).toMatchObject([
    { success: true, tickets: Array.from({ length: 4 }, () => ({ status: 'active' })) },
    { success: true, tickets: [{ status: 'used' }] },
    { success: false, status: 400, code: 'VALIDATION_FAILED' },
  ])
  expect(await replay(phone, sale, inside)).toEqual(first.slice(0, 2))
  expect(await world.sql('select channel, seller_name, buyer_name, total_paise from orders order by quantity')).toEqual(
    [
      { channel: 'door', seller_name: expect.any(String), buyer_name: 'Sold at the door', total_paise: 29_900 },
      { channel: 'door', seller_name: 'Bhavin', buyer_name: 'Radha', total_paise: 99_600 },
    ],
  )
  expect((await mark(checker, { qrCode: code })).body).toMatchObject({ outcome: 'admitted' })
  const again = kept(world, block, [1])
  expect(await replay(phone, again, { ...sale, ticketIds: again.ticketIds })).toMatchObject([
    { code: 'CODES_NOT_LEFT' },
    { code: 'IDEMPOTENCY_KEY_REUSED' },
  ])
  expect((await must(ask(phone, 'GET', '/api/devices/blocks'))).blocks).toMatchObject([{ codes: { length: 5 } }])
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test("two phones sell offline while seats run out; returns, a lease's end and late sales keep the Books", async () => {
  const world = await payingWorld({ event: { totalTickets: 12 } })
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const [one, two] = [await pairedPhone(world, { until }), await pairedPhone(world)]
  const [ofOne, ofTwo] = [await allot(one, 6), await allot(two, 6)]
  expect(await ask(two, 'POST', '/api/devices/blocks', { size: 1 })).toMatchObject({ body: { code: 'SOLD_OUT' } })
  const late = kept(world, ofOne, [1, 2, 3], { scanIds: [randomUUID(), randomUUID(), randomUUID()] })
  const early = kept(world, ofTwo, [1, 2])
  world.clock.forward(3_600_001)
  await endLeases(world.deps)
  expect(await takenSeats(world)).toBe(6)
  expect(await replay(two, early)).toMatchObject([{ success: true }])
  expect((await must(giveBack(two, ofTwo))).returned).toBe(4)
  expect((await must(giveBack(two, ofTwo))).returned).toBe(0)
  const admin = await world.as('admin')
  await must(admin.request('POST', '/api/admin/blocks', { label: 'Desk', size: 9 }))
  // One seat is left for three people who have paid and are inside.
  const [result] = await replay(one, late)
  expect(result?.tickets?.map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'used'])
  expect(await replay(one, late)).toEqual([result])
  expect(await takenSeats(world)).toBe(12)
  expect(await attention(world)).toMatchObject([
    { kind: 'noSeat', amount: 598 },
    { kind: 'phoneEnded', amount: 897 },
  ])
  expect(await world.sql("select over from conflicts where over = 'cancelled'")).toHaveLength(2)
  expect(await brokenRules(admin)).toEqual([])
})

test('a revoked phone reports what it sold before, for the desk to look at, and nothing from later', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 4)
  const before = kept(world, block, [1])
  world.clock.forward(60_000)
  await must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  const after = kept(world, block, [2])
  expect(await replay(phone, before, after)).toMatchObject([
    { success: true },
    { success: true, status: 200, outcome: 'noted' },
  ])
  expect(await replay(phone, after)).toMatchObject([{ outcome: 'noted', tickets: [] }])
  expect(await attention(world)).toMatchObject([
    { kind: 'phoneEnded', amount: 299 },
    {
      kind: 'noted',
      amount: 299,
      detail: expect.stringMatching(/^No tickets were made/),
    },
  ])
  expect(await ask(phone, 'POST', '/api/devices/blocks', { size: 1 })).toMatchObject({ status: 401 })
  await endLeases(world.deps)
  expect(await takenSeats(world)).toBe(1)
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('somebody let in before the sale arrived cannot be followed by a copy of the code', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 1)
  const sale = kept(world, block, [1])
  const qrCode = block.codes[0]?.qrCode
  const scan = { qrCode, scanId: randomUUID(), scannedAt: sale.soldAt, admittedOffline: true }
  expect((await ask(phone, 'POST', '/api/tickets/mark-used', scan)).body).toMatchObject({ outcome: 'conflict' })
  expect(await replay(phone, sale)).toMatchObject([{ tickets: [{ status: 'used' }] }])
  expect((await mark(await world.as('qrchecker'), { qrCode })).body).toMatchObject({ code: 'ALREADY_USED' })
  expect(await world.sql('select acknowledged_by_name from conflicts where acknowledged_at is null')).toEqual([])
})

test('the largest batch of sales is read at once, with everything that a seller can fill in', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 1)
  const filled = { name: 'R'.repeat(NAME_MAX), phone: '+91 98765 43210', reference: '123456789012', method: 'upi' }
  const sales = Array.from({ length: SCAN_BATCH_MAX }, () => ({
    ...kept(world, block, [1], filled),
    ticketIds: Array.from({ length: 4 }, (_, n) => ulidOf(n)),
    scanIds: Array.from({ length: 4 }, () => randomUUID()),
  }))
  expect(await replay(phone, ...sales)).toMatchObject(sales.map(() => ({ code: 'TICKET_NOT_FOUND' })))
})

test('a phone sells only codes of its own, and only within its rights', async () => {
  const world = await payingWorld()
  const [owner, other] = [await pairedPhone(world), await pairedPhone(world)]
  const block = await allot(owner, 2)
  expect(await replay(other, kept(world, block, [1]))).toMatchObject([{ code: 'TICKET_NOT_FOUND' }])
  expect(await giveBack(other, block)).toMatchObject({ status: 404 })
  const limited = async (...rights: Right[]) => pairedPhone(world, { rights })
  const scanner = await limited('scan')
  for (const [method, path, body] of [
    ['POST', '/api/devices/blocks', { size: 1 }],
    ['GET', '/api/devices/blocks', undefined],
    ['GET', '/api/admin/cash-sessions', undefined],
  ] as const)
    expect(await ask(scanner, method, path, body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  const seller = await limited('sell')
  await openDrawer(await seller.client())
  expect(await sellOnline(seller, { method: 'complimentary', reason: 'Crew' })).toMatchObject({ status: 403 })
  expect(await sellOnline(seller, { admit: true })).toMatchObject({ status: 403 })
  expect(await sellOnline(seller, {})).toMatchObject({ status: 201, body: { order: { channel: 'door' } } })
  expect(await ask(seller, 'POST', '/api/devices/blocks', { size: 101 })).toMatchObject({ status: 400 })
  await allot(seller, 100)
  await allot(seller, 100)
  expect(await ask(seller, 'POST', '/api/devices/blocks', { size: 1 })).toMatchObject({ status: 400 })
})

test('a sale that admits makes used tickets with one scan each, also when it is asked for again', async () => {
  const world = await payingWorld()
  const phone = await sellingPhone(world)
  const key = randomUUID()
  const first = await sellOnline(phone, { quantity: 2, admit: true }, key)
  expect(first).toMatchObject({ status: 201, body: { tickets: [{ status: 'used' }, { status: 'used' }] } })
  expect((await sellOnline(phone, { quantity: 2, admit: true }, key)).body).toEqual(first.body)
  const scans = await world.sql("select id from scans where outcome = 'admitted'")
  expect(new Set(scans.map(({ id }) => id))).toEqual(new Set(first.body.scanIds as string[]))
  expect(scans).toHaveLength(2)
})
