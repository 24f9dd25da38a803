import { randomUUID } from 'node:crypto'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const NORTH = { name: 'North', kinds: ['online'] }
const VIP = { name: 'VIP', kinds: ['complimentary', 'counter'] }
const MAIN = { name: 'Main', kinds: [] }

const saving = (admin: Client, gates: unknown) => admin.request('PUT', '/api/admin/gates', { gates })

async function gatedWorld() {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, checker] = [await world.as('admin'), await world.as('qrchecker')]
  await must(saving(admin, [NORTH, VIP, MAIN]))
  return { world, admin, checker }
}

/** A ticket that the desk gave away. */
async function given(admin: Client): Promise<Ticket> {
  const sale = { quantity: 1, method: 'complimentary', name: 'Meera', reason: 'Crew' }
  const sold = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const [ticket] = sold.tickets as [Ticket]
  return ticket
}

const scan = (ticket: Ticket, gate?: string, more: Record<string, unknown> = {}) => ({
  qrCode: codeOf(ticket),
  scanId: randomUUID(),
  ...(gate === undefined ? {} : { gate }),
  ...more,
})

const rosterOf = async (checker: Client): Promise<RosterAnswer> =>
  (await must(checker.request('GET', '/api/scanner/roster'))) as unknown as RosterAnswer

test('gates are edited by admins alone, read at the gate, and kept in order', async () => {
  const { world, admin, checker } = await gatedWorld()
  for (const role of ['manager', 'qrchecker', 'guest'] as const)
    expect(await saving(await world.as(role), [])).toMatchObject({ status: 403 })
  expect(await must(checker.request('GET', '/api/gates'))).toMatchObject({ gates: [NORTH, VIP, MAIN] })
  expect(await (await world.as('guest')).request('GET', '/api/gates')).toMatchObject({ status: 403 })
  expect(await saving(admin, [MAIN, MAIN])).toMatchObject({ status: 400, body: { errors: [{ field: 'gates' }] } })
  expect(await saving(admin, [{ name: ' ', kinds: [] }])).toMatchObject({ status: 400 })
  expect(await must(saving(admin, [MAIN, NORTH]))).toMatchObject({ gates: [MAIN, NORTH] })
  expect((await rosterOf(checker)).gates).toEqual([MAIN, NORTH])
  expect(await must(admin.request('GET', '/api/admin/audit?action=gates.saved'))).toMatchObject({
    rows: [
      { detail: 'Main: all kinds; North: Online' },
      { detail: 'North: Online; VIP: Complimentary, Counter; Main: all kinds' },
    ],
  })
})

test('a gate refuses a kind that it does not take and names the gates that do; the ticket stays good', async () => {
  const { world, admin, checker } = await gatedWorld()
  const [online] = await bought(await world.as('guest'))
  const gift = await given(admin)
  const wrong = await mark(checker, scan(online, 'VIP'))
  expect(wrong).toMatchObject({
    status: 409,
    body: { code: 'WRONG_GATE', gates: ['North', 'Main'], message: 'This ticket is for North or Main.' },
  })
  expect(wrong.body.ticket).toMatchObject({ id: online._id, status: 'active' })
  expect(await mark(checker, scan(gift, 'North'))).toMatchObject({ status: 409, body: { gates: ['VIP', 'Main'] } })
  expect(await mark(checker, scan(online, 'North'))).toMatchObject({ status: 200, body: { outcome: 'admitted' } })
  expect(await mark(checker, scan(gift, 'VIP'))).toMatchObject({ status: 200 })
  expect(await mark(checker, scan(online, 'North'))).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_USED', ticket: { scannedAtGate: 'North' } },
  })
})

test('a gate that the desk has taken away limits nobody, nor does a phone that stands at none', async () => {
  const { world, checker } = await gatedWorld()
  const [one, other] = await bought(await world.as('guest'), 2)
  expect(await mark(checker, scan(one, 'The old gate'))).toMatchObject({ status: 200 })
  expect(await mark(checker, scan(other as Ticket))).toMatchObject({ status: 200 })
})

test('who was let in offline at the wrong gate is inside: never refused, and no conflict', async () => {
  const { world, checker } = await gatedWorld()
  const [ticket] = await bought(await world.as('guest'))
  const row = scan(ticket, 'VIP', {
    admittedOffline: true,
    deviceId: 'one',
    scannedAt: world.clock.now().toISOString(),
  })
  expect(await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans: [row] }))).toMatchObject({
    results: [{ success: true, outcome: 'admitted' }],
  })
})

test('a batch says for each row which gates are right', async () => {
  const { world, checker } = await gatedWorld()
  const [ticket] = await bought(await world.as('guest'))
  const answer = await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans: [scan(ticket, 'VIP')] }))
  expect(answer).toMatchObject({ results: [{ status: 409, code: 'WRONG_GATE', gates: ['North', 'Main'] }] })
})

