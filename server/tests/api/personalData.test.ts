import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { admitAtGate, buyer, must } from '../../src/testing/desk.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

/** A guest with a used and a cancelled ticket, one of them under a friend's name. */
async function scene() {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 10 })
  const admin = await world.as('admin')
  const checker = await world.as('qrchecker')
  const { client: guest, tickets } = await buyer(world, {
    name: 'Radha Patel',
    email: 'radha@example.org',
    quantity: 2,
  })
  const [used, cancelled] = tickets
  await must(guest.request('PATCH', `/api/tickets/${used.id}/name`, { name: 'Meera Joshi' }))
  await must(guest.request('PATCH', `/api/tickets/cancel/${cancelled?.id}`, { reason: 'My mother is ill' }))
  const { user } = await must(guest.request('GET', '/api/auth/me'))
  return { world, admin, checker, guest, used, id: (user as { _id: string })._id }
}

test('an export holds account, tickets, orders and audit rows of one person', async () => {
  const { world, admin, id } = await scene()
  await buyer(world, { name: 'Somebody Else', email: 'else@example.org' })
  const response = await admin.fetch('GET', `/api/admin/users/${id}/export`)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="person.json"')
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({
    user: { name: 'Radha Patel', email: 'radha@example.org' },
    tickets: [{ holderName: 'Meera Joshi' }, { cancellationReason: 'My mother is ill' }],
    orders: [{ quantity: 2, total: 598 }],
    audit: [{ action: 'ticket.sold' }, { action: 'ticket.named' }, { action: 'ticket.cancelled' }],
  })
  expect(text).not.toContain('Somebody Else')
  expect((await admin.request('GET', '/api/admin/users/01K0000000000000000000000Z/export')).status).toBe(404)
})

test('an export has entries and exits; that of somebody who worked here says what they did, and names nobody else', async () => {
  const { world, admin, checker, used, id } = await scene()
  await must(admitAtGate(checker, used))
  const exit = { qrCode: used.qrCode, scanId: randomUUID(), gate: 'Gate 1' }
  await must(checker.request('POST', '/api/tickets/exit', exit))
  const exported = await (await admin.fetch('GET', `/api/admin/users/${id}/export`)).json()
  const left = { ticket: used.id, gate: 'Gate 1', at: world.clock.now().toISOString(), undoneAt: null }
  expect(exported).toMatchObject({ entries: [{ outcome: 'admitted' }], exits: [left] })
  await must(admin.request('PATCH', `/api/admin/users/${id}/role`, { role: 'manager' }))
  for (const [client, action] of [
    [checker, 'ticket.admitted'],
    [admin, 'user.role'],
  ] as const) {
    const { user } = await must(client.request('GET', '/api/auth/me'))
    const text = await (await admin.fetch('GET', `/api/admin/users/${(user as { _id: string })._id}/export`)).text()
    expect(JSON.parse(text).audit).toContainEqual(expect.objectContaining({ action }))
    for (const other of ['Radha', 'radha', 'Meera']) expect(text).not.toContain(other)
  }
})

test('an erased person is nowhere in the database; tickets, sums and the door’s answers stay', async () => {
  const { world, admin, checker, id, used } = await scene()
  const scan = { ticketId: used.id, manual: true, scanId: 'b7c4a3ce-0000-4000-8000-000000000001' }
  await must(checker.request('POST', '/api/tickets/mark-used', scan))
  await admitAtGate(checker, used)
  const figures = () => must(admin.request('GET', '/api/admin/analytics/dashboard'))
  const before = await figures()
  const roster = async (since: number) => must(checker.request('GET', `/api/scanner/roster?since=${since}`))
  const { revision } = await roster(0)

  await must(admin.request('POST', `/api/admin/users/${id}/erase`))

  const everything = await everyRow(world)
  expect(everything).toContain(used.id)
  for (const trace of ['Radha', 'radha', 'Meera', 'meera', 'mother']) expect(everything).not.toContain(trace)
  const { tickets } = await must(admin.request('GET', '/api/admin/tickets/management'))
  expect(tickets).toMatchObject([
    { status: 'cancelled', price: 299, user: { _id: null, name: 'Erased person', email: '' } },
    { status: 'used', price: 299 },
  ])
  expect(await figures()).toMatchObject({ data: { revenue: (before.data as { revenue: object }).revenue } })
  expect((await roster(Number(revision))).tickets).toMatchObject([{ name: 'Erased person' }, { name: 'Erased person' }])
  expect(await must(checker.request('POST', '/api/tickets/mark-used', scan))).toMatchObject({
    ticket: { user: { name: 'Erased person' }, status: 'used' },
  })
  expect((await must(admin.request('GET', '/api/admin/audit?action=user.erased'))).rows).toMatchObject([
    { subject: id, subjectName: 'Erased person', detail: 'Tickets kept as numbers: 2' },
  ])
  expect((await admin.request('POST', `/api/admin/users/${id}/erase`)).status).toBe(404)
})

