import { randomUUID } from 'node:crypto'
import type { Right } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { authenticateCaller } from '../../src/flows/authenticate.ts'
import { replayScans } from '../../src/flows/gate/replayScans.ts'
import { must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { eventsOf } from '../../src/testing/events.ts'
import { deviceToken, pair, pairedPhone, phoneKeys } from '../../src/testing/phone.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, codeOf, mark } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const MINUTE = 60_000
const revoked = { status: 401, body: { code: 'DEVICE_REVOKED' } }
const lapsed = { status: 401, body: { code: 'DEVICE_LAPSED' } }

const revoke = (admin: Client, id: string) =>
  must(admin.request('PATCH', `/api/admin/devices/${id}`, { revoked: true }))
const devicesOf = (admin: Client) => must(admin.request('GET', '/api/admin/devices'))

/** A scan that was made without a network. */
const offline = (ticket: Ticket | undefined, scannedAt: string, more = {}) => {
  if (!ticket) throw new RangeError('There is no such ticket')
  return { qrCode: codeOf(ticket), scanId: randomUUID(), admittedOffline: true, scannedAt, ...more }
}
const replay = async (client: Client, scans: readonly object[]) =>
  (await must(client.request('POST', '/api/tickets/mark-used/batch', { scans }))).results

/** Resolves when a live view has ended. */
async function ended(response: Response): Promise<void> {
  for await (const _ of eventsOf(response)) {
    // What it still sends does not matter.
  }
}

test('a revoked phone is out at its next call, and its live views end at once', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world)
  const [client, other] = [await phone.client(), await (await pairedPhone(world)).client()]
  const live = await client.fetch('GET', '/api/scanner/live')
  const gate = await client.fetch('GET', '/api/admin/gate/live')
  expect([live.status, gate.status]).toEqual([200, 200])
  await revoke(admin, phone.id)
  await Promise.all([ended(live), ended(gate)])
  expect(await client.request('GET', '/api/scanner/roster')).toMatchObject(revoked)
  expect(await mark(client, { qrCode: codeOf(tickets[0]) })).toMatchObject(revoked)
  expect(await client.request('GET', '/api/devices/me')).toMatchObject(revoked)
  expect((await other.request('GET', '/api/scanner/roster')).status).toBe(200)
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=device.revoked'))
  expect(rows).toMatchObject([{ actorName: 'Asha Admin', subject: phone.id, detail: '' }])
})

test('a live view of a phone that another one replaced ends too', async () => {
  const { world, admin } = await evening()
  const phone = await pairedPhone(world)
  const live = await (await phone.client()).fetch('GET', '/api/scanner/live')
  const { pairing } = await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { renewCode: true }))
  await pair(world, (pairing as { code: string }).code, (await phoneKeys()).publicKey)
  await ended(live)
})

test('all phones are revoked at once, those that wait for their code too', async () => {
  const { world, admin } = await evening()
  const clients = [await (await pairedPhone(world)).client(), await (await pairedPhone(world)).client()]
  expect((await admin.request('POST', '/api/admin/devices', { name: 'Third' })).status).toBe(201)
  expect((await admin.request('POST', '/api/admin/devices/revoke-all')).body).toMatchObject({ revoked: 3 })
  for (const client of clients) expect(await client.request('GET', '/api/scanner/roster')).toMatchObject(revoked)
  expect((await devicesOf(admin)).devices).toMatchObject(Array(3).fill({ state: 'revoked', revokedBy: 'Asha Admin' }))
  expect((await admin.request('POST', '/api/admin/devices/revoke-all')).body).toMatchObject({ revoked: 0 })
})

test('the desk says until when a revoked phone can scan offline, until the phone has called', async () => {
  const { world, admin } = await evening()
  const phone = await pairedPhone(world, { until: '2025-09-22T18:00:00Z' })
  const client = await phone.client()
  await revoke(admin, phone.id)
  expect((await devicesOf(admin)).devices).toMatchObject([{ scansOfflineUntil: '2025-09-22T18:00:00.000Z' }])
  await client.request('GET', '/api/scanner/roster')
  expect((await devicesOf(admin)).devices).toMatchObject([{ scansOfflineUntil: null }])
})

