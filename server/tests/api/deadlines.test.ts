import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { expect, test } from 'vitest'
import { insideDatabase } from '../../src/doctor/inside.ts'
import { endLeases } from '../../src/flows/doorSales/deviceBlocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, ask } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, eventForm, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

const change = async (world: World, id: string, body: object) =>
  must((await world.as('admin')).request('PATCH', `/api/admin/devices/${id}`, body))

const NIGHT = '2025-09-22'
const LATER = '2025-10-04'
/** 22:30 in Kolkata and six hours. */
const END = `${NIGHT}T23:00:00.000Z`
const LATER_END = `${LATER}T23:00:00.000Z`

const save = async (world: World, overrides: Record<string, unknown>) =>
  must((await world.as('admin')).request('PUT', '/api/event', eventForm(overrides)))
const deviceOf = async (world: World, id: string) => {
  const { devices } = await must((await world.as('admin')).request('GET', '/api/admin/devices'))
  return (devices as DeskDevice[]).find((one) => one.id === id)
}

test('a phone, its codes and a link end with the event, whatever its date becomes; saving says how many moved', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const phone = await pairedPhone(world)
  const fixed = await pairedPhone(world, { until: `${NIGHT}T20:00:00Z` })
  expect(await deviceOf(world, phone.id)).toMatchObject({ until: null, endsAt: END })
  const block = await allot(phone, 10)
  expect(block.leaseUntil).toBeNull()
  const guest = await world.as('guest')
  const [ticket] = await bought(guest)
  const { link } = await must(
    guest.request('POST', '/api/tickets/links', { ticketIds: [ticket._id], purpose: 'share' }),
  )

  const { moved } = await save(world, { date: LATER })
  expect(moved).toEqual({ phones: 1, blocks: 1, links: 1, notices: 0 })
  const admin = await world.as('admin')
  expect(await must(admin.request('GET', '/api/admin/audit?action=event.updated'))).toMatchObject({
    rows: [{ detail: expect.stringContaining('Moved with the event: 1 phone, 1 block of codes, 1 ticket link') }],
  })
  expect(await save(world, { date: LATER, venue: 'Elsewhere' })).not.toHaveProperty('moved')

  expect(await deviceOf(world, phone.id)).toMatchObject({ until: null, endsAt: LATER_END })
  expect(await deviceOf(world, fixed.id)).toMatchObject({ until: `${NIGHT}T20:00:00.000Z` })
  world.clock.set(`${LATER}T16:00:00Z`)
  await endLeases(world.deps)
  expect((await ask(phone, 'GET', '/api/devices/me')).status).toBe(200)
  expect((await must(ask(phone, 'GET', '/api/devices/blocks'))).blocks).toMatchObject([{ id: block.id }])
  const opened = await world.nobody.request('POST', '/api/wallet/open', {
    token: (link as { url: string }).url.split('#')[1],
    deviceId: crypto.randomUUID(),
  })
  expect(opened).toMatchObject({ status: 200, body: { until: `${LATER}T17:00:00.000Z` } })
  expect(await ask(fixed, 'GET', '/api/scanner/roster')).toMatchObject({
    status: 401,
    body: { code: 'DEVICE_LAPSED' },
  })
  world.clock.set(LATER_END)
  expect(await ask(phone, 'GET', '/api/scanner/roster')).toMatchObject({
    status: 401,
    body: { code: 'DEVICE_LAPSED' },
  })
})

test('a phone that had ended with the event starts again when its date moves on', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const phone = await pairedPhone(world)
  world.clock.set(END)
  expect(await ask(phone, 'GET', '/api/scanner/roster')).toMatchObject({ body: { code: 'DEVICE_LAPSED' } })
  await save(world, { date: LATER })
  expect((await ask(phone, 'GET', '/api/scanner/roster')).status).toBe(200)
  expect(await world.sql('select end_heard_at from paired_devices')).toEqual([{ end_heard_at: null }])
})

test('a phone prepared before the event exists ends with the event; after the event is closed it stays ended', async () => {
  const world = await makeWorld()
  const phone = await pairedPhone(world)
  expect(await deviceOf(world, phone.id)).toMatchObject({ until: null, endsAt: null, state: 'paired' })
  world.clock.forward(3 * 24 * 3_600_000)
  expect((await ask(phone, 'GET', '/api/devices/me')).status).toBe(200)
  const { _id } = await putOnSale(world)
  expect(await deviceOf(world, phone.id)).toMatchObject({ until: null, endsAt: END })
  world.clock.set(`${NIGHT}T17:30:00Z`)
  const admin = await world.as('admin')
  await must(admin.request('POST', `/api/admin/events/${_id}/close`))
  expect(await deviceOf(world, phone.id)).toMatchObject({ until: END, endsAt: END, state: 'paired' })
  await putOnSale(world, { date: LATER })
  world.clock.set(END)
  expect(await deviceOf(world, phone.id)).toMatchObject({ state: 'lapsed' })
})

test('a block follows a phone that the desk extends', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world, { until: `${NIGHT}T15:00:00Z` })
  const block = await allot(phone, 5)
  await change(world, phone.id, { until: `${NIGHT}T18:00:00Z` })
  world.clock.set(`${NIGHT}T16:00:00Z`)
  await endLeases(world.deps)
  expect((await must(ask(phone, 'GET', '/api/devices/blocks'))).blocks).toMatchObject([
    { id: block.id, leaseUntil: `${NIGHT}T18:00:00.000Z` },
  ])
  await change(world, phone.id, { until: null })
  expect(await deviceOf(world, phone.id)).toMatchObject({ until: null, endsAt: END })
  const { blocks } = await must((await world.as('admin')).request('GET', '/api/admin/blocks'))
  expect(blocks).toMatchObject([{ leaseUntil: null, left: 5 }])
})

test('the doctor names phones that end before the event does, and the codes in them', async () => {
  const world = await payingWorld()
  const selling = await pairedPhone(world, { name: 'Gate A', until: `${NIGHT}T15:00:00Z` })
  await pairedPhone(world, { name: 'Gate B' })
  const revoked = await pairedPhone(world, { name: 'Gate C', until: `${NIGHT}T15:00:00Z` })
  await change(world, revoked.id, { revoked: true })
  await allot(selling, 5)
  const { deps, clock } = world
  const found = await deps.store.read((tx) => insideDatabase(tx, { settings: deps.settings, now: clock.now() }))
  expect(found).toContainEqual(
    expect.objectContaining({
      name: 'Scanners',
      status: 'warning',
      detail: 'One phone ends before the event does: Gate A (with the codes it sells).',
    }),
  )
})
