import { randomUUID } from 'node:crypto'
import type { Attention } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { wrongInAccounts } from '../../src/testing/accounts.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { Client, Reply } from '../../src/testing/world.ts'

const keyed = () => ({ 'Idempotency-Key': randomUUID() })
const mattersOf = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/attention'))).attention as Attention[]
const resolve = (admin: Client, id: string | undefined, resolution: string): Promise<Reply> =>
  admin.request('POST', `/api/admin/attention/${id}/resolve`, { resolution })
const resolveFirst = async (admin: Client, resolution: string) =>
  must(resolve(admin, (await mattersOf(admin))[0]?.id, resolution))

/** A paid order, and a refund of it made at the dashboard. */
async function refundedAt(quantity: number, paise: number) {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await ordered(guest, quantity)
  const link = linkOf(world, code)
  const payment = world.double.pay(link)
  await settleMoney(world)
  const atDashboard = async (of: string, amount: number) => {
    await world.deps.providers.razorpay?.refund({ paymentId: of, paise: amount, key: randomUUID() })
    await settleMoney(world)
  }
  if (paise > 0) await atDashboard(payment.id, paise)
  const { tickets } = await orderOf(guest, code)
  return { world, guest, admin, code, link, payment, tickets, atDashboard }
}

/** An order whose money went back at the provider's own dashboard. */
async function refundedElsewhere(quantity: number, paise: number) {
  const paid = await refundedAt(quantity, paise)
  paid.world.clock.forward(3 * 24 * 3_600_000)
  const [guest, admin] = [await paid.world.as('guest'), await paid.world.as('admin')]
  const [matter] = await mattersOf(admin)
  expect(matter).toMatchObject({ kind: 'refundedElsewhere', order: paid.code })
  return { ...paid, guest, admin, id: matter?.id }
}

testOnSqlite('resolving a refund that was made elsewhere settles its tickets', async () => {
  const { world, guest, code, admin, id } = await refundedElsewhere(2, 59_800)
  const totals = async (client: Client) => (await must(client.request('GET', '/api/admin/orders/totals'))).totals
  const before = await totals(admin)
  // The answer was lost.
  for (const _ of [1, 2]) await must(resolve(admin, id, 'The buyer called'))
  const order = await orderOf(guest, code)
  expect(order.tickets.map(({ status, isRefundDone }) => [status, isRefundDone])).toEqual([
    ['cancelled', true],
    ['cancelled', true],
  ])
  expect(order.refunds).toMatchObject([{ amount: 598, state: 'done' }])
  expect(await mattersOf(admin)).toEqual([])
  expect(await world.sql('select taken_seats as taken from events')).toEqual([{ taken: 0 }])
  // The money went out days before.
  expect(await totals(admin)).toEqual(before)
})

