import { randomUUID } from 'node:crypto'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { must } from '../../src/testing/desk.ts'
import { bought, buy, eventForm, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, PAYING, type World } from '../../src/testing/world.ts'

const HOUR_MS = 3_600_000

const one = (price: number, more: Record<string, unknown> = {}) => ({ price, groupPrice: price, ...more })
const type = (en: string, more: Record<string, unknown> = {}) => ({ name: { en }, phases: [one(300)], ...more })

let world: World
let guest: Client
let admin: Client
beforeEach(async () => {
  world = await makeWorld()
  guest = await world.as('guest')
  admin = await world.as('admin')
})

/** Puts an event with these types on sale, and returns them as guests see them. */
async function onSale(types: unknown[], event: Record<string, unknown> = {}): Promise<TicketTypeOffer[]> {
  await putOnSale(world, { types, ...event })
  return offers()
}
const offers = async (code?: string): Promise<TicketTypeOffer[]> => {
  const query = code === undefined ? '' : `?code=${encodeURIComponent(code)}`
  return ((await must(world.nobody.request('GET', `/api/event${query}`))).data as GarbaEvent).types ?? []
}
const at = <T>(list: readonly T[], index: number): T => list[index] as T

interface Choice {
  lines?: { type: string; quantity: number; price?: number }[]
  quantity?: number
  code?: string
}
const sell = (buyer: Client, choice: Choice, key: string = randomUUID()) =>
  buyer.request('POST', '/api/tickets', choice, { 'Idempotency-Key': key })
const line = ({ id }: TicketTypeOffer, quantity = 1, price?: number) => ({
  lines: [{ type: id, quantity, ...(price === undefined ? {} : { price }) }],
})
const save = async (change: Record<string, unknown>) => admin.request('PUT', '/api/event', eventForm(change))
const deskTypes = async () => (await must(admin.request('GET', '/api/admin/event/types'))).types as { taken: number }[]

async function expectBooksAgree(): Promise<void> {
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
}

