import { randomUUID } from 'node:crypto'
import type { DeskOrder } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { attention, openDrawer, sellingPhone, sellOnline } from '../../src/testing/door.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, ordered, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { bought, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { payloadOf, sign } from '../../src/testing/tokens.ts'
import { type Client, makeWorld, type Reply, type World } from '../../src/testing/world.ts'

const REASON = 'Typed wrongly at the counter'
const correct = (admin: Client, code: string, change: object): Promise<Reply> =>
  admin.request('PATCH', `/api/admin/orders/${code}/buyer`, { reason: REASON, ...change })
const signIn = (world: World, { token }: Client) =>
  must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: token }))
const own = async (client: Client) => (await must(client.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
const walletIn = (text = '') => /http:\S+\/dashboard\/guest\/wallet#([\w-]{22})/.exec(text)?.[1] ?? ''
const open = (world: World, token: string) =>
  world.nobody.request('POST', '/api/wallet/open', { token, deviceId: randomUUID() })
const deleteMe = (client: Client, more: object = {}): Promise<Reply> =>
  client.request('DELETE', '/api/auth/me', { confirm: true, ...more })
const allGood = async (world: World) => expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])

/** A counter sale of two tickets with the address of a stranger, who has signed in and named a ticket. */
async function mistyped() {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  const admin = await world.as('admin')
  await openDrawer(admin)
  const sale = { quantity: 2, method: 'cash', name: 'Hetal Vyas', email: 'ila@example.org', phone: '98250 12345' }
  const made = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const tickets = made.tickets as [Ticket, Ticket]
  await settleMoney(world)
  const stranger = await world.as('guest', person('Ila'))
  await signIn(world, stranger)
  await must(stranger.request('PATCH', `/api/tickets/${tickets[0]._id}/name`, { name: 'Ila' }))
  return { world, admin, stranger, tickets, mails, code: (made.order as { code: string }).code }
}

test('a corrected address ends links, codes and ownership of the stranger, and the mail goes to the buyer', async () => {
  const { world, admin, stranger, tickets, mails, code } = await mistyped()
  const strangers = walletIn(mails[0]?.text)
  expect(await own(stranger)).toHaveLength(2)
  const answer = await must(correct(admin, code, { email: 'Hetal@Example.org' }))
  expect(answer.order).toMatchObject({ buyer: { name: 'Hetal Vyas', email: 'hetal@example.org' }, account: null })

  const rows = await world.sql('select user_id, buyer_email, holder_name, status from tickets order by status, id')
  const one = { user_id: null, buyer_email: 'hetal@example.org', holder_name: null }
  expect(rows).toEqual([
    ...[1, 2].map(() => ({ ...one, status: 'active' })),
    ...[1, 2].map(() => ({ ...one, status: 'deleted' })),
  ])
  expect(await open(world, strangers)).toMatchObject({ status: 410 })
  await signIn(world, stranger)
  expect(await own(stranger)).toEqual([])
  for (const { _id } of tickets)
    expect((await stranger.request('POST', `/api/tickets/${_id}/new-code`)).status).toBe(403)

  await settleMoney(world)
  expect(mails.map(({ to }) => to?.[0]?.address)).toEqual(['ila@example.org', 'hetal@example.org'])
  const buyers = (await must(open(world, walletIn(mails[1]?.text)))).tickets as Ticket[]
  expect(buyers).toMatchObject([{ name: 'Hetal Vyas' }, { name: 'Hetal Vyas' }])
  const hetal = await world.as('guest', person('Hetal'))
  await signIn(world, hetal)
  expect(await own(hetal)).toHaveLength(2)

  world.clock.set('2025-09-22T13:00:30.000Z')
  const checker = await world.as('qrchecker')
  expect(await mark(checker, { qrCode: tickets[0].qrCode })).toMatchObject({
    status: 409,
    body: { code: 'CODE_REPLACED' },
  })
  const late = { qrCode: tickets[1].qrCode, scanId: randomUUID(), admittedOffline: true }
  expect((await mark(checker, late)).body).toMatchObject({ outcome: 'conflict' })
  expect((await mark(checker, { qrCode: buyers[0]?.qrCode })).body).toMatchObject({ outcome: 'admitted' })
  await allGood(world)
  const { rows: trail } = await must(
    (await world.as('admin')).request('GET', '/api/admin/audit?action=order.corrected'),
  )
  expect(trail).toMatchObject([
    {
      actorName: 'Asha Admin',
      subjectName: 'Hetal Vyas (hetal@example.org)',
      detail: expect.stringMatching(new RegExp(`was Hetal Vyas \\(ila@example.org\\).*${REASON}`)),
    },
  ])
})

