import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { brokenRules, takenSeats } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, attention, kept, replay, sellOnline } from '../../src/testing/door.ts'
import { minutesPass, payingWorld, place } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { mark } from '../../src/testing/scenes.ts'
import type { Client, Reply, World } from '../../src/testing/world.ts'

const confirm = (admin: Client, code: string, body: Record<string, unknown>): Promise<Reply> =>
  admin.request('POST', `/api/admin/orders/${code}/confirm`, body)
const counted = async ({ sql }: World, table: string) => Number((await sql(`select count(*) as n from ${table}`))[0]?.n)

test('a sale by UPI waits for the bank: no ticket and no entry before the desk has found the money', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const upi = { method: 'upi', quantity: 2 }
  expect(await sellOnline(phone, { ...upi, admit: true })).toMatchObject({
    status: 409,
    body: { code: 'UPI_NOT_CONFIRMED' },
  })
  expect(await takenSeats(world)).toBe(0)
  const key = randomUUID()
  const first = await sellOnline(phone, upi, key)
  expect(first).toMatchObject({
    status: 201,
    body: { tickets: [], order: { state: 'held', channel: 'door', provider: 'upi', total: 598 } },
  })
  const { code, upi: pay } = first.body.order as Order
  // Whoever pays with this link names the order in the bank's list.
  expect(pay).toMatchObject({ note: code, amount: 598 })
  expect((await sellOnline(phone, upi, key)).body).toEqual(first.body)
  expect([await takenSeats(world), await counted(world, 'tickets')]).toEqual([2, 0])
  const admin = await world.as('admin')
  await must(confirm(admin, code, { amount: 598, utr: '123456789012' }))
  const { tickets } = (await sellOnline(phone, upi, key)).body as { tickets: { qrCode: string; status: string }[] }
  expect(tickets).toMatchObject([{ status: 'active' }, { status: 'active' }])
  expect(await mark(await world.as('qrchecker'), { qrCode: tickets[0]?.qrCode })).toMatchObject({ status: 200 })
  expect(await world.sql('select kind from tickets')).toEqual([{ kind: 'counter' }, { kind: 'counter' }])
  expect(await attention(world)).toEqual([])
  expect(await brokenRules(admin)).toEqual([])
})

test('without the money its seats are on sale again after a day, or when the desk cancels it', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const codes: string[] = []
  for (const reference of ['123456789012', '123456789013'])
    codes.push(((await sellOnline(phone, { method: 'upi', reference })).body.order as Order).code)
  expect(await sellOnline(phone, { method: 'upi', reference: '123456789012' })).toMatchObject({
    status: 409,
    body: { code: 'UTR_USED' },
  })
  expect(await takenSeats(world)).toBe(2)
  await must((await world.as('admin')).request('POST', `/api/admin/orders/${codes[0]}/cancel`))
  expect(await takenSeats(world)).toBe(1)
  world.clock.forward(24 * 3_600_000)
  await minutesPass(world, 1)
  expect(await takenSeats(world)).toBe(0)
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('asked for again after the desk has found the money under another number, it is the same sale', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const [key, upi] = [randomUUID(), { method: 'upi', reference: '412345678901' }]
  const { code } = (await sellOnline(phone, upi, key)).body.order as Order
  await must(confirm(await world.as('admin'), code, { amount: 299, utr: '412345678902' }))
  expect(await sellOnline(phone, upi, key)).toMatchObject({ status: 201, body: { order: { code }, tickets: [{}] } })
  expect(await sellOnline(phone, { ...upi, reference: '412345678903' }, key)).toMatchObject({
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
})

test('the bank statement confirms it by its UTR', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const phone = await pairedPhone(world)
  const { code } = (await sellOnline(phone, { method: 'upi', reference: '412345678901' })).body.order as Order
  const csv = 'Date,Narration,Credit\n08/08/2025,UPI/412345678901/MEERA,299.00'
  const mapping = { date: 0, description: 1, amount: 2 }
  const imported = await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  const [line] = imported.lines as { id: string }[]
  expect(line).toMatchObject({ match: 'ready', order: { code } })
  await must(admin.request('POST', '/api/admin/statements/confirm', { lines: [line?.id] }))
  expect(await counted(world, 'tickets')).toBe(1)
})

test('with UPI_AT_DOOR=admit it counts at once, and a sale without a number is listed as unproven', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const sale = await sellOnline(phone, { method: 'upi', admit: true })
  expect(sale).toMatchObject({ status: 201, body: { tickets: [{ status: 'used' }] } })
  const { code } = sale.body.order as Order
  expect(await attention(world)).toMatchObject([{ kind: 'unproven', order: code }])
  // The number in the statement proves it.
  const admin = await world.as('admin')
  // A mistyped amount is no second payment.
  expect(await confirm(admin, code, { amount: 289, utr: '123456789012' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'amount', message: expect.stringContaining('for ₹299') }] },
  })
  // What the bank has outweighs the claim of a guest.
  const guest = await world.as('guest')
  const { order } = await must(place(guest, { quantity: 1, provider: 'upi' }))
  await must(guest.request('POST', `/api/orders/${(order as Order).code}/utr`, { utr: '123456789012' }))
  await must(confirm(admin, code, { amount: 299, utr: '123456789012', note: 'Statement of 8 August' }))
  expect(await attention(world)).toEqual([])
  expect(await world.sql("select utr, note from payments where state = 'captured'")).toEqual([
    { utr: '123456789012', note: 'Statement of 8 August' },
  ])
  expect(await must(admin.request('GET', '/api/admin/audit?action=order.confirmed'))).toMatchObject({
    rows: [{ actorName: 'Asha Admin', detail: expect.stringContaining('123456789012; Statement of 8 August') }],
  })
  expect(await brokenRules(admin)).toEqual([])
})

test('a sale by UPI that a phone made offline happened: its tickets stand, and it is unproven with a number or without', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 2)
  await replay(phone, kept(world, block, [1], { method: 'upi' }))
  await replay(phone, kept(world, block, [2], { method: 'upi', reference: '123456789012' }))
  expect(await counted(world, 'tickets')).toBe(2)
  expect(await attention(world)).toMatchObject([
    { kind: 'unproven', amount: 299 },
    { kind: 'unproven', amount: 299 },
  ])
})