describe('a key that comes again after the types have changed', () => {
  const reordered = (types: TicketTypeOffer[]) =>
    types.toReversed().map(({ id, name }) => ({ id, name, phases: [one(900)] }))

  test('gets the first answer of a sale by quantity, and of one by lines', async () => {
    const types = await onSale([type('General'), type('VIP')])
    const first = await sell(guest, { quantity: 2 }, 'by-quantity')
    const second = await sell(guest, line(at(types, 1), 2), 'by-lines')
    expect([first.status, second.status]).toEqual([201, 201])
    await must(save({ types: reordered(types) }))
    expect(await sell(guest, { quantity: 2 }, 'by-quantity')).toMatchObject({ status: 201, body: first.body })
    expect(await sell(guest, line(at(types, 1), 2), 'by-lines')).toMatchObject({ status: 201, body: second.body })
    for (const other of [{ quantity: 3 }, line(at(types, 1), 2)])
      expect((await sell(guest, other, 'by-quantity')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    await expectBooksAgree()
  })

  test('gets the first order, and the first sale at the desk', async () => {
    world = await makeWorld({ settings: PAYING })
    guest = await world.as('guest')
    admin = await world.as('admin')
    const types = await onSale([type('General'), type('VIP')])
    const sale = { quantity: 1, method: 'complimentary', name: 'Asha', reason: 'Crew' }
    const send = (client: Client, path: string, body: Record<string, unknown>) =>
      client.request('POST', path, body, { 'Idempotency-Key': 'the-same-key' })
    const first = await send(guest, '/api/orders', { quantity: 2 })
    const atDesk = await send(admin, '/api/admin/orders', sale)
    expect([first.status, atDesk.status]).toEqual([201, 201])
    await must(save({ types: reordered(types) }))
    const again = await send(guest, '/api/orders', { quantity: 2 })
    expect(again).toMatchObject({ status: 201, body: { order: { code: (first.body.order as { code: string }).code } } })
    expect((await send(admin, '/api/admin/orders', sale)).body.tickets).toEqual(atDesk.body.tickets)
  })
})

describe('an event with one type', () => {
  test('has the type of its own prices, and sells as ever', async () => {
    const event = await putOnSale(world)
    const [only, ...others] = await offers()
    expect(others).toEqual([])
    expect(only).toMatchObject({
      ...{ note: null, price: 299, groupPrice: 249, phase: { until: null, left: null } },
      ...{ remaining: 500, state: 'onSale', admits: 1, maxPerOrder: null },
    })
    const [ticket] = await bought(guest, 4)
    expect(ticket).toMatchObject({ price: 249 })
    expect(ticket?.type).toEqual({ id: only?.id, name: only?.name })
    expect(event.types).toHaveLength(1)
    expect(at(await offers(), 0).remaining).toBe(496)
    await expectBooksAgree()
  })

  test('follows the prices of the event, and the event those of its types', async () => {
    await putOnSale(world)
    await must(save({ ticketPrice: 350, groupPrice4: 320 }))
    expect(at(await offers(), 0)).toMatchObject({ price: 350, groupPrice: 320 })
    const { id } = at(await offers(), 0)
    const reply = await must(save({ types: [type('General', { id, phases: [one(400)] })] }))
    expect(reply.data).toMatchObject({ ticketPrice: 400, groupPrice4: 400 })
  })

  test('can be bought by its line too', async () => {
    const [only] = await onSale([type('General')])
    const reply = await sell(guest, line(only as TicketTypeOffer, 2, 300))
    expect(reply).toMatchObject({ status: 201, body: { availableTickets: 498 } })
    expect((await sell(guest, { ...line(only as TicketTypeOffer), quantity: 1 })).status).toBe(400)
    expect((await sell(guest, {})).body).toMatchObject({ errors: [{ field: 'quantity' }] })
  })
})

describe('several types', () => {
  test('are sold in one order, each at its price, the group price by the number of that type', async () => {
    const [general, vip] = await onSale([
      type('General', { phases: [{ price: 300, groupPrice: 250 }] }),
      type('VIP', { name: { en: 'VIP', hi: 'वीआईपी' }, note: 'Front rows', phases: [{ price: 900, groupPrice: 800 }] }),
    ])
    if (!general || !vip) throw new Error('no types')
    expect(vip).toMatchObject({ name: { en: 'VIP', hi: 'वीआईपी' }, note: 'Front rows' })
    const reply = await sell(guest, {
      lines: [
        { type: general.id, quantity: 4, price: 250 },
        { type: vip.id, quantity: 2, price: 900 },
      ],
    })
    expect(reply.status).toBe(201)
    const tickets = reply.body.tickets as Ticket[]
    expect(tickets.map(({ price, type }) => [type?.name.en, price])).toEqual([
      ...Array.from({ length: 4 }, () => ['General', 250]),
      ...Array.from({ length: 2 }, () => ['VIP', 900]),
    ])
    const mine = (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
    expect(mine[0]?.type).toEqual({ id: vip.id, name: vip.name, isShown: true })
    expect(reply.body.availableTickets).toBe(494)
    await expectBooksAgree()
  })

  test('have seats of their own, which return with a cancelled ticket', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP', { seats: 3 })])
    if (!general || !vip) throw new Error('no types')
    expect(vip.remaining).toBe(3)
    const tickets = (await must(sell(guest, line(vip, 3)))).tickets as Ticket[]
    expect(await sell(guest, line(vip))).toMatchObject({
      status: 409,
      body: { code: 'TYPE_SOLD_OUT', remaining: 0, type: vip.id },
    })
    expect(at(await offers(), 1)).toMatchObject({ remaining: 0, state: 'soldOut' })
    expect((await sell(guest, line(general, 4))).status).toBe(201)
    await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?._id}`, { reason: 'Ill' }))
    expect(at(await offers(), 1)).toMatchObject({ remaining: 1, state: 'onSale' })
    await must(sell(guest, line(vip)))
    const back = await admin.request('PATCH', `/api/tickets/admin/${tickets[0]?._id}/status`, { status: 'active' })
    expect(back.status).toBe(409)
    await expectBooksAgree()
  })

  test('never sell more than the event has', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP', { seats: 4 })], { totalTickets: 5 })
    if (!general || !vip) throw new Error('no types')
    await must(sell(guest, line(general, 3)))
    expect(at(await offers(), 1).remaining).toBe(2)
    expect((await sell(guest, line(vip, 3))).body).toMatchObject({ code: 'SOLD_OUT', remaining: 2 })
  })

  test('are on sale from and until their moments, and not while paused', async () => {
    const now = world.clock.now().getTime()
    const moment = (hours: number) => new Date(now + hours * HOUR_MS).toISOString()
    const types = await onSale([
      type('Soon', { from: moment(1) }),
      type('Ending', { until: moment(1) }),
      type('Paused', { paused: true }),
      type('Two', { maxPerOrder: 2 }),
    ])
    expect(types.map(({ state }) => state)).toEqual(['soon', 'onSale', 'paused', 'onSale'])
    const [soon, ending, paused, two] = types
    if (!soon || !ending || !paused || !two) throw new Error('no types')
    for (const closed of [soon, paused])
      expect((await sell(guest, line(closed))).body).toMatchObject({ code: 'TYPE_NOT_ON_SALE', type: closed.id })
    expect((await sell(guest, { quantity: 1 })).body.code).toBe('TYPE_NOT_ON_SALE')
    expect((await sell(guest, line(two, 3))).body).toMatchObject({ code: 'VALIDATION_FAILED' })
    await must(sell(guest, line(two, 2)))
    world.clock.forward(2 * HOUR_MS)
    guest = await world.as('guest')
    expect((await offers()).map(({ state }) => state)).toEqual(['onSale', 'ended', 'paused', 'onSale'])
    expect((await sell(guest, line(ending))).body.code).toBe('TYPE_NOT_ON_SALE')
    expect((await sell(guest, line({ ...two, id: '01K5000000000000000EXTRA01' }))).body.code).toBe('TYPE_NOT_ON_SALE')
  })

  test('a couple is one price, two seats and two tickets with a group code of their own', async () => {
    const [, couple] = await onSale([type('General'), type('Couple', { admits: 2, seats: 5, phases: [one(999.99)] })])
    if (!couple) throw new Error('no type')
    expect(couple).toMatchObject({ admits: 2, remaining: 2 })
    const reply = await must(sell(guest, line(couple, 2)))
    expect((reply.tickets as Ticket[]).map(({ price }) => price)).toEqual([500, 499.99, 500, 499.99])
    expect(reply.availableTickets).toBe(496)
    const { groups } = (await must(guest.request('GET', '/api/tickets/group-codes'))) as {
      groups: { ticketIds: string[] }[]
    }
    expect(groups.length).toBeGreaterThan(0)
    expect((await sell(guest, line(couple))).body.code).toBe('TYPE_SOLD_OUT')
    await expectBooksAgree()
  })
})

describe('prices in phases', () => {
  const phases = [one(200, { sold: 3 }), one(300)]

  test('end by number, and a returned seat does not bring them back', async () => {
    const [general] = await onSale([type('General', { phases })])
    if (!general) throw new Error('no type')
    expect(general).toMatchObject({ price: 200, phase: { until: null, left: 3 } })
    const tickets = (await must(sell(guest, { quantity: 2 }))).tickets as Ticket[]
    expect(tickets[0]?.price).toBe(200)
    expect((await sell(guest, line(general, 2, 200))).body).toMatchObject({
      code: 'PRICE_CHANGED',
      price: 300,
      type: general.id,
    })
    expect(at(await offers(), 0).phase.left).toBe(1)
    await must(sell(guest, line(general, 1, 200)))
    await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?._id}`, { reason: 'Ill' }))
    expect(at(await offers(), 0)).toMatchObject({ price: 300, phase: { until: null, left: null } })
    expect(((await must(sell(guest, { quantity: 1 }))).tickets as Ticket[])[0]?.price).toBe(300)
    await expectBooksAgree()
  })

  test('end by time, and nothing is sold at the price shown before', async () => {
    const until = new Date(world.clock.now().getTime() + HOUR_MS).toISOString()
    const [general] = await onSale([type('General', { phases: [one(200, { until }), one(300)] })])
    if (!general) throw new Error('no type')
    expect(general.phase.until).toBe(until)
    world.clock.forward(HOUR_MS)
    guest = await world.as('guest')
    expect((await sell(guest, line(general, 1, 200))).body).toMatchObject({ code: 'PRICE_CHANGED', price: 300 })
    expect(at(await offers(), 0).remaining).toBe(500)
    await must(sell(guest, line(general, 1, 300)))
  })
})

