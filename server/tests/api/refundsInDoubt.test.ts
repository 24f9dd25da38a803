import { randomUUID } from 'node:crypto'
import type { DeskOrder } from '@garba/shared/contracts/order'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { type PaymentProvider, ProviderRefused } from '../../src/providers/provider.ts'
import { voidLeases } from '../../src/store/jobs.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { Client, World } from '../../src/testing/world.ts'

const deskOrderOf = async (admin: Client, code: string): Promise<DeskOrder> =>
  (await must(admin.request('GET', `/api/admin/orders/${code}`))).order as DeskOrder

/** A paid order of two tickets, the first cancelled by its buyer; its refund has not been requested yet. */
async function cancelledOne() {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  const [ticket, other] = tickets as [Ticket, Ticket]
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away' }))
  const atProvider = () => world.double.link(linkOf(world, code)).payments[0]?.refunds ?? []
  return { world, guest, admin: await world.as('admin'), code, ticket, other, atProvider }
}

const states = async ({ sql }: World) => (await sql('select state from refunds order by id')).map(({ state }) => state)

/** Puts calls of its own in place of the provider's. */
function withProvider({ deps }: World, calls: Partial<PaymentProvider>): void {
  const { razorpay } = deps.providers
  if (!razorpay) throw new Error('There is no provider')
  deps.providers = { razorpay: { ...razorpay, ...calls } }
}

test('a refund whose answer was lost is changed by nobody until the provider says what became of it', async () => {
  const { world, guest, admin, code, ticket, other, atProvider } = await cancelledOne()
  world.double.setFaults({ lostRefundAnswer: 1, lostEvent: 1 })
  await settleMoney(world)
  expect(await states(world)).toEqual(['asking'])
  expect(atProvider()).toHaveLength(1)

  const refund = (body: object) => ({ 'Idempotency-Key': randomUUID(), ...body })
  const refundBody = { ticketIds: [ticket.id], reason: 'Again' }
  for (const asked of [
    admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true }),
    admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: false }),
    admin.request('PATCH', '/api/admin/tickets/bulk-refund', { ticketIds: [ticket.id], isRefundDone: true }),
    admin.request('PATCH', `/api/tickets/admin/${ticket.id}/status`, { status: 'active' }),
    admin.request('PATCH', `/api/tickets/admin/${ticket.id}/status`, { status: 'used' }),
    admin.request('PATCH', '/api/admin/tickets/bulk-update', { ticketIds: [other.id, ticket.id], status: 'active' }),
    admin.request('POST', `/api/admin/orders/${code}/refund`, refundBody, refund({})),
    admin.request('DELETE', `/api/admin/tickets/${ticket.id}`),
  ])
    expect(await asked).toMatchObject({ status: 409, body: { code: 'REFUND_IN_DOUBT' } })
  expect(await world.sql('select state, amount_paise from refunds')).toEqual([
    { state: 'asking', amount_paise: 25_900 },
  ])
  expect(await world.sql('select status, is_refund_done from tickets where id = ?', ticket.id)).toEqual([
    { status: 'cancelled', is_refund_done: null },
  ])

  expect((await orderOf(guest, code)).refunds).toMatchObject([{ state: 'requested', amount: 259 }])
  expect((await deskOrderOf(admin, code)).refunds).toMatchObject([
    { state: 'asking', attempts: 1, nextAt: expect.any(String), lastError: expect.stringContaining('/refund') },
  ])
  const { tickets } = await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))
  expect(tickets as ManagedTicket[]).toMatchObject([{ refund: { amount: 259, inDoubt: expect.any(String) } }])

  world.double.setFaults({ lostRefundAnswer: 0 })
  await minutesPass(world, 2)
  expect(await states(world)).toEqual(['done'])
  expect(atProvider()).toHaveLength(1)
  expect(await admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: false })).toMatchObject(
    {
      status: 409,
      body: { code: 'REFUND_ON_ITS_WAY' },
    },
  )
})

test('nothing more to refund is no answer while a refund of the order is in doubt', async () => {
  const { world, admin, code, other } = await cancelledOne()
  world.double.setFaults({ lostRequest: 1 })
  await settleMoney(world)
  const all = (reason: string) =>
    admin.request(
      'POST',
      `/api/admin/orders/${code}/refund`,
      { all: true, reason },
      { 'Idempotency-Key': randomUUID() },
    )
  // The other ticket's money is not touched by the doubt.
  await must(all('Rain'))
  expect(await world.sql('select ticket_id, amount_paise from refunds order by id desc limit 1')).toEqual([
    { ticket_id: other.id, amount_paise: 29_900 },
  ])
  expect(await all('Rain again')).toMatchObject({ status: 409, body: { code: 'REFUND_IN_DOUBT' } })
})

