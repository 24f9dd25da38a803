import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { attention, openDrawer, sellingPhone, sellOnline } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { mark, person } from '../../src/testing/scenes.ts'
import type { Client, Reply, World } from '../../src/testing/world.ts'

const MINUTE = 60_000
const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)
const share = (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose = 'offer'): Promise<Reply> =>
  client.request('POST', '/api/tickets/links', { ticketIds: tickets.map(({ _id }) => _id), purpose })
const made = async (client: Client, tickets: readonly Pick<Ticket, '_id'>[], purpose = 'offer'): Promise<string> =>
  ((await must(share(client, tickets, purpose))).link as { url: string }).url
const open = ({ nobody }: World, url: string, deviceId: string) =>
  nobody.request('POST', '/api/wallet/open', { token: tokenIn(url), deviceId })
const claim = (client: Client, url: string, deviceId?: string) =>
  client.request('POST', '/api/wallet/claim', { token: tokenIn(url), ...(deviceId && { deviceId }) })
const renew = async (owner: Client, { _id }: Pick<Ticket, '_id'>): Promise<Ticket> =>
  (await must(owner.request('POST', `/api/tickets/${_id}/new-code`))).ticket as Ticket
const ownersOf = async ({ sql }: World) =>
  (await sql("select user_id from tickets where status <> 'deleted' order by id")).map(({ user_id }) => user_id)
const taken = { status: 409, body: { code: 'LINK_TAKEN' } }
const ended = { status: 410, body: { code: 'LINK_ENDED' } }
const tooLate = { status: 409, body: { code: 'HAND_OVER_ENDED' } }

/** A sale by a phone, the three links that it may make, and the buyer and the seller as guests. */
async function soldByPhone(sale: Record<string, unknown> = {}) {
  const world = await payingWorld()
  const phone = await sellingPhone(world)
  const key = randomUUID()
  const sold = (await must(sellOnline(phone, sale, key))).tickets as [Ticket]
  const client = await phone.client()
  const urls = [await made(client, sold), await made(client, sold, 'order'), await made(client, sold, 'share')]
  const [handed = '', ...others] = urls
  const admin = await world.as('admin')
  const [buyer, seller] = [await world.as('guest', person('Radha')), await world.as('guest', person('Kapil'))]
  return { world, phone, key, sold, handed, others, admin, buyer, seller }
}

test('the first device that opens a seller’s link has the tickets; the seller’s other links and views end', async () => {
  const { world, phone, key, sold, handed, others, buyer, seller } = await soldByPhone()
  await must(open(world, handed, 'buyer'))
  await must(open(world, handed, 'buyer'))
  expect(await open(world, handed, 'seller')).toMatchObject(taken)
  for (const url of others) {
    expect(await open(world, url, 'seller')).toMatchObject(ended)
    expect(await claim(seller, url, 'seller')).toMatchObject({ status: 410 })
  }
  expect(await claim(seller, handed, 'seller')).toMatchObject({ status: 409, body: { code: 'LINK_TAKEN' } })
  expect(await claim(seller, handed)).toMatchObject({ status: 409 })
  for (const purpose of ['share', 'order', 'offer'])
    expect(await share(await phone.client(), sold, purpose)).toMatchObject(tooLate)
  expect((await must(sellOnline(phone, {}, key))).tickets).toMatchObject([{ qrCode: null }])
  expect(await ownersOf(world)).toEqual([null])

  // From there the buyer takes them into an account, and gives them a new code.
  await must(claim(buyer, handed, 'buyer'))
  expect(await ownersOf(world)).toEqual([buyer.user?.id])
  const renewed = await renew(buyer, sold[0])
  expect((await must(open(world, handed, 'buyer'))).tickets).toMatchObject([{ _id: renewed._id }])
  for (const url of [handed, ...others]) expect((await open(world, url, 'seller')).status).not.toBe(200)
  expect(await attention(world)).toEqual([])
})

test('a seller hands tickets over for ten minutes: days later there is no link, no offer and no new code', async () => {
  const { world, phone, sold, handed, others, seller } = await soldByPhone()
  world.clock.forward(10 * MINUTE + 1)
  const later = await world.as('guest', person('Kapil'))
  for (const url of [handed, ...others]) {
    expect(await open(world, url, 'seller')).toMatchObject(ended)
    expect(await claim(later, url, 'seller')).toMatchObject(ended)
  }
  world.clock.forward(3 * 24 * 60 * MINUTE)
  expect(await share(await phone.client(), sold)).toMatchObject(tooLate)
  expect(await ownersOf(world)).toEqual([null])
  expect((await world.as('guest', person('Kapil'))).user?.id).toBe(seller.user?.id)
})