describe('changing types', () => {
  test('counts what was sold before, and never touches it', async () => {
    await putOnSale(world)
    await bought(guest, 2)
    const [only] = await offers()
    await must(save({ types: [type('General', { id: only?.id, phases: [one(500)] }), type('VIP', { seats: 10 })] }))
    expect((await deskTypes()).map(({ taken }) => taken)).toEqual([2, 0])
    const mine = (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
    expect(mine.map(({ price, type }) => [price, type?.id])).toEqual([
      [299, only?.id],
      [299, only?.id],
    ])
    await expectBooksAgree()
  })

  test('refuses seats below the sold ones, and to delete a type that was sold', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP')])
    if (!general || !vip) throw new Error('no types')
    await must(sell(guest, line(vip, 3)))
    const few = await save({ types: [type('General', { id: general.id }), type('VIP', { id: vip.id, seats: 2 })] })
    expect(few).toMatchObject({ status: 400, body: { errors: [{ field: 'types', message: /VIP.* 3 / }] } })
    const gone = await save({ types: [type('General', { id: general.id })] })
    expect(gone).toMatchObject({ status: 400, body: { errors: [{ field: 'types', message: /VIP was sold/ }] } })
    await must(save({ types: [type('VIP', { id: vip.id })] }))
    expect((await offers()).map(({ name }) => name.en)).toEqual(['VIP'])
    expect((await deskTypes()).map(({ taken }) => taken)).toEqual([3])
    await expectBooksAgree()
  })

  test.each([
    ['no type', []],
    ['no English name', [{ name: { gu: 'સામાન્ય' }, phases: [one(1)] }]],
    ['a price of nothing', [type('General', { phases: [one(0)] })]],
    ['no price', [type('General', { phases: [] })]],
    ['a first price without an end', [type('General', { phases: [one(1), one(2)] })]],
    ['an end of the last price', [type('General', { phases: [one(1, { sold: 5 })] })]],
    ['prices in the wrong order', [type('G', { phases: [one(1, { sold: 5 }), one(2, { sold: 4 }), one(3)] })]],
    ['five people', [type('General', { admits: 5 })]],
    ['half a seat', [type('General', { seats: 1.5 })]],
    ["another event's type", [type('General', { id: '01K5000000000000000EXTRA01' })]],
  ])('refuses %s and changes nothing', async (_, types) => {
    await putOnSale(world)
    const before = await offers()
    expect(await save({ types })).toMatchObject({ status: 400, body: { errors: [{ field: 'types' }] } })
    expect(await offers()).toEqual(before)
  })

  test('says what is wrong with a long name in another language', async () => {
    await putOnSale(world)
    const types = [{ name: { en: 'VIP', gu: 'મહેમાન'.repeat(10) }, phases: [one(1)] }]
    const message = 'VIP: A name in another language can have at most 40 characters'
    expect((await save({ types })).body).toMatchObject({ errors: [{ field: 'types', message }] })
  })
})

