import { randomUUID } from 'node:crypto'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { expect, test } from 'vitest'
import { brokenRules } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, ask, attention, kept, replay, sellingPhone, sellOnline } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { type Phone, pairedPhone } from '../../src/testing/phone.ts'
import { eventForm, mark } from '../../src/testing/scenes.ts'
import type { World } from '../../src/testing/world.ts'

const one = (price: number) => ({ price, groupPrice: price })
const type = (en: string, more: Record<string, unknown> = {}) => ({ name: { en }, phases: [one(300)], ...more })
const VIP = { phases: [one(1000)], note: 'Front rows' }

interface Stock {
  blocks: DeviceBlock[]
  types?: TicketTypeOffer[]
}
const stockOf = (phone: Phone) => must(ask(phone, 'GET', '/api/devices/blocks')) as unknown as Promise<Stock>
const draw = async (phone: Phone, { id }: { id: string }, size: number) =>
  (await must(ask(phone, 'POST', '/api/devices/blocks', { size, type: id }))).block as DeviceBlock
const line = ({ id }: TicketTypeOffer, quantity: number) => ({
  quantity: undefined,
  lines: [{ type: id, quantity }],
})

/** A phone with an open drawer, and the types of its event as the phone may sell them. */
async function selling(types: unknown[], event: Record<string, unknown> = {}) {
  const world = await payingWorld({ event: { types, ...event } })
  const phone = await sellingPhone(world)
  const offered = (await stockOf(phone)).types ?? []
  return { world, phone, types: offered as [TicketTypeOffer, TicketTypeOffer, ...TicketTypeOffer[]] }
}

const changeTypes = async (world: World, change: (type: Record<string, unknown>) => Record<string, unknown>) => {
  const admin = await world.as('admin')
  const { types } = (await must(admin.request('GET', '/api/admin/event/types'))) as unknown as {
    types: Record<string, unknown>[]
  }
  const changed = types.map(({ taken: _, ...each }) => change(each))
  return must(admin.request('PUT', '/api/event', eventForm({ types: changed })))
}

test('a phone learns of several types, even while guests cannot buy, but of no hidden one; of one type nothing is said', async () => {
  const { world, phone, types } = await selling(
    [type('General'), type('VIP', VIP), type('Crew', { hidden: true }), type('Student', { paused: true })],
    { paused: 'Back at six' },
  )
  expect(types.map(({ name, state }) => [name.en, state])).toEqual([
    ['General', 'onSale'],
    ['VIP', 'onSale'],
    ['Student', 'paused'],
  ])
  expect(types[1]).toMatchObject({ price: 1000, note: 'Front rows' })
  const block = await draw(phone, types[1], 2)
  expect(block).toMatchObject({ type: { id: types[1].id, name: { en: 'VIP' } }, price: 1000 })
  expect(await stockOf(phone)).toMatchObject({ blocks: [{ type: { id: types[1].id } }] })
  await changeTypes(world, (each) => each)
  const single = await payingWorld()
  const other = await pairedPhone(single)
  expect(await allot(other, 1)).not.toHaveProperty('type')
  expect(await stockOf(other)).not.toHaveProperty('types')
})

