import { randomUUID } from 'node:crypto'
import type { CashSessionsAnswer } from '@garba/shared/contracts/money/cash'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { activate, brokenRules, paperBlock } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import {
  allot,
  ask,
  attention,
  countDrawer,
  drawerFaults,
  kept,
  openDrawer,
  replay,
  sellOnline,
} from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { type Phone, pairedPhone } from '../../src/testing/phone.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, Reply } from '../../src/testing/world.ts'

const NO_DRAWER = { status: 409, body: { code: 'NO_OPEN_DRAWER' } }
const sell = (admin: Client, sale: Record<string, unknown> = {}, key: string = randomUUID()): Promise<Reply> =>
  admin.request(
    'POST',
    '/api/admin/orders',
    { quantity: 1, name: 'Meera', method: 'cash', ...sale },
    { 'Idempotency-Key': key },
  )
const drawers = async (client: Client) =>
  (await must(client.request('GET', '/api/admin/cash-sessions'))) as unknown as CashSessionsAnswer
const shift = (phone: Phone, name: string) => must(ask(phone, 'PUT', '/api/devices/shift', { name }))
const sold = ({ body }: Reply) => ({ code: (body.order as Order).code, ticketId: (body.tickets as Ticket[])[0]?.id })

/** Refunds a ticket in full, and says that its money was paid back by hand. */
async function payBack(admin: Client, { code, ticketId }: { code: string; ticketId: string | undefined }) {
  const asked = { ticketIds: [ticketId], reason: 'Fell ill' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, asked, { 'Idempotency-Key': randomUUID() }))
  return setRefund(admin, ticketId, true)
}
const setRefund = (admin: Client, ticketId: string | undefined, isRefundDone: boolean | null) =>
  admin.request('PATCH', `/api/admin/tickets/${ticketId}/refund`, { isRefundDone })

test('cash needs an open drawer: at the desk, for paper, and at a phone online; a repeated sale needs none', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const phone = await pairedPhone(world)
  const block = await paperBlock(admin, 3)
  expect(await sell(admin)).toMatchObject(NO_DRAWER)
  expect(await activate(admin, block, { from: 1, to: 1 })).toMatchObject(NO_DRAWER)
  expect(await sellOnline(phone, {})).toMatchObject(NO_DRAWER)
  for (const method of ['card', 'complimentary'])
    expect((await sell(admin, { method, reason: 'Crew' })).status).toBe(201)
  const own = await openDrawer(admin)
  // Nobody may use another person's drawer.
  expect(await sell(await world.as('admin', person('Other')))).toMatchObject(NO_DRAWER)
  const key = randomUUID()
  const first = await sell(admin, {}, key)
  expect(first.status).toBe(201)
  expect((await activate(admin, block, { from: 1, to: 1 })).status).toBe(200)
  await must(countDrawer(admin, own, 598))
  expect((await sell(admin, {}, key)).body).toEqual(first.body)
  expect(await sell(admin)).toMatchObject(NO_DRAWER)
  expect(await drawerFaults(world)).toEqual([])
})

test('an amount has whole paise, so that a drawer is never counted as an amount that nobody typed', async () => {
  const admin = await (await payingWorld()).as('admin')
  const refused = (field: string) => ({ status: 400, body: { errors: [{ field }] } })
  for (const float of [-0.01, 0.001, 10_000_000.01])
    expect(await admin.request('POST', '/api/admin/cash-sessions', { float })).toMatchObject(refused('float'))
  const own = await openDrawer(admin, 99.99)
  for (const counted of [0.004, 99.985])
    expect(await countDrawer(admin, own, counted)).toMatchObject(refused('counted'))
  expect(await countDrawer(admin, own, 100.01)).toMatchObject({
    status: 200,
    body: { session: { expected: 99.99, counted: 100.01, difference: 0.02 } },
  })
})