describe('codes', () => {
  const make = (code: Record<string, unknown>) =>
    admin.request('POST', '/api/admin/codes', { note: 'For friends', ...code })
  const codes = async () => (await must(admin.request('GET', '/api/admin/codes'))).codes as { used: number }[]

  test('take off each ticket of their types, whatever their case, and count their use', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP', { phases: [one(1000)] })])
    if (!general || !vip) throw new Error('no types')
    const made = await make({ code: 'Garba 20', kind: 'percent', value: 20, types: [vip.id], tickets: 3 })
    expect(made).toMatchObject({ status: 201, body: { code: { code: 'Garba 20', used: 0, createdBy: 'Asha Admin' } } })
    const lines = [...line(general).lines, ...line(vip, 2).lines]
    const tickets = (await must(sell(guest, { lines, code: ' garba20' }))).tickets as Ticket[]
    expect(tickets.map(({ price }) => price)).toEqual([300, 800, 800])
    expect(await codes()).toMatchObject([{ used: 2 }])
    expect((await sell(guest, { ...line(vip, 2), code: 'GARBA20' })).body).toMatchObject({
      code: 'CODE_USED_UP',
      remaining: 1,
    })
    await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[1]?._id}`, { reason: 'Ill' }))
    expect(await codes()).toMatchObject([{ used: 1 }])
    await must(sell(guest, { ...line(vip, 2), code: 'GARBA20' }))
    const back = await admin.request('PATCH', `/api/tickets/admin/${tickets[1]?._id}/status`, { status: 'active' })
    expect(back.body.code).toBe('CODE_USED_UP')
    await expectBooksAgree()
  })

  test('work for an event with one type, per person, and never below one rupee', async () => {
    await putOnSale(world)
    await must(make({ code: 'FREE', kind: 'amount', value: 5000, perPerson: 2 }))
    const tickets = (await must(sell(guest, { quantity: 2, code: 'free' }))).tickets as Ticket[]
    expect(tickets.map(({ price }) => price)).toEqual([1, 1])
    expect((await sell(guest, { quantity: 1, code: 'free' })).body.code).toBe('CODE_USED_UP')
    await must(sell(await world.as('guest', person('Bhavna')), { quantity: 2, code: 'free' }))
    await expectBooksAgree()
  })

  test('are told of only while one can be used', async () => {
    await putOnSale(world)
    const hasCodes = async () => {
      const { data } = await must(world.nobody.request('GET', '/api/event'))
      return Object.entries(data as GarbaEvent).filter(([field]) => field === 'hasCodes')
    }
    expect(await hasCodes()).toEqual([])
    const until = new Date(world.clock.now().getTime() + HOUR_MS).toISOString()
    await must(make({ code: 'ONE', kind: 'percent', value: 10, tickets: 1, until }))
    expect(await hasCodes()).toEqual([['hasCodes', true]])
    const [ticket] = (await must(sell(guest, { quantity: 1, code: 'one' }))).tickets as Ticket[]
    expect(await hasCodes()).toEqual([])
    await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?._id}`, { reason: 'Ill' }))
    expect(await hasCodes()).toEqual([['hasCodes', true]])
    world.clock.forward(HOUR_MS)
    expect(await hasCodes()).toEqual([])
  })

  test('show hidden types, which nobody else sees or buys', async () => {
    const [, crew] = await onSale([type('General'), type('Family', { hidden: true })]).then(async (seen) => {
      expect(seen.map(({ name }) => name.en)).toEqual(['General'])
      await must(make({ code: 'CREW', kind: 'access' }))
      return offers('crew')
    })
    if (!crew) throw new Error('no type')
    expect(crew.name.en).toBe('Family')
    expect((await sell(guest, line(crew))).body.code).toBe('TYPE_NOT_ON_SALE')
    await must(sell(guest, { ...line(crew), code: 'CREW' }))
    expect(await codes()).toMatchObject([{ used: 1 }])
  })

  test('are unknown when misspelled, ended, paused or for other types', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP')])
    if (!general || !vip) throw new Error('no types')
    const until = new Date(world.clock.now().getTime() + HOUR_MS).toISOString()
    const made = await must(make({ code: 'VIP10', kind: 'percent', value: 10, types: [vip.id], until }))
    expect((await sell(guest, { ...line(general), code: 'VIP10' })).status).toBe(404)
    expect((await sell(guest, { ...line(vip), code: 'VIP11' })).body.code).toBe('CODE_UNKNOWN')
    for (const typed of ['vip૧૦', 'ViP १०', 'ＶＩＰ１０'])
      expect((await world.nobody.request('GET', `/api/event?code=${encodeURIComponent(typed)}`)).status).toBe(200)
    const id = (made.code as { id: string }).id
    await must(admin.request('PATCH', `/api/admin/codes/${id}`, { paused: true }))
    expect((await sell(guest, { ...line(vip), code: 'VIP10' })).body.code).toBe('CODE_UNKNOWN')
    await must(admin.request('PATCH', `/api/admin/codes/${id}`, { paused: false }))
    world.clock.forward(HOUR_MS)
    admin = await world.as('admin')
    expect((await world.nobody.request('GET', '/api/event?code=VIP10')).status).toBe(404)
    expect((await make({ code: 'vip 10', kind: 'access' })).body).toMatchObject({ errors: [{ field: 'code' }] })
    expect((await make({ code: 'X', kind: 'percent', value: 101 })).status).toBe(400)
    expect((await make({ code: 'X', kind: 'amount' })).status).toBe(400)
  })

  test.each([
    ['an end that has passed', { until: '2020-01-01T00:00:00.000Z' }, 'until'],
    ['a value of a code that takes nothing off', { kind: 'access', value: 10 }, 'value'],
    ['no letter or digit', { code: '   ' }, 'code'],
    ['too many characters, none of them a letter', { code: '-'.repeat(41) }, 'code'],
  ])('are refused once for %s', async (_, wrong, field) => {
    await putOnSale(world)
    const { status, body } = await make({ code: 'GOOD', kind: 'percent', value: 10, ...wrong })
    expect({ status, fields: (body.errors as { field: string }[]).map((error) => error.field) }).toEqual({
      status: 400,
      fields: [field],
    })
  })

  test('are the same with marks that nobody sees', async () => {
    await putOnSale(world)
    await must(make({ code: 'GAR\u200bBA', kind: 'percent', value: 10 }))
    expect((await sell(guest, { quantity: 1, code: '\ufeffGARB\u2060A' })).status).toBe(201)
    expect((await make({ code: 'garba', kind: 'percent', value: 10 })).body).toMatchObject({
      errors: [{ field: 'code' }],
    })
  })

  test('can be guessed only so often, by one person and from one address', async () => {
    await putOnSale(world)
    await must(make({ code: 'GOOD', kind: 'percent', value: 10 }))
    for (let known = 0; known < 30; known += 1)
      expect((await world.nobody.request('GET', '/api/event?code=GOOD')).status).toBe(200)
    const replies = []
    for (let guess = 0; guess < 25; guess += 1)
      replies.push((await sell(guest, { quantity: 1, code: `BAD${guess}` })).status)
    expect(new Set(replies)).toEqual(new Set([404, 429]))
    expect((await world.nobody.request('GET', '/api/event?code=GOOD')).status).toBe(429)
    expect((await world.nobody.request('GET', '/api/event')).status).toBe(200)
    expect((await buy(guest, 1)).status).toBe(201)
  })
})