test('online a phone sells several types at their prices, and none that is paused or hidden', async () => {
  const { world, phone, types } = await selling([
    type('General'),
    type('Couple', { admits: 2, phases: [one(500)], maxPerOrder: 1 }),
    type('Student', { paused: true }),
    type('Crew', { hidden: true }),
  ])
  const [general, couple, student] = types
  const sold = await must(sellOnline(phone, { ...line(general, 2), total: 600 }))
  expect(sold).toMatchObject({ order: { total: 600 }, tickets: [{ type: { id: general.id } }, { price: 300 }] })
  expect((await must(sellOnline(phone, line(couple, 1)))).tickets).toHaveLength(2)
  expect(await sellOnline(phone, line(couple, 2))).toMatchObject({ status: 400 })
  expect(await sellOnline(phone, line(student as TicketTypeOffer, 1))).toMatchObject({
    status: 409,
    body: { code: 'TYPE_NOT_ON_SALE' },
  })
  const [{ types: stored }] = (await world.sql('select types from events')) as [{ types: string }]
  const crew = (JSON.parse(String(stored)) as TicketTypeOffer[]).find(({ name }) => name.en === 'Crew')
  expect((await sellOnline(phone, line(crew as TicketTypeOffer, 1))).body).toMatchObject({ code: 'TYPE_NOT_ON_SALE' })
  const blockOf = (id: string) => ask(phone, 'POST', '/api/devices/blocks', { size: 1, type: id })
  expect((await blockOf(student?.id ?? '')).body).toMatchObject({ code: 'TYPE_NOT_ON_SALE' })
  expect(await blockOf(couple.id)).toMatchObject({ status: 400, body: { errors: [{ field: 'type' }] } })
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('with one ticket type, a phone can sell outside its sale period', async () => {
  const { phone } = await selling([type('General', { paused: true })])
  expect(await sellOnline(phone, { total: 300 })).toMatchObject({ status: 201 })
  expect(await allot(phone, 1)).toMatchObject({ price: 300 })
})

test('what was sold offline keeps its price and type when the type has changed since, and the desk sees what was not on sale', async () => {
  const { world, phone, types } = await selling([type('General'), type('VIP', { ...VIP, seats: 10 })])
  const [general, vip] = types
  const [ofVip, ofGeneral] = [await draw(phone, vip, 3), await draw(phone, general, 2)]
  const early = kept(world, ofVip, [1])
  world.clock.forward(60_000)
  await changeTypes(world, (each) =>
    each.id === vip.id
      ? { ...each, until: world.clock.now().toISOString(), phases: [one(1200)] }
      : { ...each, phases: [one(350)] },
  )
  world.clock.forward(60_000)
  const late = kept(world, ofVip, [2, 3], { scanIds: [randomUUID(), randomUUID()] })
  const results = await replay(phone, early, late, kept(world, ofGeneral, [1, 2]))
  expect(results).toMatchObject([
    { success: true, tickets: [{ status: 'active' }] },
    { success: true, tickets: [{ status: 'used' }, { status: 'used' }] },
    { success: true },
  ])
  expect(await replay(phone, late)).toEqual([results[1]])
  expect(await world.sql('select type_id, price_paise from tickets order by price_paise, id')).toEqual([
    ...Array.from({ length: 2 }, () => ({ type_id: general.id, price_paise: 30_000 })),
    ...Array.from({ length: 3 }, () => ({ type_id: vip.id, price_paise: 100_000 })),
  ])
  expect(await attention(world)).toMatchObject([
    { kind: 'typeNotOnSale', amount: 2000, detail: expect.stringMatching(/^2 tickets \(VIP\), sold by /) },
  ])
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('a phone that knows no types sells codes of two at the price of the first: each ticket keeps its type, and the desk sees it', async () => {
  const { world, phone, types } = await selling([type('General'), type('VIP', { ...VIP, seats: 10 })])
  const [general, vip] = types
  const [ofVip, ofGeneral] = [await draw(phone, vip, 1), await draw(phone, general, 2)]
  const mixed = {
    ...kept(world, ofVip, [1]),
    ticketIds: [ofGeneral.codes[0], ofVip.codes[0], ofGeneral.codes[1]].map((code) => code?.ticketId),
  }
  expect(await replay(phone, mixed)).toMatchObject([{ success: true }])
  expect(await world.sql('select type_id, price_paise from tickets where id = ?', ofVip.codes[0]?.ticketId)).toEqual([
    { type_id: vip.id, price_paise: 30_000 },
  ])
  expect(await world.sql('select count(*) as n from tickets where type_id = ?', general.id)).toEqual([{ n: 2 }])
  expect(await attention(world)).toMatchObject([{ kind: 'typeNotOnSale', amount: 900 }])
  expect(await brokenRules(await world.as('admin'))).toEqual([])
})

test('the desk sells several types at once, hidden and paused ones too, and reads which are hidden', async () => {
  const world = await payingWorld({
    event: { types: [type('General'), type('Crew', { hidden: true }), type('VIP', { ...VIP, paused: true })] },
  })
  const admin = await world.as('admin')
  const read = async (role: 'admin' | 'manager') =>
    (await must((await world.as(role)).request('GET', '/api/admin/event/types'))).offers as TicketTypeOffer[]
  const offers = await read('manager')
  expect(offers.map(({ name, hidden, state }) => [name.en, hidden, state])).toEqual([
    ['General', undefined, 'onSale'],
    ['Crew', true, 'onSale'],
    ['VIP', undefined, 'paused'],
  ])
  const body = {
    lines: offers.map(({ id }) => ({ type: id, quantity: 1 })),
    ...{ method: 'card', name: 'Hetal', total: 1600 },
  }
  const sold = await must(admin.request('POST', '/api/admin/orders', body, { 'Idempotency-Key': randomUUID() }))
  expect((sold.tickets as { type: { name: { en: string } } }[]).map((ticket) => ticket.type.name.en)).toEqual([
    'General',
    'Crew',
    'VIP',
  ])
})

test('every answer about a scanned ticket names its type and note where there are several', async () => {
  const { world, phone, types } = await selling([type('General'), type('VIP', VIP)])
  const vip = types[1]
  const sold = await must(sellOnline(phone, line(vip, 2)))
  const [first, second] = (sold.tickets as { id: string; qrCode: string }[]).map(({ qrCode }) => qrCode)
  const checker = await world.as('qrchecker')
  const named = { type: { id: vip.id, name: { en: 'VIP' }, note: 'Front rows' } }
  expect((await must(checker.request('POST', '/api/tickets/verify-qr', { qrCode: first }))).ticket).toMatchObject(named)
  expect((await mark(checker, { qrCode: first })).body).toMatchObject({ ticket: named })
  expect(await mark(checker, { qrCode: first })).toMatchObject({ status: 409, body: { ticket: named } })
  const leaving = { qrCode: second, scanId: randomUUID() }
  expect((await checker.request('POST', '/api/tickets/exit', leaving)).body).toMatchObject({ ticket: named })
  const rows = [{ qrCode: second, scanId: randomUUID() }]
  expect((await checker.request('POST', '/api/tickets/mark-used/batch', { scans: rows })).body).toMatchObject({
    results: [{ ticket: named }],
  })
})
