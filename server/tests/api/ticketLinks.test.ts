import { randomUUID } from 'node:crypto'
import type { Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import type { TicketLink, Wallet } from '@garba/shared/contracts/link'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer, sellingPhone, sellOnline } from '../../src/testing/door.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, ordered, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, person, putOnSale } from '../../src/testing/scenes.ts'
import { payloadOf, sign } from '../../src/testing/tokens.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

interface Made {
  id: string
  url: string
  until: string
}
const share = (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose = 'share', from?: string) =>
  client.request('POST', '/api/tickets/links', { ticketIds: tickets.map(({ _id }) => _id), purpose, from })
const made = async (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose?: string): Promise<Made> =>
  (await must(share(client, tickets, purpose))).link as Made
const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)
const open = ({ nobody }: World, url: string, deviceId: string = randomUUID()) =>
  nobody.request('POST', '/api/wallet/open', { token: tokenIn(url), deviceId })
const wallet = async (world: World, url: string): Promise<Wallet> => (await must(open(world, url))) as unknown as Wallet
const links = async (client: Client, query = '') =>
  (await must(client.request('GET', `/api/tickets/links${query}`))).links as TicketLink[]

async function scene(quantity = 1) {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  return { world, guest, tickets: await bought(guest, quantity), admin: await world.as('admin') }
}

testOnSqlite('a link opens its tickets for anybody who has it, without the buyer’s data', async () => {
  const { world, guest, tickets } = await scene(3)
  const [one, two] = tickets
  await must(guest.request('PATCH', `/api/tickets/${one._id}/name`, { name: 'Meera' }))
  const response = await share(guest, [one, one], 'share', ' Garima ')
  expect(response.status).toBe(201)
  const { url, until } = response.body.link as Made
  expect(url).toMatch(/^http:\/\/localhost:8080\/dashboard\/guest\/wallet#[\w-]{22}$/)
  expect(until).toBe('2025-09-22T17:00:00.000Z')
  const answer = await must(open(world, url))
  expect(answer).toMatchObject({
    event: { name: 'Garba Rass 2025', startTime: '18:30' },
    tickets: [{ _id: one._id, qrCode: one.qrCode, status: 'active', name: 'Meera' }],
    from: 'Garima',
  })
  for (const secret of ['guest@garba.test', 'Garima Guest', '299', two?._id])
    expect(JSON.stringify(answer)).not.toContain(secret)
  expect(Object.keys((answer.tickets as object[])[0] ?? {})).toEqual(['_id', 'qrCode', 'status', 'name', 'number'])

  const renewed = (await must(guest.request('POST', `/api/tickets/${one._id}/new-code`))).ticket as Ticket
  expect((await wallet(world, url)).tickets).toMatchObject([
    { _id: renewed._id, qrCode: renewed.qrCode, name: 'Meera' },
  ])
  await must(guest.request('PATCH', `/api/tickets/cancel/${renewed._id}`, { reason: 'Away' }))
  expect((await wallet(world, url)).tickets).toMatchObject([{ status: 'cancelled', qrCode: null }])

  // Nobody's name is taken from the account.
  for (const given of [undefined, ''])
    expect(
      await wallet(world, ((await must(share(guest, two ? [two] : [], 'share', given))).link as Made).url),
    ).not.toHaveProperty('from')
  expect((await share(guest, two ? [two] : [], 'share', 'G'.repeat(41))).status).toBe(400)
})

test('only owners share tickets; the desk and the seller’s phone give buyers without an account a link', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 1)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const own = (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as [Ticket]
  const [admin, checker, manager] = [await world.as('admin'), await world.as('qrchecker'), await world.as('manager')]
  const stranger = await world.as('guest', person('Radha'))
  for (const client of [stranger, checker, manager, admin])
    expect(await share(client, own)).toMatchObject({ status: 403 })
  expect(await share(guest, [{ _id: '01K0000000000000000000000Z' }])).toMatchObject({ status: 404 })

  await openDrawer(admin)
  const [phone, otherPhone] = [await sellingPhone(world), await sellingPhone(world, { name: 'Other' })]
  const atDoor = (await must(sellOnline(phone, {}))).tickets as [Ticket]
  expect(await share(await otherPhone.client(), atDoor, 'order')).toMatchObject({ status: 403 })
  expect(await share(await phone.client(), own, 'order')).toMatchObject({ status: 403 })
  expect(await share(stranger, atDoor, 'order')).toMatchObject({ status: 403 })
  expect(await share(await (await pairedPhone(world, { rights: ['scan'] })).client(), atDoor)).toMatchObject({
    status: 403,
  })
  for (const client of [await phone.client(), admin])
    expect((await wallet(world, (await made(client, atDoor, 'order')).url)).tickets).toMatchObject([{ name: 'Meera' }])
  expect(await share(admin, [...own, ...atDoor])).toMatchObject({ status: 403 })
  expect(await links(admin, `?ticket=${atDoor[0]._id}`)).toHaveLength(2)
  expect((await guest.request('GET', `/api/tickets/links?ticket=${atDoor[0]._id}`)).status).toBe(403)
})