test('a late sale never changes a counted drawer: it arrives later, for its phone', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world, { name: 'North door' })
  await shift(phone, 'Bhavin')
  const block = await allot(phone, 9)
  const early = kept(world, block, [1], { checkerName: 'Bhavin' })
  world.clock.forward(60_000)
  const drawer = await openDrawer(await phone.client(), 500)
  const during = kept(world, block, [2], { checkerName: 'Bhavin' })
  const late = kept(world, block, [3, 4], { checkerName: 'bhavin' })
  world.clock.forward(60_000)
  await replay(phone, early, during)
  const client = await phone.client()
  expect((await drawers(client)).own).toMatchObject({ sales: 1, taken: 299, expected: 799 })
  await must(countDrawer(client, drawer, 1_397, 'Two not sent'))
  const before = await world.sql('select * from cash_sessions')
  await replay(phone, late)
  expect(await world.sql('select * from cash_sessions')).toEqual(before)
  // A drawer opened later does not hold it either.
  await openDrawer(client)
  await replay(phone, { ...kept(world, block, [5], { checkerName: 'Bhavin' }), soldAt: late.soldAt })
  const { sessions, own, arrivedLater } = await drawers(await world.as('admin'))
  expect(own).toBeNull()
  expect(sessions).toMatchObject([
    { sales: 0, expected: 0, closedAt: null },
    { sales: 1, expected: 799, counted: 1_397, difference: 598, note: 'Two not sent' },
  ])
  expect(arrivedLater).toEqual([
    { phone: 'North door', seller: 'Bhavin', sales: 2, amount: 598 },
    { phone: 'North door', seller: 'bhavin', sales: 1, amount: 598 },
  ])
  expect(await drawerFaults(world)).toEqual([])
})

test('a phone cannot put a sale into the drawer of somebody who had no shift on it', async () => {
  const world = await payingWorld()
  const [phone, other] = [await pairedPhone(world, { name: 'South door' }), await pairedPhone(world)]
  await shift(other, 'Hetal')
  await openDrawer(await other.client())
  await shift(phone, 'Bhavin')
  await openDrawer(await phone.client())
  const block = await allot(phone, 3)
  world.clock.forward(1)
  await replay(
    phone,
    kept(world, block, [1], { checkerName: 'Hetal' }),
    kept(world, block, [2], { checkerName: 'Bhavin' }),
  )
  // Whoever had an earlier shift may be named when the phone reports.
  await shift(phone, 'Meera')
  await replay(phone, kept(world, block, [3], { checkerName: 'Bhavin' }))
  expect(await world.sql('select seller_name from orders order by id')).toEqual([
    { seller_name: 'South door' },
    { seller_name: 'Bhavin' },
    { seller_name: 'Bhavin' },
  ])
  const admin = await world.as('admin')
  const { sessions, arrivedLater } = await drawers(admin)
  expect(sessions.map(({ person: name, sales }) => [name, sales])).toEqual([
    ['Bhavin', 2],
    ['Hetal', 0],
  ])
  expect(arrivedLater).toMatchObject([{ phone: 'South door', seller: 'South door', sales: 1 }])
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=block.sold'))
  expect(JSON.stringify(rows)).toContain('named Hetal as the seller, who had no shift on this phone')
})

