import { DAY_MS } from '@garba/shared/constants'
import type { Order, PhoneSale } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { brokenRules } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, attention, kept, openDrawer, replay, sellOnline } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { type Phone, pairedPhone } from '../../src/testing/phone.ts'
import { mark } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const sellByCard = (phone: Phone, slip: string, quantity = 1) =>
  sellOnline(phone, { method: 'card', reference: slip, quantity })
const books = async (admin: Client) =>
  ((await must(admin.request('GET', '/api/admin/books'))).books as { rule: string; ok: boolean; examples: string[] }[])
    .filter(({ ok }) => !ok)
    .flatMap(({ rule, examples }) => examples.map((example) => `${rule} ${example}`))
/** Imports a statement of the day of the world's clock with these rows. */
const importLines = (admin: Client, rows: readonly string[]) =>
  must(
    admin.request('POST', '/api/admin/statements', {
      csv: ['Date,Narration,Credit', ...rows].join('\n'),
      mapping: { date: 0, description: 1, amount: 2 },
    }),
  )
const today = ({ clock }: World) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(clock.now())
const openMatters = ({ sql }: World) =>
  sql('select kind, count(*) as n from attention where resolved_at is null group by 1 order by 1')
const salesOf = async (admin: Client, { id }: Phone) =>
  (await must(admin.request('GET', `/api/admin/devices/${id}/sales`))).sales as PhoneSale[]

test('an invented slip is a matter like a missing one; the terminal’s total ticks a seller’s day off, and only if it is the sum', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world, { name: 'Door' })
  const admin = await world.as('admin')
  await must(sellByCard(phone, '000123'))
  await must(sellByCard(phone, '000124', 2))
  await must(sellOnline(phone, { method: 'card' }))
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 3 }])
  const { unproven } = await must(admin.request('GET', '/api/admin/attention'))
  const [sum] = unproven as { day: string; sellerId: string; seller: string }[]
  expect(unproven).toEqual([
    { sellerId: phone.id, seller: 'Door', day: sum?.day, method: 'card', orders: 3, tickets: 4, amount: 1196 },
  ])
  const tickOff = (amount: number) =>
    admin.request('POST', '/api/admin/terminal-totals', {
      sellerId: sum?.sellerId,
      seller: sum?.seller,
      day: sum?.day,
      amount,
    })
  expect(await tickOff(897)).toMatchObject({ status: 409, body: { code: 'TOTAL_DIFFERS', total: 1196 } })
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 3 }])
  await must(tickOff(1196))
  await must(tickOff(1196))
  expect(await openMatters(world)).toEqual([])
  expect(await world.sql("select distinct resolved_by_name as by from attention where kind = 'unproven'")).toEqual([
    { by: 'Asha Admin' },
  ])
  expect(await brokenRules(admin)).toEqual([])
})

test('a slip that is given for another sale is a matter, however it is written', async () => {
  const world = await payingWorld()
  const [phone, other] = [await pairedPhone(world), await pairedPhone(world, { name: 'Gate B phone' })]
  const { code } = (await sellByCard(phone, '00-0123 a')).body.order as Order
  await must(sellByCard(other, '123A'))
  const block = await allot(phone, 2)
  await replay(phone, kept(world, block, [1], { method: 'card', reference: '0123A' }))
  await must(sellByCard(phone, '124'))
  const twice = (await attention(world)).filter(({ kind }) => kind === 'slipTwice')
  expect(twice.map(({ detail }) => detail)).toEqual([
    `Also given for ${code}`,
    expect.stringContaining(`Also given for ${code}, `),
  ])
  const admin = await world.as('admin')
  await world.sql("delete from attention where kind = 'slipTwice'")
  expect(await books(admin)).toEqual([
    expect.stringMatching(/^claimsListed \w{8}: slip 123A was given for 3 sales, and 0 /),
  ])
})

