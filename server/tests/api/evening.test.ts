import { randomUUID } from 'node:crypto'
import { type EveningFigures, eveningSchema } from '@garba/shared/contracts/desk'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { eventsOf, type ServerSentEvent } from '../../src/testing/events.ts'
import { codeOf, mark, person } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const MINUTE = 60_000
/** One ticket shown at two offline gates; the second report is the conflict. */
async function doubleAdmission({ gateA, gateB, tickets }: Awaited<ReturnType<typeof evening>>) {
  const [ticket] = tickets
  const scan = { qrCode: codeOf(ticket), admittedOffline: true }
  const [first, second] = [randomUUID(), randomUUID()]
  await must(
    mark(gateA, { ...scan, scanId: first, deviceId: 'a', deviceName: 'Gate A', scannedAt: '2025-09-22T12:50:00Z' }),
  )
  await must(
    mark(gateB, { ...scan, scanId: second, deviceId: 'b', deviceName: 'Gate B', scannedAt: '2025-09-22T12:55:00Z' }),
  )
  return { ticket, id: second }
}

testOnSqlite('admitted and left to come count unique tickets', async () => {
  const { world, tickets, manager, gateA, gateB, admin } = await evening()
  expect(await eveningOf(manager)).toMatchObject({ admitted: 0, sold: 5, leftToCome: 5 })
  await must(admitAtGate(gateA, tickets[0]))
  expect(await admitAtGate(gateB, tickets[0])).toMatchObject({ status: 409 })
  await must(admin.request('PATCH', `/api/tickets/admin/${tickets[1]?.id}/status`, { status: 'used' }))
  await must(admin.request('PATCH', `/api/tickets/admin/${tickets[2]?.id}/status`, { status: 'cancelled' }))
  const view = await eveningOf(manager)
  expect(view).toMatchObject({ admitted: 2, sold: 4, leftToCome: 2, at: world.clock.now().toISOString() })
  expect(() => eveningSchema.parse(view)).not.toThrow()
})

testOnSqlite('entries are counted for each of the last 120 minutes, ending with the current one', async () => {
  const { world, tickets, gateA } = await evening()
  await must(admitAtGate(gateA, tickets[0]))
  world.clock.forward(MINUTE)
  await must(admitAtGate(gateA, tickets[1]))
  await must(admitAtGate(gateA, tickets[2]))
  world.clock.forward(118 * MINUTE)
  await must(admitAtGate(await world.as('qrchecker'), tickets[3]))
  // Tokens last an hour; the later one belongs to the same manager.
  const manager = await world.as('manager')
  const { perMinute } = await eveningOf(manager)
  expect(perMinute).toHaveLength(120)
  expect(perMinute[0]).toEqual({ minute: '2025-09-22T13:00:00.000Z', count: 1 })
  expect(perMinute[1]).toEqual({ minute: '2025-09-22T13:01:00.000Z', count: 2 })
  expect(perMinute[119]).toEqual({ minute: '2025-09-22T14:59:00.000Z', count: 1 })
  expect(perMinute.filter(({ count }) => count > 0)).toHaveLength(3)
  world.clock.forward(MINUTE)
  const later = await eveningOf(manager)
  expect(later.perMinute[0]).toEqual({ minute: '2025-09-22T13:01:00.000Z', count: 2 })
})

testOnSqlite(
  'each device shows its checker, when it was last seen, an older version, its unsent scans and its admissions',
  async () => {
    const { world, tickets, manager, gateA, gateB } = await evening()
    const heartbeat = (checker: Client, query: string) => must(checker.request('GET', `/api/scanner/roster?${query}`))
    await heartbeat(gateA, 'deviceId=a&deviceName=Gate%20A&unsent=0&since=2')
    await must(admitAtGate(gateA, tickets[0], { deviceId: 'a', deviceName: 'Gate A' }))
    await must(admitAtGate(gateA, tickets[1], { deviceId: 'a', deviceName: 'Gate A' }))
    world.clock.forward(MINUTE)
    await heartbeat(gateB, 'deviceId=b&unsent=3&oldestUnsent=2025-09-22T12:59:00Z&appVersion=0.9.0')
    const { devices, revision } = await eveningOf(manager)
    expect(devices).toEqual([
      {
        deviceId: 'b',
        deviceName: null,
        checkerName: 'Bhavna',
        lastSeen: '2025-09-22T13:01:30.000Z',
        olderVersion: '0.9.0',
        unsent: 3,
        oldestUnsent: '2025-09-22T12:59:00.000Z',
        rosterRevision: null,
        rosterLacksSince: null,
        admitted: 0,
      },
      {
        deviceId: 'a',
        deviceName: 'Gate A',
        checkerName: 'Chetan Checker',
        lastSeen: '2025-09-22T13:00:30.000Z',
        olderVersion: null,
        unsent: 0,
        oldestUnsent: null,
        rosterRevision: 2,
        rosterLacksSince: '2025-09-22T13:00:30.000Z',
        admitted: 2,
      },
    ])
    expect(revision).toBe(4)
  },
)

