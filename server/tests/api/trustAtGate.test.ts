import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { codeOf, mark } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const letIn = (world: World, more: object) => ({
  scanId: randomUUID(),
  admittedOffline: true,
  scannedAt: world.clock.now().toISOString(),
  ...more,
})
const sendAll = async (client: Client, scans: readonly object[]) =>
  (await must(client.request('POST', '/api/tickets/mark-used/batch', { scans }))).results as { success: boolean }[]
const acknowledge = (client: Client, id: unknown) =>
  client.request('POST', `/api/admin/gate/conflicts/${id}/acknowledge`)
const own = { status: 403, body: { code: 'CONFLICT_OWN' } }

test('a phone that let five people in with one ticket signs off none of them, and Evening raises an alarm', async () => {
  const { world, tickets, manager, admin } = await evening()
  const phone = await (await pairedPhone(world, { rights: ['scan', 'supervise'] })).client()
  const qrCode = codeOf(tickets[0])
  await sendAll(
    phone,
    Array.from({ length: 5 }, () => letIn(world, { qrCode, checkerName: 'Ravi' })),
  )
  const ids = (await world.sql('select id from conflicts')).map(({ id }) => id)
  expect(ids).toHaveLength(4)
  for (const id of ids) expect(await acknowledge(phone, id)).toMatchObject(own)
  expect(await world.sql('select count(*) as n from conflicts where acknowledged_at is not null')).toEqual([{ n: 0 }])
  expect((await eveningOf(manager)).alarms).toMatchObject([{ kind: 'swaps', count: 4, checkerName: 'Ravi' }])
  for (const id of ids) await must(acknowledge(admin, id))
})

test('who let in either of two people with one ticket does not sign it off; one double admission is no alarm', async () => {
  const { world, tickets, manager, gateA } = await evening()
  const first = await (await pairedPhone(world, { rights: ['scan', 'supervise'] })).client()
  const other = await (await pairedPhone(world, { rights: ['scan', 'supervise'] })).client()
  const qrCode = codeOf(tickets[0])
  await sendAll(gateA, [letIn(world, { qrCode })])
  world.clock.forward(60_000)
  await sendAll(first, [letIn(world, { qrCode })])
  const [conflict] = await world.sql('select id from conflicts')
  expect((await eveningOf(manager)).alarms).toEqual([])
  expect(await acknowledge(first, conflict?.id)).toMatchObject(own)
  await must(acknowledge(other, conflict?.id))

  const second = codeOf(tickets[1] as Ticket)
  await sendAll(first, [letIn(world, { qrCode: second })])
  world.clock.forward(60_000)
  await sendAll(gateA, [letIn(world, { qrCode: second })])
  const [later] = await world.sql('select id from conflicts where acknowledged_at is null')
  expect(await acknowledge(first, later?.id)).toMatchObject(own)
})

test('an entry by hand that a phone calls offline while it speaks to the server is flagged, and a real one is not', async () => {
  const { world, tickets, admin } = await evening()
  const phone = await pairedPhone(world)
  const byHand = (at: number, more: object = {}) => ({ ticketId: tickets[at]?._id, manual: true, ...more })
  const client = await phone.client()
  await sendAll(client, [letIn(world, byHand(0)), letIn(world, { qrCode: codeOf(tickets[1] as Ticket) })])
  expect(await mark(client, letIn(world, byHand(2)))).toMatchObject({ status: 200 })
  const before = world.clock.now().getTime()
  world.clock.forward(180_000)
  // The first is from a moment at which the server heard the phone; the other from one without a network.
  await sendAll(await phone.client(), [
    letIn(world, byHand(3, { scannedAt: new Date(before + 9_000).toISOString() })),
    letIn(world, byHand(4, { scannedAt: new Date(before + 90_000).toISOString() })),
  ])
  const flagged = await world.sql(
    'select ticket_id from scans where flag = ? order by received_at, ticket_id',
    'online',
  )
  expect(flagged.map(({ ticket_id }) => ticket_id)).toEqual([0, 2, 3].map((at) => tickets[at]?._id))
  expect((await eveningOf(admin)).flagged).toHaveLength(3)
})

test('a phone’s scans carry its own id and never another phone’s, whoever it says made them or sends them', async () => {
  const { world, tickets, manager, gateA } = await evening()
  const honest = await pairedPhone(world, { name: 'North gate' })
  const liar = await pairedPhone(world, { name: 'South gate' })
  const said = { deviceId: honest.id, deviceName: 'North gate', scannedAt: '2025-09-22T01:00:00Z' }
  const claims = { ...said, checkerId: gateA.user?.id }
  await sendAll(await liar.client(), [letIn(world, { qrCode: codeOf(tickets[0]), ...claims })])
  expect(await world.sql('select device_id, device_name from scans')).toEqual([
    { device_id: liar.id, device_name: 'South gate' },
  ])
  expect((await eveningOf(manager)).alarms).toMatchObject([{ kind: 'backDated', deviceId: liar.id }])

  await sendAll(gateA, [
    letIn(world, { qrCode: codeOf(tickets[1] as Ticket), ...said, checkerName: 'Ravi' }),
    letIn(world, { qrCode: codeOf(tickets[2] as Ticket), ...said, checkerId: gateA.user?.id }),
  ])
  await mark(gateA, { qrCode: codeOf(tickets[3] as Ticket), ...said })
  expect(await world.sql('select 1 from scans where device_id = ?', honest.id)).toEqual([])
})