test('Books are red once the statement of the day is in without the number of a sale, on the phone, offline and at the desk', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  let admin = await world.as('admin')
  const online = (await sellOnline(phone, { method: 'upi', reference: '512345678901', admit: true })).body
    .order as Order
  const block = await allot(phone, 2)
  const [offline] = await replay(phone, kept(world, block, [1], { method: 'upi', reference: '512345678902' }))
  const sale = { method: 'upi', quantity: 1, name: 'Meera', reference: '512345678903' }
  const atDesk = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': 'at-the-desk' }))
  const real = (await sellOnline(phone, { method: 'upi', reference: '512345678904' })).body.order as Order
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 4 }])

  await importLines(admin, [`${today(world)},UPI/512345678904/MEERA,299.00`])
  // The day is not over: a later export may have the others.
  expect(await brokenRules(admin)).toEqual([])
  world.clock.forward(DAY_MS)
  admin = await world.as('admin')
  await importLines(admin, [`${today(world)},UPI/512345678999/OTHER,299.00`])
  const lies = [online.code, offline?.success ? offline.order : '', (atDesk.order as Order).code].toSorted()
  expect((await books(admin)).toSorted()).toEqual(
    lies.map((code) => expect.stringMatching(new RegExp(`^bankAgrees ${code}: ₹299 was sold by UPI on `))),
  )
  // The line that has the number proves its sale.
  const { lines } = await must(admin.request('GET', '/api/admin/statements'))
  const line = (lines as { id: string; match: string; order: { code: string } | null }[]).find(({ order }) => order)
  expect(line).toMatchObject({ match: 'ready', order: { code: real.code } })
  await must(admin.request('POST', '/api/admin/statements/confirm', { lines: [line?.id] }))
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 3 }])
  expect(await world.sql('select count(*) as n from payments')).toEqual([{ n: 4 }])
  // A person who knows better signs for it.
  for (const { id } of await attention(world))
    await must(admin.request('POST', `/api/admin/attention/${id}/resolve`, { resolution: 'In the other account' }))
  expect(await brokenRules(admin)).toEqual([])
})

test('a claim with another sum than the bank’s line is no proof, and the bank’s number outweighs the seller’s', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  const { code } = (await sellOnline(phone, { method: 'upi', reference: '512345678901', quantity: 2 })).body
    .order as Order
  const confirm = (amount: number, utr: string) =>
    admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount, utr })
  await importLines(admin, [`${today(world)},UPI/512345678901/SOMEBODY,299.00`])
  const { lines } = await must(admin.request('GET', '/api/admin/statements'))
  expect(lines).toMatchObject([{ match: 'differs', order: { code } }])
  expect(await confirm(299, '512345678901')).toMatchObject({ status: 400 })
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 1 }])
  await must(confirm(598, '512345678907'))
  expect(await world.sql("select utr, amount_paise as paise from payments where state = 'captured'")).toEqual([
    { utr: '512345678907', paise: 59_800 },
  ])
  expect(await openMatters(world)).toEqual([])
  expect(await confirm(598, '512345678907')).toMatchObject({ status: 200 })
  expect(await world.sql('select count(*) as n from payments')).toEqual([{ n: 1 }])
})

test('a number that a seller invented does not keep the bank’s credit from the order that it pays', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  await must(sellOnline(phone, { method: 'upi', reference: '512345678901' }))
  const guest = await world.as('guest')
  const placed = await must(
    guest.request('POST', '/api/orders', { quantity: 1, provider: 'upi' }, { 'Idempotency-Key': 'a-guest-pays' }),
  )
  const { code } = placed.order as Order
  await must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 299, utr: '512345678901' }))
  expect(
    await world.sql('select o.channel, p.utr from payments p join orders o on o.id = p.order_id order by 1'),
  ).toEqual([
    { channel: 'door', utr: null },
    { channel: 'web', utr: '512345678901' },
  ])
  expect(await openMatters(world)).toEqual([{ kind: 'unproven', n: 1 }])
  expect(await brokenRules(admin)).toEqual([])
})

