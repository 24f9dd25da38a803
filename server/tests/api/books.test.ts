import type { CashSession } from '@garba/shared/contracts/money/cash'
import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { BooksLine } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { linkOf, ordered, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { Client, World } from '../../src/testing/world.ts'

async function withPaidOrder(): Promise<{ world: World; code: string }> {
  const world = await payingWorld()
  const { code } = await ordered(await world.as('guest'), 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return { world, code }
}

test('the Books of paid orders balance, and a manager may read them', async () => {
  const { world } = await withPaidOrder()
  const { books } = await must((await world.as('manager')).request('GET', '/api/admin/books'))
  expect(books).toEqual(BOOK_RULES.map((rule) => ({ rule, ok: true, count: 0, examples: [] })))
})

test('what breaks a rule is named with its rows and amounts, and counted', async () => {
  const { world, code } = await withPaidOrder()
  await world.sql('update payments set amount_paise = amount_paise + 100')
  const { books } = await must((await world.as('admin')).request('GET', '/api/admin/books'))
  expect((books as BooksLine[]).filter(({ ok }) => !ok)).toEqual([
    {
      rule: 'moneyAccounted',
      ok: false,
      count: 1,
      examples: [`${code}: received ₹599, paid back ₹0, valid tickets ₹598: ₹1 bought nothing, and is on no list`],
    },
  ])
})

test('money that needs a person is listed until somebody says what was done', async () => {
  const { world } = await withPaidOrder()
  await world.sql(`insert into attention (id, kind, dedupe_key, amount_paise, detail, created_at)
    values ('01K50000000000000000000000', 'unknown', 'k', 29900, 'pay_1', 1)`)
  const admin = await world.as('admin')
  const [line] = (await must(admin.request('GET', '/api/admin/attention'))).attention as { id: string }[]
  expect(line).toMatchObject({ kind: 'unknown', amount: 299, detail: 'pay_1', order: null })
  const resolve = (resolution: string) =>
    admin.request('POST', `/api/admin/attention/${line?.id}/resolve`, { resolution })
  expect(await resolve(' ')).toMatchObject({ status: 400, body: { errors: [{ field: 'resolution' }] } })
  await must(resolve('Paid back by bank transfer'))
  expect(await must(admin.request('GET', '/api/admin/attention'))).toMatchObject({ attention: [] })
  expect(await must(admin.request('GET', '/api/admin/audit?action=order.attention'))).toMatchObject({
    rows: [{ detail: 'Money without an order, pay_1; Paid back by bank transfer' }],
  })
})

test('totals add up by day, channel and provider', async () => {
  const { world } = await withPaidOrder()
  const admin = await world.as('admin')
  await openDrawer(admin)
  for (const method of ['cash', 'cash', 'card'])
    await must(
      admin.request(
        'POST',
        '/api/admin/orders',
        { quantity: 1, name: 'Meera', method },
        { 'Idempotency-Key': crypto.randomUUID() },
      ),
    )
  expect(await must((await world.as('manager')).request('GET', '/api/admin/orders/totals'))).toEqual({
    success: true,
    totals: [
      {
        day: '2025-08-08',
        channel: 'desk',
        provider: 'card',
        orders: 1,
        captured: 299,
        refunded: 0,
        fees: 0,
        requested: 0,
      },
      {
        day: '2025-08-08',
        channel: 'desk',
        provider: 'cash',
        orders: 2,
        captured: 598,
        refunded: 0,
        fees: 0,
        requested: 0,
      },
      {
        day: '2025-08-08',
        channel: 'web',
        provider: 'razorpay',
        orders: 1,
        captured: 598,
        refunded: 0,
        fees: 14.11,
        requested: 0,
      },
    ],
  })
})

test('a cash session counts what its person took in cash, and records the difference once', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const other = await world.as('admin', { uid: 'uid-2', email: '2@garba.test', name: 'Second' })
  const open = await admin.request('POST', '/api/admin/cash-sessions', { float: 500 })
  expect(open).toMatchObject({
    status: 201,
    body: { session: { float: 500, expected: 500, sales: 0, closedAt: null } },
  })
  await openDrawer(other)
  for (const [seller, method] of [
    [admin, 'cash'],
    [admin, 'card'],
    [other, 'cash'],
  ] as const)
    await must(
      seller.request(
        'POST',
        '/api/admin/orders',
        { quantity: 2, name: 'M', method },
        { 'Idempotency-Key': crypto.randomUUID() },
      ),
    )
  const { own } = await must(admin.request('GET', '/api/admin/cash-sessions'))
  expect(own).toMatchObject({ sales: 1, taken: 598, expected: 1098 })
  const close = (client: Client, counted: unknown) =>
    client.request('POST', `/api/admin/cash-sessions/${(own as CashSession).id}/close`, { counted, note: 'Short' })
  expect(await close(admin, -1)).toMatchObject({ status: 400, body: { errors: [{ field: 'counted' }] } })
  expect(await close(other, 1)).toMatchObject({ status: 403 })
  expect(await close(admin, 1088)).toMatchObject({ status: 200, body: { session: { counted: 1088, difference: -10 } } })
  expect(await close(admin, 5)).toMatchObject({ status: 200, body: { session: { counted: 1088, difference: -10 } } })
  expect(await must(admin.request('GET', '/api/admin/cash-sessions'))).toMatchObject({
    own: null,
    sessions: [{ person: 'Second', note: null }, { note: 'Short' }],
  })
})
