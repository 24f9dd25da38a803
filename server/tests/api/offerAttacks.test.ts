import { randomUUID } from 'node:crypto'
import type { TicketLink } from '@garba/shared/contracts/link'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer, sellingPhone, sellOnline } from '../../src/testing/door.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, Reply, World } from '../../src/testing/world.ts'

const share = (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose: string): Promise<Reply> =>
  client.request('POST', '/api/tickets/links', { ticketIds: tickets.map(({ _id }) => _id), purpose })
const made = async (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose: string): Promise<string> =>
  ((await must(share(client, tickets, purpose))).link as { url: string }).url
const tokenIn = (url: string): string => url.slice(url.indexOf('#') + 1)
const claim = (client: Client, url: string) => client.request('POST', '/api/wallet/claim', { token: tokenIn(url) })
const open = ({ nobody }: World, url: string, more: object = {}) =>
  nobody.request('POST', '/api/wallet/open', { token: tokenIn(url), deviceId: randomUUID(), ...more })
const renew = async (owner: Client, { _id }: Pick<Ticket, '_id'>): Promise<Ticket> =>
  (await must(owner.request('POST', `/api/tickets/${_id}/new-code`))).ticket as Ticket
const own = async (client: Client) =>
  (await must(client.request('GET', '/api/tickets/my-tickets'))).tickets as [Ticket, ...Ticket[]]

/** A sale at the counter; the buyer pays in cash. */
async function atCounter(admin: Client, sale: object): Promise<{ code: string; tickets: [Ticket, ...Ticket[]] }> {
  const { order, tickets } = await must(
    admin.request(
      'POST',
      '/api/admin/orders',
      { quantity: 1, method: 'cash', name: 'Hetal Shah', ...sale },
      { 'Idempotency-Key': randomUUID() },
    ),
  )
  return { code: (order as { code: string }).code, tickets: tickets as [Ticket, ...Ticket[]] }
}

async function counter(options: Parameters<typeof payingWorld>[0] = {}) {
  const world = await payingWorld(options)
  const admin = await world.as('admin')
  await openDrawer(admin)
  return { world, admin, friend: await world.as('guest', person('Radha')) }
}

const AFTERWARDS = '2025-09-23T17:00:00Z'
const afterwards = async (world: World): Promise<Client> => {
  world.clock.set(AFTERWARDS)
  return world.as('admin')
}

testOnSqlite(
  'somebody who takes an offer of tickets bought with an email learns nothing about their buyer',
  async () => {
    const { world, admin, friend } = await counter()
    const { tickets } = await atCounter(admin, { email: 'hetal@example.org', phone: '98250 12345', quantity: 2 })
    await atCounter(admin, { name: 'H. Shah', phone: '9825012345' })
    const url = await made(admin, tickets, 'offer')
    await must(claim(friend, url))
    expect(JSON.stringify(await own(friend))).not.toContain('hetal@example.org')

    const desk = await afterwards(world)
    const exported = await (await desk.fetch('GET', `/api/admin/users/${friend.user?.id}/export`)).json()
    expect(exported.tickets).toHaveLength(2)
    expect(exported.orders).toEqual([])
    for (const secret of ['hetal@example.org', '12345', 'H. Shah'])
      expect(JSON.stringify(exported)).not.toContain(secret)
  },
)

test('erasing the person who took an offer leaves its buyer, who can be exported and erased', async () => {
  const { world, admin, friend } = await counter()
  const { code, tickets } = await atCounter(admin, { email: 'hetal@example.org', phone: '98250 12345' })
  await atCounter(admin, { name: 'H. Shah', phone: '9825012345' })
  await must(claim(friend, await made(admin, tickets, 'offer')))
  const desk = await afterwards(world)
  const buyer = await (await desk.fetch('GET', `/api/admin/orders/${code}/export`)).json()
  expect(buyer.orders).toMatchObject([{ email: 'hetal@example.org' }, { name: 'H. Shah' }])
  await must(desk.request('POST', `/api/admin/users/${friend.user?.id}/erase`))
  expect(await world.sql('select buyer_name, buyer_email from orders order by id')).toMatchObject([
    { buyer_name: 'Hetal Shah', buyer_email: 'hetal@example.org' },
    { buyer_name: 'H. Shah' },
  ])
  expect((await everyRow(world)).toLowerCase()).not.toContain('radha')
  await must(desk.request('POST', `/api/admin/orders/${code}/erase`))
  expect((await everyRow(world)).toLowerCase()).not.toMatch(/hetal|shah|98250/)
})

