import { DAY_MS } from '@garba/shared/constants'
import type { Settlements } from '@garba/shared/contracts/money/statement'
import { expect, test } from 'vitest'
import { askForSettlements } from '../../src/flows/reconciliation/payouts.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { World } from '../../src/testing/world.ts'

async function paidOrder(world: World) {
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return { guest, code }
}

async function daysPass(world: World, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    world.clock.forward(DAY_MS)
    await askForSettlements(world.deps)
    await settleMoney(world)
  }
}

const settlements = async (world: World) =>
  (await must((await world.as('admin')).request('GET', '/api/admin/settlements'))) as unknown as Settlements

test('payouts are compared with our payments and refunds each day, and agree', async () => {
  const world = await payingWorld()
  const { guest, code } = await paidOrder(world)
  const [ticket] = (await orderOf(guest, code)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  expect(await settlements(world)).toMatchObject({ payouts: [], differences: [], askedAt: null })
  await daysPass(world, 8)
  const { payouts, differences, askedAt } = await settlements(world)
  expect(differences).toEqual([])
  expect(askedAt).toBe(world.clock.now().toISOString())
  expect(payouts).toEqual([
    {
      id: expect.stringMatching(/^setl_/),
      provider: 'razorpay',
      day: '2025-08-10',
      lines: 2,
      gross: 598,
      refunded: 259,
      fees: expect.any(Number),
      net: 598 - 259 - (payouts[0]?.fees ?? 0),
    },
  ])
  expect(payouts[0]?.fees).toBeGreaterThan(0)
})

test('money that we do not know, and another amount than ours, are differences until they agree', async () => {
  const world = await payingWorld()
  const { code } = await paidOrder(world)
  await daysPass(world, 3)
  const [payment] = await world.sql('select provider_payment_id as id from payments')
  await world.sql('update payments set amount_paise = amount_paise - 100')
  expect((await settlements(world)).differences).toMatchObject([
    { kind: 'amount', of: 'payment', id: payment?.id, order: code, day: '2025-08-10', ours: 597, settled: 598 },
  ])
  await world.sql("update payments set provider_payment_id = 'pay_other'")
  expect((await settlements(world)).differences).toMatchObject([
    { kind: 'unknown', of: 'payment', id: payment?.id, order: null, ours: null, settled: 598 },
  ])
})

test('the export lists every difference, and the view only the newest 500', async () => {
  const world = await payingWorld()
  for (let at = 0; at < 501; at += 1)
    await world.sql(
      `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
       values (?, 'razorpay', 'payment', 'setl_1', '2025-08-10', 100, 0, 1)`,
      `pay_${String(at).padStart(3, '0')}`,
    )
  expect((await settlements(world)).differences).toHaveLength(500)
  const file = await (await world.as('admin')).fetch('GET', '/api/admin/settlements/differences/export')
  expect((await file.text()).trim().split('\r\n')).toHaveLength(502)
})

// The provider is asked on nine days, by statements that other tests send.
test('a payment that was not settled within five business days is missing, until a late answer shows it', async () => {
  const world = await payingWorld() // Friday
  const { code } = await paidOrder(world)
  world.double.setFaults({ serverError: 1 })
  await daysPass(world, 7)
  expect((await settlements(world)).differences).toEqual([])
  await daysPass(world, 1)
  expect((await settlements(world)).differences).toMatchObject([
    { kind: 'missing', order: code, day: '2025-08-08', ours: 598, settled: null, settlementId: null },
  ])
  world.double.setFaults({ serverError: 0 })
  await daysPass(world, 1)
  expect(await settlements(world)).toMatchObject({ differences: [], payouts: [{ gross: 598 }] })
})