describe('the lists of the desk', () => {
  const made = { kind: 'amount', value: 100, note: 'For friends' }
  const cellsOf = async (path: string): Promise<Record<string, string>[]> =>
    parse(await (await admin.fetch('GET', path)).text(), { bom: true, columns: true })

  test('name the types and who made the code, in tables and files, and can be narrowed to one', async () => {
    const [general, vip] = await onSale([type('General'), type('=VIP', { phases: [one(1000)] })])
    if (!general || !vip) throw new Error('no types')
    const { id } = (await must(admin.request('POST', '/api/admin/codes', { ...made, code: '+FRIENDS' }))).code as {
      id: string
    }
    await must(sell(guest, { lines: [...line(general, 2).lines, ...line(vip).lines], code: '+friends' }))
    await must(sell(await world.as('guest', person('Bhavna')), line(general)))

    const orders = await must(admin.request('GET', `/api/admin/orders?promo=${id}`))
    expect(orders).toMatchObject({
      types: [general, vip].map(({ id: of, name }) => ({ id: of, name })),
      codes: [{ id, code: '+FRIENDS' }],
      orders: [{ quantity: 3, promo: { id, code: '+FRIENDS', createdBy: 'Asha Admin' } }],
      pagination: { totalOrders: 1 },
    })
    const [{ code }] = orders.orders as [{ code: string }]
    expect(await must(admin.request('GET', `/api/admin/orders/${code}`))).toMatchObject({
      order: { promo: { code: '+FRIENDS', createdBy: 'Asha Admin' } },
    })
    for (const [of, count] of [
      [general, 2],
      [vip, 1],
    ] as const)
      expect((await must(admin.request('GET', `/api/admin/orders?type=${of.id}`))).pagination).toMatchObject({
        totalOrders: count,
      })
    const tickets = await must(admin.request('GET', `/api/admin/tickets/management?type=${vip.id}`))
    expect(tickets).toMatchObject({ tickets: [{ type: { id: vip.id } }], pagination: { totalTickets: 1 } })
    expect(tickets.types).toHaveLength(2)

    expect(await cellsOf(`/api/admin/tickets/export?type=${vip.id}`)).toMatchObject([{ Type: "'=VIP", Price: '900' }])
    expect(await cellsOf('/api/admin/orders/export')).toMatchObject([
      { Types: '1 General', 'Promo code': '', 'Code made by': '' },
      { Types: '2 General, 1 =VIP', 'Promo code': "'+FRIENDS", 'Code made by': 'Asha Admin' },
    ])
  })

  test('add up by type what is sold, left and paid, for managers too', async () => {
    const [general, vip] = await onSale([type('General'), type('VIP', { seats: 5, admits: 2, phases: [one(1000)] })])
    if (!general || !vip) throw new Error('no types')
    const tickets = (await must(sell(guest, { lines: [...line(general, 2).lines, ...line(vip).lines] }))).tickets
    await must(guest.request('PATCH', `/api/tickets/cancel/${(tickets as Ticket[])[0]?._id}`, { reason: 'Ill' }))
    const { data } = await must((await world.as('manager')).request('GET', '/api/admin/analytics/dashboard'))
    expect((data as { types: unknown[] }).types).toEqual([
      { id: general.id, name: general.name, sold: 1, left: 497, revenue: 300 },
      { id: vip.id, name: vip.name, sold: 2, left: 1, revenue: 1000 },
    ])
  })

  test('are as ever for an event with one type and no code', async () => {
    await putOnSale(world)
    await bought(guest, 1)
    expect((await must(admin.request('GET', '/api/admin/analytics/dashboard'))).data).not.toHaveProperty('types')
    const [tickets, orders] = [
      await admin.request('GET', '/api/admin/tickets/management'),
      await admin.request('GET', '/api/admin/orders'),
    ]
    expect([tickets.body.types, orders.body.types, orders.body.codes]).toEqual([undefined, undefined, undefined])
    expect(Object.keys((await cellsOf('/api/admin/tickets/export'))[0] ?? {}).at(-1)).toBe('Paper')
    expect(Object.keys((await cellsOf('/api/admin/orders/export'))[0] ?? {}).at(-1)).toBe('Reason')
  })
})