testOnSqlite('a counter sale with an email becomes the account’s when that email signs in', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const sale = { quantity: 1, method: 'cash', name: 'Radha', email: 'RADHA@example.org' }
  const { tickets } = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const { url } = await made(admin, tickets as [Ticket], 'order')
  await must(
    world.nobody.request('POST', '/api/auth/google-signin', {
      idToken: await sign(payloadOf(person('Radha'), world.clock.now())),
    }),
  )
  const radha = await world.as('guest', person('Radha'))
  expect((await must(radha.request('GET', '/api/tickets/my-tickets'))).tickets).toMatchObject([
    { _id: (tickets as [Ticket])[0]._id },
  ])
  expect(await links(radha)).toMatchObject([{ purpose: 'order', devices: 0 }])
  expect((await wallet(world, url)).tickets).toHaveLength(1)
})

const claim = (client: Client, url: string) => client.request('POST', '/api/wallet/claim', { token: tokenIn(url) })
const owners = async ({ sql }: World) =>
  (await sql('select user_id from tickets order by id')).map(({ user_id }) => user_id as string | null)

/** A counter sale without an email, and the seller's offer of its tickets. */
async function offered(quantity = 2) {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const { tickets } = await must(
    admin.request(
      'POST',
      '/api/admin/orders',
      { quantity, method: 'cash', name: 'Hetal' },
      { 'Idempotency-Key': randomUUID() },
    ),
  )
  const sold = tickets as [Ticket, ...Ticket[]]
  const { id, url } = await made(admin, sold, 'offer')
  return { world, admin, sold, id, url, radha: await world.as('guest', person('Radha')) }
}

testOnSqlite('a seller’s offer moves tickets without an account once, and a lost answer is given again', async () => {
  const { world, admin, sold, url, radha } = await offered()
  expect(await wallet(world, url)).toMatchObject({ offer: true, tickets: { length: 2 } })
  expect(await claim(world.nobody, url)).toMatchObject({ status: 401 })
  expect(await owners(world)).toEqual([null, null])
  const first = await must(claim(radha, url))
  expect(first.ticketIds).toEqual(sold.map(({ _id }) => _id).toSorted())
  expect(await must(claim(radha, url))).toEqual(first)
  expect(await claim(await world.as('guest'), url)).toMatchObject({ status: 409, body: { code: 'OFFER_TAKEN' } })
  expect(await claim(admin, url)).toMatchObject({ status: 409, body: { code: 'OFFER_TAKEN' } })
  expect(await owners(world)).toEqual([radha.user?.id, radha.user?.id])
  expect((await must(radha.request('GET', '/api/tickets/my-tickets'))).tickets).toHaveLength(2)
  expect(await wallet(world, url)).not.toHaveProperty('offer')
  expect((await must(admin.request('GET', '/api/admin/audit?action=link.claimed'))).rows).toMatchObject([
    { actorName: 'Radha', detail: '2 tickets, offered by the seller' },
  ])
  // From here on they are the owner's: no seller offers them again, and the owner ends the link.
  expect(await share(admin, sold, 'offer')).toMatchObject({ status: 403 })
  await must(radha.request('PATCH', `/api/tickets/cancel/${sold[0]._id}`, { reason: 'Away' }))
  const [link] = await links(radha)
  await must(radha.request('DELETE', `/api/tickets/links/${link?.id}`))
  expect(await must(claim(radha, url))).toEqual(first)
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
})

