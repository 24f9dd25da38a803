import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, Reply, World } from '../../src/testing/world.ts'

const sell = (admin: Client, sale: Record<string, unknown>, key: string = randomUUID()): Promise<Reply> =>
  admin.request('POST', '/api/admin/orders', { quantity: 1, name: 'Meera', ...sale }, { 'Idempotency-Key': key })
const refund = (admin: Client, code: string, body: Record<string, unknown>): Promise<Reply> =>
  admin.request('POST', `/api/admin/orders/${code}/refund`, body, { 'Idempotency-Key': randomUUID() })
const deskOrder = (admin: Client, code: string) => must(admin.request('GET', `/api/admin/orders/${code}`))
const freeSeats = async ({ nobody }: World): Promise<unknown> =>
  ((await must(nobody.request('GET', '/api/event'))).data as { availableTickets: number }).availableTickets

const KEY_REUSED = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }

testOnSqlite('a sale at the counter makes the tickets at once, and a repeated request sells nothing more', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const key = randomUUID()
  const sale = { quantity: 4, method: 'cash', email: 'Meera@Example.org', phone: '+91 98765 43210' }
  const first = await sell(admin, sale, key)
  expect(first).toMatchObject({
    status: 201,
    body: {
      order: { state: 'paid', channel: 'desk', provider: 'cash', total: 996 },
      tickets: Array.from({ length: 4 }, () => ({ status: 'active', price: 249, user: { _id: null, name: 'Meera' } })),
    },
  })
  const { code } = first.body.order as Order
  expect((await sell(admin, sale, key)).body).toEqual(first.body)
  for (const other of [{ quantity: 5 }, { email: 'mira@example.org' }, { email: undefined }, { phone: '98765 43211' }])
    expect(await sell(admin, { ...sale, ...other }, key)).toMatchObject(KEY_REUSED)
  expect(await freeSeats(world)).toBe(496)
  expect(await deskOrder(admin, code)).toMatchObject({
    order: {
      seller: 'Asha Admin',
      buyer: { name: 'Meera', email: 'meera@example.org', phone: '+91 98765 43210' },
      payments: [{ state: 'captured', amount: 996, recordedBy: 'Asha Admin' }],
    },
  })
})

test('a key belongs to one reason and one payment, even after the bank has proved the payment', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const admin = await world.as('admin')
  const [given, paid, unproven] = [randomUUID(), randomUUID(), randomUUID()]
  const gift = { method: 'complimentary', reason: 'Dhol players' }
  await must(sell(admin, gift, given))
  expect(await sell(admin, { ...gift, reason: 'Singers' }, given)).toMatchObject(KEY_REUSED)
  const upi = { method: 'upi', reference: '123456789012' }
  const first = await must(sell(admin, upi, paid))
  expect(await sell(admin, { ...upi, reference: '210987654321' }, paid)).toMatchObject(KEY_REUSED)
  expect((await sell(admin, upi, paid)).body).toEqual(first)
  await openDrawer(admin)
  const cash = { method: 'cash', reference: 'Not used for cash' }
  const key = randomUUID()
  expect((await sell(admin, cash, key)).body).toEqual((await sell(admin, cash, key)).body)
  const { order } = await must(sell(admin, { method: 'upi' }, unproven))
  const proof = { amount: 299, utr: '321098765432' }
  await must(admin.request('POST', `/api/admin/orders/${(order as Order).code}/confirm`, proof))
  expect(await sell(admin, { method: 'upi' }, unproven)).toMatchObject({ status: 201 })
})

