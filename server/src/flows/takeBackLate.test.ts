import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { must } from '../testing/desk.ts'
import { pairedPhone } from '../testing/phone.ts'
import { bought, codeOf, mark, person, putOnSale } from '../testing/scenes.ts'
import { type Client, makeWorld } from '../testing/world.ts'

const HOUR = 3_600_000

async function gates() {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  const at = world.clock.now().getTime() + HOUR
  world.clock.forward(3 * HOUR)
  const [one, other] = [await world.as('qrchecker'), await world.as('qrchecker', person('Bina'))]
  return { world, ticket, one, other, ...scansFrom(at) }
}

/** Scans `s` seconds after an evening's beginning, which happened hours ago. */
const scansFrom = (begin: number) => ({
  scanOf: (ticket: Ticket, s: number, deviceId = 'gate-a') => ({
    scanId: randomUUID(),
    qrCode: codeOf(ticket),
    deviceId,
    scannedAt: new Date(begin + s * 1_000).toISOString(),
    admittedOffline: true,
  }),
  undone: <S extends { scannedAt: string }>(scan: S, s = 30) => ({
    ...scan,
    undoneAt: new Date(Date.parse(scan.scannedAt) + s * 1_000).toISOString(),
  }),
})

const send = async (client: Client, scans: object[]) =>
  (await must(client.request('POST', '/api/tickets/mark-used/batch', { scans }))).results as Record<string, unknown>[]
const STATE = 'select status, entry_time is null as free, scanned_by_name as by from tickets'

test('an admission that was taken back at the gate hours ago leaves the ticket active, and counts as undone', async () => {
  const { world, ticket, one, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  await send(one, [scan])
  expect(await send(one, [undone(scan)])).toMatchObject([{ success: true, ticket: { status: 'active' } }])
  expect(await send(one, [undone(scan)])).toMatchObject([{ success: true }])
  expect(await world.sql('select outcome, undone_at is null as standing from scans')).toMatchObject([
    { outcome: 'admitted' },
  ])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'active', by: null }])
  expect(await world.sql("select 1 from audit where action = 'ticket.admissionUndone'")).toHaveLength(1)
})

test('one the server never received is kept as undone: the mark that comes after it admits nobody', async () => {
  const { world, ticket, one, other, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  expect(await send(one, [undone(scan)])).toMatchObject([{ success: true, scanId: scan.scanId }])
  expect((await mark(one, { qrCode: scan.qrCode, scanId: scan.scanId })).status).toBe(200)
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'active' }])
  expect(await send(other, [scanOf(ticket, 90, 'gate-b')])).toMatchObject([{ outcome: 'admitted' }])
})

test('the person let in after it keeps the entry, and their double admission was none', async () => {
  const { world, ticket, one, other, scanOf, undone } = await gates()
  const [first, second] = [scanOf(ticket, 0), scanOf(ticket, 120, 'gate-b')]
  await send(one, [first])
  expect(await send(other, [second])).toMatchObject([{ outcome: 'conflict' }])
  await send(one, [undone(first)])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Bina' }])
  expect(await world.sql('select acknowledged_by_name as by from conflicts')).toEqual([{ by: 'Chetan Checker' }])
  expect(await world.sql("select id from scans where outcome = 'admitted' and undone_at is null")).toEqual([
    { id: second.scanId },
  ])
})

test('the later of two taken back settles their double admission and leaves the entry of the first', async () => {
  const { world, ticket, one, other, scanOf, undone } = await gates()
  const [first, second] = [scanOf(ticket, 0), scanOf(ticket, 120, 'gate-b')]
  await send(one, [first])
  await send(other, [second])
  await send(other, [undone(second)])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Chetan Checker' }])
  expect(await world.sql('select acknowledged_by_name as by from conflicts')).toEqual([{ by: 'Bina' }])
})

test('is only for who made it, and only within 60 s of the admission', async () => {
  const { world, ticket, one, other, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  await send(one, [scan])
  expect(await send(other, [undone({ ...scan, deviceId: 'gate-b' })])).toMatchObject([{ code: 'UNDO_NOT_YOURS' }])
  expect(await send(one, [undone(scan, 61)])).toMatchObject([{ code: 'UNDO_EXPIRED' }])
  expect(await send(one, [{ ...undone(scan), qrCode: undefined, ticketId: ulidOf(7), manual: true }])).toMatchObject([
    { code: 'SCAN_ID_REUSED' },
  ])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
  const { status } = await mark(one, undone(scanOf(ticket, 0)))
  expect(status).toBe(400)
})

test('a ticket that nobody knows leaves a scan with a genuine code, and nothing of one chosen by hand', async () => {
  const { world, ticket, one, scanOf, undone } = await gates()
  await must((await world.as('admin')).request('DELETE', `/api/admin/tickets/${ticket._id}`))
  const byHand = { ...scanOf(ticket, 0), qrCode: undefined, ticketId: ulidOf(7), manual: true }
  expect(await send(one, [undone(scanOf(ticket, 0)), undone(byHand)])).toMatchObject([
    { success: true },
    { success: true },
  ])
  expect(await world.sql('select ticket_id from scans')).toEqual([{ ticket_id: ticket._id }])
  expect(await world.sql('select id from conflicts')).toEqual([])
})

test('a revoked phone may still say that it took an admission back', async () => {
  const { world, ticket, scanOf, undone } = await gates()
  const phone = await pairedPhone(world)
  const client = await phone.client()
  const scan = scanOf(ticket, 0, phone.id)
  await send(client, [scan])
  await must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  expect(await send(client, [undone(scan)])).toMatchObject([{ success: true }])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'active' }])
})