test('of two people who claim an offer at once, and two offers of the same tickets, one person gets all', async () => {
  const { world, admin, sold, url, radha } = await offered(3)
  const guest = await world.as('guest')
  const other = await made(admin, sold, 'offer')
  const race = [claim(radha, url), claim(guest, other.url), claim(guest, url), claim(radha, other.url)]
  const statuses = (await Promise.all(race)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409])
  expect(new Set(await owners(world)).size).toBe(1)
  // Once the account is deleted they have no owner, but the offers are spent: nobody who finds one gets them.
  const [owner] = await owners(world)
  await must(admin.request('DELETE', `/api/admin/users/${owner}`))
  expect(await owners(world)).toEqual([null, null, null])
  const stranger = await world.as('guest', person('Ila'))
  for (const one of [url, other.url]) expect(await claim(stranger, one)).toMatchObject({ status: 409 })
})

test('an offer is for tickets without an owner: it takes none from an account, and other links cannot be claimed', async () => {
  const { world, admin, sold, id, url, radha } = await offered()
  const guest = await world.as('guest')
  const own = await made(admin, sold, 'order')
  expect(await claim(radha, own.url)).toMatchObject({ status: 404, body: { code: 'LINK_UNKNOWN' } })
  expect(await claim(radha, '#AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({ status: 404 })
  await world.sql('update tickets set user_id = ? where id = ?', guest.user?.id, sold[0]._id)
  for (const client of [guest, admin]) expect(await share(client, [sold[0]], 'offer')).toMatchObject({ status: 403 })
  expect((await must(claim(radha, url))).ticketIds).toEqual([sold[1]?._id])
  expect(await owners(world)).toEqual([guest.user?.id, radha.user?.id])

  const late = await offered(1)
  await must(late.admin.request('DELETE', `/api/tickets/links/${late.id}`))
  expect(await claim(late.radha, late.url)).toMatchObject({ status: 410, body: { code: 'LINK_ENDED' } })
  expect(await owners(late.world)).toEqual([null])
  expect(id).not.toBe(late.id)
})

testOnSqlite('a phone offers what it sold, and a code that was replaced meanwhile moves along', async () => {
  const world = await payingWorld()
  const phone = await sellingPhone(world)
  const sold = (await must(sellOnline(phone, {}))).tickets as [Ticket]
  const { url } = await made(await phone.client(), sold, 'offer')
  expect(await claim(await phone.client(), url)).toMatchObject({ status: 403 })
  const { ticket } = await must((await world.as('admin')).request('POST', `/api/tickets/${sold[0]._id}/new-code`))
  const guest = await world.as('guest')
  expect((await must(claim(guest, url))).ticketIds).toEqual([(ticket as Ticket)._id])
  // The account is erased with what its offer brought, the replaced code included.
  world.clock.set('2025-09-23T17:00:00Z')
  await must((await world.as('admin')).request('POST', `/api/admin/users/${guest.user?.id}/erase`))
  expect(await everyRow(world)).not.toContain('Meera')
})

testOnSqlite('the owner sees how many devices opened a link, twenty at most, and can end it', async () => {
  const { world, guest, tickets, admin } = await scene(2)
  const { id, url } = await made(guest, tickets)
  const devices = Array.from({ length: 20 }, () => randomUUID())
  for (const device of [...devices, ...devices]) await must(open(world, url, device))
  expect(await links(guest)).toMatchObject([{ id, purpose: 'share', devices: 20, endedAt: null, tickets: 2 }])
  expect(await open(world, url)).toMatchObject({ status: 410, body: { code: 'LINK_ENDED' } })
  await must(open(world, url, devices[3]))
  const end = (client: Client) => client.request('DELETE', `/api/tickets/links/${id}`)
  for (const client of [await world.as('guest', person('Radha')), await world.as('qrchecker')])
    expect(await end(client)).toMatchObject({ status: 404, body: { code: 'LINK_UNKNOWN' } })
  await must(end(guest))
  await must(end(admin))
  expect(await open(world, url, devices[3])).toMatchObject({ status: 410, body: { code: 'LINK_ENDED' } })
  expect(await links(guest)).toMatchObject([{ endedAt: expect.any(String) }])
})

testOnSqlite('a link ends with its event, and with its last ticket', async () => {
  const { world, guest, tickets, admin } = await scene(2)
  const [one, two] = tickets
  const [first, second] = [await made(guest, [one]), await made(guest, two ? [two] : [])]
  await must(admin.request('DELETE', `/api/admin/tickets/${one._id}`))
  expect(await open(world, first.url)).toMatchObject({ status: 410 })
  await must(open(world, second.url))
  world.clock.set('2025-09-22T17:00:01Z')
  expect(await open(world, second.url)).toMatchObject({ status: 410, body: { code: 'LINK_ENDED' } })
  const later = await world.as('guest')
  expect(await share(later, [one])).toMatchObject({ status: 404 })
  expect(await share(later, two ? [two] : [])).toMatchObject({ status: 410 })
})

test('guessing finds nothing, three hundred openings are twenty devices, and no log or table has the token', async () => {
  const { world, guest, tickets } = await scene()
  const { url } = await made(guest, tickets)
  const token = tokenIn(url)
  for (const guess of ['x', `${token}x`, token.slice(1), 'A'.repeat(22)])
    expect(await open(world, `#${guess}`)).toMatchObject({ status: 404, body: { code: 'LINK_UNKNOWN' } })
  expect(await world.nobody.request('POST', '/api/wallet/open', { token: '', deviceId: 'a' })).toMatchObject({
    status: 400,
  })
  const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await open(world, url)).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.filter((status) => status === 410)).toHaveLength(280)
  expect(await everyRow(world)).not.toContain(token)
  expect(world.log.join('\n')).not.toContain(token)
})