test('a phone whose time is over is out until it gets more', async () => {
  const { world, admin } = await evening()
  const phone = await pairedPhone(world, { until: '2025-09-22T13:30:00Z' })
  world.clock.set('2025-09-22T13:30:00Z')
  expect(await (await phone.client()).request('GET', '/api/scanner/roster')).toMatchObject(lapsed)
  expect((await devicesOf(admin)).devices).toMatchObject([{ state: 'lapsed', scansOfflineUntil: null }])
  const renewed = await admin.request('PATCH', `/api/admin/devices/${phone.id}`, { renewCode: true })
  expect(renewed).toMatchObject({ status: 409, body: { code: 'DEVICE_ENDED' } })
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { until: '2025-09-22T20:00:00Z' }))
  expect((await (await phone.client()).request('GET', '/api/scanner/roster')).status).toBe(200)
})

const byHand = (ticket: Ticket | undefined, scannedAt: string) => {
  const { qrCode: _qrCode, ...scan } = offline(ticket, scannedAt)
  return { ...scan, ticketId: ticket?.id, manual: true }
}
const statusOf = async (world: World, ticket: Ticket | undefined) =>
  (await world.sql('select status from tickets where id = ?', ticket?.id))[0]?.status

test('what a revoked phone scanned until it learned of its end is kept and flagged; nothing else is', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const phone = await pairedPhone(world, { name: 'North gate' })
  world.clock.set('2025-09-22T13:30:00Z')
  await revoke(admin, phone.id)
  world.clock.forward(10 * MINUTE)
  const client = await phone.client()
  const before = offline(tickets[0], '2025-09-22T13:20:00Z', { checkerName: 'Ravi' })
  const reply = await must(
    client.request('POST', '/api/tickets/mark-used/batch', {
      scans: [
        before,
        offline(tickets[1], '2025-09-22T13:31:00Z'),
        // The phone's clock is 15 minutes ahead: 13:40 there was 13:25.
        offline(tickets[2], '2025-09-22T13:40:00Z', { clockOffset: -15 * MINUTE }),
        { ...offline(tickets[3], '2025-09-22T13:20:00Z'), admittedOffline: false },
      ],
    }),
  )
  const refused = { success: false, status: 401, code: 'DEVICE_REVOKED' }
  const admitted = { success: true, outcome: 'admitted' }
  expect(reply).toMatchObject({ ended: 'DEVICE_REVOKED', results: [admitted, admitted, admitted, refused] })
  const list = await devicesOf(admin)
  expect(list.devices).toMatchObject([{ flagged: 3, admitted: 3, scansOfflineUntil: null }])
  const flags = new Map((list.flagged as { ticketId: string; flag: string }[]).map((row) => [row.ticketId, row.flag]))
  expect(flags).toEqual(
    new Map([
      [tickets[0].id, 'revoked'],
      [tickets[1]?.id, 'afterEnd'],
      [tickets[2]?.id, 'revoked'],
    ]),
  )
  expect(list.flagged).toContainEqual(
    expect.objectContaining({ deviceName: 'North gate', scanId: before.scanId, checkerName: 'Ravi' }),
  )
  expect((await eveningOf(admin)).flagged).toHaveLength(3)
  expect((await mark(gateA, { qrCode: tickets[1]?.qrCode })).body).toMatchObject({ code: 'ALREADY_USED' })
  world.clock.forward(MINUTE)
  // It was told at 13:40.
  expect(
    await replay(await phone.client(), [
      offline(tickets[3], '2025-09-22T13:41:00Z'),
      offline(tickets[4], '2025-09-22T13:39:00Z'),
      before,
    ]),
  ).toMatchObject([refused, admitted, admitted])
})

test('a phone that was refused once has learned of its end, by the clock of the server', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { until: '2025-09-22T13:30:00Z' })
  world.clock.set('2025-09-22T13:40:00Z')
  expect(await (await phone.client()).request('GET', '/api/scanner/roster')).toMatchObject(lapsed)
  world.clock.forward(10 * MINUTE)
  const results = await replay(await phone.client(), [
    offline(tickets[0], '2025-09-22T13:29:00Z'),
    offline(tickets[1], '2025-09-22T13:40:00Z'),
    offline(tickets[2], '2025-09-22T13:45:00Z'),
    { ...offline(tickets[3], '2025-09-22T13:30:00Z'), scannedAt: undefined },
    offline(tickets[4], '2025-09-22T14:45:00Z', { clockOffset: -MINUTE }),
  ])
  const late = { status: 401, code: 'DEVICE_LAPSED' }
  expect(results).toMatchObject([{ outcome: 'admitted' }, { outcome: 'admitted' }, late, late, late])
  expect(new Set(((await devicesOf(admin)).flagged as { flag: string }[]).map(({ flag }) => flag))).toEqual(
    new Set(['lapsed', 'afterEnd']),
  )
})