test('tickets that join an account keep their numbers, except one whose number is there already', async () => {
  const { world, phone, handed, buyer } = await soldByPhone()
  const numbers = async () =>
    (await world.sql('select number from tickets order by created_at, number')).map((row) => row.number)
  for (const quantity of [2, 3]) {
    world.clock.forward(1000)
    await must(sellOnline(phone, { quantity, email: buyer.user?.email }))
  }
  await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: buyer.token }))
  expect(await numbers()).toEqual([1, 1, 2, 3, 4, 5])
  await must(open(world, handed, 'buyer'))
  await must(claim(buyer, handed, 'buyer'))
  expect(await numbers()).toEqual([6, 1, 2, 3, 4, 5])
})

test('the buyer who finds the link opened already gets another from the desk, which ends the seller’s', async () => {
  const { world, sold, handed, admin, buyer, seller } = await soldByPhone()
  await must(open(world, handed, 'seller'))
  expect(await open(world, handed, 'buyer')).toMatchObject(taken)
  const again = await made(admin, sold)
  await must(open(world, again, 'buyer'))
  expect(await open(world, handed, 'seller')).toMatchObject(ended)
  expect(await claim(seller, handed, 'seller')).toMatchObject({ status: 410 })
  await must(claim(buyer, again, 'buyer'))
  expect(await ownersOf(world)).toEqual([buyer.user?.id])
})

test('a claim ends all that the seller handed out, also a link that a device had opened', async () => {
  const { world, sold, handed, others, admin, buyer } = await soldByPhone()
  const desk = await made(admin, sold)
  const phoneLinks = [handed, ...others]
  for (const url of phoneLinks) expect(await open(world, url, 'seller')).toMatchObject(ended)
  await must(open(world, desk, 'buyer'))
  await must(claim(buyer, desk, 'buyer'))
  expect(await world.sql('select 1 from ticket_links where ended_at is null and seller_id is not null')).toEqual([])
})

test('of many who open and claim a seller’s links at once, one device and one account get the tickets', async () => {
  const { world, handed, others, buyer, seller } = await soldByPhone()
  const urls = [handed, ...others, handed, handed]
  const opened = await Promise.all(urls.map((url, at) => open(world, url, `device ${at}`)))
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.sql('select 1 from link_devices')).toHaveLength(1)
  const winner = opened.findIndex(({ status }) => status === 200)
  const claimers = [...urls.keys()].flatMap((at) => [buyer, seller].map((who) => ({ who, at })))
  const claims = await Promise.all(claimers.map(({ who, at }) => claim(who, urls[winner] ?? '', `device ${at}`)))
  const winners = new Set(claimers.filter((_, n) => claims[n]?.status === 200).map(({ who }) => who.user?.id))
  // The same account gets the same answer again.
  expect([...winners]).toEqual(await ownersOf(world))
})

test('a claim without opening the link, followed by a new code, is a matter; the buyer’s own is not', async () => {
  const { world, sold, handed, others, seller } = await soldByPhone()
  await must(claim(seller, handed))
  for (const url of [handed, ...others]) expect(await open(world, url, 'buyer')).toMatchObject(ended)
  expect(await attention(world)).toEqual([])
  await renew(seller, sold[0])
  expect(await attention(world)).toMatchObject([{ kind: 'takenOver', amount: 299, order: expect.any(String) }])
})

test('a new code by an account that only the seller’s email leads to is a matter as well', async () => {
  const { world, sold, seller } = await soldByPhone({ email: 'kapil@example.org' })
  await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: seller.token }))
  expect(await ownersOf(world)).toEqual([seller.user?.id])
  await renew(seller, sold[0])
  expect(await attention(world)).toMatchObject([{ kind: 'takenOver' }])
})

test('somebody who comes with the old code of tickets that a phone sold and an account has renewed is a matter', async () => {
  const { world, sold, handed, seller } = await soldByPhone()
  await must(open(world, handed, 'seller'))
  await must(claim(seller, handed, 'seller'))
  const old = sold[0].qrCode
  await renew(seller, sold[0])
  expect(await attention(world)).toEqual([])
  world.clock.set('2025-09-22T13:00:30.000Z')
  const checker = await world.as('qrchecker')
  for (let at = 0; at < 2; at++)
    expect(await mark(checker, { qrCode: old })).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  expect(await attention(world)).toMatchObject([{ kind: 'takenOver' }])
})

test('the desk’s own links and offers stay as they are: twenty devices, no ten minutes', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await openDrawer(admin)
  const sale = { quantity: 1, method: 'cash', name: 'Hetal' }
  const { tickets } = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const url = await made(admin, tickets as [Ticket])
  await must(open(world, url, 'one'))
  world.clock.forward(20 * MINUTE)
  await must(open(world, url, 'two'))
  await must(claim(await world.as('guest', person('Radha')), url, 'two'))
  await must(open(world, url, 'one'))
})