testOnSqlite('a link’s token is no session: every call that needs one refuses it', async () => {
  const { world, guest, tickets } = await scene()
  const holder = world.client(tokenIn((await made(guest, tickets)).url))
  const calls: Call[] = Object.values(CALLS).filter(({ access }) => access !== 'anyone')
  expect(calls.length).toBeGreaterThan(80)
  for (const { method, path } of calls) {
    const address = `/api${path.replace(/\{\w+\}/g, tickets[0]._id)}`
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const answer = await holder.request(method, address, body)
    expect({ address, ...answer }).toMatchObject({ address, status: 401, body: { code: 'UNAUTHENTICATED' } })
  }
})

testOnSqlite('a stolen link has nothing after its owner ended it and replaced the code', async () => {
  const { world, guest, tickets } = await scene()
  const { id, url } = await made(guest, tickets)
  await must(open(world, url, 'thief'))
  await must(guest.request('DELETE', `/api/tickets/links/${id}`))
  const { ticket } = await must(guest.request('POST', `/api/tickets/${tickets[0]._id}/new-code`))
  expect(await open(world, url, 'thief')).toMatchObject({ status: 410, body: { code: 'LINK_ENDED' } })
  const thief = await world.as('guest', person('Radha'))
  for (const one of [tickets[0], ticket as Ticket])
    for (const { status } of [
      await share(thief, [one]),
      await thief.request('GET', `/api/tickets/links?ticket=${one._id}`),
      await thief.request('GET', `/api/tickets/${one._id}`),
    ])
      expect([403, 404]).toContain(status)
})

