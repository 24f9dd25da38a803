import { randomUUID } from 'node:crypto'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { DeskTicketType } from '@garba/shared/contracts/types/ticketType'
import type { OwnWaiting } from '@garba/shared/contracts/waiting'
import { expect, test } from 'vitest'
import { waitingRound } from '../../src/flows/money/orders/waitingList.ts'
import { wrongInTables } from '../../src/testing/accounts.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, kept, replay, sellingPhone } from '../../src/testing/door.ts'
import { linkOf, minutesPass, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { eventForm, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const type = (en: string, more: Record<string, unknown> = {}) => ({
  name: { en },
  phases: [{ price: 300, groupPrice: 250 }],
  ...more,
})

async function typesOf(world: World): Promise<[DeskTicketType, ...DeskTicketType[]]> {
  const { types } = await must((await world.as('admin')).request('GET', '/api/admin/event/types'))
  return types as [DeskTicketType, ...DeskTicketType[]]
}

async function changeFirst(world: World, change: Partial<DeskTicketType>): Promise<void> {
  const [first, ...others] = (await typesOf(world)).map(({ taken: _, ...sent }) => sent)
  const admin = await world.as('admin')
  await must(admin.request('PUT', '/api/event', eventForm({ types: [{ ...first, ...change }, ...others] })))
}

const makeCode = async (world: World, code: Record<string, unknown>) =>
  must((await world.as('admin')).request('POST', '/api/admin/codes', { note: '', ...code }))
const buy = (guest: Client, choice: Record<string, unknown>, key: string = randomUUID()) =>
  guest.request('POST', '/api/tickets', choice, { 'Idempotency-Key': key })
const join = (guest: Client, quantity: number) => guest.request('POST', '/api/waiting', { quantity })
const offerOf = async (guest: Client) => ((await must(guest.request('GET', '/api/waiting/mine'))) as OwnWaiting).offer

test.each([
  ['hidden', { hidden: true }],
  ['paused', { paused: true }],
  ['ended', { until: '2025-08-01T00:00:00Z' }],
])('nobody waits for a type that is %s, nor is one offered to who waits already', async (_, closed) => {
  const world = await makeWorld()
  await putOnSale(world, { types: [type('Crew', { seats: 1 }), type('General')] })
  const [owner, early, late] = [
    await world.as('guest'),
    await world.as('guest', person('Early')),
    await world.as('guest', person('Late')),
  ]
  const [ticket] = (await must(buy(owner, { quantity: 1 }))).tickets as [Ticket]
  await must(join(early, 1))
  await changeFirst(world, closed)
  expect(await join(late, 1)).toMatchObject({ status: 409, body: { code: 'TYPE_NOT_ON_SALE' } })
  await must(owner.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'Ill' }))
  await waitingRound(world.deps)
  expect(await offerOf(early)).toBeNull()
  await changeFirst(world, { hidden: false, paused: false, until: null })
  expect(await offerOf(early)).toMatchObject({ quantity: 1 })
})