test('an unproven phone number on a claimed sale leads to no other sale', async () => {
  const { world, admin, friend } = await counter()
  const { tickets } = await atCounter(admin, { phone: '98250 12345' })
  await atCounter(admin, { name: 'H. Shah', phone: '9825012345' })
  await must(claim(friend, await made(admin, tickets, 'offer')))
  const desk = await afterwards(world)
  const exported = await (await desk.fetch('GET', `/api/admin/users/${friend.user?.id}/export`)).json()
  expect(exported.tickets).toHaveLength(1)
  expect(exported).toMatchObject({ orders: [], payments: [] })
  expect(JSON.stringify(exported)).not.toContain('12345')
  await must(desk.request('POST', `/api/admin/users/${friend.user?.id}/erase`))
  expect(await world.sql('select buyer_name from orders order by id')).toEqual([
    { buyer_name: 'Erased person' },
    { buyer_name: 'H. Shah' },
  ])
})

test('a buyer with a phone number alone is exported and erased, whoever took the tickets over', async () => {
  const { world, admin, friend } = await counter()
  const { code, tickets } = await atCounter(admin, { phone: '98250 12345', quantity: 2 })
  await must(claim(friend, await made(admin, [tickets[0]], 'offer')))
  await must(friend.request('PATCH', `/api/tickets/cancel/${tickets[0]._id}`, { reason: 'Radha is ill' }))
  const desk = await afterwards(world)
  const buyer = await (await desk.fetch('GET', `/api/admin/orders/${code}/export`)).json()
  expect(buyer).toMatchObject({ orders: [{ name: 'Hetal Shah', phone: '98250 12345' }], tickets: { length: 1 } })
  expect(JSON.stringify(buyer.tickets)).not.toMatch(/radha/i)
  await must(desk.request('POST', `/api/admin/orders/${code}/erase`))
  expect((await everyRow(world)).toLowerCase()).not.toMatch(/hetal|shah|98250/)
  const [own] = await world.sql('select buyer_name from tickets where user_id = ?', friend.user?.id)
  expect(own).toEqual({ buyer_name: 'Radha' })
  await must(desk.request('POST', `/api/admin/users/${friend.user?.id}/erase`))
  expect((await everyRow(world)).toLowerCase()).not.toContain('radha')
})

test('somebody who took over some of a link’s tickets ends it for those', async () => {
  const { world, admin, friend } = await counter()
  const { tickets } = await atCounter(admin, { quantity: 2 })
  const receipt = await made(admin, tickets, 'order')
  await must(claim(friend, await made(admin, [tickets[0]], 'offer')))
  const renewed = await renew(friend, tickets[0])
  const opened = async () => ((await must(open(world, receipt))).tickets as Ticket[]).map(({ _id }) => _id)
  expect(await opened()).toEqual(expect.arrayContaining([renewed._id]))
  const { links } = await must(friend.request('GET', '/api/tickets/links'))
  const mixed = (links as TicketLink[]).find(({ purpose }) => purpose === 'order')
  const end = (client: Client) => client.request('DELETE', `/api/tickets/links/${mixed?.id}`)
  expect(await end(await world.as('guest', person('Ila')))).toMatchObject({ status: 404 })
  await must(end(friend))
  expect(await opened()).toEqual([tickets[1]?._id])
  expect(await end(friend)).toMatchObject({ status: 404 })
  expect((await must(admin.request('GET', '/api/admin/audit?action=link.ended'))).rows).toMatchObject([
    { actorName: 'Radha' },
  ])
  await must(end(admin))
  expect(await open(world, receipt)).toMatchObject({ status: 410 })
})

test('a deleted account that took up an offer finds its tickets again, and the sale’s email does not', async () => {
  const { world, admin, friend } = await counter()
  const { tickets } = await atCounter(admin, { email: 'hetal@example.org' })
  await must(claim(friend, await made(admin, tickets, 'offer')))
  await must(admin.request('DELETE', `/api/admin/users/${friend.user?.id}`))
  const emails = await world.sql('select buyer_email, user_id from tickets')
  expect(emails).toEqual([{ buyer_email: 'radha@example.org', user_id: null }])
})