test('complimentary tickets cost nothing, need a reason, and are given even where the desk takes no money', async () => {
  const world = await payingWorld({ settings: { PAYMENTS: 'razorpay' } })
  const admin = await world.as('admin')
  expect(await sell(admin, { method: 'complimentary' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'reason', message: 'Reason is required' }] },
  })
  const given = await sell(admin, { method: 'complimentary', reason: 'Dhol players' })
  expect(given).toMatchObject({
    status: 201,
    body: { order: { total: 0, provider: 'complimentary' }, tickets: [{ price: 0 }] },
  })
  expect(await sell(admin, { method: 'cash' })).toMatchObject({ status: 400, body: { errors: [{ field: 'method' }] } })
  const trail = await must(admin.request('GET', '/api/admin/audit?action=order.deskSale'))
  expect(trail.rows).toMatchObject([
    { actorName: 'Asha Admin', detail: expect.stringMatching(/^Complimentary; .*; Dhol players$/) },
  ])
  const [ticket] = given.body.tickets as Ticket[]
  // No money went back.
  const cancelled = admin.request('PATCH', `/api/tickets/admin/${ticket?.id}/status`, { status: 'cancelled' })
  expect(await must(cancelled)).toMatchObject({ ticket: { status: 'cancelled' } })
  expect(await world.sql('select is_refund_done as done from tickets')).toEqual([{ done: 1 }])
})

testOnSqlite('a sale at another price than the seller was shown is refused', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  expect(await sell(admin, { method: 'cash', quantity: 4, total: 1_196 })).toMatchObject({
    status: 409,
    body: { code: 'PRICE_CHANGED' },
  })
  expect(await freeSeats(world)).toBe(500)
  expect(await sell(admin, { method: 'cash', quantity: 4, total: 996 })).toMatchObject({ status: 201 })
  expect(await sell(admin, { method: 'complimentary', reason: 'Dhol players', total: 0 })).toMatchObject({
    status: 201,
  })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ email: 'nobody' }, 'email'],
  [{ phone: 'call me' }, 'phone'],
  [{ phone: '-------' }, 'phone'],
  [{ phone: '(79) 1234' }, 'phone'],
  [{ method: 'cheque' }, 'method'],
  [{ quantity: 0 }, 'quantity'],
])('a sale at the counter with %j is refused', async (wrong, field) => {
  const world = await payingWorld()
  expect(await sell(await world.as('admin'), { method: 'cash', ...wrong })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ field }] },
  })
})

test('at the counter nothing is oversold either', async () => {
  const world = await payingWorld({ event: { totalTickets: 3 } })
  const admin = await world.as('admin')
  const replies = await Promise.all(Array.from({ length: 5 }, () => sell(admin, { method: 'card' })))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409])
})

testOnSqlite('a UPI payment that the desk finds in the bank makes the tickets, once', async () => {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = (await place(guest, { quantity: 2, provider: 'upi' })).body.order as Order
  await must(guest.request('POST', `/api/orders/${code}/utr`, { utr: '123456789012' }))
  const confirm = (body: Record<string, unknown> = {}) =>
    admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 598, ...body })
  expect(await confirm({ note: 'HDFC statement' })).toMatchObject({
    status: 200,
    body: {
      order: { state: 'paid', payments: [{ utr: '123456789012', recordedBy: 'Asha Admin', note: 'HDFC statement' }] },
    },
  })
  expect(await confirm()).toMatchObject({ status: 200, body: { order: { state: 'paid' } } })
  expect((await orderOf(guest, code)).tickets).toHaveLength(2)
  const later = await sell(admin, { method: 'upi', reference: '123456789012' })
  expect(later).toMatchObject({ status: 409, body: { code: 'UTR_USED' } })
})

testOnSqlite(
  'a UPI payment found after its hold lapsed buys the tickets while seats are free, or waits to be paid back',
  async () => {
    const world = await payingWorld({ event: { totalTickets: 1 } })
    const admin = await world.as('admin')
    const place1 = async (name: string): Promise<Order> =>
      (await place(await world.as('guest', person(name)), { quantity: 1, provider: 'upi' })).body.order as Order
    const one = await place1('Radha')
    await minutesPass(world, 16)
    const other = await place1('Meera')
    await minutesPass(world, 16)
    const confirm = ({ code }: Order, utr: string) =>
      must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 299, utr }))
    expect(await confirm(one, '111111111111')).toMatchObject({
      order: { state: 'paid', tickets: [{ status: 'active' }] },
    })
    expect(await confirm(other, '222222222222')).toMatchObject({
      order: { state: 'expired', tickets: [], refunds: [{ kind: 'late', state: 'requested', amount: 299 }] },
    })
  },
)

