import { randomUUID } from 'node:crypto'
import type { Attention } from '@garba/shared/contracts/order'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { checkEndedRefunds } from '../../src/flows/money/upkeep/keepMoney.ts'
import { ProviderRefused } from '../../src/providers/provider.ts'
import { wrongInAccounts } from '../../src/testing/accounts.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { Client } from '../../src/testing/world.ts'

/** A paid order of two tickets, the first cancelled by its buyer. */
async function cancelledOne(quantity = 2) {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, quantity)
  const payment = world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [ticket] = (await orderOf(guest, code)).tickets as [Ticket, Ticket]
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away' }))
  const admin = await world.as('admin')
  const shown = async () => {
    const { refunds, tickets } = await orderOf(guest, code)
    return {
      refunds: refunds.map(({ state }) => state),
      ticket: tickets.find(({ id }) => id === ticket.id)?.isRefundDone,
    }
  }
  const bounce = () => world.double.bounce(payment.refunds[0]?.id ?? '')
  const marked = (isRefundDone: boolean | null) =>
    must(admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone }))
  return { world, guest, admin, code, payment, ticket, shown, bounce, marked }
}
const matters = async (admin: Client) =>
  ((await must(admin.request('GET', '/api/admin/attention'))).attention as Attention[]).map(
    ({ kind, order, amount }) => ({ kind, order, amount }),
  )
const resolveFirst = async (admin: Client, resolution: string) => {
  const [matter] = (await must(admin.request('GET', '/api/admin/attention'))).attention as Attention[]
  return must(admin.request('POST', `/api/admin/attention/${matter?.id}/resolve`, { resolution }))
}

