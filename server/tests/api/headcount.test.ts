import { randomUUID } from 'node:crypto'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { close, dataOf, LATER_YEAR, over } from '../../src/testing/closing.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, ask, kept, replay } from '../../src/testing/door.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const BATCH = '/api/tickets/mark-used/batch'
const offline = (ticket: Ticket | undefined, scannedAt: string, more: Record<string, unknown> = {}) => ({
  scanId: randomUUID(),
  qrCode: ticket?.qrCode,
  admittedOffline: true,
  scannedAt,
  ...more,
})
const send = async (checker: Client, ...scans: unknown[]) =>
  (await must(checker.request('POST', BATCH, { scans }))).results as { success: boolean; outcome?: string }[]
const scan = (checker: Client, ticket: Ticket | undefined, more: Record<string, unknown> = {}) =>
  mark(checker, { scanId: randomUUID(), qrCode: ticket?.qrCode, ...more })
const setStatus = (admin: Client, ticket: Ticket | undefined, status: string, more: Record<string, unknown> = {}) =>
  admin.request('PATCH', `/api/tickets/admin/${ticket?.id}/status`, { status, ...more })

/** What a phone reads with the list. */
const onPhone = async (checker: Client) => (await must(checker.request('GET', '/api/scanner/roster'))).people

/** People and tickets; whatever else is wrong, the gates add up to the people, and so do the minutes. */
async function counted(client: Client): Promise<[people: number, admitted: number]> {
  const { people, admitted, gates, perMinute } = await eveningOf(client)
  const sum = (rows: readonly { people: number }[]) => rows.reduce((all, row) => all + row.people, 0)
  expect(sum(gates)).toBe(people)
  expect(gates.map((gate) => gate.admitted)).toEqual(gates.map((gate) => gate.people))
  expect(perMinute.reduce((all, { count }) => all + count, 0)).toBe(people)
  return [people, admitted]
}

test('both people of a double admission are inside, whichever of them holds the ticket', async () => {
  const { tickets, manager, gateA, gateB } = await evening()
  const [one, two] = tickets
  await send(gateA, offline(one, '2025-09-22T12:50:00Z', { gate: 'North' }))
  await send(gateB, offline(one, '2025-09-22T12:55:00Z', { gate: 'South' }))
  expect(await counted(manager)).toEqual([2, 1])
  await send(gateB, offline(two, '2025-09-22T12:56:00Z'))
  await send(gateA, offline(two, '2025-09-22T12:51:00Z'))
  expect(await counted(manager)).toEqual([4, 2])
  const { gates } = await eveningOf(manager)
  expect(gates.map(({ name, people, none }) => [name, people, none])).toEqual([
    ['North', 1, undefined],
    ['South', 1, undefined],
    ['No gate', 2, true],
  ])
})

test('a scan that is sent again counts once, and one that was undone does not count, however late it is reported', async () => {
  const { world, tickets, manager, gateA } = await evening()
  const [one, two] = tickets
  const row = offline(one, '2025-09-22T13:00:00Z')
  for (let time = 0; time < 3; time += 1) await send(gateA, row)
  expect(await counted(manager)).toEqual([1, 1])
  await send(gateA, { ...row, undoneAt: '2025-09-22T13:00:20Z' })
  await send(gateA, { ...offline(two, '2025-09-22T12:51:00Z'), undoneAt: '2025-09-22T12:51:30Z' })
  expect(await counted(manager)).toEqual([0, 0])
  const scanId = randomUUID()
  await must(scan(gateA, two, { scanId }))
  expect(await counted(manager)).toEqual([1, 1])
  world.clock.forward(5_000)
  await must(gateA.request('POST', '/api/tickets/mark-used/undo', { scanId }))
  expect(await counted(manager)).toEqual([0, 0])
})

test('undoing one side of a double admission leaves the other inside', async () => {
  const { tickets, manager, gateA, gateB } = await evening()
  const first = offline(tickets[0], '2025-09-22T13:00:00Z')
  await send(gateA, first)
  await send(gateB, offline(tickets[0], '2025-09-22T13:00:10Z'))
  expect(await onPhone(gateB)).toBe(2)
  await send(gateA, { ...first, undoneAt: '2025-09-22T13:00:20Z' })
  expect(await counted(manager)).toEqual([1, 1])
  expect(await onPhone(gateB)).toBe(1)
})

test('a swap counts both people', async () => {
  const { tickets, manager, gateA, admin } = await evening()
  await must(scan(gateA, tickets[0], { gate: 'North' }))
  const swap = { scanId: randomUUID(), qrCode: codeOf(tickets[0]), gate: 'South' }
  await must(admin.request('POST', '/api/tickets/mark-used/swap', swap))
  expect(await counted(manager)).toEqual([2, 1])
  expect((await eveningOf(manager)).gates.map(({ name, people }) => [name, people])).toEqual([
    ['North', 1],
    ['South', 1],
  ])
})

test.each([
  ['set back to active', (admin: Client, ticket: Ticket) => setStatus(admin, ticket, 'active'), [1, 0]],
  [
    'cancelled',
    (admin: Client, ticket: Ticket) => setStatus(admin, ticket, 'cancelled', { includeUsed: true }),
    [1, 0],
  ],
  ['deleted', (admin: Client, ticket: Ticket) => admin.request('DELETE', `/api/admin/tickets/${ticket.id}`), [1, 0]],
] as const)('the person whose ticket is %s afterwards stays inside', async (_, change, after) => {
  const { tickets, manager, admin, gateA } = await evening()
  await must(scan(gateA, tickets[0]))
  await must(change(admin, tickets[0]))
  expect(await counted(manager)).toEqual(after)
})

