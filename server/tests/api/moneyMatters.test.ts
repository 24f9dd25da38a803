import { createHmac, randomUUID } from 'node:crypto'
import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { Attention, DeskOrder, Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { wrongInTables } from '../../src/testing/accounts.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { DOUBLE_SETTINGS } from '../../src/testing/double.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, Reply, World } from '../../src/testing/world.ts'

const [ONE, TWO] = ['412345678901', '412345678902']
const keyed = () => ({ 'Idempotency-Key': randomUUID() })
const mattersOf = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/attention'))).attention as Attention[]
const resolve = (admin: Client, id: string | undefined, resolution: string): Promise<Reply> =>
  admin.request('POST', `/api/admin/attention/${id}/resolve`, { resolution })
const deskOrderOf = async (admin: Client, code: string): Promise<DeskOrder> =>
  (await must(admin.request('GET', `/api/admin/orders/${code}`))).order as DeskOrder
const confirm = (admin: Client, code: string, body: object) =>
  admin.request('POST', `/api/admin/orders/${code}/confirm`, body)

async function byUpi(world: World, { name = 'Radha', quantity = 1, utr = '' } = {}) {
  const guest = await world.as('guest', person(name))
  const { code } = (await must(place(guest, { quantity, provider: 'upi' }))).order as Order
  if (utr) await must(guest.request('POST', `/api/orders/${code}/utr`, { utr }))
  return { guest, code }
}

async function byLink(world: World, quantity: number) {
  const guest = await world.as('guest')
  const { code } = await ordered(guest, quantity)
  const payment = world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return { guest, code, payment, tickets: (await orderOf(guest, code)).tickets }
}

async function importing(admin: Client, ...rows: [words: string, credit: string][]) {
  const csv = ['Date,Narration,Credit', ...rows.map(([words, credit]) => `08/08/2025,${words},"${credit}"`)].join('\n')
  const mapping = { date: 0, description: 1, amount: 2 }
  return (await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))).lines as StatementLine[]
}
const linesOf = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/statements'))).lines as StatementLine[]
const confirming = (admin: Client, lines: readonly StatementLine[]) =>
  must(admin.request('POST', '/api/admin/statements/confirm', { lines: lines.map(({ id }) => id) }))

testOnSqlite('one rupee through a link does not block the payment that follows, and goes back', async () => {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code), 100)
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', received: 1, tickets: [] })
  expect(await mattersOf(admin)).toMatchObject([
    { kind: 'short', order: code, amount: 1, detail: `${code}: ₹1 of ₹598` },
  ])
  expect(await wrongInTables(world)).toEqual([])

  world.double.pay(linkOf(world, code))
  world.clock.forward(6_000)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid' })
  await minutesPass(world, 1)
  const order = await orderOf(guest, code)
  expect(order.tickets).toHaveLength(2)
  expect(order.refunds).toMatchObject([{ kind: 'duplicate', amount: 1, state: 'done' }])
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite('a part that came for an order that lapsed goes back with the rest when that comes too late', async () => {
  const world = await payingWorld({ event: { totalTickets: 1 } })
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await ordered(guest)
  const link = linkOf(world, code)
  world.double.pay(link, 10_000)
  await settleMoney(world)
  world.double.payLate(link, 20 * 60_000)
  await minutesPass(world, 18)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'expired' })
  await byLink({ ...world, as: async () => world.as('guest', person('Meera')) }, 1)
  await minutesPass(world, 5)
  expect((await orderOf(guest, code)).refunds).toMatchObject([
    { kind: 'late', amount: 100, state: 'done' },
    { kind: 'late', amount: 299, state: 'done' },
  ])
  expect(await mattersOf(admin)).toEqual([])
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite('late UPI money for a full house is on the list until somebody has paid it back', async () => {
  const world = await payingWorld({ event: { totalTickets: 1 } })
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world)
  await minutesPass(world, 16)
  const other = await byUpi(world, { name: 'Meera' })
  await must(confirm(admin, other.code, { amount: 299, utr: TWO }))
  await must(confirm(admin, code, { amount: 299, utr: ONE }))
  const matters = await mattersOf(admin)
  expect(matters).toMatchObject([{ kind: 'payBack', order: code, amount: 299, detail: ONE }])
  expect((await deskOrderOf(admin, code)).matters).toEqual(matters)
  expect(await wrongInTables(world)).toEqual([])
  await must(resolve(admin, matters[0]?.id, 'Sent to garima@bank, UTR 998877665544'))
  expect(await mattersOf(admin)).toEqual([])
  expect((await orderOf(guest, code)).refunds).toMatchObject([{ kind: 'late', state: 'manual', amount: 299 }])
  expect(await resolve(admin, matters[0]?.id, 'Again')).toMatchObject({
    status: 404,
    body: { message: 'Already settled by Asha Admin: Sent to garima@bank, UTR 998877665544' },
  })
  // The same words again mean that their answer was lost.
  await must(resolve(admin, matters[0]?.id, 'Sent to garima@bank, UTR 998877665544'))
  const trail = await must(admin.request('GET', '/api/admin/audit?action=order.attention'))
  expect(trail.rows).toHaveLength(1)
  expect(await wrongInTables(world)).toEqual([])
})