test('a lapsed phone that is renamed, with its end as it was, has still learned of its end', async () => {
  const { world, tickets, admin } = await evening()
  const until = '2025-09-22T13:30:00Z'
  const phone = await pairedPhone(world, { until })
  world.clock.set('2025-09-22T13:40:00Z')
  expect(await (await phone.client()).request('GET', '/api/scanner/roster')).toMatchObject(lapsed)
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { name: 'South gate', until }))
  world.clock.forward(10 * MINUTE)
  expect(await replay(await phone.client(), [offline(tickets[0], '2025-09-22T13:45:00Z')])).toMatchObject([
    { status: 401, code: 'DEVICE_LAPSED' },
  ])
})

test('what an ended phone let in by hand after its end is a matter for the desk, once, and uses up nothing', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { name: 'North gate', until: '2025-09-22T13:30:00Z' })
  const scanning = await pairedPhone(world, { rights: ['scan'], until: '2025-09-22T13:30:00Z' })
  world.clock.set('2025-09-22T13:40:00Z')
  const row = byHand(tickets[1], '2025-09-22T13:35:00Z')
  const noted = { success: true, status: 200, outcome: 'noted', scanId: row.scanId }
  const first = byHand(tickets[0], '2025-09-22T13:20:00Z')
  expect(await replay(await phone.client(), [first, row])).toMatchObject([{ outcome: 'admitted' }, noted])
  expect(await replay(await phone.client(), [row])).toMatchObject([noted])
  expect(
    await replay(await scanning.client(), [
      byHand(tickets[2], '2025-09-22T13:20:00Z'),
      byHand(tickets[3], '2025-09-22T13:35:00Z'),
    ]),
  ).toMatchObject(Array(2).fill({ status: 403, code: 'FORBIDDEN' }))
  expect(await must(admin.request('GET', '/api/admin/attention'))).toMatchObject({
    attention: [
      {
        kind: 'noted',
        order: null,
        amount: 0,
        detail: expect.stringMatching(/by hand on North gate \(22 Sept?, 7:05 PM\)/),
      },
    ],
  })
  expect(await Promise.all(tickets.slice(0, 4).map((ticket) => statusOf(world, ticket)))).toEqual([
    'used',
    'active',
    'active',
    'active',
  ])
})

test('a phone that never had the right to scan admits nobody by batch', async () => {
  const { world, tickets } = await evening()
  const selling = await pairedPhone(world, { rights: ['sell', 'find'] })
  const finding = await pairedPhone(world, { rights: ['find'] })
  const scan = offline(tickets[0], '2025-09-22T13:00:30Z')
  const forbidden = { success: false, status: 403, code: 'FORBIDDEN' }
  expect(await replay(await selling.client(), [scan])).toMatchObject([forbidden])
  expect(await replay(await finding.client(), [scan, byHand(tickets[1], scan.scannedAt)])).toMatchObject([
    forbidden,
    { outcome: 'admitted' },
  ])
  expect(await statusOf(world, tickets[0])).toBe('active')
})

test('a row is judged by the rights its phone had at the time', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { rights: ['scan', 'undo'] })
  const give = (rights: Right[]) => must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights }))
  world.clock.set('2025-09-22T13:10:00Z')
  await give(['undo'])
  world.clock.set('2025-09-22T13:20:00Z')
  const results = await replay(await phone.client(), [
    offline(tickets[0], '2025-09-22T13:05:00Z'),
    offline(tickets[1], '2025-09-22T13:15:00Z'),
  ])
  expect(results).toMatchObject([{ outcome: 'admitted' }, { status: 403, code: 'FORBIDDEN' }])
  expect((await devicesOf(admin)).flagged).toMatchObject([{ flag: 'noRight', ticketId: tickets[0].id }])
  await give(['scan', 'find'])
  expect(
    await replay(await phone.client(), [
      offline(tickets[1], '2025-09-22T13:19:00Z'),
      offline(tickets[2], '2025-09-22T13:20:00Z'),
      byHand(tickets[3], '2025-09-22T13:05:00Z'),
    ]),
  ).toMatchObject([{ status: 403 }, { outcome: 'admitted' }, { status: 403 }])
  expect(await world.sql('select count(*) as n from device_rights')).toEqual([{ n: 3 }])
})