test.each([
  ['before the call', false],
  ['between the answer and its storing', true],
])('a server that dies %s leaves a refund in doubt, and the next one finds out', async (_, made) => {
  const { world, admin, ticket, atProvider } = await cancelledOne()
  const { razorpay } = world.deps.providers
  if (!razorpay) throw new Error('There is no provider')
  const reached = Promise.withResolvers<void>()
  world.double.setFaults({ lostEvent: 1 })
  withProvider(world, {
    refund: async (asked) => {
      if (made) await razorpay.refund(asked)
      reached.resolve()
      return new Promise(() => undefined)
    },
  })
  void runJobs(world.deps, 'money')
  await reached.promise
  expect(await states(world)).toEqual(['asking'])
  expect(await admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true })).toMatchObject({
    body: { code: 'REFUND_IN_DOUBT' },
  })

  world.deps.providers = { razorpay }
  await world.deps.store.write(voidLeases)
  await runJobs(world.deps, 'money')
  expect(await states(world)).toEqual(['done'])
  expect(atProvider()).toMatchObject([{ paise: 25_900, status: 'processed' }])
})

test('the round finds a refund that was made, without waiting for the next try', async () => {
  const { world } = await cancelledOne()
  world.double.setFaults({ lostRefundAnswer: 1, lostEvent: 1 })
  await settleMoney(world)
  await moneyRound(world.deps)
  expect(await states(world)).toEqual(['done'])
  await minutesPass(world, 2)
  expect(await states(world)).toEqual(['done'])
})

test('a refund that was refused for lack of money is known not to be made, so the desk may pay it by hand', async () => {
  const { world, admin, ticket, atProvider } = await cancelledOne()
  world.double.setFaults({ lowBalance: 1 })
  await settleMoney(world)
  expect(await states(world)).toEqual(['requested'])
  await must(admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true }))
  world.double.setFaults({ lowBalance: 0 })
  await minutesPass(world, 5)
  expect(await states(world)).toEqual(['manual'])
  expect(atProvider()).toEqual([])
})

test('a refund that was not made by hand after all is asked for again, with the amount it was promised with', async () => {
  const { world, admin, code, other, atProvider } = await cancelledOne()
  await settleMoney(world)
  world.double.setFaults({ lowBalance: 1 })
  const body = { ticketIds: [other.id], reason: 'Rain' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, { 'Idempotency-Key': randomUUID() }))
  await settleMoney(world)
  for (const isRefundDone of [true, null])
    await must(admin.request('PATCH', `/api/admin/tickets/${other.id}/refund`, { isRefundDone }))
  world.double.setFaults({ lowBalance: 0 })
  await minutesPass(world, 1)
  expect(atProvider().map(({ paise }) => paise)).toEqual([25_900, 29_900])
  expect(await states(world)).toEqual(['done', 'failed', 'done'])
  expect((await orderOf(await world.as('guest'), code)).tickets.map(({ isRefundDone }) => isRefundDone)).toEqual([
    true,
    true,
  ])
})

test('a provider that answers nothing for days is asked until it does', async () => {
  const { world, atProvider } = await cancelledOne()
  world.double.setFaults({ lostRequest: 1 })
  for (let hour = 0; hour < 80; hour += 1) {
    await runJobs(world.deps, 'money')
    world.clock.forward(3_600_000)
  }
  expect(await states(world)).toEqual(['asking'])
  expect(await world.sql("select gave_up from jobs where kind = 'refund' and ended_at is not null")).toEqual([])
  world.double.setFaults({ lostRequest: 0 })
  // It now says for certain that it never made it: a person takes it from here.
  await runJobs(world.deps, 'money')
  expect(await states(world)).toEqual(['failed'])
  expect(atProvider()).toEqual([])
  expect(await world.sql('select kind from attention where resolved_at is null')).toEqual([{ kind: 'refundFailed' }])
})

test('another account at the provider does not know the payment, which says nothing about the refund', async () => {
  const { world } = await cancelledOne()
  world.double.setFaults({ lostRefundAnswer: 1, lostEvent: 1 })
  await settleMoney(world)
  const unknown = async () => {
    throw new ProviderRefused('NOT_FOUND', 'The id provided does not exist')
  }
  withProvider(world, { refundsOf: unknown, refund: unknown })
  world.clock.forward(60_000)
  await runJobs(world.deps, 'money')
  expect(await states(world)).toEqual(['asking'])
})