test('all of an order is what the admin saw: tickets that another admin has made since stay', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world, { quantity: 2 })
  await must(confirm(admin, code, { amount: 100, utr: ONE }))
  await must(confirm(admin, code, { amount: 498, utr: TWO }))
  const headers = keyed()
  const refund = (tickets: number) =>
    admin.request('POST', `/api/admin/orders/${code}/refund`, { all: true, tickets, reason: 'Asked to' }, headers)
  expect(await refund(0)).toMatchObject({ status: 409, body: { code: 'ORDER_CHANGED' } })
  expect((await orderOf(guest, code)).tickets).toMatchObject([{ status: 'active' }, { status: 'active' }])
  await must(refund(2))
  // The answer was lost: the tickets it cancelled do not make it another request.
  await must(refund(2))
  expect(await world.sql('select sum(amount_paise) as paise from refunds')).toMatchObject([{ paise: 59_800 }])
  expect(await wrongInTables(world)).toEqual([])
})

test('cancelling an order again, because the answer was lost, answers the same; one that was paid is kept', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code } = await byUpi(world)
  const cancel = (of: string) => admin.request('POST', `/api/admin/orders/${of}/cancel`)
  const [first] = await Promise.all([must(cancel(code)), must(cancel(code)), must(cancel(code))])
  expect(first.order).toMatchObject({ state: 'cancelled' })
  expect(await must(cancel(code))).toEqual(first)
  const trail = await must(admin.request('GET', '/api/admin/audit?action=order.cancelled'))
  expect(trail.rows).toHaveLength(1)
  const paid = await byUpi(world, { name: 'Meera' })
  await must(confirm(admin, paid.code, { amount: 299, utr: ONE }))
  expect(await cancel(paid.code)).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_HELD' } })
})

testOnSqlite(
  'a ticket whose money is not settled cannot be deleted: paid, or cancelled with its money still owed',
  async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const { guest, code } = await byUpi(world, { quantity: 2 })
    await must(confirm(admin, code, { amount: 598, utr: ONE }))
    const [ticket, other] = (await orderOf(guest, code)).tickets as [Ticket, Ticket]
    const remove = ({ id }: Ticket) => admin.request('DELETE', `/api/admin/tickets/${id}`)
    expect(await remove(ticket)).toMatchObject({ status: 409, body: { code: 'MONEY_UNSETTLED' } })
    await must(guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away' }))
    expect(await remove(ticket)).toMatchObject({ status: 409, body: { code: 'MONEY_UNSETTLED' } })
    await must(admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: false }))
    expect(await remove(ticket)).toMatchObject({ status: 409, body: { code: 'MONEY_UNSETTLED' } })
    await must(admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true }))
    await must(remove(ticket))
    // Cancelling a ticket by its status makes its refund due too.
    await must(admin.request('PATCH', `/api/tickets/admin/${other.id}/status`, { status: 'cancelled' }))
    expect(await remove(other)).toMatchObject({ status: 409, body: { code: 'MONEY_UNSETTLED' } })
    expect(await world.sql("select count(*) as n from tickets where status = 'deleted'")).toMatchObject([{ n: 1 }])
    expect(await wrongInTables(world)).toEqual([])
  },
)

