import { randomUUID } from 'node:crypto'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Order } from '@garba/shared/contracts/order'
import type { Language } from '@garba/shared/messages/language'
import type { Email } from 'postal-mime'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import type { Mailer } from '../../src/mail/mails.ts'
import { type JobRow, listOrderJobs } from '../../src/store/jobs.ts'
import { findOrderByCode } from '../../src/store/orders.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, PAYING, type World } from '../../src/testing/world.ts'

async function mailingWorld(options?: SMTPServerOptions, event: Record<string, unknown> = {}) {
  const { smtpUrl, mails } = await makeMailServer(options)
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' }
  return { world: await payingWorld({ event, settings }), mails }
}

/** An order of a guest whose browser asks for a language. */
async function orderedIn(guest: Client, language: Language, quantity = 1): Promise<Order> {
  const headers = { 'Idempotency-Key': randomUUID(), 'Accept-Language': `${language}-IN,en;q=0.5` }
  return (await must(guest.request('POST', '/api/orders', { quantity, provider: 'razorpay' }, headers))).order as Order
}

async function paid(world: World, guest: Client): Promise<Order> {
  const order = await ordered(guest)
  world.double.pay(linkOf(world, order.code))
  await settleMoney(world)
  return order
}

const subjects = (mails: readonly Email[]) => mails.map(({ subject }) => subject)
/** The mails that were stored, as the desk sees them in the history of their order. */
const jobsIn = async ({ store }: World, { code }: Order): Promise<JobRow[]> =>
  store.read(async (tx) => {
    const order = await findOrderByCode(tx, code)
    return (await listOrderJobs(tx, order?.id ?? '')).filter(({ kind }) => kind === 'mail')
  })

test('a paid order is mailed once, in the language of the buyer, with the tickets', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await orderedIn(guest, 'gu', 2)
  await settleMoney(world)
  expect(mails).toEqual([])
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  await minutesPass(world, 3)
  expect(mails).toHaveLength(1)
  const { tickets } = await orderOf(guest, code)
  expect(mails[0]).toMatchObject({
    to: [{ name: 'Garima Guest', address: 'guest@garba.test' }],
    subject: 'Garba Rass 2025 માટે તમારી 2 ટિકિટો',
  })
  for (const fact of [code, '₹598', ...tickets.map(({ id }) => id.slice(-8)), 'http://localhost:8080/dashboard/guest'])
    expect(mails[0]?.text).toContain(fact)
  expect(mails[0]?.attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/png', 'text/calendar'])
})

test('a mail names the type of each ticket, where the event has several', async () => {
  const price = { price: 300, groupPrice: 300 }
  const types = [
    { name: { en: 'General', gu: 'સામાન્ય' }, phases: [price] },
    { name: { en: 'Couple', gu: 'યુગલ' }, admits: 2, phases: [price] },
  ]
  const { world, mails } = await mailingWorld(undefined, { types })
  const guest = await world.as('guest')
  const { data } = await must(world.nobody.request('GET', '/api/event'))
  const lines = (data as GarbaEvent).types?.map(({ id }) => ({ type: id, quantity: 1 }))
  const headers = { 'Idempotency-Key': randomUUID(), 'Accept-Language': 'gu' }
  const reply = await must(guest.request('POST', '/api/orders', { lines, provider: 'razorpay' }, headers))
  world.double.pay(linkOf(world, (reply.order as Order).code))
  await settleMoney(world)
  expect(mails[0]?.text?.match(/સામાન્ય|યુગલ/g)).toEqual(['સામાન્ય', 'યુગલ', 'યુગલ'])
  expect(mails[0]?.html).toContain('યુગલ · ')
})

/** A ticket sold for cash, to which the guest's account is then added. */
async function soldForCash(world: World, { guest, admin }: Record<'guest' | 'admin', Client>) {
  const sale = { quantity: 1, method: 'cash', name: 'Meera', email: 'meera@example.org' }
  await openDrawer(admin)
  const sold = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  await settleMoney(world)
  const [ticket] = sold.tickets as { id: string }[]
  await world.sql('update tickets set user_id = ? where id = ?', guest.user?.id, ticket?.id)
  return ticket
}

