import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callOffRound } from '../../src/flows/cancel/callOff.ts'
import { catchUp, moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { must } from '../../src/testing/desk.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, buy, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, PAYING, type World } from '../../src/testing/world.ts'

const MINUTE = 60_000
const REASON = 'The ground is under water.'

const say = (admin: Client, body: Record<string, unknown>, key: string = randomUUID()) =>
  admin.request('POST', '/api/admin/event/state', body, { 'Idempotency-Key': key })

const event = async (world: World) => (await must(world.nobody.request('GET', '/api/event'))).data

async function mailingWorld() {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  return { world, mails, admin: await world.as('admin') }
}

async function paid(world: World, guest: Client, quantity = 1) {
  const { code } = await ordered(guest, quantity)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return orderOf(guest, code)
}

async function rounds(world: World) {
  await callOffRound(world.deps)
  await settleMoney(world)
  await callOffRound(world.deps)
  await settleMoney(world)
}

const booksOf = async (admin: Client) =>
  ((await must(admin.request('GET', '/api/admin/books'))).books as { rule: string; ok: boolean }[]).filter(
    ({ ok }) => !ok,
  )

test('an event called off sells nothing and lets nobody in, until it is taken back within ten minutes', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, guest, checker] = [await world.as('admin'), await world.as('guest'), await world.as('qrchecker')]
  const [ticket] = await bought(guest)
  const key = randomUUID()
  const { data } = await must(say(admin, { state: 'calledOff', reason: REASON }, key))
  const undoUntil = new Date(world.clock.now().getTime() + 10 * MINUTE).toISOString()
  expect(data).toMatchObject({ state: 'calledOff', reason: REASON, undoUntil })
  expect((await must(say(admin, { state: 'calledOff', reason: REASON }, key))).data).toEqual(data)
  expect(await say(admin, { state: 'on' }, key)).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  expect(await event(world)).toMatchObject({ state: 'calledOff', stateReason: REASON })

  const off = { status: 409, body: { code: 'EVENT_CALLED_OFF' } }
  expect(await buy(guest, 1)).toMatchObject(off)
  const given = { quantity: 1, method: 'complimentary', name: 'Dholi', reason: 'Plays' }
  expect(await admin.request('POST', '/api/admin/orders', given, { 'Idempotency-Key': randomUUID() })).toMatchObject(
    off,
  )
  const qrCode = codeOf(ticket)
  expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode })).toMatchObject(off)
  expect(await mark(checker, { qrCode })).toMatchObject(off)
  const scans = [{ qrCode, scanId: randomUUID() }]
  const batch = await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))
  expect(batch.results).toMatchObject([{ success: false, status: 409, code: 'EVENT_CALLED_OFF' }])
  const forged = `${qrCode.slice(0, -3)}${qrCode.endsWith('000') ? '111' : '000'}`
  expect((await checker.request('POST', '/api/tickets/verify-qr', { qrCode: forged })).body.code).toBe('QR_FORGED')
  expect((await must(checker.request('GET', '/api/scanner/roster'))).event).toMatchObject({ calledOff: true })

  world.clock.forward(10 * MINUTE - 1)
  await rounds(world)
  expect((await must(say(admin, { state: 'on' }))).data).toMatchObject({ state: 'on', reason: null, undoUntil: null })
  world.clock.forward(MINUTE)
  await rounds(world)
  expect((await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets).toMatchObject([{ status: 'active' }])
  expect((await buy(guest, 1)).status).toBe(201)
  expect((await mark(checker, { qrCode })).status).toBe(200)
})

test('nobody gives up tickets by deleting an account while the event may still be set back', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const [ticket] = await bought(guest, 1)
  await must(say(admin, { state: 'calledOff', reason: REASON }))
  const asked = guest.request('DELETE', '/api/auth/me', { confirm: true, giveUp: true })
  expect(await asked).toMatchObject({ status: 409, body: { code: 'CANCELLATION_WAITS' } })
  await must(say(admin, { state: 'on' }))
  expect(await mark(await world.as('qrchecker'), { qrCode: codeOf(ticket) })).toMatchObject({ status: 200 })
})