test('the roster names the kind of what was not sold online, and the gate of what came in', async () => {
  const { world, admin, checker } = await gatedWorld()
  const [online, inside] = await bought(await world.as('guest'), 2)
  const gift = await given(admin)
  await must(mark(checker, scan(inside as Ticket, 'North')))
  const entries = new Map((await rosterOf(checker)).tickets.map((entry) => [entry.id, entry]))
  expect(entries.get(gift._id)).toMatchObject({ kind: 'complimentary' })
  expect(entries.get(online._id)).not.toHaveProperty('kind')
  expect(entries.get(online._id)).not.toHaveProperty('gate')
  expect(entries.get(inside?._id ?? '')).toMatchObject({ status: 'used', gate: 'North' })
})

const eveningOf = async (world: World): Promise<EveningFigures> =>
  (await must((await world.as('admin')).request('GET', '/api/admin/gate'))).data as EveningFigures

test('Evening counts each gate and its minutes, and an admission that was taken back is out of them', async () => {
  const { world, checker } = await gatedWorld()
  const [one, two, three] = await bought(await world.as('guest'), 3)
  await must(mark(checker, scan(one, 'North')))
  world.clock.forward(60_000)
  const minute = new Date(Math.floor(world.clock.now().getTime() / 60_000) * 60_000).toISOString()
  await must(mark(checker, scan(two as Ticket, 'North')))
  const last = scan(three as Ticket, 'Main')
  await must(mark(checker, last))
  const { gates } = await eveningOf(world)
  expect(gates.map(({ name, admitted }) => [name, admitted])).toEqual([
    ['North', 2],
    ['VIP', 0],
    ['Main', 1],
  ])
  expect(gates[0]?.perMinute).toHaveLength(2)
  expect(gates[0]?.perMinute.at(-1)).toEqual({ minute, count: 1 })
  await must(checker.request('POST', '/api/tickets/mark-used/undo', { scanId: last.scanId }))
  expect((await eveningOf(world)).gates.at(-1)).toMatchObject({ name: 'Main', admitted: 0, perMinute: [] })
})

test('a paired phone stands at one of its own gates, which a new device makes known, and admits by it', async () => {
  const { world, admin } = await gatedWorld()
  const phone = await pairedPhone(world, { gates: ['North', 'East'], rights: ['scan'] })
  const client = await phone.client()
  expect((await must(client.request('GET', '/api/gates'))).gates).toEqual([
    NORTH,
    VIP,
    MAIN,
    { name: 'East', kinds: [] },
  ])
  const move = (gate: string) => client.request('PUT', '/api/devices/gate', { gate })
  expect(await move('VIP')).toMatchObject({ status: 404, body: { code: 'GATE_NOT_FOUND' } })
  for (const _ of [1, 2]) expect((await must(move('North'))).device).toMatchObject({ gate: 'North' })
  expect((await must(admin.request('GET', '/api/admin/audit?action=device.gate'))).rows).toHaveLength(1)
  expect(await mark(client, scan(await given(admin)))).toMatchObject({ status: 409, body: { code: 'WRONG_GATE' } })
  const [online] = await bought(await world.as('guest'))
  expect(await mark(client, scan(online))).toMatchObject({ status: 200, body: { ticket: { scannedAtGate: 'North' } } })
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { gates: ['East', 'Main'] }))
  expect((await must(client.request('GET', '/api/devices/me'))).device).toMatchObject({ gate: null })
})

test('a phone of its own gates cannot name another to let in what its own do not take', async () => {
  const { world, admin } = await gatedWorld()
  const client = await (await pairedPhone(world, { gates: ['North'], rights: ['scan'] })).client()
  const gift = await given(admin)
  for (const gate of ['VIP', 'Main', 'Nowhere'])
    expect(await mark(client, scan(gift, gate))).toMatchObject({ status: 409, body: { code: 'WRONG_GATE' } })
  const [online] = await bought(await world.as('guest'))
  await must(mark(client, scan(online, 'VIP')))
  expect(await world.sql("select distinct gate from scans where outcome = 'admitted'")).toEqual([{ gate: 'North' }])
  expect(await world.sql('select status, entry_gate from tickets order by id')).toEqual([
    { status: 'active', entry_gate: null },
    { status: 'used', entry_gate: 'North' },
  ])
})

test('a phone of one gate stands there from the start, and one of none may stand at any that is known', async () => {
  const { world } = await gatedWorld()
  const own = async (gates: string[]) => {
    const client = await (await pairedPhone(world, { gates })).client()
    return { client, device: (await must(client.request('GET', '/api/devices/me'))).device }
  }
  expect((await own(['VIP'])).device).toMatchObject({ gate: 'VIP' })
  const { client, device } = await own([])
  expect(device).toMatchObject({ gate: null })
  expect(await client.request('PUT', '/api/devices/gate', { gate: 'West' })).toMatchObject({ status: 404 })
  expect((await must(client.request('PUT', '/api/devices/gate', { gate: 'Main' }))).device).toMatchObject({
    gate: 'Main',
  })
  expect(await world.nobody.request('PUT', '/api/devices/gate', { gate: 'Main' })).toMatchObject({ status: 401 })
  expect(await (await world.as('admin')).request('PUT', '/api/devices/gate', { gate: 'Main' })).toMatchObject({
    status: 403,
  })
})