test('people with active tickets, people who worked here, and oneself are not erased', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const idOf = async (client: typeof admin) =>
    ((await must(client.request('GET', '/api/auth/me'))).user as { _id: string })._id
  const erase = (id: string) => admin.request('POST', `/api/admin/users/${id}/erase`)
  const { client: guest } = await buyer(world, { name: 'Radha' })
  expect(await erase(await idOf(guest))).toMatchObject({ status: 409, body: { code: 'ERASE_ACTIVE_TICKETS' } })
  const checker = await world.as('qrchecker')
  const checkerId = await idOf(checker)
  expect(await erase(checkerId)).toMatchObject({ status: 409, body: { code: 'ERASE_STAFF' } })
  await must(admin.request('PATCH', `/api/admin/users/${checkerId}/role`, { role: 'guest' }))
  expect(await erase(checkerId)).toMatchObject({ status: 409, body: { code: 'ERASE_STAFF' } })
  expect(await erase(await idOf(admin))).toMatchObject({ status: 403, body: { code: 'OWN_ACCOUNT' } })
  expect(await must(guest.request('GET', '/api/tickets/my-tickets'))).toMatchObject({ tickets: [{ status: 'active' }] })
})

test('once the event is over in its time zone, an active ticket holds no erasure back', async () => {
  const world = await makeWorld({ settings: { EVENT_TIMEZONE: 'Asia/Kolkata' } })
  await putOnSale(world)
  const { client: guest, tickets } = await buyer(world, { name: 'Radha Patel', email: 'radha@example.org' })
  const { user } = await must(guest.request('GET', '/api/auth/me'))
  // A token does not last as long as the wait for the event.
  const asked = async (method: string, path: string) => (await world.as('admin')).request(method, path)
  const erase = () => asked('POST', `/api/admin/users/${(user as { _id: string })._id}/erase`)
  // 22:30 in India.
  world.clock.set(new Date('2025-09-22T16:59:59Z'))
  expect(await erase()).toMatchObject({ status: 409, body: { code: 'ERASE_ACTIVE_TICKETS' } })
  world.clock.set(new Date('2025-09-22T17:00:00Z'))
  await must(erase())
  const kept = await must(asked('GET', '/api/admin/tickets/management'))
  expect(kept.tickets).toMatchObject([{ _id: tickets[0]._id, status: 'active', user: { name: 'Erased person' } }])
})

test('a person who paid is in the export with payments and refunds, and after the erasure nowhere, their money only as sums', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const radha = await world.as('guest', { uid: 'uid-radha', email: 'radha@example.org', name: 'Radha Patel' })
  const { code } = await ordered(radha, 2)
  world.double.fail(linkOf(world, code))
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(radha, code)
  await must(radha.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'My mother is ill' }))
  await settleMoney(world)
  await must(
    admin.request(
      'POST',
      `/api/admin/orders/${code}/refund`,
      { all: true, reason: 'A present of Meera' },
      { 'Idempotency-Key': 'refund-of-meera' },
    ),
  )
  await settleMoney(world)
  const { user } = await must(radha.request('GET', '/api/auth/me'))
  const { _id: id } = user as { _id: string }
  const exported = await (await admin.fetch('GET', `/api/admin/users/${id}/export`)).json()
  expect(exported).toMatchObject({
    orders: [{ code, state: 'paid', provider: 'razorpay', total: 598 }],
    payments: [{ state: 'captured', amount: 598, providerPaymentId: expect.stringMatching(/^pay_/) }],
    refunds: [
      { state: 'done', amount: 259, reason: 'My mother is ill' },
      { state: 'done', amount: 299, reason: 'A present of Meera' },
    ],
  })
  const before = await everyRow(world)
  for (const trace of ['radha@example.org', 'mother', 'Meera']) expect(before).toContain(trace)
  const books = await must(admin.request('GET', '/api/admin/books'))

  await must(admin.request('POST', `/api/admin/users/${id}/erase`))

  const after = await everyRow(world)
  for (const trace of ['Radha', 'radha', 'mother', 'Meera']) expect(after).not.toContain(trace)
  expect((await must(admin.request('GET', '/api/admin/books'))).books).toEqual(books.books)
  expect(await world.sql("select amount_paise from payments where state = 'captured'")).toEqual([
    { amount_paise: 59_800 },
  ])
})

test('a person whose order waits for its payment is erased only once it is cancelled', async () => {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await ordered(guest)
  const erase = () => admin.request('POST', `/api/admin/users/${guest.user?.id}/erase`)
  expect(await erase()).toMatchObject({ status: 409, body: { code: 'ERASE_OPEN_ORDER' } })
  await must(admin.request('POST', `/api/admin/orders/${code}/cancel`))
  expect(await erase()).toMatchObject({ status: 200 })
})

test('erasing somebody whose name and number read like stored work leaves that work to be done', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Garba <tickets@example.org>' }
  const world = await payingWorld({ settings: mail, event: { ticketPrice: 2_500, groupPrice4: 2_500 } })
  const admin = await world.as('admin')
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 4)
  world.double.pay(linkOf(world, code))
  // Stored by the webhook, and not applied yet.
  await world.double.run()
  const sale = { quantity: 1, method: 'complimentary', reason: 'A gift', name: 'By Hand', phone: '1000000' }
  const given = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const [gift] = given.tickets as Ticket[]
  await must(admin.request('PATCH', `/api/tickets/admin/${gift?.id}/status`, { status: 'cancelled' }))
  await must(admin.request('POST', `/api/admin/orders/${(given.order as { code: string }).code}/erase`))
  await settleMoney(world)
  expect((await orderOf(guest, code)).tickets).toHaveLength(4)
})