test.each([
  { state: 'calledOff', reason: REASON },
  { state: 'moved', reason: REASON, date: '2025-09-27', freeCancelUntil: '2025-09-25' },
])('no money leaves for ten minutes, by a guest’s cancellation neither ($state)', async (change) => {
  const world = await payingWorld()
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  const { code, tickets } = await paid(world, guest)
  const cancel = () => guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Rain' })
  const { data } = await must(say(admin, change))
  expect(await event(world)).toMatchObject({ undoUntil: (data as { undoUntil: string }).undoUntil })
  const waits = { status: 409, body: { code: 'CANCELLATION_WAITS' } }
  expect(await cancel()).toMatchObject(waits)
  world.clock.forward(10 * MINUTE - 1)
  expect(await cancel()).toMatchObject(waits)
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [], tickets: [{ status: 'active' }] })
  await must(say(admin, { state: 'on' }))
  await must(say(admin, change))
  world.clock.forward(10 * MINUTE)
  expect((await cancel()).status).toBe(200)
  await rounds(world)
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [{ state: 'done', amount: 299 }] })
  expect(await booksOf(admin)).toEqual([])
})

test('the ordinary rule goes on while a delay can be taken back', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code, tickets } = await paid(world, guest)
  await must(say(await world.as('admin'), { state: 'delayed', reason: REASON, startTime: '19:30' }))
  await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }))
  expect(await orderOf(guest, code)).toMatchObject({ refunds: [{ amount: 259 }] })
})

test('somebody whom a phone without a network let in is inside, though the event was called off', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  await must(say(await world.as('admin'), { state: 'calledOff', reason: REASON }))
  const scan = { qrCode: codeOf(ticket), scanId: randomUUID(), admittedOffline: true }
  expect(await mark(await world.as('qrchecker'), scan)).toMatchObject({ status: 200, body: { outcome: 'admitted' } })
})

test('the preview counts the mails to people who are inside already', async () => {
  const { world, admin } = await mailingWorld()
  const [inside, coming] = [await world.as('guest', person('Meera')), await world.as('guest', person('Radha'))]
  const { tickets } = await paid(world, inside)
  await paid(world, coming)
  await must(mark(await world.as('qrchecker'), { qrCode: tickets[0]?.qrCode }))
  const preview = await must(admin.request('GET', '/api/admin/event/state/preview'))
  expect(preview.data).toMatchObject({ people: 2, mails: 2 })
})

test('only an admin changes the state, and bad input is named and changes nothing', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  expect(await say(admin, { state: 'calledOff', reason: REASON })).toMatchObject({ status: 404 })
  await putOnSale(world)
  const before = await event(world)
  const fields = async (body: Record<string, unknown>) => {
    const reply = await say(admin, body)
    expect(reply.status).toBe(400)
    return (reply.body.errors as { field: string }[]).map(({ field }) => field)
  }
  expect(await fields({ state: 'calledOff' })).toEqual(['reason'])
  expect(await fields({ state: 'calledOff', reason: REASON, date: '2025-10-01' })).toEqual(['date'])
  expect(await fields({ state: 'moved', reason: REASON })).toEqual(['date'])
  expect(await fields({ state: 'moved', reason: REASON, date: '2025-09-22' })).toEqual(['date'])
  expect(await fields({ state: 'moved', reason: REASON, date: '2025-01-01' })).toEqual(['date'])
  expect(await fields({ state: 'delayed', reason: REASON })).toEqual(['startTime'])
  expect(await fields({ state: 'delayed', reason: REASON, startTime: '23:00' })).toEqual(['endTime'])
  const moved = { state: 'moved', reason: REASON, date: '2025-10-01' }
  expect(await fields({ ...moved, freeCancelUntil: '2025-10-05' })).toEqual(['freeCancelUntil'])
  expect(await fields({ ...moved, freeCancelUntil: '2025-01-05' })).toEqual(['freeCancelUntil'])
  for (const freeCancelUntil of ['soon', '9999-12-31', '9999-12-31T23:59:59-14:00'])
    expect(await fields({ ...moved, freeCancelUntil })).toEqual(['freeCancelUntil'])
  expect((await admin.request('POST', '/api/admin/event/state', moved)).body.code).toBe('IDEMPOTENCY_KEY_REQUIRED')
  expect(await event(world)).toEqual(before)
})