test.each([
  ['9999-12-31T23:59:59-23:59', '2025-09-22T13:00:30.000Z'],
  ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
])('a phone whose oldest unsent scan is from %s does not break the evening view', async (said, shown) => {
  const { manager, gateA } = await evening()
  const query = `deviceId=a&unsent=1&oldestUnsent=${encodeURIComponent(said)}`
  await must(gateA.request('GET', `/api/scanner/roster?${query}`))
  expect((await eveningOf(manager)).devices).toMatchObject([{ deviceId: 'a', oldestUnsent: shown }])
})

const beat = (checker: Client, query: string) =>
  must(checker.request('GET', `/api/scanner/roster?since=0&deviceId=a&${query}`))

testOnSqlite('a device belongs to its checker: heartbeats from others are ignored while they use it', async () => {
  const { world, manager, gateA, gateB } = await evening()
  const shown = async () => (await eveningOf(manager)).devices
  await beat(gateA, 'deviceName=Gate%20A&unsent=7')
  world.clock.forward(90_000)
  await beat(gateB, 'deviceName=Mine&unsent=0')
  expect(await shown()).toMatchObject([{ deviceName: 'Gate A', checkerName: 'Chetan Checker', unsent: 7 }])
  await beat(gateA, 'deviceName=Gate%20A&unsent=8')
  world.clock.forward(90_000)
  await beat(gateB, 'unsent=0')
  expect(await shown()).toMatchObject([{ checkerName: 'Chetan Checker', unsent: 8 }])
})

testOnSqlite('a device its checker has left changes hands, along with its unsent scans', async () => {
  const { world, manager, gateA, gateB } = await evening()
  await beat(gateA, 'deviceName=Gate%20A&unsent=7&oldestUnsent=2025-09-22T12:59:00Z')
  world.clock.forward(90_001)
  const live = await gateB.fetch('GET', '/api/scanner/live?deviceId=a&deviceName=Gate%20A')
  await live.body?.cancel()
  const waiting = { unsent: 7, oldestUnsent: '2025-09-22T12:59:00.000Z' }
  expect((await eveningOf(manager)).devices).toMatchObject([{ checkerName: 'Bhavna', ...waiting }])
  await beat(gateA, 'unsent=0')
  expect((await eveningOf(manager)).devices).toMatchObject([{ checkerName: 'Bhavna', ...waiting }])
  await beat(gateB, 'unsent=0')
  expect((await eveningOf(manager)).devices).toMatchObject([{ checkerName: 'Bhavna', unsent: 0, oldestUnsent: null }])
})

test('the evening shows at most 100 conflicts, unacknowledged ones first, and 100 devices, with their totals', async () => {
  const scene = await evening()
  const { id } = await doubleAdmission(scene)
  const { sql } = scene.world
  await beat(scene.gateA, 'unsent=0')
  await sql(`insert into conflicts (id, ticket_id, holder_name, over, first, second, created_at, revision, acknowledged_at, acknowledged_by_name,
    event_id)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
    select 'more-' || i, ticket_id, holder_name, over, first, second, created_at + i, revision, created_at, 'Asha', event_id from n, conflicts`)
  await sql(`insert into devices (id, checker_name, last_seen, unsent)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
    select 'more-' || i, 'Chetan', last_seen + i, 0 from n, devices`)
  const view = await eveningOf(scene.manager)
  expect([view.conflicts.length, view.conflictsTotal]).toEqual([100, 151])
  expect(view.conflicts.slice(0, 2).map((conflict) => conflict.id)).toEqual([id, 'more-150'])
  expect([view.devices.length, view.devicesTotal]).toEqual([100, 151])
  expect(view.devices[0]).toMatchObject({ deviceId: 'more-150' })
})

testOnSqlite('refusals are counted by reason, and the latest are shown in full', async () => {
  const { world, tickets, manager, gateA } = await evening()
  await must(admitAtGate(gateA, tickets[0]))
  for (let i = 0; i < 25; i++) {
    world.clock.forward(1000)
    await admitAtGate(gateA, tickets[0], { deviceId: 'a', deviceName: 'Gate A' })
  }
  world.clock.forward(1000)
  await mark(gateA, { qrCode: 'https://example.org' })
  const { refusals } = await eveningOf(manager)
  expect(refusals.byCode).toEqual([
    { code: 'ALREADY_USED', count: 25 },
    { code: 'QR_MALFORMED', count: 1 },
  ])
  expect(refusals.recent).toHaveLength(20)
  expect(refusals.recent[0]).toMatchObject({ code: 'QR_MALFORMED', name: null, ticketId: null })
  expect(refusals.recent[1]).toMatchObject({
    code: 'ALREADY_USED',
    name: 'Garima Guest',
    ticketId: tickets[0].id,
    checkerName: 'Chetan Checker',
    deviceName: 'Gate A',
  })
})