async function paidOrder(world: World, quantity: number): Promise<{ code: string; tickets: Ticket[] }> {
  const guest = await world.as('guest')
  const { code } = await ordered(guest, quantity)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return { code, tickets: (await orderOf(guest, code)).tickets }
}

testOnSqlite('the desk gives back a part of an order and then the rest, never anything twice', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code, tickets } = await paidOrder(world, 3)
  const [first] = tickets
  for (const _ of [1, 2])
    expect(await refund(admin, code, { ticketIds: [first?.id], reason: 'Fell ill' })).toMatchObject({
      status: 200,
      body: { order: { refunds: [{ kind: 'event', amount: 299, ticketId: first?.id, requestedBy: 'Asha Admin' }] } },
    })
  expect(await freeSeats(world)).toBe(498)
  await must(refund(admin, code, { all: true, reason: 'Cancelled' }))
  await minutesPass(world, 1)
  const { order } = await deskOrder(admin, code)
  expect(order).toMatchObject({
    refunds: [{ state: 'done' }, { state: 'done' }, { state: 'done' }],
    tickets: Array.from({ length: 3 }, () => ({ status: 'cancelled', isRefundDone: true })),
  })
  expect(await freeSeats(world)).toBe(500)
})

testOnSqlite(
  'a refund is known by its key: asked for again it is the same one, and another one needs another key',
  async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const { code, tickets } = await paidOrder(world, 3)
    const [one = '', two = ''] = tickets.map(({ id }) => id)
    const headers = { 'Idempotency-Key': randomUUID() }
    const asked = (body: Record<string, unknown>) =>
      admin.request('POST', `/api/admin/orders/${code}/refund`, body, headers)
    expect(await asked({ ticketIds: [ulidOf(9)], reason: 'Fell ill' })).toMatchObject({ status: 404 })
    await must(asked({ ticketIds: [one, two], reason: 'Fell ill' }))
    await must(asked({ ticketIds: [two, one], reason: 'Fell ill' }))
    for (const other of [
      { all: true, reason: 'Fell ill' },
      { ticketIds: [one], reason: 'Fell ill' },
      { ticketIds: [one, two], reason: 'Rain' },
    ])
      expect(await asked(other)).toMatchObject({
        status: 409,
        body: { code: 'IDEMPOTENCY_KEY_REUSED', message: expect.stringContaining('nothing was refunded') },
      })
    expect(await deskOrder(admin, code)).toMatchObject({
      order: {
        refunds: [{ amount: 299 }, { amount: 299 }],
        tickets: expect.arrayContaining([expect.objectContaining({ status: 'active' })]),
      },
    })
    const { rows } = await must(admin.request('GET', '/api/admin/audit?action=order.refunded'))
    expect(rows).toHaveLength(1)
  },
)

testOnSqlite('a refund names tickets or all of them, a reason, and an order that got money', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code } = await paidOrder(world, 1)
  expect(await refund(admin, code, { reason: 'x' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'ticketIds' }] },
  })
  expect(await refund(admin, code, { all: true, reason: ' ' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'reason' }] },
  })
  const free = (await sell(admin, { method: 'complimentary', reason: 'Crew' })).body.order as Order
  expect(await refund(admin, free.code, { all: true, reason: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'NOTHING_TO_REFUND' },
  })
  expect(await refund(admin, 'NOSUCHCD', { all: true, reason: 'x' })).toMatchObject({ status: 404 })
})