test('a ticket set back by an admin lets a second person in, and both are inside', async () => {
  const { tickets, manager, admin, gateA } = await evening()
  await must(scan(gateA, tickets[0]))
  await must(setStatus(admin, tickets[0], 'active'))
  await must(scan(gateA, tickets[0]))
  expect(await counted(manager)).toEqual([2, 1])
})

test('a scan whose ticket an admin set back can still be undone by its checker within the minute', async () => {
  const { tickets, manager, admin, gateA } = await evening()
  const scanId = randomUUID()
  await must(scan(gateA, tickets[0], { scanId }))
  await must(setStatus(admin, tickets[0], 'active'))
  expect(await onPhone(gateA)).toBe(1)
  for (let time = 0; time < 2; time += 1) await must(gateA.request('POST', '/api/tickets/mark-used/undo', { scanId }))
  expect(await counted(manager)).toEqual([0, 0])
  expect(await onPhone(gateA)).toBe(0)
})

test('a ticket that an admin marks as used is a person, until an admin sets it back to active', async () => {
  const { tickets, manager, admin, gateA } = await evening()
  const [one, two, three] = tickets
  for (const ticket of [one, two, three]) await must(setStatus(admin, ticket, 'used'))
  expect(await counted(manager)).toEqual([3, 3])
  await must(setStatus(admin, one, 'active'))
  expect(await counted(manager)).toEqual([2, 2])
  await must(setStatus(admin, one, 'used'))
  await must(setStatus(admin, one, 'used'))
  await must(setStatus(admin, two, 'cancelled', { includeUsed: true }))
  await must(admin.request('DELETE', `/api/admin/tickets/${three?.id}`))
  expect(await counted(manager)).toEqual([3, 1])
  await send(gateA, offline(one, '2025-09-22T12:50:00Z'))
  expect(await counted(manager)).toEqual([4, 1])
})

test('somebody let in offline on a cancelled, deleted or unknown ticket is inside', async () => {
  const { world, tickets, manager, admin, gateA } = await evening()
  const [one, two, three] = tickets
  await must(setStatus(admin, one, 'cancelled'))
  await must(admin.request('DELETE', `/api/admin/tickets/${two?.id}`))
  await world.sql(`delete from tickets where id = '${three?.id}'`)
  const refused = { scanId: randomUUID(), qrCode: one.qrCode }
  expect(await mark(gateA, refused)).toMatchObject({ status: 409 })
  expect(await counted(manager)).toEqual([0, 0])
  const rows = [offline(two, '2025-09-22T12:50:00Z'), offline(three, '2025-09-22T12:51:00Z')]
  await send(gateA, { ...refused, admittedOffline: true, scannedAt: '2025-09-22T12:52:00Z' }, ...rows)
  expect(await counted(manager)).toEqual([3, 0])
})

test('a closed event keeps its own count, and takes in what phones report later', async () => {
  const { world, tickets, admin, checker, event } = await over()
  await must(close(admin, event._id))
  await send(checker, offline(tickets[1], '2025-09-22T14:50:00Z'), offline(tickets[1], '2025-09-22T14:52:00Z'))
  // The desk shows it until there is a new one.
  expect(await eveningOf(admin)).toMatchObject({ people: 3, admitted: 2 })
  await putOnSale(world, LATER_YEAR)
  expect(await counted(admin)).toEqual([0, 0])
  const closed = await dataOf<EveningFigures>(admin, `/api/admin/gate?event=${event._id}`)
  expect(closed).toMatchObject({ people: 3, admitted: 2, gates: [{ people: 3, none: true }] })
})

test('a door sale that lets in at once counts at the gate of its phone, even at one that takes other kinds', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await must(admin.request('PUT', '/api/admin/gates', { gates: [{ name: 'North', kinds: ['online'] }] }))
  const phone = await pairedPhone(world, { gates: ['North'] })
  const client = await phone.client()
  const sale = { quantity: 3, method: 'card', name: 'Meera', admit: true }
  await must(client.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  expect((await eveningOf(admin)).gates).toMatchObject([{ name: 'North', people: 3 }])
  expect(await counted(admin)).toEqual([3, 3])
  expect(await world.sql('select distinct entry_gate from tickets')).toEqual([{ entry_gate: 'North' }])
})

test('a door sale made offline counts at the gate where it was sold, wherever its phone stands by then', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const gates = [
    { name: 'North', kinds: [] },
    { name: 'South', kinds: [] },
  ]
  await must(admin.request('PUT', '/api/admin/gates', { gates }))
  const phone = await pairedPhone(world, { gates: ['North', 'South'] })
  const block = await allot(phone, 6)
  const sold = (number: number, more = {}) => kept(world, block, [number], { scanIds: [randomUUID()], ...more })
  const sales = [sold(1, { gate: 'North' }), sold(2, { gate: 'North' }), sold(3, { gate: null }), sold(4)]
  await must(ask(phone, 'PUT', '/api/devices/gate', { gate: 'South' }))
  for (const result of await replay(phone, ...sales)) expect(result).toMatchObject({ success: true })
  // The last one is from a phone with an earlier version, which names no gate.
  expect((await eveningOf(admin)).gates).toMatchObject([
    { name: 'North', people: 2 },
    { name: 'South', people: 1 },
    { people: 1, none: true },
  ])
  expect(await counted(admin)).toEqual([4, 4])
})
