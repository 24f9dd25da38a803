import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { codeOf, mark } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const MINUTE = 60_000
const alarmsOf = async (client: Client) => (await eveningOf(client)).alarms

test('an alarm appears for an hour after one checker admits ten people by hand within a minute', async () => {
  const { world, tickets, manager, gateA, gateB } = await evening({ quantity: 12 })
  world.clock.set('2025-09-22T13:01:00.000Z')
  for (const ticket of tickets.slice(0, 9)) await must(admitAtGate(gateA, ticket))
  await must(admitAtGate(gateB, tickets[9]))
  world.clock.forward(MINUTE)
  await must(admitAtGate(gateA, tickets[10]))
  expect(await alarmsOf(manager)).toEqual([])
  world.clock.set('2025-09-22T13:01:59.000Z')
  await must(admitAtGate(gateA, tickets[11]))
  const none = { deviceId: null, deviceName: null }
  const alarm = { kind: 'manual', count: 10, checkerName: 'Chetan Checker', at: '2025-09-22T13:02:00.000Z', ...none }
  expect(await alarmsOf(manager)).toEqual([alarm])
  world.clock.set('2025-09-22T14:03:00.000Z')
  expect(await alarmsOf(await world.as('manager'))).toEqual([])
})

test('an alarm appears when one checker undoes five admissions', async () => {
  const { tickets, manager, gateA } = await evening({ quantity: 5 })
  for (const [index, ticket] of tickets.entries()) {
    expect(await alarmsOf(manager)).toEqual([])
    const scanId = randomUUID()
    await must(mark(gateA, { qrCode: codeOf(ticket), scanId }))
    await must(gateA.request('POST', '/api/tickets/mark-used/undo', { scanId }))
    if (index === 4)
      expect(await alarmsOf(manager)).toMatchObject([{ kind: 'undos', count: 5, checkerName: 'Chetan Checker' }])
  }
})

test('an alarm about a phone that changed hands names who has it now, not who had it before', async () => {
  const { world, tickets, manager } = await evening({ quantity: 10 })
  const client = await (await pairedPhone(world)).client()
  for (const [index, ticket] of tickets.entries()) {
    if (index % 8 === 0)
      await must(client.request('PUT', '/api/devices/shift', { name: index === 0 ? 'Zoya' : 'Ravi' }))
    const scanId = randomUUID()
    world.clock.forward(1_000)
    await must(admitAtGate(client, ticket, { scanId }))
    if (index > 4) await must(client.request('POST', '/api/tickets/mark-used/undo', { scanId }))
  }
  expect(await alarmsOf(manager)).toMatchObject([
    { kind: 'manual', count: 10, checkerName: 'Ravi' },
    { kind: 'undos', count: 5, checkerName: 'Ravi' },
  ])
})

test('an alarm appears for a back-dated scan', async () => {
  const { tickets, manager, gateA } = await evening()
  const scan = { qrCode: codeOf(tickets[0]), deviceId: 'a', deviceName: 'Gate A', admittedOffline: true }
  await must(mark(gateA, { ...scan, scannedAt: '2025-09-22T01:00:00Z' }))
  expect(await alarmsOf(manager)).toMatchObject([
    { kind: 'backDated', count: 1, checkerName: null, deviceId: 'a', deviceName: 'Gate A' },
  ])
})

test('an alarm appears for ten unknown codes on one device, refused or admitted', async () => {
  const { world, tickets, manager, gateA } = await evening()
  const [first, ...others] = tickets
  await world.sql('delete from tickets where id = ?', first._id)
  const unknown = { qrCode: codeOf(first), deviceId: 'a', deviceName: 'Gate A' }
  for (let i = 0; i < 6; i++) expect((await mark(gateA, unknown)).status).toBe(404)
  for (let i = 0; i < 3; i++) await must(mark(gateA, { ...unknown, admittedOffline: true }))
  await must(mark(gateA, { ...unknown, qrCode: codeOf(others[0] ?? first) }))
  expect(await alarmsOf(manager)).toMatchObject([{ kind: 'swaps', count: 3 }])
  const forged = unknown.qrCode.slice(0, -1) + (unknown.qrCode.endsWith('0') ? '1' : '0')
  await mark(gateA, { ...unknown, qrCode: forged })
  expect(await alarmsOf(manager)).toMatchObject([
    { kind: 'unknownCodes', count: 10, deviceId: 'a', deviceName: 'Gate A' },
    { kind: 'swaps', count: 3 },
  ])
})