testOnSqlite('the list of refunds that are due has the amounts that were promised', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world, { quantity: 3 })
  await must(confirm(admin, code, { amount: 897, utr: ONE }))
  const [full, less, unasked] = (await orderOf(guest, code)).tickets as [Ticket, Ticket, Ticket]
  const refund = { ticketIds: [full.id], reason: 'Rain' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, refund, keyed()))
  await must(guest.request('PATCH', `/api/tickets/cancel/${less.id}`, { reason: 'Away' }))
  await must(admin.request('PATCH', `/api/tickets/admin/${unasked.id}/status`, { status: 'cancelled' }))
  const listed = async (filter: string) => {
    const { tickets, refundTotal } = await must(admin.request('GET', `/api/admin/tickets/management?refund=${filter}`))
    const amounts = (tickets as { id: string; refund: { amount: number } }[]).map(({ id, refund: { amount } }) => [
      id,
      amount,
    ])
    return { refundTotal, ...Object.fromEntries(amounts) }
  }
  expect(await listed('due')).toEqual({ refundTotal: 817, [full.id]: 299, [less.id]: 259, [unasked.id]: 259 })
  await must(admin.request('PATCH', `/api/admin/tickets/${full.id}/refund`, { isRefundDone: true }))
  expect(await listed('due')).toEqual({ refundTotal: 518, [less.id]: 259, [unasked.id]: 259 })
  expect(await listed('done')).toEqual({ refundTotal: 299, [full.id]: 299 })
})

testOnSqlite(
  'a UPI order is confirmed with what was received: less keeps it held, the rest makes its tickets',
  async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const { guest, code } = await byUpi(world, { quantity: 2, utr: ONE })
    for (const amount of [undefined, 0, -598, '598', 597.996, 10_000_000.01])
      expect(await confirm(admin, code, { amount })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'amount' }] },
      })
    await must(confirm(admin, code, { amount: 500 }))
    expect(await orderOf(guest, code)).toMatchObject({ state: 'held', received: 500, upi: { amount: 98 }, tickets: [] })
    expect(await mattersOf(admin)).toMatchObject([{ kind: 'short', amount: 500, detail: `${code}: ₹500 of ₹598` }])
    expect(await wrongInTables(world)).toEqual([])
    // Pressing twice still makes one credit.
    await must(confirm(admin, code, { amount: 500, utr: ONE }))
    expect(await confirm(admin, code, { amount: 98 })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'utr' }] },
    })
    await minutesPass(world, 20)
    expect(await orderOf(guest, code)).toMatchObject({ state: 'held', received: 500 })

    await must(guest.request('POST', `/api/orders/${code}/utr`, { utr: TWO }))
    expect(await orderOf(guest, code)).toMatchObject({ state: 'held', utr: TWO, received: 500 })
    await must(confirm(admin, code, { amount: 98 }))
    const order = await orderOf(guest, code)
    expect(order).toMatchObject({ state: 'paid', refunds: [] })
    expect(order.payments.map(({ amount, state }) => [amount, state])).toEqual([
      [500, 'captured'],
      [98, 'captured'],
    ])
    expect(await mattersOf(admin)).toEqual([])
    expect(await wrongInTables(world)).toEqual([])
    // A ticket costs more than the second transfer and is refunded from both.
    await must(admin.request('POST', `/api/admin/orders/${code}/refund`, { all: true, reason: 'Rain' }, keyed()))
    const refunds = (await orderOf(guest, code)).refunds.map(({ amount }) => amount)
    expect(refunds.reduce((sum, amount) => sum + amount, 0)).toBe(598)
    for (const { id } of order.tickets)
      await must(admin.request('PATCH', `/api/admin/tickets/${id}/refund`, { isRefundDone: true }))
    expect((await orderOf(guest, code)).tickets.map(({ isRefundDone }) => isRefundDone)).toEqual([true, true])
    expect(await wrongInTables(world)).toEqual([])
  },
)

testOnSqlite('more than the total, and a further transfer for a paid order, wait to be paid back', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world)
  await must(confirm(admin, code, { amount: 300, utr: ONE }))
  await must(confirm(admin, code, { amount: 299, utr: TWO }))
  expect((await orderOf(guest, code)).tickets).toHaveLength(1)
  expect(await mattersOf(admin)).toMatchObject([
    { kind: 'payBack', amount: 1 },
    { kind: 'payBack', amount: 299, detail: TWO },
  ])
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite('an order that is cancelled after part of its money came owes that part', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world, { utr: ONE })
  await must(confirm(admin, code, { amount: 200 }))
  await must(guest.request('POST', `/api/orders/${code}/cancel`))
  expect(await mattersOf(admin)).toMatchObject([{ kind: 'payBack', amount: 200, detail: ONE }])
  expect(await wrongInTables(world)).toEqual([])
})