testOnSqlite(
  'guesses are limited per address without stopping those who have a link; each link has its own limit',
  async () => {
    const world = await makeWorld({ limits: { address: 5, user: 20 } })
    await putOnSale(world)
    const guest = await world.as('guest')
    const [one, two] = await bought(guest, 2)
    const [first, second] = [await made(guest, [one]), await made(guest, two ? [two] : [])]
    for (let at = 0; at < 5; at++) await open(world, '#nothing')
    expect(await open(world, '#nothing')).toMatchObject({ status: 429 })
    for (let at = 0; at < 20; at++) await must(open(world, first.url, 'phone'))
    expect(await open(world, first.url, 'phone')).toMatchObject({ status: 429 })
    await must(open(world, second.url))
  },
)

test('a restored server checks the codes of a link’s devices a limited number of times, and other servers never do', async () => {
  const { world, guest, tickets } = await scene()
  const { url } = await made(guest, tickets)
  const check = (of: World) =>
    of.nobody.request('POST', '/api/wallet/open', {
      token: tokenIn(url),
      deviceId: 'phone',
      codes: [tickets[0].qrCode],
    })
  for (let at = 0; at < 25; at++) await must(check(world))
  const again = await restored(world, await backedUp(world))
  for (let at = 0; at < 20; at++) await must(check(again))
  expect(await check(again)).toMatchObject({ status: 429 })
  await must(open(again, url, 'phone'))
})

// It sends 800 requests, whose statements other tests send.
testOnSqlite(
  'at most sixty links to a person’s tickets are made in an hour, by all callers together, and the list shows the open ones',
  async () => {
    const { world, guest, tickets, admin } = await scene(2)
    const first = await made(guest, tickets)
    await made(guest, tickets.slice(0, 1))
    for (let at = 2; at < 60; at++) await made(guest, tickets.slice(1))
    expect(await share(guest, tickets.slice(1))).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect((await share(guest, tickets)).headers.get('retry-after')).toBe('3600')
    for (let hour = 0; hour < 3; hour++) {
      world.clock.forward(3_600_001)
      const later = await world.as('guest')
      for (let at = 0; at < 60; at++) {
        const { id } = await made(later, tickets.slice(1))
        await must(later.request('DELETE', `/api/tickets/links/${id}`))
      }
    }
    const shown: TicketLink[] = []
    for (let page = 1, more = true; more; page++) {
      const answer = await must((await world.as('guest')).request('GET', `/api/tickets/links?page=${page}`))
      expect((answer.links as TicketLink[]).length).toBeLessThanOrEqual(20)
      shown.push(...(answer.links as TicketLink[]))
      more = answer.more as boolean
    }
    expect(new Set(shown.map(({ id }) => id)).size).toBe(240)
    expect(shown.slice(0, 60).every(({ endedAt }) => endedAt === null)).toBe(true)
    expect(shown[59]).toMatchObject({ id: first.id, tickets: 2 })

    await world.sql('update tickets set user_id = null')
    world.clock.forward(3_600_001)
    const desk = await world.as('admin')
    for (let at = 0; at < 60; at++) await made(desk, tickets.slice(1))
    expect(await share(desk, tickets)).toMatchObject({ status: 429 })
    await made(desk, tickets.slice(0, 1))
    expect(admin.user?.id).toBe(desk.user?.id)
  },
)