test('a phone sells two hundred tickets without cash until somebody at the desk has looked, by any method, online, at once and offline', async () => {
  const world = await payingWorld({ event: { totalTickets: 1000 }, settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  await openDrawer(await phone.client())
  await must(sellOnline(phone, { method: 'complimentary', reason: 'Friends', quantity: 60 }))
  await must(sellOnline(phone, { method: 'upi', reference: '512345678901', quantity: 60 }))
  await must(sellByCard(phone, '1', 50))
  const refused = { status: 409, body: { code: 'UNPROVEN_LIMIT' } }
  expect(await sellByCard(phone, '2', 31)).toMatchObject(refused)
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => sellByCard(phone, `3${n}`, 10)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.find(({ status }) => status === 409)).toMatchObject(refused)
  // Cash has its drawer.
  await must(sellOnline(phone, { method: 'cash', quantity: 20 }))
  // What a phone sold offline is kept for the desk, and lets nobody in.
  const block = await allot(phone, 2)
  const [late] = await replay(phone, kept(world, block, [1], { method: 'card', reference: '99' }))
  expect(late).toMatchObject({ success: true, outcome: 'noted', tickets: [] })
  expect(await mark(await world.as('qrchecker'), { qrCode: block.codes[0]?.qrCode })).toMatchObject({
    body: { success: false },
  })
  expect((await attention(world)).map(({ kind }) => kind)).toContain('overLimit')
  expect(await world.sql(`select sum(quantity) as n from orders where state = 'paid' and provider <> 'cash'`)).toEqual([
    { n: 200 },
  ])

  const codes = (await salesOf(admin, phone)).map(({ order }) => order)
  expect(codes).toHaveLength(6)
  await must(admin.request('POST', `/api/admin/devices/${phone.id}/sales/looked`, { orders: codes }))
  expect((await salesOf(admin, phone)).every(({ isLooked }) => isLooked)).toBe(true)
  await must(sellByCard(phone, '4', 100))
  expect(await brokenRules(admin)).toEqual([])
})

test('a revoked phone’s sales without cash are cancelled in one action: no ticket opens the gate, and no money goes back', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  await openDrawer(await phone.client())
  const lie = await sellByCard(phone, '1', 2)
  await must(sellOnline(phone, { method: 'upi', reference: '512345678901', admit: true }))
  await must(sellOnline(phone, { method: 'complimentary', reason: 'Friends' }))
  await must(sellOnline(phone, { method: 'cash' }))
  const refunded = (await sellByCard(phone, '2', 2)).body as unknown as { order: Order; tickets: { _id: string }[] }
  const partly = { ticketIds: [refunded.tickets[0]?._id], reason: 'Rain' }
  await must(
    admin.request('POST', `/api/admin/orders/${refunded.order.code}/refund`, partly, {
      'Idempotency-Key': 'refund-one',
    }),
  )
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  const sales = await salesOf(admin, phone)
  expect(sales.map(({ method, quantity, used, number }) => ({ method, quantity, used, number }))).toEqual([
    { method: 'card', quantity: 2, used: 0, number: '1' },
    { method: 'upi', quantity: 1, used: 1, number: '512345678901' },
    { method: 'complimentary', quantity: 1, used: 0, number: null },
    { method: 'card', quantity: 2, used: 0, number: '2' },
  ])
  const cancel = { orders: sales.map(({ order }) => order), reason: 'The money never came' }
  const path = `/api/admin/devices/${phone.id}/sales/cancel`
  const left = (await must(admin.request('POST', path, cancel))).sales as PhoneSale[]
  // Whoever refunded it has decided about it.
  expect(left.map(({ order }) => order)).toEqual([refunded.order.code])
  await must(admin.request('POST', path, cancel))
  const { tickets } = lie.body as { tickets: { qrCode: string }[] }
  expect(await mark(await world.as('qrchecker'), { qrCode: tickets[0]?.qrCode })).toMatchObject({
    body: { code: 'TICKET_CANCELLED' },
  })
  expect(await world.sql('select status, count(*) as n from tickets group by 1 order by 1')).toEqual([
    { status: 'active', n: 2 },
    { status: 'cancelled', n: 5 },
  ])
  expect(await world.sql('select count(*) as n from refunds')).toEqual([{ n: 1 }])
  expect(await world.sql('select taken_seats as n from events')).toEqual([{ n: 2 }])
  expect(await world.sql("select provider, state from payments where state <> 'captured' order by provider")).toEqual([
    { provider: 'card', state: 'void' },
    { provider: 'upi', state: 'void' },
  ])
  expect(await brokenRules(admin)).toEqual([])
  // The money came after all: it waits to be paid back, and makes no second set of tickets.
  const { order: upi } = sales[1] as PhoneSale
  await must(admin.request('POST', `/api/admin/orders/${upi}/confirm`, { amount: 299, utr: '512345678901' }))
  expect((await attention(world)).map(({ kind }) => kind)).toContain('payBack')
  expect(await world.sql('select count(*) as n from tickets')).toEqual([{ n: 7 }])
  expect(await brokenRules(admin)).toEqual([])
})

test('a sale whose claim is on no list is found by Books alone', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const { code } = (await sellByCard(phone, '1')).body.order as Order
  await world.sql("delete from attention where kind = 'unproven'")
  expect(await books(await world.as('admin'))).toEqual([
    `claimsListed ${code}: ₹299 by card counts as received on the seller's word, and is on no list`,
  ])
})

test('only admins see, look at, cancel or tick off what was sold without cash', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const base = `/api/admin/devices/${phone.id}/sales`
  const body = { orders: ['AAAAAAAA'], reason: 'No' }
  for (const who of [await phone.client(), await world.as('manager'), await world.as('qrchecker')])
    for (const [method, path] of [
      ['GET', base],
      ['POST', `${base}/looked`],
      ['POST', `${base}/cancel`],
      ['POST', '/api/admin/terminal-totals'],
    ] as const)
      expect((await who.request(method, path, method === 'GET' ? undefined : body)).status).toBe(403)
})