const cancel = (guest: Client, ticket: { id: string } | undefined) =>
  must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))

test('tickets cancelled within a minute and their refunds are one mail', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await orderedIn(guest, 'en', 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  await cancel(guest, tickets[0])
  await settleMoney(world)
  world.clock.forward(20_000)
  await cancel(guest, tickets[1])
  await settleMoney(world)
  expect(mails).toHaveLength(1)
  await minutesPass(world, 3)
  expect(subjects(mails)).toEqual(['Your 2 tickets for Garba Rass 2025', '2 tickets for Garba Rass 2025 are cancelled'])
  expect(mails[1]?.text).toContain('Your refund: ₹518')
  expect(mails[1]?.text).toContain('The refund has been sent back the way you paid.')
})

test('a ticket that the desk made valid again within the minute is not reported as cancelled', async () => {
  const { world, mails } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const ticket = await soldForCash(world, { guest, admin })
  await cancel(guest, ticket)
  await must(admin.request('PATCH', `/api/admin/tickets/${ticket?.id}/refund`, { isRefundDone: false }))
  await must(admin.request('PATCH', `/api/tickets/admin/${ticket?.id}/status`, { status: 'active' }))
  await minutesPass(world, 2)
  expect(subjects(mails)).not.toContain(`Ticket ${ticket?.id.slice(-8)} for Garba Rass 2025 is cancelled`)
})

test('a cancellation is reported with its refund, and the refund again when it is made later', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await paid(world, guest)
  const [ticket] = (await orderOf(guest, code)).tickets
  world.double.setFaults({ pendingRefund: 1 })
  await cancel(guest, ticket)
  await settleMoney(world)
  await minutesPass(world, 2)
  expect(mails).toHaveLength(2)
  world.clock.forward(2 * 3_600_000)
  await minutesPass(world, 2)
  const last8 = ticket?.id.slice(-8)
  expect(subjects(mails)).toEqual([
    'Your ticket for Garba Rass 2025',
    `Ticket ${last8} for Garba Rass 2025 is cancelled`,
    'Your refund of ₹259 has been made',
  ])
  expect(mails[1]?.text).toMatch(/Payment gateway: −₹25\nPlatform: −₹15\nYour refund: ₹259/)
})

test('after a refund at the dashboard, the mail about a cancellation promises nothing that no one sends', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  // The money of both tickets, and a favour that leaves less than is due.
  for (const [quantity, paise] of [
    [2, 59_800],
    [1, 10_000],
  ] as const) {
    const { code } = await orderedIn(guest, 'en', quantity)
    const { id: paymentId } = world.double.pay(linkOf(world, code))
    await settleMoney(world)
    await world.deps.providers.razorpay?.refund({ paymentId, paise, key: randomUUID() })
    await settleMoney(world)
    for (const ticket of (await orderOf(guest, code)).tickets) {
      await cancel(guest, ticket)
      await minutesPass(world, 2)
    }
  }
  const told = mails.filter(({ subject }) => subject?.endsWith('is cancelled'))
  const made = 'The refund has been sent back the way you paid.'
  expect(told.map(({ text }) => text?.includes(made))).toEqual([true, true, true])
})

test('money that comes too late is reported with its way back', async () => {
  const { world, mails } = await mailingWorld({}, { totalTickets: 1 })
  const [late, quick] = [await world.as('guest'), await world.as('guest', person('Radha'))]
  const first = await ordered(late)
  world.double.payLate(linkOf(world, first.code))
  await minutesPass(world, 16)
  await paid(world, quick)
  await minutesPass(world, 20)
  const toLate = mails.filter(({ to }) => to?.[0]?.address === 'guest@garba.test')
  expect(subjects(toLate)).toEqual(['You get ₹299 back', 'Your refund of ₹299 has been made'])
  expect(toLate[0]?.text).toContain('You have no tickets from this order, and you get all of your money back.')
})