// Many statements of the same kind, which other tests send.
testOnSqlite(
  'links times tickets are limited, a list names numbers instead of tickets, and what is large counts as several calls',
  async () => {
    const world = await makeWorld({ settings: { MAX_PER_ORDER: '500' }, limits: { user: 200 } })
    await putOnSale(world)
    const guest = await world.as('guest')
    const tickets = await bought(guest, 500)
    const ids = tickets.map(({ _id }) => _id)
    const { url } = await made(guest, tickets)
    for (let at = 1; at < 10; at++) await made(guest, tickets)
    expect(await share(guest, [tickets[0]])).toMatchObject({ status: 409, body: { code: 'LINK_LIMIT' } })
    expect(await world.sql('select count(*) as n from link_tickets')).toEqual([{ n: 5_000 }])
    const response = await guest.fetch('GET', '/api/tickets/links')
    const text = await response.text()
    expect(JSON.parse(text).links).toHaveLength(10)
    expect(text.length).toBeLessThan(5_000)
    for (const id of ids) expect(text).not.toContain(id)
    await world.sql("update ticket_links set ended_at = 1 where id <> ''")
    expect(await share(guest, [tickets[0]])).toMatchObject({ status: 409 })
    await world.sql('update ticket_links set ended_at = null')

    // 500 tickets count as 25 openings, and as one call for each 64 KB.
    for (let at = 0; at < 8; at++) await must(open(world, url, 'phone'))
    expect(await open(world, url, 'phone')).toMatchObject({ status: 429 })
    world.clock.forward(60_001)
    const reads: number[] = []
    while (!reads.includes(429) && reads.length < 100)
      reads.push((await guest.request('GET', '/api/tickets/my-tickets')).status)
    expect(reads.length).toBeGreaterThan(20)
    expect(reads.length).toBeLessThan(60)
  },
)

testOnSqlite('an order’s mail opens its tickets without an account', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  const { code } = await ordered(await world.as('guest'), 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const url = /http:\S+\/dashboard\/guest\/wallet#[\w-]{22}/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  expect((await wallet(world, url)).tickets).toHaveLength(2)
  expect(mails[0]?.html).toContain(url)
})

testOnSqlite('erasing a buyer ends their links without a trace', async () => {
  const { world, guest, tickets, admin } = await scene()
  const { url } = await made(guest, tickets)
  await must(open(world, url))
  expect(await must(admin.request('GET', `/api/admin/users/${guest.user?.id}/export`))).toMatchObject({
    links: [{ purpose: 'share' }],
  })
  world.clock.set('2025-09-23T17:00:00Z')
  await must((await world.as('admin')).request('POST', `/api/admin/users/${guest.user?.id}/erase`))
  expect(await open(world, url)).toMatchObject({ status: 404 })
  for (const table of ['ticket_links', 'link_tickets', 'link_devices'])
    expect(await world.sql(`select * from ${table}`)).toEqual([])
})

testOnSqlite('erasing the owner of some of a link’s tickets leaves the others their link', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const gift = { quantity: 2, method: 'complimentary', reason: 'A gift', name: 'Hetal', email: 'hetal@example.org' }
  const sale = admin.request('POST', '/api/admin/orders', gift, { 'Idempotency-Key': randomUUID() })
  const [passedOn, kept] = (await must(sale)).tickets as [Ticket, Ticket]
  const { url } = await made(admin, [passedOn, kept], 'order')
  const offer = await made(admin, [passedOn], 'offer')
  const radha = await world.as('guest', person('Radha'))
  await must(claim(radha, offer.url))
  await must(radha.request('PATCH', `/api/tickets/cancel/${passedOn._id}`, { reason: 'Away' }))
  await must(admin.request('POST', `/api/admin/users/${radha.user?.id}/erase`))
  expect(await open(world, offer.url)).toMatchObject({ status: 404 })
  expect((await wallet(world, url)).tickets).toMatchObject([{ _id: kept._id, status: 'active' }])
})