test('a move keeps tickets and codes, lets guests cancel in full until the day named, and is told once', async () => {
  const { world, mails } = await mailingWorld()
  const early = await world.as('guest', person('Meera'))
  const [first] = [await paid(world, early, 2), await paid(world, early)]
  world.clock.set('2025-09-20T06:00:00Z')
  const [admin, guest] = [await world.as('admin'), await world.as('guest', person('Meera'))]
  mails.length = 0
  const move = { state: 'moved', reason: REASON, date: '2025-09-27', freeCancelUntil: '2025-09-25' }
  await must(say(admin, move))
  await rounds(world)
  expect(mails).toEqual([])
  expect(await event(world)).toMatchObject({ state: 'moved', date: '2025-09-27', stateReason: REASON })
  world.clock.forward(10 * MINUTE)
  await rounds(world)
  await rounds(world)
  expect(mails.map(({ subject }) => subject)).toEqual(['Garba Rass 2025: please note the changes'])
  expect(mails[0]?.text).toContain(`> ${REASON}`)
  expect(mails[0]?.text).toMatch(/until 25 Sep.*11:59 PM.*get the full price back/)
  const [ticket, other] = first.tickets
  const kept = (await must(guest.request('GET', `/api/tickets/${ticket?.id}`))).ticket
  expect(kept).toMatchObject({ qrCode: ticket?.qrCode, status: 'active' })

  const cancel = (client: Client, id: string | undefined) =>
    client.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Away' })
  await must(cancel(guest, ticket?.id))
  await minutesPass(world, 2)
  expect(await world.sql('select amount_paise, state from refunds')).toEqual([{ amount_paise: 29_900, state: 'done' }])
  const mail = mails.find(({ subject }) => subject?.includes('is cancelled'))
  expect(mail?.text).toContain('Your refund: ₹299')
  expect(mail?.text).not.toContain('Platform')
  world.clock.set('2025-09-25T18:30:00Z')
  const late = await world.as('guest', person('Meera'))
  expect(await cancel(late, other?.id)).toMatchObject({ status: 409, body: { code: 'CANCELLATION_CLOSED' } })
  expect(await booksOf(await world.as('admin'))).toEqual([])
})

test('a delay changes the start, can be delayed again, and taking it back restores what was before both', async () => {
  const { world, mails, admin } = await mailingWorld()
  await paid(world, await world.as('guest'))
  mails.length = 0
  await must(say(admin, { state: 'delayed', reason: REASON, startTime: '19:30' }))
  await must(say(admin, { state: 'delayed', reason: REASON, startTime: '20:00' }))
  expect(await event(world)).toMatchObject({ state: 'delayed', startTime: '20:00' })
  await must(say(admin, { state: 'on' }))
  expect(await event(world)).toMatchObject({ state: 'on', startTime: '18:30' })
  await must(say(admin, { state: 'delayed', reason: REASON, startTime: '20:00', now: true }))
  await rounds(world)
  expect(mails.map(({ subject }) => subject)).toEqual(['Garba Rass 2025: please note the changes'])
  await must(say(admin, { state: 'on' }))
  expect(await event(world)).toMatchObject({ state: 'on', startTime: '20:00' })
})