describe('the desk', () => {
  test('sells a type at its price and its seats', async () => {
    const [, vip] = await onSale([type('General'), type('VIP', { seats: 2, phases: [one(1000)] })])
    if (!vip) throw new Error('no type')
    const give = (quantity: number) =>
      admin.request(
        'POST',
        '/api/admin/orders',
        { ...line(vip, quantity), method: 'complimentary', reason: 'Guests of the committee', name: 'Hetal' },
        { 'Idempotency-Key': randomUUID() },
      )
    expect((await must(give(1))).tickets).toMatchObject([{ type: { id: vip.id }, price: 0 }])
    expect((await give(2)).body).toMatchObject({ code: 'TYPE_SOLD_OUT', remaining: 1 })
  })

  test('makes paper tickets of a type, which its seats and its price are for', async () => {
    const [general, vip, couple] = await onSale([
      type('General'),
      type('VIP', { seats: 5, phases: [one(1000)] }),
      type('Couple', { admits: 2 }),
    ])
    if (!general || !vip || !couple) throw new Error('no types')
    const make = (body: Record<string, unknown>) =>
      admin.request('POST', '/api/admin/blocks', { label: 'Rajwadi Sweets', size: 3, ...body })
    expect((await must(make({ type: vip.id }))).block).toMatchObject({ type: { id: vip.id }, price: 1000 })
    expect((await must(make({}))).block).toMatchObject({ type: { id: general.id }, price: 300 })
    expect(at(await offers(), 1).remaining).toBe(2)
    expect((await make({ type: vip.id })).body.code).toBe('TYPE_SOLD_OUT')
    for (const wrong of [couple.id, '01K5000000000000000EXTRA01'])
      expect((await make({ type: wrong })).body).toMatchObject({ errors: [{ field: 'type' }] })
    const { blocks } = (await must(admin.request('GET', '/api/admin/blocks'))) as { blocks: { id: string }[] }
    const sheet = await admin.fetch('GET', `/api/admin/blocks/${blocks.at(-1)?.id}/sheet`)
    expect(sheet.headers.get('content-type')).toBe('application/pdf')
  })
})

test('the same key buys once, and another choice under it is refused', async () => {
  const [general, vip] = await onSale([type('General'), type('VIP')])
  if (!general || !vip) throw new Error('no types')
  const first = await sell(guest, line(vip, 2), 'the-same-key')
  const again = await sell(guest, line(vip, 2), 'the-same-key')
  expect(again.body).toEqual(first.body)
  for (const other of [line(vip, 1), line(general, 2), { quantity: 2 }])
    expect((await sell(guest, other, 'the-same-key')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(at(await offers(), 0).remaining).toBe(498)
})
