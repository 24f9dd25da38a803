import { randomUUID } from 'node:crypto'
import type { BooksLine, DeskOrder } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'

async function oddWorld(
  faults: Parameters<Awaited<ReturnType<typeof payingWorld>>['double']['setFaults']>[0],
  name = 'Radha',
  quantity = 1,
) {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest', person(name)), await world.as('admin')]
  world.double.setFaults(faults)
  const { code } = await ordered(guest, quantity)
  const desk = async () => (await must(admin.request('GET', `/api/admin/orders/${code}`))).order as DeskOrder
  const broken = async () =>
    ((await must((await world.as('admin')).request('GET', '/api/admin/books'))).books as BooksLine[]).filter(
      ({ ok }) => !ok,
    )
  return { world, guest, code, ref: linkOf(world, code), desk, broken }
}

test.each([0, 1])(
  'a payment that the provider gives back by itself makes no ticket (webhooks lost: %d)',
  async (lostEvent) => {
    const { world, guest, code, ref, desk, broken } = await oddWorld({ autoRefund: 1, lostEvent })
    world.double.pay(ref)
    await settleMoney(world)
    await minutesPass(world, 2)
    expect(await orderOf(guest, code)).toMatchObject({ state: 'held', tickets: [], refunds: [] })
    expect((await desk()).matters).toEqual([])
    // The guest can still pay.
    world.double.setFaults({ autoRefund: 0 })
    world.double.pay(ref)
    await settleMoney(world)
    await minutesPass(world, 2)
    expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', refunds: [] })
    expect(await broken()).toEqual([])
  },
)

test.each([
  ['a fee on the payer', { feeOnGuest: 1 }],
  ['an offer', { offer: 1 }],
])('%s changes neither the tickets nor the money of an order', async (_, faults) => {
  const { world, guest, code, ref, desk, broken } = await oddWorld(faults)
  world.double.pay(ref)
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', payments: [{ amount: 299 }], refunds: [] })
  expect((await desk()).matters).toEqual([])
  await minutesPass(world, 2)
  world.clock.forward(3 * 86_400_000)
  await minutesPass(world, 1)
  expect(await broken()).toEqual([])
  expect(await must((await world.as('admin')).request('GET', '/api/admin/settlements'))).toMatchObject({
    differences: [],
  })
})

test('a second payment with a fee on the payer goes back without the fee, which the organiser never had', async () => {
  const { world, guest, code, ref, broken } = await oddWorld({ feeOnGuest: 1 })
  for (let n = 0; n < 2; n += 1) {
    world.double.pay(ref)
    await settleMoney(world)
  }
  await settleMoney(world)
  expect((await orderOf(guest, code)).refunds).toMatchObject([{ amount: 299 }])
  expect(await broken()).toEqual([])
})

test('after an offer no more goes back than the payer was charged', async () => {
  const { world, guest, ref, code, broken } = await oddWorld({ offer: 1 }, 'Radha', 2)
  world.double.pay(ref)
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  const admin = await world.as('admin')
  for (const { _id } of tickets) {
    const refunding = { ticketIds: [_id], reason: 'Rain' }
    await must(
      admin.request('POST', `/api/admin/orders/${code}/refund`, refunding, { 'Idempotency-Key': randomUUID() }),
    )
    await settleMoney(world)
  }
  await minutesPass(world, 2)
  const after = await orderOf(guest, code)
  expect(after.tickets.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  expect(after.refunds.map(({ amount, state }) => [amount, state]).toSorted()).toEqual([
    [239.2, 'done'],
    [299, 'done'],
  ])
  expect(await broken()).toEqual([])
})

test.each(['Om', 'રાધા પટેલ', 'Radha, D’Souza & Sons #1', 'R'.repeat(60)])(
  'a buyer named %s can pay, although the provider accepts few names',
  async (name) => {
    const { world, guest, code, ref } = await oddWorld({}, name)
    world.double.pay(ref)
    await settleMoney(world)
    expect(await orderOf(guest, code)).toMatchObject({ state: 'paid' })
  },
)