testOnSqlite(
  'a seller’s phone has no way back to tickets that an account has taken: no link, and no code by asking again',
  async () => {
    const { world, friend } = await counter()
    const phone = await sellingPhone(world)
    const key = randomUUID()
    const sold = (await must(sellOnline(phone, {}, key))).tickets as [Ticket]
    expect((await must(sellOnline(phone, {}, key))).tickets).toMatchObject([{ qrCode: sold[0].qrCode }])
    await must(claim(friend, await made(await phone.client(), sold, 'offer')))
    const renewed = await renew(friend, sold[0])
    for (const purpose of ['order', 'share', 'offer'])
      expect(await share(await phone.client(), [renewed], purpose)).toMatchObject({ status: 403 })
    const again = await must(sellOnline(phone, {}, key))
    expect(again.tickets).toMatchObject([{ _id: renewed._id, qrCode: null }])
    expect(JSON.stringify(again)).not.toMatch(/radha/i)
  },
)

testOnSqlite('a buyer’s mails open no ticket that another person has taken over', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' }
  const { world, admin, friend } = await counter({ settings })
  const { code, tickets } = await atCounter(admin, { quantity: 2, email: 'hetal@example.org' })
  await settleMoney(world)
  await must(claim(friend, await made(admin, [tickets[0]], 'offer')))
  const renewed = await renew(friend, tickets[0])
  world.clock.forward(120_000)
  await must(admin.request('POST', `/api/admin/orders/${code}/resend`))
  await settleMoney(world)
  expect(mails).toHaveLength(2)
  const [, mail] = mails
  expect(mail?.text).not.toContain(renewed._id.slice(-8))
  const url = /http:\S+\/dashboard\/guest\/wallet#[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? ''
  expect((await must(open(world, url))).tickets).toMatchObject([{ _id: tickets[1]?._id }])

  await must(claim(friend, await made(admin, tickets.slice(1), 'offer')))
  world.clock.forward(120_000)
  expect(await admin.request('POST', `/api/admin/orders/${code}/resend`)).toMatchObject({ status: 409 })
})

test('somebody who took tickets over gets the mail about a change of the event, with a link to their own tickets only', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' }
  const { world, admin, friend } = await counter({ settings })
  const walkIn = await atCounter(admin, { quantity: 2 })
  const byMail = await atCounter(admin, { email: 'hetal@example.org', quantity: 2 })
  for (const { tickets } of [walkIn, byMail]) await must(claim(friend, await made(admin, [tickets[0]], 'offer')))
  await settleMoney(world)
  mails.length = 0
  const { data } = await must(admin.request('GET', '/api/event'))
  const tell = { id: randomUUID(), words: 'We meet in the hall.' }
  await must(admin.request('PUT', '/api/event', { ...(data as object), venue: 'The hall', tell }))
  await settleMoney(world)
  const told = mails.map(({ to, text = '' }) => ({
    to: to?.[0]?.address,
    url: /http:\S+\/dashboard\/guest\/wallet#[\w-]{22}/.exec(text)?.[0] ?? '',
  }))
  expect(told.map(({ to }) => to).toSorted()).toEqual(['hetal@example.org', 'radha@example.org'])
  const opened = async (to: string) => {
    const { tickets } = await must(open(world, told.find((one) => one.to === to)?.url ?? ''))
    return (tickets as Ticket[]).map(({ _id }) => _id)
  }
  expect(await opened('radha@example.org')).toEqual([walkIn.tickets[0]._id, byMail.tickets[0]._id].toSorted())
  expect(await opened('hetal@example.org')).toEqual([byMail.tickets[1]?._id])
})

testOnSqlite('the person who proved the email of a sale keeps getting its mails', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' }
  const { world, admin, friend } = await counter({ settings })
  const { code, tickets } = await atCounter(admin, { email: 'radha@example.org' })
  await settleMoney(world)
  await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: friend.token }))
  expect(await own(friend)).toMatchObject([{ _id: tickets[0]._id }])
  world.clock.forward(120_000)
  await must(admin.request('POST', `/api/admin/orders/${code}/resend`))
  await settleMoney(world)
  expect(mails).toHaveLength(2)
})