test('one UPI payment of more than the price is not reported as a second one', async () => {
  const { world, mails } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = (await place(guest, { quantity: 1, provider: 'upi' })).body.order as Order
  await must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 350, utr: '123456789012' }))
  await settleMoney(world)
  expect(subjects(mails)).toEqual(['You get ₹51 back', 'Your ticket for Garba Rass 2025'])
  expect(mails[0]?.text).toContain('We received ₹51 more than your order costs.')
})

test('a refund of a whole order by the organiser is reported in one mail, and in one when all of it was made', async () => {
  const { world, mails } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await orderedIn(guest, 'hi', 3)
  const payment = world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const body = { all: true, reason: 'The ground is wet' }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, { 'Idempotency-Key': randomUUID() }))
  await settleMoney(world)
  await minutesPass(world, 2)
  expect(subjects(mails)).toEqual([
    'Garba Rass 2025 के लिए आपके 3 टिकट',
    'आपको ₹897 वापस मिलेंगे',
    'आपका ₹897 का रिफ़ंड हो गया',
  ])
  // The bank sends one of them back, and the desk pays it by hand.
  mails.length = 0
  world.double.bounce(payment.refunds[1]?.id ?? '')
  await settleMoney(world)
  const [back] = (await orderOf(guest, code)).refunds.filter(({ state }) => state === 'failed')
  const set = { isRefundDone: true }
  await must(admin.request('PATCH', `/api/admin/tickets/${back?.ticketId}/refund`, set))
  await settleMoney(world)
  expect(subjects(mails)).toEqual(['आपके ₹299 के रिफ़ंड में थोड़ा और समय लगेगा', 'आपका ₹299 का रिफ़ंड हो गया'])
})

test.each([0, 2])(
  'of several refunds one fails, the others are reported all the same, and later it is too',
  async (at) => {
    const { world, mails } = await mailingWorld()
    const [guest, admin] = [await world.as('guest'), await world.as('admin')]
    const { code } = await ordered(guest, 3)
    const payment = world.double.pay(linkOf(world, code))
    await settleMoney(world)
    mails.length = 0
    world.double.setFaults({ pendingRefund: 1 })
    const body = { all: true, reason: 'The ground is wet' }
    await must(admin.request('POST', `/api/admin/orders/${code}/refund`, body, { 'Idempotency-Key': randomUUID() }))
    await settleMoney(world)
    const [failing] = payment.refunds.slice(at)
    if (failing) failing.fails = true
    world.clock.forward(2 * 3_600_000)
    await settleMoney(world)
    const later = await world.as('admin')
    const back = (await orderOf(later, code)).refunds.find(({ state }) => state === 'failed')
    await must(later.request('PATCH', `/api/admin/tickets/${back?.ticketId}/refund`, { isRefundDone: true }))
    await settleMoney(world)
    expect(subjects(mails).toSorted()).toEqual([
      'You get ₹897 back',
      'Your refund of ₹299 has been made',
      'Your refund of ₹299 is taking longer',
      'Your refund of ₹598 has been made',
    ])
  },
)

test('a refund that an admin paid by hand is reported as made', async () => {
  const { world, mails } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const ticket = await soldForCash(world, { guest, admin })
  await cancel(guest, ticket)
  await minutesPass(world, 2)
  expect(mails).toHaveLength(2)
  await must(admin.request('PATCH', `/api/admin/tickets/${ticket?.id}/refund`, { isRefundDone: true }))
  await settleMoney(world)
  expect(subjects(mails).at(-1)).toBe('Your refund of ₹259 has been made')
  // The account that has the tickets by now gets it.
  expect(mails.at(-1)).toMatchObject({ to: [{ name: 'Meera', address: 'guest@garba.test' }] })
})