test('the same request again changes nothing, a phone number alone leaves the codes, and a wrong change is refused', async () => {
  const { world, admin, code } = await mistyped()
  await must(correct(admin, code, { email: 'hetal@example.org' }))
  const before = await world.sql('select id, revision from tickets order by id')
  await must(correct(admin, code, { email: 'hetal@example.org' }))
  expect(await must(correct(admin, code, { phone: '99999 00000' }))).toMatchObject({
    order: { buyer: { phone: '99999 00000', email: 'hetal@example.org' } },
  })
  expect(await world.sql('select id, revision from tickets order by id')).toEqual(before)
  for (const wrong of [{}, { email: 'hetal@' }, { phone: 'x' }, { name: ' ' }, { email: 'a@b.in', reason: '' }])
    expect(await correct(admin, code, wrong)).toMatchObject({ status: 400 })
  expect(await correct(admin, 'NOSUCH12', { name: 'A' })).toMatchObject({ status: 404 })
  const found = async (search: string) =>
    (await must(admin.request('GET', `/api/admin/orders?search=${search}`))).orders
  expect(await found('hetal@example.org')).toMatchObject([{ code }])
  expect(await found('ila@example.org')).toEqual([])
  for (const role of ['guest', 'manager', 'qrchecker'] as const)
    expect(await correct(await world.as(role), code, { name: 'A' })).toMatchObject({ status: 403 })
})

test('the stranger’s new codes do not stand in the way, and two admins who correct at once leave one result', async () => {
  const { world, admin, stranger, tickets, code } = await mistyped()
  let [{ _id: id }] = tickets
  for (let at = 0; at < 3; at++)
    id = ((await must(stranger.request('POST', `/api/tickets/${id}/new-code`))).ticket as Ticket)._id
  const addresses = ['hetal@example.org', 'hetal.vyas@example.org']
  const answers = await Promise.all(addresses.map((email) => correct(admin, code, { email })))
  expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0)
  const [order] = await world.sql('select buyer_email from orders')
  const active = await world.sql("select distinct buyer_email, user_id from tickets where status = 'active'")
  expect(active).toEqual([{ buyer_email: order?.buyer_email, user_id: null }])
  expect(await world.sql("select count(*) as n from tickets where status = 'active'")).toEqual([{ n: 2 }])
  await allGood(world)
})

test('an order is handed to another person, also what an account took from a seller’s link', async () => {
  const world = await payingWorld()
  const phone = await sellingPhone(world)
  const { order, tickets } = await must(sellOnline(phone, { name: 'Meera', quantity: 2 }))
  const [first, second] = tickets as [Ticket, Ticket]
  const ids = [first._id]
  const { link } = await must(
    (await phone.client()).request('POST', '/api/tickets/links', { ticketIds: ids, purpose: 'offer' }),
  )
  const thief = await world.as('guest', person('Kapil'))
  const token = (link as { url: string }).url.split('#')[1]
  await must(thief.request('POST', '/api/wallet/claim', { token }))
  await must(thief.request('POST', `/api/tickets/${first._id}/new-code`))
  expect(await attention(world)).toMatchObject([{ kind: 'takenOver' }])
  const admin = await world.as('admin')
  const code = (order as DeskOrder).code
  await must(correct(admin, code, { name: 'Meera Shah' }))
  expect(await own(thief)).toHaveLength(1)
  expect((await world.sql('select name from users where id = (select max(user_id) from tickets)'))[0]).toEqual({
    name: 'Kapil',
  })
  await must(correct(admin, code, { name: 'Meera Shah', email: 'meera@example.org', claimed: true }))
  expect(await own(thief)).toEqual([])
  expect(await world.sql('select distinct user_id, buyer_name from tickets')).toEqual([
    { user_id: null, buyer_name: 'Meera Shah' },
  ])
  expect(await attention(world)).toEqual([])
  expect(second.qrCode).not.toBeNull()
})

test('a web order leaves its account for another person; neither is exported or erased with the other', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  await bought(guest, 2)
  const admin = await world.as('admin')
  const [{ code }] = (await world.sql('select code from orders')) as [{ code: string }]
  await must(correct(admin, code, { name: 'Ila Vyas', email: 'ila@example.org' }))
  expect(await own(guest)).toEqual([])
  expect(await must(guest.request('GET', '/api/orders/mine'))).toMatchObject({ orders: [] })
  const ila = await world.as('guest', person('Ila'))
  await signIn(world, ila)
  expect(await own(ila)).toHaveLength(2)
  await must(deleteMe(guest))
  expect(await everyRow(world)).not.toMatch(/guest@garba\.test|garima/i)
  expect(await own(ila)).toHaveLength(2)
  world.clock.set('2025-09-23T17:00:00Z')
  await must((await world.as('admin')).request('POST', `/api/admin/users/${ila.user?.id}/erase`))
  expect(await everyRow(world)).not.toMatch(/ila@example|ila vyas/i)
})

