import type { DeskOrder, OrderListed } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const listOf = async (admin: Client, query = ''): Promise<OrderListed[]> =>
  (await must(admin.request('GET', `/api/admin/orders?${query}`))).orders as OrderListed[]
const codesOf = async (admin: Client, query: string): Promise<string[]> =>
  (await listOf(admin, query)).map(({ code }) => code)

/** A paid order, one that waits at the provider, and one that is to be paid by UPI. */
async function threeOrders(world: World) {
  const [one, two, three] = [
    await world.as('guest', person('Radha')),
    await world.as('guest', person('Meera')),
    await world.as('guest', person('Zoë')),
  ]
  const paid = await ordered(one, 2)
  world.double.pay(linkOf(world, paid.code))
  await settleMoney(world)
  const held = await ordered(two)
  const reply = await place(three, { quantity: 1, provider: 'upi' })
  const upi = reply.body.order as { code: string }
  return { paid: paid.code, held: held.code, upi: upi.code, payer: three }
}

test('the desk lists orders with their money, and finds them by state, provider, code, buyer, UTR and provider id', async () => {
  const world = await payingWorld()
  const { paid, held, upi, payer } = await threeOrders(world)
  await must(payer.request('POST', `/api/orders/${upi}/utr`, { utr: '123456789012' }))
  const admin = await world.as('admin')
  expect(await codesOf(admin, '')).toEqual([upi, held, paid])
  expect(await listOf(admin, 'state=paid')).toMatchObject([
    { code: paid, buyer: { name: 'Radha', email: 'radha@example.org' }, captured: 598, refunded: 0, channel: 'web' },
  ])
  const order = await deskOrderOf(admin, paid)
  const [payment] = order.payments
  for (const [query, code] of [
    ['provider=upi', upi],
    [`search=${held.toLowerCase()}`, held],
    ['search=zoe', upi],
    ['search=meera@example.org', held],
    ['search=123456789012', upi],
    [`search=${payment?.providerPaymentId}`, paid],
  ] as const)
    expect(await codesOf(admin, query)).toEqual([code])
  expect(await codesOf(admin, 'channel=desk')).toEqual([])
  expect(await must(admin.request('GET', '/api/admin/orders?limit=2&page=2'))).toMatchObject({
    orders: [{ code: paid }],
    pagination: { current: 2, total: 2, count: 1, totalOrders: 3 },
  })
})

const deskOrderOf = async (admin: Client, code: string): Promise<DeskOrder> =>
  (await must(admin.request('GET', `/api/admin/orders/${code}`))).order as DeskOrder

testOnSqlite("one order shows the provider's ids, its fee and what was refunded", async () => {
  const world = await payingWorld()
  const { paid } = await threeOrders(world)
  const guest = await world.as('guest', person('Radha'))
  const [ticket] = (await orderOf(guest, paid)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
  await minutesPass(world, 1)
  expect(await deskOrderOf(await world.as('admin'), paid)).toMatchObject({
    buyer: { name: 'Radha' },
    payments: [
      {
        state: 'captured',
        amount: 598,
        providerRef: expect.stringMatching(/^plink_/),
        providerPaymentId: expect.stringMatching(/^pay_/),
        fee: expect.any(Number),
      },
    ],
    refunds: [{ kind: 'guest', state: 'done', amount: 259, reason: 'Away', ticketId: ticket?.id }],
    jobs: expect.arrayContaining([expect.objectContaining({ kind: 'refund', gaveUp: false })]),
  })
  expect(await listOf(await world.as('admin'), 'state=paid')).toMatchObject([{ captured: 598, refunded: 259 }])
})

test('the export honours the filters and cannot run formulas', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await ordered(await world.as('guest', { uid: 'uid-f', email: 'f@example.org', name: '=cmd()' }))
  const file = await admin.fetch('GET', '/api/admin/orders/export?state=held')
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = await file.text()
  expect(text).toContain("'=cmd()")
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect(
    (await (await admin.fetch('GET', '/api/admin/orders/export?state=paid')).text()).trim().split('\r\n'),
  ).toHaveLength(1)
})

testOnSqlite('a UTR holds the seats for a day and makes no tickets by itself', async () => {
  const world = await payingWorld()
  const [one, other] = [await world.as('guest'), await world.as('guest', person('Radha'))]
  const codes: string[] = []
  for (const client of [one, other]) {
    const { body } = await place(client, { quantity: 1, provider: 'upi' })
    expect(body.order).toMatchObject({
      provider: 'upi',
      upi: {
        link: expect.stringMatching(/^upi:\/\/pay\?pa=garba@bank&pn=Garba%20Rass&am=299\.00&cu=INR&tn=/),
        amount: 299,
      },
    })
    codes.push((body.order as { code: string }).code)
  }
  const [first = '', second = ''] = codes
  const give = (client: Client, code: string, utr: unknown) =>
    client.request('POST', `/api/orders/${code}/utr`, { utr })
  for (const utr of ['12345678901', '1234567890123', '12345678901a', 7])
    expect(await give(one, first, utr)).toMatchObject({ status: 400, body: { errors: [{ field: 'utr' }] } })
  expect(await give(one, first, '123456789012')).toMatchObject({
    status: 200,
    body: { order: { state: 'held', utr: '123456789012', holdUntil: '2025-08-09T12:00:00.000Z' } },
  })
  await minutesPass(world, 16)
  expect(await orderOf(other, second)).toMatchObject({ state: 'expired' })
  expect(await orderOf(one, first)).toMatchObject({ state: 'held', tickets: [] })
  expect(await give(other, second, '123456789013')).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_HELD' } })
})