test('a refund that the bank sends back is open again, for the guest and for the desk, until it is paid by hand', async () => {
  const { world, admin, code, ticket, shown, bounce, marked } = await cancelledOne()
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  bounce()
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
  expect(await matters(admin)).toEqual([{ kind: 'refundBounced', order: code, amount: 259 }])
  const due = await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))
  expect((due.tickets as ManagedTicket[]).map(({ id }) => id)).toEqual([ticket.id])
  expect(await wrongInAccounts(world)).toEqual([])
  await marked(true)
  await resolveFirst(admin, 'Sent to garima@bank')
  expect(await shown()).toEqual({ refunds: ['manual'], ticket: true })
  await checkEndedRefunds(world.deps)
  expect(await matters(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a refund that the bank sends back is paid again by the provider, which settles the matter', async () => {
  const { world, admin, shown, bounce, marked } = await cancelledOne()
  await settleMoney(world)
  bounce()
  await settleMoney(world)
  await marked(null)
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  expect(await matters(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('what the provider settled before the bank sent it back leaves the Books balanced', async () => {
  const { world, payment, bounce } = await cancelledOne()
  await settleMoney(world)
  const line = `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
    values (?, 'razorpay', 'refund', 's', '2025-08-09', 25900, 0, 1)`
  await world.sql(line, payment.refunds[0]?.id ?? '')
  bounce()
  await settleMoney(world)
  expect(await wrongInAccounts(world)).toEqual([])
})

test('without webhooks the server finds out by asking', async () => {
  const { world, shown, bounce } = await cancelledOne()
  world.double.setFaults({ lostEvent: 1 })
  await settleMoney(world)
  bounce()
  await minutesPass(world, 2)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  await checkEndedRefunds(world.deps)
  expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
})

test('an old event does not make a refund done that the bank has sent back', async () => {
  const { world, shown, bounce } = await cancelledOne()
  world.double.setFaults({ delayedEvent: 1 })
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  world.double.setFaults({ delayedEvent: 0 })
  bounce()
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
  await minutesPass(world, 12)
  expect(world.double.waitingEvents()).toBe(0)
  expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
})

test('the money of a ticket that was deleted since is paid back by resolving the matter', async () => {
  const { world, admin, ticket, shown, bounce } = await cancelledOne()
  await settleMoney(world)
  await must(admin.request('DELETE', `/api/admin/tickets/${ticket.id}`))
  bounce()
  await settleMoney(world)
  expect(await matters(admin)).toMatchObject([{ kind: 'refundBounced', amount: 259 }])
  // It is on a list until then.
  expect(await wrongInAccounts(world)).toEqual([])
  await resolveFirst(admin, 'Sent to garima@bank')
  expect((await shown()).refunds).toEqual(['manual'])
  expect(await wrongInAccounts(world)).toEqual([])
})

test.each(['before', 'after'])(
  'one refund at the dashboard of what failed for two tickets, made %s that, is the money of both',
  async (when) => {
    const { world, guest, admin, code, payment, shown } = await cancelledOne(3)
    const [, second] = (await orderOf(guest, code)).tickets
    await must(guest.request('PATCH', `/api/tickets/cancel/${second?.id}`, { reason: 'Away' }))
    const fail = async () => {
      const { razorpay } = world.deps.providers
      const refund = () => Promise.reject(new ProviderRefused('BAD_REQUEST_ERROR', 'No'))
      world.deps.providers = { ...(razorpay && { razorpay: { ...razorpay, refund } }) }
      await runJobs(world.deps, 'money')
      world.deps.providers = { ...(razorpay && { razorpay }) }
    }
    if (when === 'after') {
      await fail()
      expect(await matters(admin)).toMatchObject([{ amount: 259 }, { amount: 259 }])
    }
    await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise: 51_800, key: randomUUID() })
    await world.double.run()
    if (when === 'before') await fail()
    await settleMoney(world)
    expect((await shown()).refunds).toEqual(['done'])
    const { tickets } = await orderOf(guest, code)
    expect(tickets.map(({ isRefundDone }) => isRefundDone)).toEqual([true, true, null])
    expect(await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))).toMatchObject({ tickets: [] })
    expect(await matters(admin)).toEqual([])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

/** The provider refuses a refund, but makes it anyway. */
async function refusedAndMade() {
  const cancelled = await cancelledOne()
  const { world } = cancelled
  const { razorpay } = world.deps.providers
  if (!razorpay) throw new Error('There is no provider')
  world.double.setFaults({ lostEvent: 1 })
  const refund: typeof razorpay.refund = async (asked) => {
    await razorpay.refund(asked)
    throw new ProviderRefused('BAD_REQUEST_ERROR', 'No')
  }
  world.deps.providers = { razorpay: { ...razorpay, refund } }
  await runJobs(world.deps, 'money')
  world.deps.providers = { razorpay }
  return cancelled
}

test.each(['by asking', 'by an event'])(
  'a refund paid by hand that the provider made too is a matter (%s)',
  async (how) => {
    const { world, admin, code, shown, marked } = await refusedAndMade()
    expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
    await marked(true)
    world.double.setFaults({ lostEvent: 0 })
    for (const _ of [1, 2]) await (how === 'by asking' ? checkEndedRefunds(world.deps) : minutesPass(world, 15))
    expect(await shown()).toEqual({ refunds: ['manual'], ticket: true })
    expect(await matters(admin)).toEqual([
      { kind: 'refundFailed', order: code, amount: 259 },
      { kind: 'paidTwice', order: code, amount: 259 },
    ])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

test('a refund that the provider made after all is done, and nobody is to pay it by hand any more', async () => {
  const { world, admin, shown } = await refusedAndMade()
  expect(await matters(admin)).toMatchObject([{ kind: 'refundFailed' }])
  await checkEndedRefunds(world.deps)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  expect(await matters(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a refund that the provider made after all, and by another key again, is a matter', async () => {
  const { world, admin, code, shown, marked } = await refusedAndMade()
  await marked(null)
  await runJobs(world.deps, 'money')
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  await checkEndedRefunds(world.deps)
  expect(await matters(admin)).toEqual([{ kind: 'paidTwice', order: code, amount: 259 }])
  expect(await wrongInAccounts(world)).toEqual([])
})

test.each([
  ['failed', 259, 'done', true, []],
  ['failed', 299, 'done', true, []],
  ['was paid by hand', 259, 'manual', true, [{ kind: 'paidTwice', amount: 259 }]],
  ['was paid by hand', 299, 'manual', true, [{ kind: 'paidTwice', amount: 299 }]],
] as const)(
  'a refund that %s and is made at the dashboard, of %i rupees',
  async (what, rupees, state, ticket, expected) => {
    const { world, admin, payment, shown, marked } = await cancelledOne(1)
    world.double.setFaults({ lowBalance: 1 })
    await settleMoney(world)
    await marked(what !== 'failed')
    world.double.setFaults({ lowBalance: 0 })
    await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise: rupees * 100, key: randomUUID() })
    await settleMoney(world)
    const now = await shown()
    expect({ last: now.refunds.at(-1), ticket: now.ticket }).toEqual({ last: state, ticket })
    expect(await matters(admin)).toMatchObject(expected)
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

test.each([
  ['the price of one', 1, 29_900, [true, null]],
  ['the price of one less the deduction', 1, 25_900, [true, null]],
  ['the money of both', 2, 59_800, [true, true]],
] as const)(
  'a refund of %s, made at the dashboard for tickets cancelled before, is theirs',
  async (_what, count, paise, expected) => {
    const world = await payingWorld()
    const guest = await world.as('guest')
    const { code } = await ordered(guest, 2)
    const payment = world.double.pay(linkOf(world, code))
    await settleMoney(world)
    const admin = await world.as('admin')
    const { tickets } = await orderOf(guest, code)
    const ticketIds = tickets.slice(0, count).map(({ id }) => id)
    await must(admin.request('PATCH', '/api/admin/tickets/bulk-update', { ticketIds, status: 'cancelled' }))
    await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise, key: randomUUID() })
    await settleMoney(world)
    await minutesPass(world, 61)
    const [desk, buyer] = [await world.as('admin'), await world.as('guest')]
    expect((await orderOf(buyer, code)).tickets.map(({ isRefundDone }) => isRefundDone)).toEqual(expected)
    expect(await must(desk.request('GET', '/api/admin/tickets/management?refund=due'))).toMatchObject({ tickets: [] })
    expect(await matters(desk)).toEqual([])
    expect(await wrongInAccounts(world)).toEqual([])
    // No ticket is valid again whose money is in the refund of another.
    for (const id of ticketIds)
      expect(await desk.request('PATCH', `/api/tickets/admin/${id}/status`, { status: 'active' })).toMatchObject({
        status: 409,
        body: { code: 'REFUNDED' },
      })
  },
)

test('the deduction of a cancelled ticket, paid back at the dashboard, is a part of its refund', async () => {
  const { world, code, payment } = await cancelledOne()
  await settleMoney(world)
  await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise: 4_000, key: randomUUID() })
  await settleMoney(world)
  await minutesPass(world, 61)
  const { refunds, tickets } = await orderOf(await world.as('guest'), code)
  expect(refunds.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(tickets.map(({ isRefundDone }) => isRefundDone)).toEqual([true, null])
  expect(await matters(await world.as('admin'))).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a refund that fails because the whole price went back at the dashboard is settled by that', async () => {
  const { world, admin, payment, shown } = await cancelledOne(1)
  await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise: 29_900, key: randomUUID() })
  await settleMoney(world)
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  expect(await matters(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a ticket made valid again after its refund failed, and cancelled again, has one refund that counts', async () => {
  const { world, guest, admin, ticket, shown, bounce } = await cancelledOne()
  await settleMoney(world)
  const moved = (status: string) => must(admin.request('PATCH', `/api/tickets/admin/${ticket.id}/status`, { status }))
  bounce()
  await settleMoney(world)
  await moved('active')
  expect(await matters(admin)).toEqual([])
  await moved('cancelled')
  expect(await shown()).toEqual({ refunds: ['failed'], ticket: false })
  expect(await wrongInAccounts(world)).toEqual([])
  await moved('active')
  expect(await shown()).toEqual({ refunds: [], ticket: null })
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away' }))
  await settleMoney(world)
  expect(await shown()).toEqual({ refunds: ['done'], ticket: true })
  expect(await wrongInAccounts(world)).toEqual([])
})

test('late money that somebody has paid back at the dashboard is not to be paid by hand', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 1)
  const payment = world.double.pay(linkOf(world, code), 10_000)
  await settleMoney(world)
  await world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise: 10_000, key: randomUUID() })
  const admin = await world.as('admin')
  const body = { all: true, reason: 'Too little' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, { 'Idempotency-Key': randomUUID() }))
  await settleMoney(world)
  await settleMoney(world)
  expect((await orderOf(guest, code)).refunds.map(({ state }) => state)).toEqual(['done'])
  expect(await matters(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})