testOnSqlite(
  'an account’s mails, about refunds too, go to its present address, and lists find old and new',
  async () => {
    const { smtpUrl, mails } = await makeMailServer()
    const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
    const guest = await world.as('guest')
    const { code } = await ordered(guest, 1)
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
    const moved = { uid: 'uid-guest', email: 'garima.new@example.org', name: 'Garima Guest' }
    await must(
      world.nobody.request('POST', '/api/auth/google-signin', {
        idToken: await sign(payloadOf(moved, world.clock.now())),
      }),
    )
    const admin = await world.as('admin')
    for (const search of ['guest@garba.test', 'garima.new']) {
      expect((await must(admin.request('GET', `/api/admin/orders?search=${search}`))).orders).toHaveLength(1)
      expect((await must(admin.request('GET', `/api/admin/tickets/management?search=${search}`))).tickets).toHaveLength(
        1,
      )
    }
    const { data } = await must(admin.request('GET', '/api/event'))
    const told = { ...(data as object), venue: 'The hall', tell: { id: randomUUID(), words: 'We meet in the hall.' } }
    await must(admin.request('PUT', '/api/event', told))
    await settleMoney(world)
    world.clock.forward(120_000)
    await must((await world.as('admin')).request('POST', `/api/admin/orders/${code}/resend`))
    const [ticket] = await own(guest)
    await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?._id}`, { reason: 'Away' }))
    await settleMoney(world)
    world.clock.forward(120_000)
    await settleMoney(world)
    expect(mails.length).toBeGreaterThanOrEqual(3)
    const [first, ...later] = mails.map(({ to }) => to?.[0]?.address)
    expect(first).toBe('guest@garba.test')
    expect(new Set(later)).toEqual(new Set(['garima.new@example.org']))
  },
)

test('a guest deletes their account: tickets of a coming event are asked about, and given up they come back on sale', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  expect(await deleteMe(guest, { giveUp: true })).toMatchObject({ status: 409, body: { code: 'ERASE_OPEN_ORDER' } })
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const before = await world.sql('select * from tickets')
  expect(await guest.request('DELETE', '/api/auth/me', {})).toMatchObject({ status: 400 })
  const asked = await deleteMe(guest)
  expect(asked).toMatchObject({ status: 409, body: { code: 'HAS_TICKETS', tickets: { length: 2 } } })
  expect(await world.sql('select * from tickets')).toEqual(before)
  await must(deleteMe(guest, { giveUp: true }))
  await settleMoney(world)
  expect(await world.sql('select distinct status, user_id, buyer_name from tickets')).toEqual([
    { status: 'cancelled', user_id: null, buyer_name: 'Erased person' },
  ])
  expect(await world.sql('select distinct state, amount_paise from refunds')).toEqual([
    { state: 'done', amount_paise: 25_900 },
  ])
  expect(await world.sql('select taken_seats from events')).toEqual([{ taken_seats: 0 }])
  expect(await everyRow(world)).not.toMatch(/guest@garba\.test|garima/i)
  expect((await guest.request('GET', '/api/auth/me')).status).toBe(401)
  await allGood(world)
  // The same person may come again, with nothing of before.
  const again = await world.as('guest')
  await signIn(world, again)
  expect(await own(again)).toEqual([])
})

test('tickets that can no longer be cancelled are given up without a refund, and their codes and links end', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const [ticket] = await bought(guest, 1)
  const { link } = await must(
    guest.request('POST', '/api/tickets/links', { ticketIds: [ticket._id], purpose: 'share' }),
  )
  world.clock.set('2025-09-22T10:00:00Z')
  const later = await world.as('guest')
  await must(deleteMe(later, { giveUp: true }))
  expect(await open(world, (link as { url: string }).url.split('#')[1] ?? '')).toMatchObject({ status: 404 })
  const checker = await world.as('qrchecker')
  expect(await mark(checker, { qrCode: ticket.qrCode })).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  expect(await everyRow(world)).not.toMatch(/guest@garba\.test|garima/i)
  await allGood(world)
})

test('the crew does not delete its own account, and after the event nobody is asked about tickets', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  await bought(guest, 1)
  for (const role of ['admin', 'manager', 'qrchecker'] as const)
    expect(await deleteMe(await world.as(role))).toMatchObject({ body: { code: 'ERASE_STAFF' } })
  expect(await deleteMe(world.nobody)).toMatchObject({ status: 401 })
  world.clock.set('2025-09-23T17:00:00Z')
  await must(deleteMe(await world.as('guest')))
  expect(await world.sql("select 1 from users where role = 'guest'")).toEqual([])
})