testOnSqlite('where several tickets could have lost their money a person says which', async () => {
  const { world, guest, code, admin, tickets, id } = await refundedElsewhere(2, 29_900)
  expect(await resolve(admin, id, 'Done')).toMatchObject({ status: 409, body: { code: 'TICKETS_WITHOUT_MONEY' } })
  const ticket = tickets[1]?.id
  await must(admin.request('PATCH', `/api/tickets/admin/${ticket}/status`, { status: 'cancelled' }))
  expect(await mattersOf(admin)).toEqual([])
  expect((await orderOf(guest, code)).refunds).toMatchObject([{ ticketId: ticket, state: 'done' }])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a part given back at the provider as a favour cancels nobody', async () => {
  const { world, guest, code, admin, id } = await refundedElsewhere(2, 10_000)
  await must(resolve(admin, id, 'A favour for the long queue'))
  expect((await orderOf(guest, code)).tickets.map(({ status }) => status)).toEqual(['active', 'active'])
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
  // Nobody gets back more than was paid.
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, { all: true, reason: 'Rain' }, keyed()))
  await settleMoney(world)
  expect((await orderOf(guest, code)).refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(598)
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a favour is no refund of a ticket that is cancelled before the desk has said what it was', async () => {
  const { world, guest, code, admin, tickets, id } = await refundedElsewhere(3, 10_000)
  await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }))
  const body = { ticketIds: [tickets[1]?.id], reason: 'Rain' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, keyed()))
  await settleMoney(world)
  const order = await orderOf(guest, code)
  expect(order.refunds.map(({ amount, ticketId, state }) => [amount, ticketId, state])).toEqual([
    [100, null, 'done'],
    [259, tickets[0]?.id, 'done'],
    [299, tickets[1]?.id, 'done'],
  ])
  expect(await mattersOf(admin)).toMatchObject([{ id }])
  await must(resolve(admin, id, 'A favour for the long queue'))
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a part given back at the provider for a ticket cancelled before is a matter', async () => {
  const { world, admin, payment, tickets, atDashboard } = await refundedAt(2, 0)
  await must(admin.request('PATCH', `/api/tickets/admin/${tickets[0]?.id}/status`, { status: 'cancelled' }))
  await atDashboard(payment.id, 10_000)
  expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundedElsewhere', amount: 100 }])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('what is given back at the provider after the event was closed is explained by a word', async () => {
  const { world, code, payment, atDashboard } = await refundedAt(1, 0)
  world.clock.set('2025-09-22T17:00:00Z')
  const [event] = await world.sql('select id from events')
  await must((await world.as('admin')).request('POST', `/api/admin/events/${event?.id}/close`, { anyway: true }))
  await atDashboard(payment.id, 29_900)
  const admin = await world.as('admin')
  const [matter] = await mattersOf(admin)
  expect(matter).toMatchObject({ kind: 'refundedElsewhere', order: code })
  await must(resolve(admin, matter?.id, 'The sound failed'))
  expect((await orderOf(await world.as('guest'), code)).tickets).toMatchObject([{ status: 'active' }])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a refund of a little more than one ticket is not the money of a second', async () => {
  const { world, guest, admin, code, tickets } = await refundedAt(3, 30_000)
  const [first, second] = tickets
  await must(admin.request('PATCH', `/api/tickets/admin/${first?.id}/status`, { status: 'cancelled' }))
  await must(guest.request('PATCH', `/api/tickets/cancel/${second?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  expect((await orderOf(guest, code)).refunds.map(({ amount, ticketId }) => [amount, ticketId])).toEqual([
    [300, first?.id],
    [259, second?.id],
  ])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a refund of a second payment, made at the dashboard, is not the money of a ticket cancelled later', async () => {
  const { world, guest, admin, code, link, payment, tickets, atDashboard } = await refundedAt(1, 0)
  world.double.setFaults({ lowBalance: 1 })
  const second = world.double.pay(link)
  await settleMoney(world)
  world.double.setFaults({ lowBalance: 0 })
  await atDashboard(second.id, 29_900)
  await minutesPass(world, 1)
  await must(admin.request('PATCH', `/api/tickets/admin/${tickets[0]?.id}/status`, { status: 'cancelled' }))
  expect((await orderOf(guest, code)).tickets).toMatchObject([{ status: 'cancelled', isRefundDone: null }])
  expect(await mattersOf(admin)).toEqual([])
  await atDashboard(payment.id, 25_900)
  expect((await orderOf(guest, code)).tickets).toMatchObject([{ isRefundDone: true }])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite(
  'a refund for no ticket that came back and was paid by hand is for the desk to explain again',
  async () => {
    const { world, admin, code, payment } = await refundedAt(2, 29_900)
    world.double.bounce(payment.refunds[0]?.id ?? '')
    await settleMoney(world)
    expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundBounced' }])
    await resolveFirst(admin, 'Sent to garima@bank')
    expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundedElsewhere', order: code, amount: 299 }])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

testOnSqlite('a refund at the dashboard that fails and is made once more leaves its ticket to the desk', async () => {
  const { world, admin, code, payment, atDashboard } = await refundedAt(1, 25_900)
  world.double.bounce(payment.refunds[0]?.id ?? '')
  await settleMoney(world)
  await atDashboard(payment.id, 25_900)
  expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundedElsewhere', order: code, amount: 259 }])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite(
  'late money that comes back from the bank and is sent again by the desk is on no list of money to pay by hand',
  async () => {
    const world = await payingWorld()
    const [guest, admin] = [await world.as('guest'), await world.as('admin')]
    const { code } = await ordered(guest)
    const payment = world.double.pay(linkOf(world, code), 10_000)
    await settleMoney(world)
    await must(guest.request('POST', `/api/orders/${code}/cancel`))
    await settleMoney(world)
    world.double.bounce(payment.refunds[0]?.id ?? '')
    await settleMoney(world)
    expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundBounced', amount: 100 }])
    const body = { all: true, reason: 'It came back' }
    await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, keyed()))
    expect(await mattersOf(admin)).toEqual([])
    await settleMoney(world)
    expect((await orderOf(guest, code)).refunds.map(({ state }) => state)).toEqual(['done'])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

testOnSqlite(
  'the rest of a price that comes back from the bank is due, beside the part given back at the dashboard',
  async () => {
    const { world, admin, guest, code, payment } = await refundedAt(1, 24_900)
    const body = { all: true, reason: 'Rain' }
    await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, keyed()))
    await settleMoney(world)
    world.double.bounce(payment.refunds[1]?.id ?? '')
    await settleMoney(world)
    expect((await orderOf(guest, code)).tickets).toMatchObject([{ status: 'cancelled', isRefundDone: false }])
    expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundedElsewhere' }, { kind: 'refundBounced', amount: 50 }])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

testOnSqlite('a ticket whose money went back mostly with that of another is refunded what is left', async () => {
  const { world, admin, guest, code, tickets } = await refundedAt(2, 55_800)
  await must(admin.request('PATCH', `/api/tickets/admin/${tickets[0]?.id}/status`, { status: 'cancelled' }))
  await resolveFirst(admin, 'A favour')
  await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[1]?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  expect((await orderOf(guest, code)).refunds.map(({ amount }) => amount)).toEqual([558, 40])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('two refunds at the dashboard settle two that fail one after the other', async () => {
  const { world, guest, admin, code, payment, tickets, atDashboard } = await refundedAt(4, 0)
  for (const { id } of tickets.slice(0, 2))
    await must(guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' }))
  await settleMoney(world)
  for (const _ of [1, 2]) await atDashboard(payment.id, 24_900)
  for (const { id } of payment.refunds.slice(0, 2)) {
    world.double.bounce(id)
    await settleMoney(world)
  }
  expect((await orderOf(guest, code)).tickets.map(({ isRefundDone }) => isRefundDone)).toEqual([true, true, null, null])
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a refund at the dashboard that was to pay what came back, and fails too, leaves one matter', async () => {
  const { world, link, atDashboard } = await refundedAt(1, 0)
  const second = world.double.pay(link)
  await settleMoney(world)
  world.double.bounce(second.refunds[0]?.id ?? '')
  await settleMoney(world)
  world.double.setFaults({ pendingRefund: 1, failedRefund: 1 })
  await atDashboard(second.id, 29_900)
  await minutesPass(world, 61)
  const admin = await world.as('admin')
  expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundFailed', amount: 299 }])
  await resolveFirst(admin, 'Sent to garima@bank')
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite(
  'a ticket made valid again after its refund failed says Done once it is cancelled for a refund at the dashboard',
  async () => {
    const { world, guest, admin, code, payment, tickets, atDashboard } = await refundedAt(2, 0)
    const [{ id } = { id: '' }] = tickets
    const move = (status: string) => must(admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status }))
    await must(guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' }))
    await settleMoney(world)
    world.double.bounce(payment.refunds[0]?.id ?? '')
    await settleMoney(world)
    await move('active')
    await atDashboard(payment.id, 29_900)
    await move('cancelled')
    expect((await orderOf(guest, code)).tickets).toMatchObject([{ isRefundDone: true }, { status: 'active' }])
    expect(await mattersOf(admin)).toEqual([])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

testOnSqlite(
  'of two refunds at the dashboard a cancelled ticket takes one, and leaves the other to the next',
  async () => {
    const { world, guest, admin, code, payment, tickets, atDashboard } = await refundedAt(3, 29_900)
    await atDashboard(payment.id, 29_900)
    const taken = async () => (await orderOf(guest, code)).refunds.map(({ ticketId }) => ticketId)
    const [first, second] = tickets.map(({ id }) => id)
    for (const [id, expected] of [
      [first, [first, null]],
      [second, [first, second]],
    ] as const) {
      await must(admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status: 'cancelled' }))
      expect(await taken()).toEqual(expected)
    }
    expect(await mattersOf(admin)).toEqual([])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)

/** An order of two tickets, both cancelled, whose refunds came back from the bank. */
async function bothBounced() {
  const paid = await refundedAt(2, 0)
  for (const { id } of paid.tickets)
    await must(paid.guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' }))
  await settleMoney(paid.world)
  for (const { id } of [...paid.payment.refunds]) paid.world.double.bounce(id)
  await settleMoney(paid.world)
  return paid
}
const mark = (admin: Client, id: string | undefined, isRefundDone: boolean | null) =>
  admin.request('PATCH', `/api/admin/tickets/${id}/refund`, { isRefundDone })
const shownOn = async (guest: Client, code: string) =>
  (await orderOf(guest, code)).tickets.map(({ isRefundDone }) => isRefundDone)
const listed = async (admin: Client, refund: 'due' | 'done') => {
  const { pagination, refundTotal } = await must(admin.request('GET', `/api/admin/tickets/management?refund=${refund}`))
  return { count: (pagination as { totalTickets: number }).totalTickets, rupees: refundTotal }
}

testOnSqlite('a whole payment given back at the dashboard settles all refunds of it that failed', async () => {
  const { world, guest, admin, code, payment, atDashboard } = await bothBounced()
  await atDashboard(payment.id, 59_800)
  expect(await shownOn(guest, code)).toEqual([true, true])
  expect(await listed(admin, 'due')).toEqual({ count: 0, rupees: 0 })
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('failed refunds whose money went back in other parts can be marked as done', async () => {
  const { world, guest, admin, code, payment, tickets, atDashboard } = await bothBounced()
  for (const paise of [30_000, 21_800]) await atDashboard(payment.id, paise)
  expect(await shownOn(guest, code)).toEqual([false, false])
  for (const { id } of tickets) await must(mark(admin, id, true))
  expect(await shownOn(guest, code)).toEqual([true, true])
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('a ticket whose money went back in the refund of another is not refunded again', async () => {
  const { world, guest, admin, code, payment, tickets, atDashboard } = await bothBounced()
  await atDashboard(payment.id, 51_800)
  for (const { id } of tickets)
    expect(await mark(admin, id, null)).toMatchObject({ status: 409, body: { code: 'REFUND_ON_ITS_WAY' } })
  await settleMoney(world)
  expect(await shownOn(guest, code)).toEqual([true, true])
  expect((await orderOf(guest, code)).refunds.map(({ amount, state }) => [amount, state])).toEqual([[518, 'done']])
})

testOnSqlite(
  'a refund of several tickets that comes back is due for each of them, whichever way it is made',
  async () => {
    const { world, guest, admin, code, payment, tickets, atDashboard, id } = await refundedElsewhere(2, 59_800)
    await must(resolve(admin, id, 'The buyer called'))
    expect(await listed(admin, 'done')).toEqual({ count: 2, rupees: 598 })
    const bounceLast = async () => {
      world.double.bounce(payment.refunds.at(-1)?.id ?? '')
      await settleMoney(world)
      expect(await shownOn(guest, code)).toEqual([false, false])
      expect(await listed(admin, 'due')).toEqual({ count: 2, rupees: 598 })
      expect(await mattersOf(admin)).toMatchObject([{ kind: 'refundBounced', amount: 598 }])
      expect(await wrongInAccounts(world)).toEqual([])
    }
    await bounceLast()
    await atDashboard(payment.id, 59_800)
    expect(await shownOn(guest, code)).toEqual([true, true])
    expect(await mattersOf(admin)).toEqual([])
    await bounceLast()
    expect((await orderOf(guest, code)).refunds.map(({ amount, state }) => [amount, state])).toEqual([
      [299, 'failed'],
      [299, 'failed'],
    ])
    await must(mark(admin, tickets[0]?.id, true))
    await must(mark(admin, tickets[1]?.id, null))
    await settleMoney(world)
    expect(await shownOn(guest, code)).toEqual([true, true])
    expect(await wrongInAccounts(world)).toEqual([])
  },
)