test('nobody waits for more of a type than one order may have', async () => {
  const world = await makeWorld()
  await putOnSale(world, { types: [type('General', { seats: 2, maxPerOrder: 2 }), type('VIP')] })
  await must(buy(await world.as('guest'), { quantity: 2 }))
  const guest = await world.as('guest', person('Bhavna'))
  expect(await join(guest, 3)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect((await join(guest, 2)).status).toBe(201)
})

test('the same key with another code is another request', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  for (const code of ['TEN', 'HALF']) await makeCode(world, { code, kind: 'percent', value: code === 'TEN' ? 10 : 50 })
  await makeCode(world, { code: 'CREW', kind: 'access' })
  const guest = await world.as('guest')
  const [first] = (await must(buy(guest, { quantity: 1, code: 'TEN' }, 'key-of-ten'))).tickets as [Ticket]
  for (const code of [{}, { code: 'HALF' }, { code: 'CREW' }, { code: 'NONE' }])
    expect(await buy(guest, { quantity: 1, ...code }, 'key-of-ten')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  expect((await must(buy(guest, { quantity: 1, code: ' t en' }, 'key-of-ten'))).tickets).toMatchObject([
    { _id: first._id },
  ])
  await must(buy(guest, { quantity: 1, code: 'CREW' }, 'key-of-crew'))
  expect((await buy(guest, { quantity: 1, code: 'crew' }, 'key-of-crew')).status).toBe(201)
  expect((await buy(guest, { quantity: 1, code: 'TEN' }, 'key-of-crew')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await world.sql('select count(*) as n from tickets')).toEqual([{ n: 2 }])
})

test.each(['perPerson', 'tickets'])(
  'money that comes after the hold does not take a code beyond its limit of %s',
  async (limit) => {
    const world = await payingWorld()
    await makeCode(world, { code: 'TWO', kind: 'amount', value: 50, [limit]: 2 })
    const order = async () => {
      const guest = await world.as('guest')
      return (await must(place(guest, { quantity: 2, code: 'TWO', provider: 'razorpay' }))).order as Order
    }
    const slow = await order()
    world.double.payLate(linkOf(world, slow.code), 40 * 60_000)
    await minutesPass(world, 20)
    const paid = await order()
    world.double.pay(linkOf(world, paid.code))
    await settleMoney(world)
    await minutesPass(world, 40)
    const guest = await world.as('guest')
    expect((await orderOf(guest, paid.code)).tickets).toHaveLength(2)
    expect(await orderOf(guest, slow.code)).toMatchObject({ tickets: [], refunds: [{ kind: 'late', amount: 498 }] })
    expect(await world.sql('select used from promo_codes')).toEqual([{ used: 2 }])
    expect(await wrongInTables(world)).toEqual([])
  },
)

test('a block of codes is priced as an order of its size, so that no phase sells more than its number', async () => {
  const world = await makeWorld()
  const phases = [
    { price: 200, groupPrice: 190, sold: 3 },
    { price: 300, groupPrice: 250 },
  ]
  await putOnSale(world, { types: [type('General', { phases })] })
  const admin = await world.as('admin')
  const make = async (size: number) =>
    (await must(admin.request('POST', '/api/admin/blocks', { label: 'Rajwadi Sweets', size }))).block
  expect(await make(4)).toMatchObject({ price: 300, groupPrice: 250 })
  const other = await makeWorld()
  await putOnSale(other, { types: [type('General', { phases })] })
  const few = (await other.as('admin')).request('POST', '/api/admin/blocks', { label: 'Rajwadi Sweets', size: 3 })
  expect((await must(few)).block).toMatchObject({ price: 200, groupPrice: 190 })
})

test('a phone that sells codes of two types at once sells each on its own seat', async () => {
  const world = await payingWorld({ event: { types: [type('General', { seats: 5 }), type('VIP', { seats: 5 })] } })
  const phone = await sellingPhone(world)
  const first = await allot(phone, 2)
  const [general, vip] = (await typesOf(world)).map(({ taken: _, ...sent }) => sent)
  await must((await world.as('admin')).request('PUT', '/api/event', eventForm({ types: [vip, general] })))
  const second = await allot(phone, 2)
  const sale = kept(world, first, [1])
  const both = { ...sale, ticketIds: [...sale.ticketIds, ...kept(world, second, [1, 2]).ticketIds] }
  expect(await replay(phone, both)).toMatchObject([{ success: true, tickets: { length: 3 } }])
  expect(await world.sql('select type_id as type, count(*) as n from tickets group by 1 order by n')).toEqual([
    { type: general?.id, n: 1 },
    { type: vip?.id, n: 2 },
  ])
  expect(await wrongInTables(world)).toEqual([])
})

test('no code or type ends in a year that no answer can name', async () => {
  const world = await makeWorld()
  await putOnSale(world, { types: [type('General')] })
  const [until, admin] = ['9999-12-31T23:59:59-12:00', await world.as('admin')]
  expect(await admin.request('POST', '/api/admin/codes', { code: 'FAR', kind: 'access', until })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'until' }] },
  })
  const types = [type('General', { until })]
  expect(await admin.request('PUT', '/api/event', eventForm({ types }))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'types' }] },
  })
})

