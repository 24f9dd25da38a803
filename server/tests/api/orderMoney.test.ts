import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { wrongInTables } from '../../src/testing/accounts.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const ticketsOf = async (client: Client): Promise<Ticket[]> =>
  (await must(client.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]

test('money that comes after the hold lapsed buys the tickets while seats are free, at the held price', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.payLate(linkOf(world, code), 20 * 60_000)
  await minutesPass(world, 16)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'expired', tickets: [] })
  await minutesPass(world, 5)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', tickets: [{ price: 299 }], refunds: [] })
})

test('money that comes late and finds no seats goes back in full by itself', async () => {
  const world = await payingWorld({ event: { totalTickets: 1 } })
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.payLate(linkOf(world, code), 20 * 60_000)
  await minutesPass(world, 16)
  const rival = await world.as('guest', person('Radha'))
  const rivals = await ordered(rival)
  world.double.pay(linkOf(world, rivals.code))
  await minutesPass(world, 5)
  expect(await orderOf(guest, code)).toMatchObject({
    state: 'expired',
    tickets: [],
    payments: [{ state: 'captured', amount: 299 }],
    refunds: [{ kind: 'late', state: 'done', amount: 299 }],
  })
})

test('money that comes late goes back in full if its buyer has as many tickets as one person may have', async () => {
  const world = await payingWorld({ settings: { MAX_PER_PERSON: '3' } })
  const guest = await world.as('guest')
  const slow = await ordered(guest, 2)
  world.double.payLate(linkOf(world, slow.code), 20 * 60_000)
  await minutesPass(world, 16)
  const paid = await ordered(guest, 2)
  world.double.pay(linkOf(world, paid.code))
  await minutesPass(world, 5)
  expect(await ticketsOf(guest)).toHaveLength(2)
  const back = { state: 'expired', tickets: [], refunds: [{ kind: 'late', state: 'done', amount: 598 }] }
  expect(await orderOf(guest, slow.code)).toMatchObject(back)
  expect(await wrongInTables(world)).toEqual([])
})

test('money that comes late makes no more tickets than one person may have, beside those ordered since', async () => {
  const world = await payingWorld({ settings: { MAX_PER_PERSON: '3' } })
  const guest = await world.as('guest')
  const slow = await ordered(guest, 2)
  world.double.payLate(linkOf(world, slow.code), 20 * 60_000)
  await minutesPass(world, 16)
  const open = await ordered(guest, 1)
  await minutesPass(world, 5)
  expect(await orderOf(guest, slow.code)).toMatchObject({ state: 'paid', tickets: [{}, {}], refunds: [] })
  world.double.pay(linkOf(world, open.code))
  await minutesPass(world, 1)
  expect(await ticketsOf(guest)).toHaveLength(3)
})

test('a second payment of the same order goes back in full', async () => {
  const world = await payingWorld()
  world.double.setFaults({ secondPayment: 1, duplicateEvent: 1 })
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await minutesPass(world, 2)
  const order = await orderOf(guest, code)
  expect(order).toMatchObject({ state: 'paid', refunds: [{ kind: 'duplicate', state: 'done', amount: 598 }] })
  expect(order.payments.map(({ state }) => state)).toEqual(['captured', 'captured'])
  expect(order.tickets).toHaveLength(2)
})

test('a cancelled ticket of a paid order goes back at the provider, price minus 40, and shows as done', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [ticket] = await ticketsOf(guest)
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [{ kind: 'guest', state: 'requested', amount: 259 }] })
  world.double.setFaults({ lowBalance: 1 })
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [{ state: 'requested' }] })
  world.double.setFaults({ lowBalance: 0, lostAnswer: 1 })
  await minutesPass(world, 1)
  world.double.setFaults({ lostAnswer: 0 })
  await minutesPass(world, 2)
  expect(await orderOf(guest, code)).toMatchObject({
    refunds: [{ kind: 'guest', state: 'done', amount: 259, ticketId: ticket?.id }],
  })
  expect((await ticketsOf(guest)).find(({ id }) => id === ticket?.id)).toMatchObject({
    status: 'cancelled',
    isRefundDone: true,
  })
})

test('the group price stays for the others when part of a group is cancelled, and is what comes back of those', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 4)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  for (const { id } of (await ticketsOf(guest)).slice(0, 2))
    await must(guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' }))
  await minutesPass(world, 2)
  expect((await ticketsOf(guest)).map(({ price }) => price)).toEqual([249, 249, 249, 249])
  const back = { kind: 'guest', state: 'done', amount: 209 }
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [back, back], payments: [{ amount: 996 }] })
})

test('half a rupee is no refund', async () => {
  const world = await payingWorld({ event: { ticketPrice: 40.5, groupPrice4: 40.5 } })
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [first, second] = await ticketsOf(guest)
  await must(guest.request('PATCH', `/api/tickets/cancel/${first?.id}`, { reason: 'Away' }))
  await must(admin.request('PATCH', `/api/tickets/admin/${second?.id}/status`, { status: 'cancelled' }))
  await minutesPass(world, 2)
  const list = await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))
  expect(list).toMatchObject({ refundTotal: 0, pagination: { totalTickets: 0 } })
  expect((await orderOf(guest, code)).refunds).toEqual([])
  expect(await ticketsOf(guest)).toMatchObject(Array(2).fill({ isRefundDone: true }))
})

test('a refund that fails at the provider in the end shows as failed', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  world.double.setFaults({ pendingRefund: 1, failedRefund: 1, lostEvent: 1 })
  const [ticket] = await ticketsOf(guest)
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [{ state: 'sent' }] })
  await minutesPass(world, 61)
  const later = await world.as('guest')
  expect(await orderOf(later, code)).toMatchObject({ refunds: [{ state: 'failed' }] })
  expect(await ticketsOf(later)).toMatchObject([{ isRefundDone: false }])
})

test.each([
  ['no signature', {}],
  ['a wrong one', { 'x-razorpay-signature': '0'.repeat(64), 'x-razorpay-event-id': 'evt_1' }],
])('a webhook with %s is refused and stored nowhere', async (_, headers) => {
  const world = await payingWorld()
  const reply = await world.nobody.request('POST', '/api/webhooks/razorpay', { event: 'payment.captured' }, headers)
  expect(reply).toMatchObject({ status: 400, body: { code: 'SIGNATURE_INVALID' } })
  expect(await world.sql('select id from provider_events')).toEqual([])
})

test('the money of an order that nobody knows waits for the desk', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  await world.sql("update payments set provider_ref = 'plink_elsewhere'")
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  expect(await world.sql('select kind, amount_paise from attention')).toEqual([
    { kind: 'unknown', amount_paise: 29_900 },
  ])
})

test('two payments of a link whose answer was lost find their order, with tickets for one and a refund of the other', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  world.double.setFaults({ lostAnswer: 1 })
  const { code } = await ordered(guest)
  world.double.setFaults({ lostAnswer: 0, secondPayment: 1 })
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const open = () => world.sql('select id from attention where resolved_at is null')
  expect(await open()).toHaveLength(2)
  await minutesPass(world, 2)
  const order = await orderOf(guest, code)
  expect(order).toMatchObject({ state: 'paid', refunds: [{ kind: 'duplicate', state: 'done' }] })
  expect(order.payments.map(({ state }) => state)).toEqual(['captured', 'captured'])
  expect(await open()).toEqual([])
})
