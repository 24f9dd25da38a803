import type { Order } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { brokenRules } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer, sellOnline } from '../../src/testing/door.ts'
import { payingWorld, place } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const accounts = (world: World, n: number): Promise<Client[]> =>
  Promise.all(Array.from({ length: n }, (_, at) => world.as('guest', person(`Holder${at}`))))
const heldSeats = async ({ sql }: World) =>
  Number((await sql("select coalesce(sum(quantity), 0) as n from orders where state = 'held'"))[0]?.n)
const tooMany = (mayBuy: number) => ({ status: 409, body: { code: 'TOO_MANY_UNPAID', mayBuy } })
const sell = (seller: Client, sale: Record<string, unknown>) =>
  seller.request('POST', '/api/admin/orders', { name: 'Meera', ...sale }, { 'Idempotency-Key': crypto.randomUUID() })

test('where money is on, one person may have twenty tickets unless a setting says otherwise', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  expect(await place(guest, { quantity: 21, provider: 'razorpay' })).toMatchObject({
    status: 409,
    body: { code: 'LIMIT_REACHED', maxPerPerson: 20 },
  })
  const free = await payingWorld({ settings: { MAX_PER_PERSON: '0' } })
  expect(await place(await free.as('guest'), { quantity: 21, provider: 'razorpay' })).toMatchObject(tooMany(20))
})

test('new accounts that pay nothing hold half of what is left at most, at the same time or one after another', async () => {
  const world = await payingWorld({ event: { totalTickets: 100 }, settings: { MAX_PER_PERSON: '100' } })
  const holders = await accounts(world, 8)
  const answers = await Promise.all(holders.map((holder) => place(holder, { quantity: 20, provider: 'razorpay' })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(answers.filter(({ body }) => body.code === 'TOO_MANY_UNPAID')).toHaveLength(6)
  expect(await heldSeats(world)).toBe(40)
  expect(await place(await world.as('guest', person('Late')), { quantity: 11, provider: 'upi' })).toMatchObject(
    tooMany(10),
  )
  expect((await place(await world.as('guest', person('Last')), { quantity: 10, provider: 'upi' })).status).toBe(201)
  const admin = await world.as('admin')
  expect(await must(admin.request('GET', '/api/admin/attention'))).toMatchObject({
    unpaid: { orders: 3, upi: 1, claimed: 0, seats: 50, most: 50 },
  })
  // The counter sells the other half.
  await openDrawer(admin)
  expect((await sell(admin, { quantity: 50, method: 'cash' })).status).toBe(201)
  expect(await world.sql('select taken_seats as n from events')).toEqual([{ n: 100 }])
  expect(await brokenRules(admin)).toEqual([])
})

test('as seats are sold, fewer may be held, and the last one can still be ordered', async () => {
  const world = await payingWorld({ event: { totalTickets: 5 } })
  const admin = await world.as('admin')
  await openDrawer(admin)
  const [one, two] = (await accounts(world, 2)) as [Client, Client]
  expect(await place(one, { quantity: 3, provider: 'razorpay' })).toMatchObject(tooMany(2))
  await must(sell(admin, { quantity: 4, method: 'cash' }))
  await must(place(one, { quantity: 1, provider: 'razorpay' }))
  expect(await place(two, { quantity: 1, provider: 'razorpay' })).toMatchObject({ body: { code: 'SOLD_OUT' } })
})

test('a phone and a person at the desk hold twenty unpaid seats at most, and revoking the phone frees its own', async () => {
  const world = await payingWorld({ event: { totalTickets: 500 } })
  const [phone, other] = [await pairedPhone(world), await pairedPhone(world, { name: 'Gate B phone' })]
  const answers = await Promise.all(Array.from({ length: 5 }, () => sellOnline(phone, { method: 'upi', quantity: 10 })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(await sellOnline(phone, { method: 'upi', quantity: 1 })).toMatchObject(tooMany(0))
  await must(sellOnline(other, { method: 'upi', quantity: 3 }))
  const admin = await world.as('admin')
  await must(sell(admin, { method: 'upi', quantity: 20 }))
  expect(await sell(admin, { method: 'upi', quantity: 1 })).toMatchObject(tooMany(0))
  const [code] = answers.flatMap(({ status, body }) => (status === 201 ? (body.order as Order).code : []))
  // Part of its money has come, so somebody is paying.
  await must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 1, utr: '412345678901' }))

  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  expect(await heldSeats(world)).toBe(33)
  expect(
    await world.sql(`select state, count(*) as n from orders where seller_id = '${phone.id}' group by 1 order by 1`),
  ).toEqual([
    { state: 'cancelled', n: 1 },
    { state: 'held', n: 1 },
  ])
  await must(admin.request('POST', '/api/admin/devices/revoke-all'))
  expect(await heldSeats(world)).toBe(30)
  expect(await world.sql('select taken_seats as n from events')).toEqual([{ n: 30 }])
  expect(await brokenRules(admin)).toEqual([])
})