testOnSqlite('a double admission shows both gates and the first admin who saw it', async () => {
  const scene = await evening()
  const { world, admin, manager } = scene
  const { ticket, id } = await doubleAdmission(scene)
  const conflict = {
    id,
    ticketId: ticket.id,
    name: 'Garima Guest',
    over: 'used',
    first: { checkerName: 'Chetan Checker', deviceName: 'Gate A', at: '2025-09-22T12:50:00.000Z' },
    second: { checkerName: 'Bhavna', deviceName: 'Gate B', at: '2025-09-22T12:55:00.000Z' },
  }
  expect(await eveningOf(manager)).toMatchObject({ admitted: 1, conflicts: [{ ...conflict, acknowledgedBy: null }] })
  const acknowledge = (client: Client, name = id) =>
    client.request('POST', `/api/admin/gate/conflicts/${name}/acknowledge`)
  expect(await acknowledge(manager)).toMatchObject({ status: 403 })
  const seen = { ...conflict, acknowledgedBy: 'Asha Admin', acknowledgedAt: world.clock.now().toISOString() }
  expect((await must(acknowledge(admin))).conflict).toMatchObject(seen)
  world.clock.forward(MINUTE)
  const other = await world.as('admin', person('Other'))
  expect((await must(acknowledge(other))).conflict).toMatchObject(seen)
  expect((await eveningOf(manager)).conflicts).toMatchObject([seen])
  expect(await must(admin.request('GET', '/api/admin/audit?action=ticket.conflictAcknowledged'))).toMatchObject({
    rows: [{ actorName: 'Asha Admin', subject: ticket.id }],
  })
  expect(await acknowledge(admin, randomUUID())).toMatchObject({ status: 404, body: { code: 'SCAN_NOT_FOUND' } })
})

const admittedIn = ({ data }: ServerSentEvent) => (data as EveningFigures).admitted

test('the live evening view is sent at once and again after a rush, in far fewer messages than admissions', async () => {
  const { manager, gateA, tickets } = await evening({ quantity: 20 })
  const counts: number[] = []
  for await (const event of eventsOf(await manager.fetch('GET', '/api/admin/gate/live'))) {
    expect(event.event).toBe('gate')
    counts.push(admittedIn(event))
    if (counts.length === 1) await Promise.all(tickets.map((ticket) => admitAtGate(gateA, ticket)))
    if (admittedIn(event) === 20) break
  }
  expect(counts[0]).toBe(0)
  expect(counts.length).toBeLessThan(10)
})

testOnSqlite('the live evening view shows a new heartbeat, a refusal and an acknowledged conflict', async () => {
  const scene = await evening()
  const { id } = await doubleAdmission(scene)
  const { admin, manager, gateA, tickets } = scene
  const steps: [() => Promise<unknown>, (view: EveningFigures) => boolean][] = [
    [() => gateA.request('GET', '/api/scanner/roster?deviceId=a'), (view) => view.devices.length === 1],
    [() => admitAtGate(gateA, tickets[0]), (view) => view.refusals.byCode.length === 1],
    [
      () => admin.request('POST', `/api/admin/gate/conflicts/${id}/acknowledge`),
      (view) => view.conflicts[0]?.acknowledgedBy === 'Asha Admin',
    ],
  ]
  const events = eventsOf(await manager.fetch('GET', '/api/admin/gate/live'))
  await events.next()
  for (const [act, shows] of steps) {
    await act()
    for await (const { data } of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
      if (shows(data as EveningFigures)) break
  }
  await events.return(undefined)
})

test('the live evening view ends when its reader loses access and when the server stops', async () => {
  const { world, admin, manager } = await evening()
  const ofManager = eventsOf(await manager.fetch('GET', '/api/admin/gate/live'))
  const ofAdmin = eventsOf(await admin.fetch('GET', '/api/admin/gate/live'))
  await Promise.all([ofManager.next(), ofAdmin.next()])
  await must(admin.request('PATCH', `/api/admin/users/${manager.user?.id}/role`, { role: 'guest' }))
  expect(await ofManager.next()).toMatchObject({ done: true })
  expect(await ofAdmin.next()).toMatchObject({ done: false })
  world.stopping.abort()
  for await (const event of ofAdmin) expect(event.event).toBe('gate')
})