test('cash paid back leaves the payer’s drawer, else the one that took it, else none', async () => {
  const world = await payingWorld()
  const [seller, payer] = [await world.as('admin'), await world.as('admin', person('Payer'))]
  const taking = await openDrawer(seller, 1_000)
  const [one, two, three] = [sold(await sell(seller)), sold(await sell(seller)), sold(await sell(seller))]
  await must(payBack(payer, one))
  expect((await drawers(seller)).own).toMatchObject({ taken: 897, paidBack: 299, expected: 1_598 })
  // Not paid back after all: it is in the drawer again.
  await must(setRefund(payer, one.ticketId, null))
  expect((await drawers(seller)).own).toMatchObject({ paidBack: 0, expected: 1_897 })
  await must(setRefund(payer, one.ticketId, true))
  const paying = await openDrawer(payer, 500)
  await must(payBack(payer, two))
  expect((await drawers(payer)).own).toMatchObject({ taken: 0, paidBack: 299, expected: 201 })
  await must(countDrawer(seller, taking, 1_598))
  await must(countDrawer(payer, paying, 200))
  const counted = await world.sql('select * from cash_sessions')
  await must(payBack(payer, three))
  expect(await drawers(seller)).toMatchObject({
    paidBackOutside: 299,
    sessions: [{ difference: -1 }, { difference: 0 }],
  })
  // What a counted drawer has paid stays paid.
  for (const { ticketId } of [one, two])
    expect(await setRefund(payer, ticketId, null)).toMatchObject({ status: 409, body: { code: 'DRAWER_COUNTED' } })
  await must(setRefund(payer, three.ticketId, false))
  expect(await world.sql('select * from cash_sessions')).toEqual(counted)
  expect(await drawerFaults(world)).toEqual([])
  expect(await brokenRules(seller)).toEqual([])
})

test('the desk counts the drawer of a phone that has ended or changed hands, and no other; phones write notes', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const phone = await pairedPhone(world)
  await shift(phone, 'Bhavin: east')
  const first = await openDrawer(await phone.client(), 100)
  await must(sellOnline(phone, {}))
  expect(await countDrawer(admin, first, 399)).toMatchObject({ status: 403 })
  expect((await drawers(admin)).sessions).toMatchObject([{ mayClose: false }])
  await shift(phone, 'Hetal')
  expect(await countDrawer(await phone.client(), first, 399)).toMatchObject({ status: 403 })
  await must(countDrawer(admin, first, 399, 'Bhavin went home'))
  const second = await openDrawer(await phone.client(), 50)
  await must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  expect((await drawers(admin)).sessions).toMatchObject([{ person: 'Hetal', mayClose: true }, { mayClose: false }])
  expect((await must(countDrawer(admin, second, 40))).session).toMatchObject({ person: 'Hetal', difference: -10 })
  expect((await must(countDrawer(admin, second, 50))).session).toMatchObject({ counted: 40 })
  const other = await pairedPhone(world)
  const own = await openDrawer(await other.client())
  expect((await must(countDrawer(await other.client(), own, 0, 'No sale'))).session).toMatchObject({
    note: 'No sale',
  })
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=cash.closed'))
  // Each row is about the drawer's owner, even if somebody else counted it.
  expect(rows).toMatchObject([
    { subject: other.id, subjectName: expect.any(String) },
    { subject: phone.id, actorName: 'Asha Admin', subjectName: 'Hetal' },
    { subject: phone.id, actorName: 'Asha Admin', subjectName: 'Bhavin: east' },
  ])
  expect(await drawerFaults(world)).toEqual([])
})

test('a drawer that nobody has counted is listed, however many came since', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const drawer = await openDrawer(admin, 10)
  for (let at = 0; at < 100; at += 1)
    await world.sql(
      `insert into cash_sessions (id, person_id, person_name, opened_at, float_paise, closed_at, expected_paise, counted_paise)
       values (?, ?, 'Bina', 1900000000000, 0, 1900000000000, 0, 0)`,
      `7ZZZ00000000000000000000${String(at).padStart(2, '0')}`,
      String(at),
    )
  const { sessions } = await drawers(admin)
  expect(sessions).toHaveLength(101)
  expect(sessions.at(-1)).toMatchObject({ id: drawer, closedAt: null })
})

test('another admin can count the drawer of somebody who is no longer an admin', async () => {
  const world = await payingWorld()
  const [admin, gone] = [await world.as('admin'), await world.as('admin', person('Gone'))]
  const drawer = await openDrawer(gone, 10)
  expect(await countDrawer(admin, drawer, 10)).toMatchObject({ status: 403 })
  await must(admin.request('PATCH', `/api/admin/users/${gone.user?.id}/role`, { role: 'guest' }))
  expect((await countDrawer(admin, drawer, 10)).status).toBe(200)
})