test('all who paid get everything back once, whatever was cancelled or refunded before, and are told once', async () => {
  const { world, mails, admin } = await mailingWorld()
  const [meera, radha] = [await world.as('guest', person('Meera')), await world.as('guest', person('Radha'))]
  const [one, two] = [await paid(world, meera, 2), await paid(world, meera)]
  await paid(world, radha, 4)
  const given = { quantity: 1, method: 'complimentary', name: 'Dholi', reason: 'Plays' }
  await must(admin.request('POST', '/api/admin/orders', given, { 'Idempotency-Key': randomUUID() }))
  const cash = { quantity: 1, method: 'cash', name: 'Gopi' }
  await must(admin.request('POST', '/api/admin/cash-sessions', { float: 0 }))
  await must(admin.request('POST', '/api/admin/orders', cash, { 'Idempotency-Key': randomUUID() }))
  await must(meera.request('PATCH', `/api/tickets/cancel/${one.tickets[0]?.id}`, { reason: 'Away' }))
  const refunding = { all: true, reason: 'Twice' }
  await must(
    admin.request('POST', `/api/admin/orders/${two.code}/refund`, refunding, { 'Idempotency-Key': randomUUID() }),
  )
  await settleMoney(world)
  const preview = (await must(admin.request('GET', '/api/admin/event/state/preview'))).data
  expect(preview).toMatchObject({
    state: 'on',
    people: 7,
    refund: { count: 6, amount: 299 + 4 * 249 + 299 },
    providers: [{ provider: 'razorpay', count: 5, amount: 299 + 4 * 249, lacks: 0 }],
    byHand: { count: 1, amount: 299 },
    mails: 2,
  })
  const held = await ordered(await world.as('guest', person('Late')))
  mails.length = 0
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await rounds(world)
  const total = { count: 6, amount: 299 + 4 * 249 + 299 }
  const progress = await must(admin.request('GET', '/api/admin/event/refunds'))
  expect(progress).toMatchObject({
    total,
    done: { count: 5, amount: 299 + 4 * 249 },
    waiting: { count: 0, amount: 0 },
    failed: { count: 0, amount: 0 },
    byHand: { count: 1, amount: 299 },
    left: [{ name: 'Gopi', amount: 299, failed: false }],
  })
  // What is paid at the last moment comes back too.
  world.double.pay(linkOf(world, held.code))
  await minutesPass(world, 3)
  await moneyRound(world.deps)
  await rounds(world)
  const sums = await world.sql("select sum(amount_paise) as paise, count(*) as n from refunds where state = 'done'")
  expect(sums).toEqual([{ paise: 25_900 + 29_900 + 29_900 + 4 * 24_900 + 29_900, n: 8 }])
  expect(await world.sql("select id from tickets where status in ('active', 'used')")).toEqual([])
  expect(
    mails
      .filter(({ subject }) => subject === 'Garba Rass 2025 is called off')
      .map(({ to }) => to?.[0]?.name)
      .sort(),
  ).toEqual(['Late', 'Meera', 'Radha'])
  expect(await say(admin, { state: 'on' })).toMatchObject({ status: 409, body: { code: 'EVENT_CALLED_OFF' } })
  expect(await booksOf(admin)).toEqual([])
})

test('what guests of a moved event cancelled in full is no refund of an event called off later', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const [ticket] = await bought(guest, 3)
  await must(
    say(admin, { state: 'moved', reason: REASON, date: '2025-09-23', freeCancelUntil: '2025-09-20', now: true }),
  )
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'Away' }))
  world.clock.forward(MINUTE)
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await rounds(world)
  expect((await must(admin.request('GET', '/api/admin/event/refunds'))).total).toMatchObject({ count: 2 })
})