test('a refund that the provider could not make is reported as being made by hand', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await paid(world, guest)
  world.double.setFaults({ pendingRefund: 1, failedRefund: 1 })
  const [ticket] = (await orderOf(guest, code)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  world.clock.forward(2 * 3_600_000)
  await settleMoney(world)
  expect(subjects(mails).at(-1)).toBe('Your refund of ₹259 is taking longer')
})

test('a mail server that does not take a mail now gets it later; the order does not wait for that', async () => {
  let asked = 0
  const { world, mails } = await mailingWorld({
    onRcptTo(_address, _session, done) {
      asked += 1
      done(asked < 3 ? Object.assign(new Error('busy'), { responseCode: 451 }) : null)
    },
  })
  const guest = await world.as('guest')
  const order = await paid(world, guest)
  expect(await jobsIn(world, order)).toMatchObject([{ attempts: 1, lastError: '451', endedAt: null }])
  expect(await orderOf(guest, order.code)).toMatchObject({ state: 'paid' })
  const seen = await must((await world.as('admin')).request('GET', `/api/admin/orders/${order.code}`))
  expect(seen.order).toMatchObject({ jobs: [{ kind: 'mail', mail: 'paid' }] })
  await minutesPass(world, 5)
  expect(mails).toHaveLength(1)
  const ended = { attempts: 3, lastError: null, endedAt: expect.any(Date), gaveUp: false }
  expect(await jobsIn(world, order)).toMatchObject([ended])
})

test('a mail that waited when mail was turned off is not sent later, and does not count as sent', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const order = await ordered(guest)
  world.double.pay(linkOf(world, order.code))
  await world.double.run()
  await runJobs(world.deps, 'money')
  await runJobs({ ...world.deps, mailer: null }, 'mail')
  await minutesPass(world, 3)
  expect(mails).toEqual([])
  expect(await jobsIn(world, order)).toMatchObject([{ gaveUp: true, lastError: 'mail is off' }])
})

test('a mail that bounced is not sent again, and the desk can see why', async () => {
  let asked = 0
  const { world } = await mailingWorld({
    onRcptTo(_address, _session, done) {
      asked += 1
      done(Object.assign(new Error('5.1.1 <guest@garba.test>: no such user'), { responseCode: 550 }))
    },
  })
  const order = await paid(world, await world.as('guest'))
  await minutesPass(world, 10)
  expect(asked).toBe(1)
  const ended = { attempts: 1, lastError: 'bounced: 550 5.1.1', endedAt: expect.any(Date), gaveUp: true }
  expect(await jobsIn(world, order)).toMatchObject([ended])
  expect(world.log.join('\n')).toContain('bounced: 550')
  expect(world.log.join('\n')).not.toContain('guest@garba.test')
})

test('a crash between the mail server and the end of the job sends the mail again, with the same Message-ID', async () => {
  const { world, mails } = await mailingWorld()
  await paid(world, await world.as('guest'))
  expect(mails).toHaveLength(1)
  await world.sql("update jobs set ended_at = null where kind = 'mail'")
  await settleMoney(world)
  expect(mails).toHaveLength(2)
  expect(mails[0]?.messageId).toMatch(/^<mail\.paid\.[0-9A-Z]{26}@example\.org>$/)
  expect(mails[1]?.messageId).toBe(mails[0]?.messageId)
})

