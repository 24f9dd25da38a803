import { randomUUID } from 'node:crypto'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { describe, expect, test } from 'vitest'
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

describe('gates with types', () => {
  /** VIP takes VIP tickets alone; Sam has a ticket of each type. */
  async function typedWorld() {
    const world = await makeWorld()
    const type = (en: string) => ({ name: { en }, phases: [{ price: 300, groupPrice: 300 }] })
    await putOnSale(world, { types: [type('General'), type('VIP')] })
    const [admin, checker, guest] = [await world.as('admin'), await world.as('qrchecker'), await world.as('guest')]
    const types = (await must(admin.request('GET', '/api/gates'))).types as NamedType[]
    const [general, vip] = types as [NamedType, NamedType]
    const limited = { name: 'VIP', kinds: [], types: [vip.id] }
    const saved = await must(saving(admin, [limited, MAIN, { ...NORTH, types: [general.id, vip.id] }]))
    const lines = types.map(({ id }) => ({ type: id, quantity: 1 }))
    const sold = await must(guest.request('POST', '/api/tickets', { lines }, { 'Idempotency-Key': randomUUID() }))
    const ofType = ({ id }: NamedType) => (sold.tickets as Ticket[]).find(({ type }) => type?.id === id) as Ticket
    return { world, admin, checker, guest, types, limited, saved, plain: ofType(general), golden: ofType(vip) }
  }

  test('refuse the others with the gates that take them, each row of a batch and each ticket of a group too', async () => {
    const { admin, checker, guest, plain, golden, types, limited, saved } = await typedWorld()
    expect(saved).toMatchObject({ gates: [limited, MAIN, { name: 'North' }], types })
    expect(await must(admin.request('GET', '/api/admin/audit?action=gates.saved'))).toMatchObject({
      rows: [{ detail: 'VIP: all kinds, only VIP; Main: all kinds; North: Online, only General, VIP' }],
    })
    const refusal = { code: 'WRONG_GATE', gates: ['Main', 'North'], message: 'This ticket is for Main or North.' }
    const wrong = await mark(checker, scan(plain, 'VIP'))
    expect(wrong).toMatchObject({ status: 409, body: refusal })
    expect(wrong.body.ticket).toMatchObject({ id: plain._id, status: 'active' })
    const scans = [scan(plain, 'VIP')]
    expect(await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))).toMatchObject({
      results: [{ status: 409, ...refusal }],
    })
    const { groups } = await must(guest.request('GET', '/api/tickets/group-codes'))
    const [{ qrCode }] = groups as [{ qrCode: string }]
    const member = ({ _id }: Ticket, gate: string) =>
      mark(checker, { qrCode, ticketId: _id, scanId: randomUUID(), gate })
    expect(await member(plain, 'VIP')).toMatchObject({ status: 409, body: refusal })
    expect(await member(golden, 'VIP')).toMatchObject({ status: 200, body: { outcome: 'admitted' } })
    expect(await member(plain, 'Main')).toMatchObject({ status: 200 })
  })

  test('reach phones in a field of their own, so that earlier scanners still read the gates', async () => {
    const { checker, limited, types } = await typedWorld()
    const { gates, gateTypes } = await rosterOf(checker)
    expect(gates).toEqual([{ name: 'VIP', kinds: [] }, MAIN, NORTH])
    expect(gateTypes).toEqual([
      { name: 'VIP', types: limited.types },
      { name: 'North', types: types.map(({ id }) => id) },
    ])
  })

  test('take every ticket once the event has none of their types', async () => {
    const { admin, checker, limited, plain } = await typedWorld()
    const gone = '01K50000000000000000000001'
    const saved = await must(saving(admin, [{ ...limited, types: [gone] }, MAIN]))
    expect(saved).toMatchObject({ gates: [{ name: 'VIP', kinds: [] }, MAIN] })
    expect(await rosterOf(checker)).not.toHaveProperty('gateTypes')
    expect(await mark(checker, scan(plain, 'VIP'))).toMatchObject({ status: 200 })
  })
})

test('a refused code is recorded at the gate that a signed-in checker names, and a phone’s own gate wins', async () => {
  const { world, checker } = await gatedWorld()
  const phone = await (await pairedPhone(world, { gates: ['North'] })).client()
  const verify = (client: Client, body: Record<string, unknown>) =>
    client.request('POST', '/api/tickets/verify-qr', { qrCode: 'nonsense', ...body })
  const refused = await verify(checker, {})
  expect(refused).toMatchObject({ status: 400, body: { code: 'QR_MALFORMED' } })
  expect((await verify(checker, { gate: 'VIP' })).body).toEqual(refused.body)
  await verify(phone, { gate: 'VIP' })
  expect(await world.sql('select gate from refusals order by id')).toEqual([
    { gate: null },
    { gate: 'VIP' },
    { gate: 'North' },
  ])
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