test('an order whose part the desk gives back is cancelled, and asks for no rest', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world, { utr: ONE })
  await must(confirm(admin, code, { amount: 200 }))
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, { all: true, reason: 'Asked to' }, keyed()))
  expect(await orderOf(guest, code)).toMatchObject({ state: 'cancelled', refunds: [{ amount: 200 }] })
  expect(await world.sql('select taken_seats as taken from events')).toEqual([{ taken: 0 }])
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite(
  'a UTR that was claimed for a cancelled order is free for its real payer, and the desk sees both orders',
  async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const thief = await byUpi(world, { name: 'Kiran', utr: ONE })
    await must(thief.guest.request('POST', `/api/orders/${thief.code}/cancel`))
    const payer = await byUpi(world, { name: 'Radha', utr: ONE })
    const [line] = await importing(admin, [`UPI/${ONE}/PAYMENT`, '299'])
    expect(line).toMatchObject({ match: 'disputed', order: { code: payer.code }, other: { code: thief.code } })
    expect(await confirming(admin, [line as StatementLine])).toMatchObject({ confirmed: 0, left: [{ id: line?.id }] })
    await must(confirm(admin, payer.code, { amount: 299, utr: ONE }))
    expect(await orderOf(payer.guest, payer.code)).toMatchObject({ state: 'paid' })
    expect(await linesOf(admin)).toMatchObject([{ match: 'done', order: { code: payer.code }, other: null }])
    expect(await wrongInTables(world)).toEqual([])
  },
)

testOnSqlite(
  'a bank line whose UTR and code disagree is never ready, and what the desk sees in the bank outweighs a claim',
  async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const payer = await byUpi(world, { name: 'Radha' })
    const thief = await byUpi(world, { name: 'Kiran', utr: ONE })
    const [line] = await importing(admin, [`UPI/${ONE}/${payer.code}`, '299'])
    expect(line?.match).toBe('disputed')
    expect([line?.order?.code, line?.other?.code].toSorted()).toEqual([payer.code, thief.code].toSorted())
    expect(await confirming(admin, [line as StatementLine])).toMatchObject({ confirmed: 0 })
    await must(confirm(admin, payer.code, { amount: 299, utr: ONE }))
    expect(await orderOf(payer.guest, payer.code)).toMatchObject({ state: 'paid' })
    const claimed = await orderOf(thief.guest, thief.code)
    expect([claimed.state, claimed.utr]).toEqual(['held', undefined])
    expect(await confirm(admin, thief.code, { amount: 299, utr: ONE })).toMatchObject({
      status: 409,
      body: { code: 'UTR_USED' },
    })
  },
)

testOnSqlite('two credits of the bank add up to one order, in any order', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world, { utr: ONE })
  await must(confirm(admin, code, { amount: 200 }))
  const lines = await importing(admin, [`UPI/${ONE}`, '200'], [`UPI/${TWO}/${code}`, '99'])
  expect(Object.fromEntries(lines.map(({ utr, match }) => [utr, match]))).toEqual({ [ONE]: 'done', [TWO]: 'proposed' })
  expect(await confirming(admin, lines)).toMatchObject({ confirmed: 1 })
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', refunds: [] })
  expect(await linesOf(admin)).toMatchObject([{ match: 'done' }, { match: 'done' }])
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite('a credit with the code of an order keeps it held without a UTR, and its buyer learns of it', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await byUpi(world)
  const other = await byUpi(world, { name: 'Meera' })
  expect((await orderOf(guest, code)).creditSeen).toBeUndefined()
  await importing(admin, [`UPI/${ONE}/${code.toLowerCase()} garba`, '299'])
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', creditSeen: true })
  world.clock.forward(17 * 60_000)
  await moneyRound(world.deps)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', creditSeen: true })
  expect(await orderOf(other.guest, other.code)).toMatchObject({ state: 'expired' })
  world.clock.forward(24 * 3_600_000)
  await moneyRound(world.deps)
  const later = await world.as('guest', person('Radha'))
  expect(await orderOf(later, code)).toMatchObject({ state: 'expired', creditSeen: true })
})

test('the same signed body under another event id is stored once', async () => {
  const world = await payingWorld()
  const { code, payment } = await byLink(world, 1)
  const body = JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: { id: payment.id } } } })
  const signature = createHmac('sha256', DOUBLE_SETTINGS.webhookSecret).update(body).digest('hex')
  const before = await world.sql('select id from provider_events')
  for (const id of ['evt_1', 'evt_2', 'evt_3', '']) {
    const headers = { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id }
    expect(await world.nobody.request('POST', '/api/webhooks/razorpay', body, headers)).toMatchObject({ status: 200 })
  }
  expect(await world.sql('select id from provider_events')).toHaveLength(before.length + 1)
  expect(await world.sql("select id from jobs where id like 'event:razorpay:evt%'")).toHaveLength(1)
  expect((await orderOf(await world.as('guest'), code)).tickets).toHaveLength(1)
})