test('a mail sent again because the answer was lost has the same link, so both copies open', async () => {
  const { world, mails } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await world.double.run()
  await runJobs(world.deps, 'money')
  const send: Mailer['send'] = async (...mail) => {
    await world.deps.mailer?.send(...mail)
    return { outcome: 'retry', why: 'ETIMEDOUT' }
  }
  await runJobs({ ...world.deps, mailer: { send } }, 'mail')
  await minutesPass(world, 2)
  expect(mails).toHaveLength(2)
  const [first, again] = mails.map(({ text = '' }) => /wallet#([\w-]{22})/.exec(text)?.[1])
  expect(again).toBe(first)
  await must(world.nobody.request('POST', '/api/wallet/open', { token: first, deviceId: 'phone' }))
})

test('somebody who was made anonymous gets no mail', async () => {
  let open = false
  const { world, mails } = await mailingWorld({
    onRcptTo: (_address, _session, done) => done(open ? null : Object.assign(new Error('busy'), { responseCode: 451 })),
  })
  const order = await paid(world, await world.as('guest'))
  await world.sql("update orders set buyer_email = '', buyer_name = 'Erased'")
  open = true
  await minutesPass(world, 5)
  expect(mails).toEqual([])
  expect(await jobsIn(world, order)).toMatchObject([{ endedAt: expect.any(Date), gaveUp: false }])
})

test('where no mails leave, none are stored: they would all leave at once later', async () => {
  const live = await payingWorld()
  expect(await jobsIn(live, await paid(live, await live.as('guest')))).toEqual([])
  expect((await live.nobody.request('GET', '/api/config')).body.mail).toBe('off')
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'tickets@example.org' }
  const config = async (settings: Record<string, string>) =>
    (await (await makeWorld({ settings })).nobody.request('GET', '/api/config')).body.mail
  expect(await config({ ...PAYING, ...mail })).toBe('sent')
  expect(await config(mail)).toBe('sent')
})

const resend = (client: Client, code: string) => client.request('POST', `/api/admin/orders/${code}/resend`)

test('the desk sends the mail of a paid order again: once for a double click, and once more later', async () => {
  const { world, mails } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const { code } = await paid(world, guest)
  world.clock.forward(60_000)
  const clicks = await Promise.all([resend(admin, code), resend(admin, code)])
  expect(clicks.map(({ status }) => status)).toEqual([200, 200])
  await settleMoney(world)
  await minutesPass(world, 1)
  expect(mails).toHaveLength(2)
  // Each mail has a link of its own.
  const textOf = (mail: Email | undefined) => mail?.text?.replace(/#\S+/, '#')
  expect(textOf(mails[1])).toBe(textOf(mails[0]))
  expect(mails[1]?.messageId).not.toBe(mails[0]?.messageId)
  await must(resend(admin, code))
  await settleMoney(world)
  expect(mails).toHaveLength(3)
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=order.mailed'))
  expect(rows).toHaveLength(2)
  expect(rows).toMatchObject([
    { actorName: 'Asha Admin', subjectName: 'Garima Guest (guest@garba.test)', detail: expect.stringContaining(code) },
    {},
  ])
})

test('a mail that still waits for the mail server is not made a second time', async () => {
  let open = false
  const { world, mails } = await mailingWorld({
    onRcptTo: (_address, _session, done) => done(open ? null : Object.assign(new Error('busy'), { responseCode: 451 })),
  })
  const { code } = await paid(world, await world.as('guest'))
  await minutesPass(world, 3)
  await must(resend(await world.as('admin'), code))
  open = true
  await minutesPass(world, 20)
  expect(mails).toHaveLength(1)
})

test('where no mail can go, the desk reads why', async () => {
  const { world } = await mailingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const refused = async (code: string) => {
    const { status, body } = await resend(admin, code)
    return [status, body.code, body.message]
  }
  expect(await refused('NOTHERE1')).toEqual([404, 'ORDER_NOT_FOUND', expect.any(String)])
  const { code: held } = await ordered(guest)
  expect(await refused(held)).toEqual([409, 'NO_MAIL', 'This order has no active tickets to send.'])
  const sale = { quantity: 1, method: 'cash', name: 'Meera' }
  await openDrawer(admin)
  const sold = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  expect(await refused((sold.order as Order).code)).toEqual([409, 'NO_MAIL', 'This order has no email address.'])
  const silent = await payingWorld()
  const order = await paid(silent, await silent.as('guest'))
  expect(await resend(await silent.as('admin'), order.code)).toMatchObject({
    status: 409,
    body: { code: 'NO_MAIL', message: 'Email is not set up here, so nothing was sent.' },
  })
})