test('card and UPI sales take a reference; each is listed until somebody has seen the money, or says where it is', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const admin = await world.as('admin')
  const wrong = { status: 400, body: { errors: [{ field: 'reference' }] } }
  expect(await sell(admin, { method: 'upi', reference: '12345' })).toMatchObject(wrong)
  expect(await sell(admin, { method: 'card', reference: 'x'.repeat(41) })).toMatchObject(wrong)
  const proven = await sell(admin, { method: 'upi', reference: '123456789012' })
  expect(proven).toMatchObject({ status: 201, body: { tickets: { length: 1 } } })
  expect(await sell(admin, { method: 'upi', reference: '123456789012' })).toMatchObject({ body: { code: 'UTR_USED' } })
  await must(sell(admin, { method: 'card', reference: 'SLIP 0042' }))
  const [card, upi] = [sold(await sell(admin, { method: 'card' })), sold(await sell(admin, { method: 'upi' }))]
  expect(await attention(world)).toMatchObject([
    { kind: 'unproven', detail: expect.stringContaining('UPI: ') },
    { kind: 'unproven', detail: expect.stringContaining('Card: ') },
    { kind: 'unproven', order: card.code, amount: 299 },
    { kind: 'unproven', order: upi.code, amount: 299 },
  ])
  expect(await world.sql('select utr, reference from payments order by id limit 2')).toEqual([
    { utr: '123456789012', reference: null },
    { utr: null, reference: 'SLIP 0042' },
  ])
  const { orders } = await must(admin.request('GET', '/api/admin/orders?search=slip%200042'))
  expect(orders).toHaveLength(1)
  const ofCard = (await attention(world)).find(({ order }) => order === card.code)
  await must(
    admin.request('POST', `/api/admin/attention/${ofCard?.id}/resolve`, { resolution: 'Slip 0043, terminal 2' }),
  )
  expect((await attention(world)).map(({ order }) => order)).not.toContain(card.code)
  expect(await attention(world)).toHaveLength(3)
  expect(await brokenRules(admin)).toEqual([])
})

test('a refund’s mark that is set again takes the cash from the same drawer, unless that was counted; too little cash is a matter', async () => {
  const world = await payingWorld()
  const [admin, other] = [await world.as('admin'), await world.as('admin', person('Other'))]
  const [mine, theirs] = [await openDrawer(admin), await openDrawer(other)]
  const ticket = sold(await sell(admin, { quantity: 1 }))
  const paidFrom = async () => (await world.sql('select state, cash_session_id as id from refunds'))[0]
  await must(payBack(other, ticket))
  expect(await paidFrom()).toEqual({ state: 'manual', id: theirs })
  // The other drawer began empty.
  expect(await attention(world)).toMatchObject([{ kind: 'drawerBelowZero', amount: 299 }])
  await must(setRefund(admin, ticket.ticketId, false))
  await must(setRefund(admin, ticket.ticketId, true))
  expect(await paidFrom()).toEqual({ state: 'manual', id: theirs })
  await must(setRefund(admin, ticket.ticketId, null))
  await must(countDrawer(other, theirs, 0))
  await must(setRefund(admin, ticket.ticketId, true))
  expect(await paidFrom()).toEqual({ state: 'manual', id: mine })
  expect(await drawerFaults(world)).toEqual([])
  expect(await brokenRules(admin)).toEqual([])
})

test('the key of a paper sale is not the key of a sale at the counter', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const block = await paperBlock(admin, 3)
  const key = randomUUID()
  const body = { from: 1, to: 1, method: 'cash', name: 'Meera' }
  await must(admin.request('POST', `/api/admin/blocks/${block.id}/activate`, body, { 'Idempotency-Key': key }))
  expect(await sell(admin, { name: 'Meera', quantity: 1 }, key)).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  expect(await world.sql('select count(*) as n from orders')).toEqual([{ n: 1 }])
})
