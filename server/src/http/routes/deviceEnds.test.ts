import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../testing/desk.ts'
import { evening, eveningOf } from '../../testing/evening.ts'
import { eventsOf } from '../../testing/events.ts'
import { pair, pairedPhone, phoneKeys } from '../../testing/phone.ts'
import { codeOf, mark } from '../../testing/scenes.ts'
import { type Client, makeWorld } from '../../testing/world.ts'

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
  expect(rows).toMatchObject([{ actorName: 'Asha Admin', subject: phone.id, detail: 'Revoked' }])
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

test('what a revoked phone let in before its end is still taken, and flagged; nothing else is', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { name: 'North gate' })
  world.clock.set('2025-09-22T13:30:00Z')
  await revoke(admin, phone.id)
  world.clock.forward(10 * MINUTE)
  const client = await phone.client()
  const before = offline(tickets[0], '2025-09-22T13:20:00Z', { checkerName: 'Ravi' })
  const results = await replay(client, [
    before,
    offline(tickets[1], '2025-09-22T13:31:00Z'),
    // The phone's clock is 15 minutes ahead: 13:40 there was 13:25.
    offline(tickets[2], '2025-09-22T13:40:00Z', { clockOffset: -15 * MINUTE }),
    { ...offline(tickets[3], '2025-09-22T13:20:00Z'), admittedOffline: false },
    { ...offline(tickets[4], '2025-09-22T13:20:00Z'), scannedAt: undefined },
  ])
  const refused = { success: false, status: 401, code: 'DEVICE_REVOKED' }
  expect(results).toMatchObject([
    { success: true, outcome: 'admitted' },
    refused,
    { success: true, outcome: 'admitted' },
    refused,
    refused,
  ])
  const flag = { deviceName: 'North gate', flag: 'revoked', outcome: 'admitted' }
  const list = await devicesOf(admin)
  expect(list.devices).toMatchObject([{ flagged: 2, admitted: 2, scansOfflineUntil: null }])
  expect(list.flagged).toHaveLength(2)
  expect(list.flagged).toContainEqual(
    expect.objectContaining({ ...flag, scanId: before.scanId, ticketId: tickets[0].id, checkerName: 'Ravi' }),
  )
  expect((await eveningOf(admin)).flagged).toHaveLength(2)
})

test('what a phone let in before its time was over is taken and flagged as well', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { until: '2025-09-22T13:30:00Z' })
  world.clock.set('2025-09-22T13:50:00Z')
  const results = await replay(await phone.client(), [
    offline(tickets[0], '2025-09-22T13:29:00Z'),
    offline(tickets[1], '2025-09-22T13:30:00Z'),
  ])
  expect(results).toMatchObject([{ outcome: 'admitted' }, { status: 401, code: 'DEVICE_LAPSED' }])
  expect((await devicesOf(admin)).flagged).toMatchObject([{ flag: 'lapsed' }])
})

test('an admission offline is a fact even when the phone has lost the right since', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { rights: ['scan', 'undo'] })
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['undo'] }))
  const results = await replay(await phone.client(), [offline(tickets[0], '2025-09-22T13:00:00Z')])
  expect(results).toMatchObject([{ outcome: 'admitted' }])
  expect((await devicesOf(admin)).flagged).toMatchObject([{ flag: 'noRight' }])
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
