import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { codeOf, mark } from '../../src/testing/scenes.ts'

const codeNo = (tickets: readonly Ticket[], n: number): string => {
  const ticket = tickets[n]
  if (!ticket) throw new RangeError(`There is no ticket ${n}`)
  return codeOf(ticket)
}

test('a scan names the shift and the device, whatever device it says it is', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world, { name: 'North gate' })
  const client = await phone.client()
  await must(client.request('PUT', '/api/devices/shift', { name: 'Bhavna' }))
  const said = { deviceId: 'someone-else', deviceName: 'Somewhere' }
  expect((await mark(client, { qrCode: codeOf(tickets[0]), ...said })).body).toMatchObject({
    outcome: 'admitted',
    ticket: { scannedBy: { name: 'Bhavna' }, scannedAtDevice: 'North gate' },
  })
  // Queued in the shift before.
  const queued = { scanId: randomUUID(), admittedOffline: true, scannedAt: '2025-09-22T13:00:00Z', checkerName: 'Ravi' }
  const { results } = await must(
    client.request('POST', '/api/tickets/mark-used/batch', { scans: [{ qrCode: codeNo(tickets, 1), ...queued }] }),
  )
  expect(results).toMatchObject([{ success: true, ticket: { scannedBy: { name: 'Ravi' } } }])
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=ticket.admitted'))
  expect(rows).toMatchObject([{ actorName: 'Ravi' }, { actorName: 'Bhavna' }])
})

test('people are known by their account, whatever name their scans carry', async () => {
  const { tickets, gateA } = await evening()
  const scan = { qrCode: codeOf(tickets[0]), checkerName: 'Somebody' }
  expect((await mark(gateA, scan)).body).toMatchObject({ ticket: { scannedBy: { name: 'Chetan Checker' } } })
})

test('the heartbeat of a phone counts for itself alone, and nobody else sends it', async () => {
  const { world, admin, gateA } = await evening()
  const phone = await pairedPhone(world, { name: 'North gate' })
  const client = await phone.client()
  // Before its first one too.
  await must(gateA.request('GET', `/api/scanner/roster?deviceId=${phone.id}&deviceName=Mine&unsent=9`))
  expect((await eveningOf(admin)).devices).toEqual([])
  expect((await client.request('GET', '/api/scanner/roster?deviceId=other&deviceName=Other&unsent=3')).status).toBe(200)
  await must(gateA.request('GET', `/api/scanner/roster?deviceId=${phone.id}&deviceName=Mine&unsent=9`))
  world.clock.forward(600_000)
  await must(gateA.request('GET', `/api/scanner/roster?deviceId=${phone.id}&deviceName=Mine&unsent=9`))
  expect((await eveningOf(admin)).devices).toMatchObject([{ deviceId: phone.id, deviceName: 'North gate', unsent: 3 }])
  const { devices } = await must(admin.request('GET', '/api/admin/devices'))
  expect(devices).toMatchObject([{ id: phone.id, unsent: 3, lastSeen: expect.any(String) }])
})

test('each right opens its own part of the gate', async () => {
  const { world, tickets } = await evening()
  const [scanning, finding] = [
    await pairedPhone(world, { rights: ['scan'] }),
    await pairedPhone(world, { rights: ['find'] }),
  ]
  const [scans, finds] = [await scanning.client(), await finding.client()]
  const [first, second] = tickets
  const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await admitAtGate(scans, first)).toMatchObject(forbidden)
  expect(await mark(finds, { qrCode: codeOf(first) })).toMatchObject(forbidden)
  expect(await finds.request('POST', '/api/tickets/verify-qr', { qrCode: codeOf(first) })).toMatchObject(forbidden)
  const scanId = randomUUID()
  await must(mark(scans, { qrCode: codeOf(first), scanId }))
  await must(admitAtGate(finds, second))
  expect(await scans.request('POST', '/api/tickets/mark-used/undo', { scanId })).toMatchObject(forbidden)
  const row = { qrCode: codeNo(tickets, 2), scanId: randomUUID() }
  const { results } = await must(finds.request('POST', '/api/tickets/mark-used/batch', { scans: [row] }))
  expect(results).toMatchObject([{ status: 403, code: 'FORBIDDEN' }])
})

test('a phone takes back its own admissions', async () => {
  const { world, tickets, gateA } = await evening()
  const client = await (await pairedPhone(world, { rights: ['scan', 'undo'] })).client()
  const [mine, theirs] = [randomUUID(), randomUUID()]
  await must(mark(client, { qrCode: codeOf(tickets[0]), scanId: mine }))
  await must(mark(gateA, { qrCode: codeNo(tickets, 1), scanId: theirs }))
  const undo = (scanId: string) => client.request('POST', '/api/tickets/mark-used/undo', { scanId })
  expect(await undo(theirs)).toMatchObject({ status: 403, body: { code: 'UNDO_NOT_YOURS' } })
  expect((await undo(mine)).body).toMatchObject({ ticket: { status: 'active' } })
})

test('giving tickets away and selling them are rights of their own', async () => {
  const { world } = await evening()
  const [selling, giving] = [
    await (await pairedPhone(world, { rights: ['sell'] })).client(),
    await (await pairedPhone(world, { rights: ['complimentary'] })).client(),
  ]
  const sale = { quantity: 1, name: 'Meera', method: 'complimentary', reason: 'Guest of the band' }
  const sell = (client: typeof selling, body: object) =>
    client.request('POST', '/api/admin/orders', body, { 'Idempotency-Key': randomUUID() })
  expect(await sell(selling, sale)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await sell(giving, { quantity: 1, name: 'Meera', method: 'cash' })).toMatchObject({ status: 403 })
  expect(await sell(giving, sale)).toMatchObject({ status: 201, body: { tickets: [{ status: 'active' }] } })
})