test('only an access code shows and sells a hidden type, and it is not used up by others', async () => {
  const world = await makeWorld()
  await putOnSale(world, { types: [type('General'), type('Crew', { hidden: true })] })
  const crew = (await typesOf(world))[1]
  await makeCode(world, { code: 'OFF', kind: 'percent', value: 10 })
  await makeCode(world, { code: 'CREW', kind: 'access', tickets: 1 })
  const shown = async (code: string) =>
    ((await must(world.nobody.request('GET', `/api/event?code=${code}`))).data as GarbaEvent).types?.length
  expect([await shown('OFF'), await shown('CREW')]).toEqual([1, 2])
  const guest = await world.as('guest')
  const lines = [{ type: crew?.id, quantity: 1 }]
  expect((await buy(guest, { lines, code: 'OFF' })).body.code).toBe('TYPE_NOT_ON_SALE')
  await must(buy(guest, { quantity: 2, code: 'CREW' }))
  await must(buy(guest, { lines, code: 'CREW' }))
  expect(await world.sql("select used from promo_codes where kind = 'access'")).toEqual([{ used: 1 }])
})

test('a code leaves one rupee for each person of a type, and never raises a price', async () => {
  const world = await makeWorld()
  const cheap = { admits: 2, phases: [{ price: 1.5, groupPrice: 1.5 }] }
  await putOnSale(world, { types: [type('Couple', { admits: 2 }), type('Cheap', cheap)] })
  await makeCode(world, { code: 'ALL', kind: 'percent', value: 100 })
  const lines = (await typesOf(world)).map(({ id }) => ({ type: id, quantity: 1 }))
  const { tickets } = await must(buy(await world.as('guest'), { lines, code: 'ALL' }))
  expect((tickets as Ticket[]).map(({ price }) => price)).toEqual([1, 1, 0.75, 0.75])
})

test('a type with a held or a cancelled ticket stays, and what one of it lets in does not change while one is taken', async () => {
  const world = await payingWorld({ event: { types: [type('General'), type('VIP'), type('Couple', { admits: 2 })] } })
  const guest = await world.as('guest')
  const sent = (await typesOf(world)).map(({ taken: _, ...one }) => one)
  const [general, vip, couple] = sent
  const save = async (types: unknown[]) => (await world.as('admin')).request('PUT', '/api/event', eventForm({ types }))
  const refused = { status: 400, body: { errors: [{ field: 'types' }] } }
  const order = async (of: { id: string } | undefined) =>
    (await must(place(guest, { lines: [{ type: of?.id, quantity: 1 }], provider: 'razorpay' }))).order as Order
  const held = await order(couple)
  expect(await save([general, vip])).toMatchObject(refused)
  expect(await save([general, vip, { ...couple, admits: 3 }])).toMatchObject(refused)
  await must(guest.request('POST', `/api/orders/${held.code}/cancel`))
  const { code } = await order(vip)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [ticket] = (await orderOf(guest, code)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?._id}`, { reason: 'Ill' }))
  expect(await save([general])).toMatchObject(refused)
  expect((await save([general, vip])).status).toBe(200)
})

test('a correct code never counts as a guess, however many people at one address send it at once', async () => {
  const world = await makeWorld({ limits: { codes: 3 } })
  await putOnSale(world)
  await makeCode(world, { code: 'TEN', kind: 'percent', value: 10 })
  const show = (code: string) => world.nobody.request('GET', `/api/event?code=${code}`)
  const guests = await Promise.all(Array.from({ length: 8 }, (_, n) => world.as('guest', person(`Guest ${n}`))))
  const shown = Array.from({ length: 60 }, () => show('TEN'))
  const sold = await Promise.all(guests.map((guest) => buy(guest, { quantity: 1, code: 'ten' })))
  expect(new Set(sold.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set((await Promise.all(shown)).map(({ status }) => status))).toEqual(new Set([200]))

  const guesses = await Promise.all(Array.from({ length: 60 }, (_, n) => show(`WRONG${n}`)))
  expect(guesses.filter(({ status }) => status === 404)).toHaveLength(3)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(57)
  expect(await show('TEN')).toMatchObject({ status: 429 })
})