testOnSqlite('a refund that names a ticket of another order changes nothing', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code, tickets } = await paidOrder(world, 2)
  const [foreign] = (await sell(admin, { method: 'complimentary', reason: 'Crew' })).body.tickets as Ticket[]
  const ticketIds = [tickets[0]?.id, foreign?.id]
  expect(await refund(admin, code, { ticketIds, reason: 'Rain' })).toMatchObject({
    status: 404,
    body: { code: 'TICKET_NOT_FOUND' },
  })
  expect(await deskOrder(admin, code)).toMatchObject({
    order: { tickets: [{ status: 'active' }, { status: 'active' }], refunds: [] },
  })
})

test('cash goes back by hand: the desk marks it, and the ticket cannot be made active again', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const sale = await sell(admin, { method: 'cash' })
  const { code } = sale.body.order as Order
  const [ticket] = sale.body.tickets as Ticket[]
  await must(refund(admin, code, { all: true, reason: 'Rain' }))
  await minutesPass(world, 1)
  expect(await deskOrder(admin, code)).toMatchObject({ order: { refunds: [{ state: 'requested' }] } })
  await must(admin.request('PATCH', `/api/admin/tickets/${ticket?.id}/refund`, { isRefundDone: true }))
  expect(await deskOrder(admin, code)).toMatchObject({
    order: { refunds: [{ state: 'manual' }], tickets: [{ isRefundDone: true }] },
  })
  expect(await admin.request('PATCH', `/api/tickets/admin/${ticket?.id}/status`, { status: 'active' })).toMatchObject({
    status: 409,
    body: { code: 'REFUNDED' },
  })
})

testOnSqlite(
  'a refund that failed at the provider is tried again by another key when the desk sets it to pending',
  async () => {
    const world = await payingWorld()
    const { code, tickets } = await paidOrder(world, 1)
    world.double.setFaults({ pendingRefund: 1, failedRefund: 1 })
    await must(refund(await world.as('admin'), code, { all: true, reason: 'Rain' }))
    await minutesPass(world, 62)
    const admin = await world.as('admin')
    const setRefund = (isRefundDone: boolean | null) =>
      admin.request('PATCH', `/api/admin/tickets/${tickets[0]?.id}/refund`, { isRefundDone })
    world.double.setFaults({ pendingRefund: 0, failedRefund: 0 })
    await must(setRefund(null))
    await minutesPass(world, 1)
    expect(await deskOrder(admin, code)).toMatchObject({
      order: { refunds: [{ state: 'failed' }, { state: 'done' }], tickets: [{ isRefundDone: true }] },
    })
    expect(await setRefund(false)).toMatchObject({ status: 409, body: { code: 'REFUND_ON_ITS_WAY' } })
  },
)

testOnSqlite('the desk cancels an unpaid order; an event with open orders cannot be closed', async () => {
  const world = await payingWorld({ event: { date: '2025-08-08', startTime: '18:00', endTime: '19:00' } })
  const { code } = await ordered(await world.as('guest'))
  world.clock.set('2025-08-08T13:31:00Z')
  const admin = await world.as('admin')
  const { data } = await must(admin.request('GET', '/api/event'))
  const close = () => admin.request('POST', `/api/admin/events/${(data as { _id: string })._id}/close`)
  expect(await close()).toMatchObject({ status: 409, body: { code: 'EVENT_HAS_HOLDS' } })
  const { matters } = await must(
    admin.request('GET', `/api/admin/events/${(data as { _id: string })._id}/open-matters`),
  )
  expect(matters).toEqual([{ kind: 'heldOrders', count: 1 }])
  expect(await admin.request('POST', `/api/admin/orders/${code}/cancel`)).toMatchObject({
    status: 200,
    body: { order: { state: expect.stringMatching(/cancelled|expired/) } },
  })
  expect(await close()).toMatchObject({ status: 200 })
})