test('a right that a restored backup lost counts for what was done since that backup, once the desk gives it again', async () => {
  const { world: before, tickets, admin } = await evening()
  const phone = await pairedPhone(before, { rights: ['undo'] })
  before.clock.set('2025-09-22T13:10:00Z')
  const file = await backedUp(before)
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['scan'] }))
  before.clock.set('2025-09-22T13:20:00Z')
  const world = await restored(before, file)
  world.clock.set('2025-09-22T13:25:00Z')
  const rows = [offline(tickets[0], '2025-09-22T13:15:00Z')]
  const earlier = [offline(tickets[1], '2025-09-22T12:50:00Z')]
  const send = async (scans: readonly object[]) => replay(world.client(await deviceToken(world, phone)), scans)
  expect(await send(rows)).toMatchObject([{ status: 403, message: expect.stringContaining('right') }])
  const desk = await world.as('admin')
  await must(desk.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['scan'] }))
  expect(await send(rows)).toMatchObject([{ outcome: 'admitted' }])
  expect(await send(earlier)).toMatchObject([{ status: 403 }])
})

test('no phone had a right to a ticket before its sale: a claimed time from then is judged as the time of the sale', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { rights: ['scan', 'find'] })
  const other = await pairedPhone(world, { rights: ['scan', 'find'] })
  world.clock.set('2025-09-22T13:10:00Z')
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['sell'] }))
  await revoke(admin, other.id)
  world.clock.set('2025-09-22T13:20:00Z')
  const [late, later] = await bought(await world.as('guest'), 2)
  const before = '2025-09-22T13:05:00Z'
  const forbidden = { status: 403, code: 'FORBIDDEN' }
  const rows = [offline(late, before), { ...offline(late, before), ticketId: tickets[0].id }, byHand(later, before)]
  expect(await replay(await phone.client(), rows)).toMatchObject([forbidden, forbidden, forbidden])
  // By hand after its end: noted, and the ticket stays as it is.
  expect(await replay(await other.client(), [byHand(later, before)])).toMatchObject([{ outcome: 'noted' }])
  expect(await statusOf(world, late)).toBe('active')
  expect(await statusOf(world, later)).toBe('active')
})

test('a phone that is revoked during a batch has ended from the next row on, and so has a person who loses the role', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const phone = await pairedPhone(world)
  const { token } = await phone.client()
  const online = (ticket: Ticket | undefined) => ({
    ...offline(ticket, '2025-09-22T13:00:30Z'),
    admittedOffline: false,
  })
  const sending = async (by: string | null, end: () => Promise<unknown>, scans: object[]) =>
    replayScans(world.deps, {
      sender: (await authenticateCaller(world.deps, by)).user,
      scans,
      count: async () => void (await end()),
    })
  const before = offline(tickets[2], '2025-09-22T13:00:30Z')
  expect(
    await sending(token, () => revoke(admin, phone.id), [online(tickets[0]), online(tickets[1]), before]),
  ).toMatchObject({
    ended: 'DEVICE_REVOKED',
    results: [{ outcome: 'admitted' }, { code: 'DEVICE_REVOKED' }, { outcome: 'admitted' }],
  })
  const demote = () => must(admin.request('PATCH', `/api/admin/users/${gateA.user?.id}/role`, { role: 'guest' }))
  const { results } = await sending(gateA.token, demote, [online(tickets[3]), online(tickets[4])])
  expect(results).toMatchObject([{ outcome: 'admitted' }, { status: 403, code: 'FORBIDDEN' }])
})

test('the time that a revoked phone claims never takes the entry from an admission online', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const phone = await pairedPhone(world)
  world.clock.set('2025-09-22T13:30:00Z')
  await must(mark(gateA, { qrCode: codeOf(tickets[0]) }))
  await revoke(admin, phone.id)
  expect(await replay(await phone.client(), [offline(tickets[0], '2025-09-22T13:05:00Z')])).toMatchObject([
    { outcome: 'conflict', conflict: { first: { checkerName: 'Chetan Checker' } } },
  ])
})

test('wrong codes are limited per address, and right ones are not counted', async () => {
  const world = await makeWorld({ limits: { pairing: 2 } })
  const { publicKey } = await phoneKeys()
  for (let i = 0; i < 3; i++) await pairedPhone(world)
  for (let i = 0; i < 2; i++) expect((await pair(world, 'AAAA-0000', publicKey)).status).toBe(404)
  expect(await pair(world, 'AAAA-0000', publicKey)).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
  })
})

test('wrong codes of all addresses are limited together', async () => {
  const world = await makeWorld({ limits: { pairingAll: 2 }, settings: { TRUST_PROXY: '1' } })
  const { publicKey } = await phoneKeys()
  const from = (address: string) =>
    world.nobody.request('POST', '/api/devices/pair', { code: 'AAAA-0000', publicKey }, { 'X-Forwarded-For': address })
  const answers = [await from('10.0.0.1'), await from('10.0.0.2'), await from('10.0.0.3')]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429])
})
