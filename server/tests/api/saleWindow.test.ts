import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { payingWorld, place } from '../../src/testing/money.ts'
import { buy, eventForm, person, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

const FROM = '2025-09-01T04:30:00.000Z'
const UNTIL = '2025-09-20T12:30:00.000Z'

const save = async (world: World, more: Record<string, unknown>) =>
  (await world.as('admin')).request('PUT', '/api/event', eventForm(more))

test('guests buy online from salesFrom until salesUntil, and not while sales are paused', async () => {
  const world = await makeWorld()
  await putOnSale(world, { salesFrom: '2025-09-01T10:00:00+05:30', salesUntil: UNTIL })
  const tryToBuy = async () => buy(await world.as('guest'), 1)
  expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({
    salesFrom: FROM,
    salesUntil: UNTIL,
    paused: null,
  })
  world.clock.set('2025-09-01T04:29:59.999Z')
  expect(await tryToBuy()).toMatchObject({ status: 409, body: { code: 'SALES_NOT_OPEN', from: FROM } })
  world.clock.set(FROM)
  expect((await tryToBuy()).status).toBe(201)

  const sentence = 'We are moving to a larger hall.'
  // An open page of before knows none of the three fields, and changes none.
  expect((await save(world, { paused: sentence })).body.data).toMatchObject({ salesFrom: FROM, paused: sentence })
  expect((await save(world, {})).body.data).toMatchObject({ salesFrom: FROM, paused: sentence })
  expect(await tryToBuy()).toMatchObject({
    status: 409,
    body: { code: 'SALES_PAUSED', reason: sentence, message: sentence },
  })
  await save(world, { paused: null, salesFrom: null })
  world.clock.set(UNTIL)
  expect(await tryToBuy()).toMatchObject({ status: 409, body: { code: 'SALES_CLOSED' } })
  const { rows } = await must((await world.as('admin')).request('GET', '/api/admin/audit?action=event.updated'))
  expect((rows as { detail: string }[]).map(({ detail }) => detail)).toEqual([
    `Online sales begin 1 Sept 2025, 10:00 AM -> none; Online sales paused "${sentence}" -> none`,
    `Online sales paused none -> "${sentence}"`,
  ])
})

test('a pause stops orders of guests alone: the desk sells on, and a held order is still paid', async () => {
  const world = await payingWorld()
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const key = 'one-order-before-the-pause'
  expect((await place(guest, { quantity: 1 }, key)).status).toBe(201)
  await save(world, { paused: 'Back at six.' })
  expect((await place(guest, { quantity: 1 }, key)).status).toBe(201)
  expect(await place(await world.as('guest', person('Radha')), { quantity: 1 })).toMatchObject({
    status: 409,
    body: { code: 'SALES_PAUSED' },
  })
  const given = { quantity: 1, method: 'complimentary', name: 'Dholi', reason: 'Plays' }
  const reply = await admin.request('POST', '/api/admin/orders', given, { 'Idempotency-Key': 'given-in-the-pause' })
  expect(reply.status).toBe(201)
})

test('the form refuses an end before the beginning, what is no moment, and a pause without a sentence', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const problems = async (more: Record<string, unknown>) =>
    ((await save(world, more)).body.errors as { field: string }[]).map(({ field }) => field)
  expect(await problems({ salesFrom: UNTIL, salesUntil: FROM })).toEqual(['salesUntil'])
  expect(await problems({ salesFrom: 'tomorrow' })).toEqual(['salesFrom'])
  expect(await problems({ paused: ' ' })).toEqual(['paused'])
})