test('refunds can be stopped and go on, and those that a low balance refused are sent again', async () => {
  const { world, admin } = await mailingWorld()
  const guest = await world.as('guest')
  for (let n = 0; n < 3; n += 1) await paid(world, guest, 2)
  const pause = (paused: boolean) => must(admin.request('POST', '/api/admin/event/refunds', { paused }))
  await pause(true)
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await rounds(world)
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({
    paused: true,
    waiting: { count: 6 },
    done: { count: 0 },
  })
  world.double.setFaults({ lowBalance: 1 })
  expect((await must(admin.request('GET', '/api/admin/event/state/preview'))).data).toMatchObject({
    providers: [{ balance: 0, lacks: 6 * 299 }],
  })
  await pause(false)
  await rounds(world)
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({ waiting: { count: 6 } })
  world.double.setFaults({ lowBalance: 0 })
  await pause(false)
  await rounds(world)
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({ done: { count: 6 } })
  expect(await booksOf(admin)).toEqual([])
})

test('refunds too small for the provider do not hold up those of others', async () => {
  const world = await payingWorld({ event: { ticketPrice: 0.5, groupPrice4: 0.5 } })
  for (const name of ['Asha', 'Bina', 'Charu']) await paid(world, await world.as('guest', person(name)), 20)
  const admin = await world.as('admin')
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await rounds(world)
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({ byHand: { count: 60 } })
  expect(await world.sql("select id from tickets where status <> 'cancelled'")).toEqual([])
  expect(await booksOf(admin)).toEqual([])
})

test('where tickets need no payment, those that cost something are left for hand', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  await bought(guest, 2)
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await callOffRound(world.deps)
  const { tickets } = await must(guest.request('GET', '/api/tickets/my-tickets'))
  expect(tickets).toMatchObject([{ status: 'cancelled', isRefundDone: null }, { status: 'cancelled' }])
  const byHand = { count: 2, amount: 598 }
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({ total: byHand, byHand })
  await must(
    admin.request('PATCH', `/api/admin/tickets/${(tickets as { id: string }[])[0]?.id}/refund`, { isRefundDone: true }),
  )
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({
    done: { count: 1, amount: 299 },
    byHand: { count: 1, amount: 299 },
  })
})

test('a sale of a held order is refused after the event was called off', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  await must(say(await world.as('admin'), { state: 'calledOff', reason: REASON }))
  expect(await place(guest, { quantity: 1, provider: 'razorpay' })).toMatchObject({
    status: 409,
    body: { code: 'EVENT_CALLED_OFF' },
  })
})

test('a backup restored after the refunds leads to no second one, however old the payments are', async () => {
  const world = await payingWorld()
  const [first, second] = [await world.as('guest', person('Asha')), await world.as('guest', person('Bina'))]
  const orders = [await paid(world, first, 2), await paid(world, second)]
  world.clock.forward(20 * 24 * 60 * MINUTE)
  await paid(world, await world.as('guest', person('Charu')))
  world.clock.forward(30 * MINUTE)
  const file = await backedUp(world)
  await must(say(await world.as('admin'), { state: 'calledOff', reason: REASON, now: true }))
  await rounds(world)
  const backAtBank = () =>
    orders.map(({ code }) => world.double.linkOf(code)?.payments[0]?.refunds.reduce((sum, { paise }) => sum + paise, 0))
  expect(backAtBank()).toEqual([59_800, 29_900])

  const next = await restored(world, file, { settings: PAYING })
  next.deps.providers = world.deps.providers
  await catchUp(next.deps)
  const admin = await next.as('admin')
  await must(say(admin, { state: 'calledOff', reason: REASON, now: true }))
  await rounds({ ...next, double: world.double })
  expect(backAtBank()).toEqual([59_800, 29_900])
  expect(await must(admin.request('GET', '/api/admin/event/refunds'))).toMatchObject({
    total: { count: 4 },
    done: { count: 4 },
    failed: { count: 0 },
  })
  expect(await booksOf(admin)).toEqual([])
})
