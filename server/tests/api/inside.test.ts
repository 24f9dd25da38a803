import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { describe, expect, test } from 'vitest'
import { callOffRound } from '../../src/flows/cancel/callOff.ts'
import { wrongInAccounts, wrongInTables } from '../../src/testing/accounts.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { dice, type Random } from '../../src/testing/dice.ts'
import { ask } from '../../src/testing/door.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, codeOf, eventForm, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const MINUTE = 60_000

async function ground(overrides: Record<string, unknown> = {}, quantity = 3) {
  const world = await makeWorld()
  await putOnSale(world, overrides)
  const tickets = await bought(await world.as('guest'), quantity)
  world.clock.forward(10 * MINUTE)
  return { world, tickets, checker: await world.as('qrchecker'), code: codeOf(tickets[0]) }
}

const leave = (checker: Client, qrCode: string, more: Record<string, unknown> = {}) =>
  checker.request('POST', '/api/tickets/exit', { qrCode, scanId: randomUUID(), ...more })
const send = async (checker: Client, scans: readonly unknown[]) =>
  (await checker.request('POST', '/api/tickets/mark-used/batch', { scans })).body.results as Record<string, unknown>[]
const evening = async (world: World) =>
  (await (await world.as('admin')).request('GET', '/api/admin/gate')).body.data as {
    inside: unknown
    people: number
    capacity: number | null
    gates: { name: string; inside: number; left: number; people: number }[]
    conflicts: { acknowledgedBy: string | null }[]
  }
const exactly = (n: number) => ({ low: n, high: n, silent: 0, silentSince: null })
const count = (change: number, more: Record<string, unknown> = {}) => ({
  scanId: randomUUID(),
  movement: 'count',
  group: 'children',
  change,
  ...more,
})

describe('leaving', () => {
  testOnSqlite('somebody who came in leaves once; the ticket stays used', async () => {
    const { world, checker, code } = await ground()
    expect(await leave(checker, code)).toMatchObject({ status: 409, body: { success: false, code: 'NOT_INSIDE' } })
    await mark(checker, { qrCode: code, gate: 'Gate 1' })
    expect((await evening(world)).inside).toEqual(exactly(1))
    const scanId = randomUUID()
    const left = await leave(checker, code, { scanId, gate: 'Gate 2' })
    const leftAt = world.clock.now().toISOString()
    expect(left).toMatchObject({ status: 200, body: { outcome: 'left', scanId, ticket: { status: 'used', leftAt } } })
    expect((await leave(checker, code, { scanId })).body).toEqual(left.body)
    expect(await leave(checker, code)).toMatchObject({ status: 409, body: { code: 'NOT_INSIDE', leftAt } })
    expect(await evening(world)).toMatchObject({
      inside: exactly(0),
      people: 1,
      gates: [
        { name: 'Gate 1', inside: 1, left: 0, people: 1 },
        { name: 'Gate 2', inside: -1, left: 1, people: 0 },
      ],
    })
  })

  testOnSqlite('who may not come back is refused with when they left', async () => {
    const { world, checker, code } = await ground()
    await mark(checker, { qrCode: code })
    await leave(checker, code)
    const leftAt = world.clock.now().toISOString()
    world.clock.forward(MINUTE)
    const refused = { status: 409, body: { code: 'ALREADY_USED', leftAt, ticket: { leftAt } } }
    expect(await mark(checker, { qrCode: code })).toMatchObject(refused)
  })

  testOnSqlite('who may come back is welcome until the event says otherwise, and is one person', async () => {
    const { world, checker, code } = await ground()
    const reentryUntil = new Date(world.clock.now().getTime() + 30 * MINUTE).toISOString()
    const admin = await world.as('admin')
    const saved = await admin.request('PUT', '/api/event', eventForm({ reentry: 'open', reentryUntil }))
    expect(saved.body).toMatchObject({ data: { reentry: 'open', reentryUntil } })
    await mark(checker, { qrCode: code })
    await leave(checker, code)
    world.clock.forward(MINUTE)
    const scanId = randomUUID()
    const back = await mark(checker, { qrCode: code, scanId })
    expect(back).toMatchObject({ status: 200, body: { outcome: 'admitted', again: true, ticket: { status: 'used' } } })
    expect((await mark(checker, { qrCode: code, scanId })).body).toEqual(back.body)
    expect(await evening(world)).toMatchObject({ inside: exactly(1), people: 1, conflicts: [] })
    expect(await mark(checker, { qrCode: code })).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
    expect((await leave(checker, code)).status).toBe(200)
    world.clock.forward(30 * MINUTE)
    expect(await mark(checker, { qrCode: code })).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  })

  testOnSqlite('an exit and a return can be undone by whoever made them', async () => {
    const { world, checker, code } = await ground({ reentry: 'open' })
    await mark(checker, { qrCode: code })
    world.clock.forward(2 * MINUTE)
    const [exit, back] = [randomUUID(), randomUUID()]
    const undo = (client: Client, scanId: string) => client.request('POST', '/api/tickets/mark-used/undo', { scanId })
    await leave(checker, code, { scanId: exit })
    const other = await world.as('qrchecker', person('Bhavna'))
    expect(await undo(other, exit)).toMatchObject({ status: 403, body: { code: 'UNDO_NOT_YOURS' } })
    expect((await undo(checker, exit)).body).toMatchObject({ ticket: { status: 'used' } })
    expect((await evening(world)).inside).toEqual(exactly(1))
    await leave(checker, code)
    await mark(checker, { qrCode: code, scanId: back })
    expect((await undo(checker, back)).body).toMatchObject({ ticket: { status: 'used', leftAt: expect.any(String) } })
    expect((await evening(world)).inside).toEqual(exactly(0))
  })

  testOnSqlite('a code that was replaced or whose ticket was deleted lets nobody out', async () => {
    const { world, checker, tickets, code } = await ground()
    const guest = await world.as('guest')
    const renewed = (await guest.request('POST', `/api/tickets/${tickets[0]._id}/new-code`)).body.ticket
    await mark(checker, { qrCode: codeOf(renewed as Ticket) })
    expect(await leave(checker, code)).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
    expect((await leave(checker, codeOf(renewed as Ticket))).status).toBe(200)
    const deleted = tickets[1] as Ticket
    await (await world.as('admin')).request('DELETE', `/api/admin/tickets/${deleted._id}`)
    expect(await leave(checker, codeOf(deleted))).toMatchObject({ status: 404, body: { code: 'TICKET_NOT_FOUND' } })
  })

  testOnSqlite('a phone without the right to undo cannot take an exit back by a batch either', async () => {
    const { world, code } = await ground()
    const phone = await pairedPhone(world, { rights: ['scan'] })
    const other = await pairedPhone(world, { rights: ['scan', 'undo'] })
    await ask(phone, 'POST', '/api/tickets/mark-used', { qrCode: code })
    const exit = { scanId: randomUUID(), movement: 'exit', qrCode: code }
    const takenBack = { ...exit, undoneAt: world.clock.now().toISOString() }
    expect(await send(await phone.client(), [exit, takenBack])).toMatchObject([{ status: 200 }, { status: 403 }])
    expect((await evening(world)).inside).toMatchObject({ low: 0 })
    expect(await send(await other.client(), [takenBack])).toMatchObject([{ status: 403, code: 'UNDO_NOT_YOURS' }])
    const own = { ...takenBack, scanId: randomUUID() }
    expect(await send(await other.client(), [own])).toMatchObject([{ status: 200 }])
  })

  test('a code that proves nothing, and an id of another scan, let nobody out', async () => {
    const { world, checker, tickets, code } = await ground()
    const scanId = randomUUID()
    await mark(checker, { qrCode: code, scanId })
    expect(await leave(checker, code, { scanId })).toMatchObject({ status: 409, body: { code: 'SCAN_ID_REUSED' } })
    expect(await leave(checker, 'nonsense')).toMatchObject({ status: 400, body: { code: 'QR_MALFORMED' } })
    const forged = `${code.slice(0, -1)}${code.endsWith('0') ? 1 : 0}`
    expect((await leave(checker, forged)).body).toMatchObject({ success: false, code: 'QR_FORGED' })
    const exit = randomUUID()
    await leave(checker, code, { scanId: exit })
    const entry = await mark(checker, { qrCode: codeOf(tickets[1] ?? tickets[0]), scanId: exit })
    expect(entry).toMatchObject({ status: 409, body: { code: 'SCAN_ID_REUSED' } })
    expect((await evening(world)).inside).toEqual(exactly(0))
  })

  testOnSqlite(
    'an id says one thing: another ticket, kind or number under it is refused and counts nothing',
    async () => {
      const { world, checker, tickets, code } = await ground()
      const other = codeOf(tickets[1] as Ticket)
      for (const qrCode of [code, other]) await mark(checker, { qrCode })
      const [exit, counted] = [randomUUID(), count(2)]
      await leave(checker, code, { scanId: exit })
      await send(checker, [counted])
      const reused = { status: 409, code: 'SCAN_ID_REUSED' }
      expect(await leave(checker, other, { scanId: exit })).toMatchObject({ status: 409, body: { code: reused.code } })
      const rows = [
        { ...counted, change: 3 },
        { ...counted, group: 'crew' },
        { ...counted, scanId: exit },
        { scanId: counted.scanId, movement: 'exit', qrCode: other },
      ]
      expect(await send(checker, rows)).toMatchObject(rows.map(() => reused))
      expect((await evening(world)).inside).toEqual(exactly(3))
    },
  )

  testOnSqlite('an exit can be taken back for 60 s', async () => {
    const { world, checker, code } = await ground()
    await mark(checker, { qrCode: code })
    const scanId = randomUUID()
    await leave(checker, code, { scanId })
    world.clock.forward(MINUTE + 1)
    const undo = await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
    expect(undo).toMatchObject({ status: 409, body: { code: 'UNDO_EXPIRED' } })
    expect((await evening(world)).inside).toEqual(exactly(0))
  })
})

testOnSqlite('a scan of a ticket that an admin made active again counts a new person', async () => {
  const { world, tickets, checker, code } = await ground({ reentry: 'open' })
  await mark(checker, { qrCode: code })
  await leave(checker, code)
  const admin = await world.as('admin')
  await admin.request('PATCH', `/api/tickets/admin/${tickets[0]?._id}/status`, { status: 'active' })
  world.clock.forward(MINUTE)
  expect((await mark(checker, { qrCode: code })).body.again).toBeUndefined()
  expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(1) })
  expect(await wrongInTables(world)).toEqual([])
})

const setStatus = async (world: World, ticket: Ticket | undefined, status: string) =>
  (await world.as('admin')).request('PATCH', `/api/tickets/admin/${ticket?._id}/status`, { status, includeUsed: true })

describe('an admission that is taken back after its holder left', () => {
  testOnSqlite('takes the exit with it, if an admin had marked the ticket as used', async () => {
    const { world, tickets, checker, code } = await ground({ reentry: 'open' })
    await setStatus(world, tickets[0], 'used')
    world.clock.forward(MINUTE)
    await leave(checker, code)
    await setStatus(world, tickets[0], 'active')
    expect(await evening(world)).toMatchObject({ people: 0, inside: exactly(0) })
    world.clock.forward(MINUTE)
    await setStatus(world, tickets[0], 'used')
    expect(await evening(world)).toMatchObject({ people: 1, inside: exactly(1) })
    expect(await wrongInAccounts(world)).toEqual([])
  })

  testOnSqlite('keeps whoever has come back since as the person inside', async () => {
    const { world, tickets, checker, code } = await ground({ reentry: 'open' })
    await setStatus(world, tickets[0], 'used')
    world.clock.forward(MINUTE)
    await leave(checker, code)
    world.clock.forward(MINUTE)
    await mark(checker, { qrCode: code })
    await setStatus(world, tickets[0], 'active')
    expect(await evening(world)).toMatchObject({ people: 1, inside: exactly(1), conflicts: [] })
    expect(await wrongInAccounts(world)).toEqual([])
  })

  testOnSqlite('takes all with it that the ticket did on another day', async () => {
    const { world, checker, code } = await ground({ reentry: 'open' })
    const scanId = randomUUID()
    await mark(checker, { qrCode: code, scanId })
    await leave(checker, code)
    world.clock.forward(MINUTE)
    await mark(checker, { qrCode: code })
    await leave(checker, code)
    await (await world.as('admin')).request('POST', '/api/admin/attention/other-day', { scanIds: [scanId] })
    expect(await evening(world)).toMatchObject({ people: 0, inside: exactly(0), conflicts: [] })
    expect(await wrongInAccounts(world)).toEqual([])
  })

  testOnSqlite('by its phone, after an admin had changed the ticket', async () => {
    const { world, tickets, checker, code } = await ground({ reentry: 'open' })
    const scanId = randomUUID()
    await mark(checker, { qrCode: code, scanId })
    await leave(checker, code)
    await setStatus(world, tickets[0], 'active')
    const undo = await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
    expect(undo).toMatchObject({ status: 200, body: { ticket: { status: 'active' } } })
    expect(await evening(world)).toMatchObject({ people: 0, inside: exactly(0) })
    expect(await wrongInAccounts(world)).toEqual([])
  })
})

test.each([1, 2, 3, 4, 5, 6])(
  'whatever is set back, let out and let in again, those inside are those in less those out (%i)',
  async (seed) => {
    const random = dice(seed)
    const { world, tickets, checker } = await ground({ reentry: seed % 2 ? 'open' : 'none' }, 2)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    const made: string[] = []
    for (let n = 0; n < 40; n += 1) {
      world.clock.forward(pick([1_000, 20_000]))
      const ticket = pick(tickets)
      const scan = { qrCode: codeOf(ticket), scanId: randomUUID() }
      const kind = random()
      if (kind < 0.15) await mark(checker, { ...scan, admittedOffline: random() < 0.3 })
      else if (kind < 0.45) await leave(checker, scan.qrCode, scan)
      else if (kind < 0.85) await setStatus(world, ticket, pick(['active', 'used']))
      else await checker.request('POST', '/api/tickets/mark-used/undo', { scanId: pick([...made, scan.scanId]) })
      made.push(scan.scanId)
      expect(await wrongInAccounts(world)).toEqual([])
    }
  },
)

testOnSqlite(
  'of a family’s code, who came before somebody left takes another ticket, not a double admission',
  async () => {
    const { world, tickets, checker, code } = await ground({ reentry: 'open' })
    const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
    const [group] = groups as { qrCode: string }[]
    const before = world.clock.now().toISOString()
    await mark(checker, { qrCode: code })
    world.clock.forward(MINUTE)
    await leave(checker, code)
    const row = { scanId: randomUUID(), qrCode: group?.qrCode, ticketId: tickets[0]?._id, admittedOffline: true }
    expect(await send(checker, [{ ...row, scannedAt: before }])).toMatchObject([{ status: 200, outcome: 'admitted' }])
    expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(1), conflicts: [] })
  },
)

testOnSqlite('of a family’s code, who came after an exit of somebody else takes another ticket too', async () => {
  const { world, tickets, checker, code } = await ground({ reentry: 'open' })
  const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
  const [group] = groups as { qrCode: string }[]
  const at = (ms: number) => new Date(world.clock.now().getTime() - ms).toISOString()
  const offline = [
    { scanId: randomUUID(), qrCode: code, movement: 'exit', scannedAt: at(3_000) },
    { scanId: randomUUID(), qrCode: code, admittedOffline: true, scannedAt: at(2_000) },
  ]
  await mark(checker, { qrCode: group?.qrCode, ticketId: tickets[0]?._id })
  expect(await send(checker, offline)).toMatchObject([{ outcome: 'left' }, { outcome: 'admitted' }])
  expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(2), conflicts: [] })
  expect(await wrongInTables(world)).toEqual([])
})

testOnSqlite(
  'of a family’s code, who came after somebody with the same ticket takes another, although one left since',
  async () => {
    const { world, tickets, checker, code } = await ground({ reentry: 'open' })
    const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
    const [group] = groups as { qrCode: string }[]
    const scannedAt = world.clock.now().toISOString()
    world.clock.forward(MINUTE)
    await mark(checker, { qrCode: group?.qrCode, ticketId: tickets[0]?._id })
    world.clock.forward(1_000)
    expect((await leave(checker, code)).status).toBe(200)
    const entry = { scanId: randomUUID(), qrCode: code, admittedOffline: true, scannedAt }
    expect(await send(checker, [entry])).toMatchObject([{ outcome: 'admitted' }])
    expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(1), conflicts: [] })
    expect(await wrongInTables(world)).toEqual([])
  },
)

testOnSqlite('an exit that was taken back stays so when it is sent again', async () => {
  const { world, checker, code } = await ground()
  const scanId = randomUUID()
  await mark(checker, { qrCode: code })
  await leave(checker, code, { scanId })
  await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
  expect(await leave(checker, code, { scanId })).toMatchObject({ status: 409, body: { code: 'SCAN_UNDONE' } })
  expect(await send(checker, [{ scanId, qrCode: code, movement: 'exit' }])).toMatchObject([{ code: 'SCAN_UNDONE' }])
  expect((await evening(world)).inside).toEqual(exactly(1))
})

test('two gates that let out two of a family with the same ticket let out two, in any order', async () => {
  for (const order of [
    [0, 1, 2, 3],
    [2, 3, 0, 1],
    [0, 3, 2, 1],
    [3, 1, 0, 2],
  ]) {
    const { world, tickets, checker } = await ground()
    const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
    const [group] = groups as { qrCode: string }[]
    const row = (ms: number, more: Record<string, unknown>) => ({
      ...{ scanId: randomUUID(), qrCode: group?.qrCode, ticketId: tickets[0]?._id, ...more },
      scannedAt: new Date(world.clock.now().getTime() - ms).toISOString(),
    })
    const [entry, exit] = [{ admittedOffline: true }, { movement: 'exit' }]
    const rows = [row(5_000, entry), row(4_000, entry), row(3_000, exit), row(2_000, exit)]
    const sent = order.flatMap((n) => rows[n] ?? [])
    for (const one of sent) expect(await send(checker, [one])).toMatchObject([{ status: 200 }])
    expect((await send(checker, sent)).every(({ status }) => status === 200)).toBe(true)
    expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(0), conflicts: [] })
    expect(await wrongInTables(world)).toEqual([])
  }
})

testOnSqlite('an entry that moves to another ticket of a family takes over the exit stored there', async () => {
  const { world, tickets, checker, code } = await ground()
  const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
  const [group] = groups as { qrCode: string; ticketIds: string[] }[]
  const lastUnused = group?.ticketIds.findLast((id) => id !== tickets[0]?._id)
  const left = tickets.find(({ _id }) => _id === lastUnused)?.qrCode
  await mark(checker, { qrCode: group?.qrCode, ticketId: tickets[0]?._id })
  world.clock.forward(MINUTE)
  const now = world.clock.now().toISOString()
  await send(checker, [{ scanId: randomUUID(), qrCode: left, movement: 'exit', scannedAt: now }])
  const entry = { scanId: randomUUID(), qrCode: code, admittedOffline: true, scannedAt: now }
  expect(await send(checker, [entry])).toMatchObject([{ outcome: 'admitted' }])
  expect(await evening(world)).toMatchObject({ people: 2, inside: exactly(1), conflicts: [] })
})

testOnSqlite('an entry cannot be undone after an exit, and the person who came back keeps the ticket', async () => {
  const { world, checker, code } = await ground({ reentry: 'open' })
  const scanId = randomUUID()
  const entry = { scanId, qrCode: code, scannedAt: world.clock.now().toISOString() }
  await mark(checker, entry)
  await leave(checker, code)
  world.clock.forward(1_000)
  await mark(checker, { qrCode: code })
  const refused = await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
  expect(refused).toMatchObject({ status: 409, body: { code: 'UNDO_NOT_POSSIBLE' } })
  const undoneAt = world.clock.now().toISOString()
  expect(await send(checker, [{ ...entry, admittedOffline: true, undoneAt }])).toMatchObject([{ status: 200 }])
  expect(await mark(checker, { qrCode: code })).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  expect(await evening(world)).toMatchObject({ people: 1, inside: exactly(1) })
})

describe('counting', () => {
  testOnSqlite('people without a code count once at their gate, whatever is sent again', async () => {
    const { world, checker } = await ground({ capacity: 900, totalTickets: 900 })
    const row = count(3, { gate: 'Gate 1' })
    const [first] = await send(checker, [row])
    expect(first).toMatchObject({ status: 200, success: true, outcome: 'counted', scanId: row.scanId })
    expect((await send(checker, [row, count(-1, { group: 'other' })]))[0]).toEqual(first)
    const shown = await evening(world)
    expect(shown).toMatchObject({ inside: exactly(2), people: 0, capacity: 900 })
    expect(shown.gates).toMatchObject([{ name: 'Gate 1', inside: 3 }, { inside: -1 }])
  })

  test.each([21, -21, 1.5, '1'])('a change of %j is not valid', async (change) => {
    const { world, checker } = await ground()
    const row = { ...count(1), change }
    expect(await send(checker, [row])).toMatchObject([{ status: 400, code: 'VALIDATION_FAILED' }])
    expect((await evening(world)).inside).toEqual(exactly(0))
  })

  testOnSqlite('a phone without the right to scan counts and lets out nobody', async () => {
    const { world, checker, code } = await ground()
    await mark(checker, { qrCode: code })
    const phone = await pairedPhone(world, { rights: ['find'] })
    const exit = { scanId: randomUUID(), movement: 'exit', qrCode: code }
    expect(await send(await phone.client(), [count(1), exit])).toMatchObject([{ status: 403 }, { status: 403 }])
    expect((await ask(phone, 'POST', '/api/tickets/exit', { qrCode: code, scanId: randomUUID() })).status).toBe(403)
    expect((await evening(world)).inside).toEqual(exactly(1))
  })
})

/** What three gates without a network did to two tickets, in the order in which it happened. */
function happened(random: Random, codes: readonly string[], from: number): Record<string, unknown>[] {
  return Array.from({ length: 4 + Math.floor(random() * 5) }, (_, n) => {
    const made = { scanId: randomUUID(), scannedAt: new Date(from + (n + 1) * 1_000).toISOString() }
    const kind = random()
    if (kind < 0.15) return { ...count(Math.floor(random() * 9) - 4), ...made }
    const qrCode = codes[Math.floor(random() * codes.length)]
    return kind < 0.55 ? { ...made, qrCode, admittedOffline: true } : { ...made, qrCode, movement: 'exit' }
  })
}

const shuffled = <T>(rows: readonly T[], random: Random): T[] =>
  rows
    .map((row) => ({ row, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)

test.each([1, 2, 3, 4, 5, 6])('any order of offline rows gives one count (%i)', async (seed) => {
  const random = dice(seed)
  const worlds = await Promise.all([0, 1, 2].map(() => ground({ reentry: seed % 2 ? 'open' : 'none' }, 2)))
  const from = worlds[0]?.world.clock.now().getTime() ?? 0
  const rows = happened(random, ['0', '1'], from - 5 * MINUTE)
  const counts = await Promise.all(
    worlds.map(async ({ world, tickets, checker }, n) => {
      const own = rows.map((row) =>
        'qrCode' in row ? { ...row, qrCode: codeOf(tickets[Number(row.qrCode)] ?? tickets[0]) } : row,
      )
      for (const row of n === 0 ? own : shuffled(own, random)) {
        const [sent] = await send(checker, [row])
        expect(sent).toMatchObject({ status: 200 })
      }
      const again = await send(checker, shuffled(own, random))
      expect(again.every(({ status }) => status === 200)).toBe(true)
      const { inside, people } = await evening(world)
      return { inside, people }
    }),
  )
  expect(counts[1]).toEqual(counts[0])
  expect(counts[2]).toEqual(counts[0])
})

interface FamilyRow {
  ticket: number
  isExit: boolean
  byGroup: boolean
  ms: number
}

/** Sends what gates without a network did to a family's three tickets to a server of its own, in some order. */
async function sendFamily(rows: readonly FamilyRow[], order: Random | null, reentry: 'open' | 'none') {
  const { world, tickets, checker } = await ground({ reentry })
  const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
  const [group] = groups as { qrCode: string; ticketIds: string[] }[]
  const from = world.clock.now().getTime() - 5 * MINUTE
  const own = rows.map(({ ticket, isExit, byGroup, ms }, n) => {
    const id = group?.ticketIds[ticket]
    const qrCode = byGroup ? group?.qrCode : tickets.find(({ _id }) => _id === id)?.qrCode
    const made = { scanId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, qrCode }
    const scannedAt = new Date(from + ms).toISOString()
    return {
      ...made,
      scannedAt,
      ...(byGroup && { ticketId: id }),
      ...(isExit ? { movement: 'exit' } : { admittedOffline: true }),
    }
  })
  for (const row of order ? shuffled(own, order) : own)
    expect(await send(checker, [row])).toMatchObject([{ status: 200 }])
  const again = await send(checker, order ? shuffled(own, order) : own)
  expect(again.every(({ status }) => status === 200)).toBe(true)
  expect(await wrongInAccounts(world)).toEqual([])
  const { inside, people } = await evening(world)
  const stored = await world.sql('select id, status, left_at from tickets')
  const out = group?.ticketIds
    .map((id) => stored.find((ticket) => ticket.id === id))
    .map((one) => one?.left_at ?? one?.status)
  return { inside, people, out }
}

test('an exit by a group code counts for a member who was inside then, even if their entry arrives later', async () => {
  const enter = (ticket: number, ms: number) => ({ ticket, isExit: false, byGroup: false, ms })
  const rows = [
    enter(0, 5_000),
    enter(1, 1_000),
    enter(2, 2_000),
    { ticket: 0, isExit: true, byGroup: true, ms: 3_000 },
  ]
  const happened = await sendFamily(rows, null, 'none')
  expect(happened).toMatchObject({ inside: exactly(2), people: 3 })
  expect(await sendFamily([...rows.slice(3), ...rows.slice(0, 3)], null, 'none')).toEqual(happened)
})

test.each([1, 2, 3, 4, 5, 6])(
  'any order of a family’s own entries and its exits by any code leaves the same inside (%i)',
  async (seed) => {
    const random = dice(seed)
    const exits = 1 + Math.floor(random() * 4)
    const at = () => 1_000 * Math.floor(random() * 20)
    const rows = [
      ...[0, 1, 2].map((ticket) => ({ ticket, isExit: false, byGroup: false, ms: at() })),
      ...Array.from({ length: exits }, () => ({
        ticket: Math.floor(random() * 3),
        isExit: true,
        byGroup: random() < 0.7,
        ms: at(),
      })),
    ]
    const reentry = seed % 2 ? 'open' : 'none'
    const happened = await sendFamily(rows, null, reentry)
    for (let n = 0; n < 3; n += 1) expect(await sendFamily(rows, random, reentry)).toEqual(happened)
  },
)

test.each(Array.from({ length: 12 }, (_, n) => n + 1))(
  'any order of a family’s entries and exits by any code gives the same people, inside on the same tickets (%i)',
  async (seed) => {
    const random = dice(seed)
    const rows = Array.from({ length: 7 }, () => ({
      ticket: Math.floor(random() * 3),
      isExit: random() < 0.45,
      byGroup: random() < 0.6,
      ms: 1_000 * Math.floor(random() * 20),
    }))
    const reentry = seed % 2 ? 'open' : 'none'
    const happened = await sendFamily(rows, null, reentry)
    for (let n = 0; n < 3; n += 1) expect(await sendFamily(rows, random, reentry)).toEqual(happened)
  },
)

testOnSqlite('a restored server gets exits, counts and undone exits from the phones’ journals', async () => {
  const { world, checker, tickets, code } = await ground()
  const file = await backedUp(world)
  const at = (ms: number) => new Date(world.clock.now().getTime() - ms).toISOString()
  const second = codeOf(tickets[1] ?? tickets[0])
  const rows = [
    { scanId: randomUUID(), qrCode: code, admittedOffline: true, scannedAt: at(5_000) },
    { scanId: randomUUID(), qrCode: second, admittedOffline: true, scannedAt: at(4_000) },
    { scanId: randomUUID(), qrCode: code, movement: 'exit', scannedAt: at(3_000) },
    { scanId: randomUUID(), qrCode: second, movement: 'exit', scannedAt: at(2_000), undoneAt: at(1_000) },
    count(2),
  ]
  await send(checker, rows)
  expect((await evening(world)).inside).toEqual(exactly(3))
  const next = await restored(world, file)
  expect((await evening(next)).inside).toEqual(exactly(0))
  await send(await next.as('qrchecker'), rows.toReversed())
  expect((await evening(next)).inside).toEqual(exactly(3))
})

testOnSqlite(
  'two phones’ journals of a family’s evening heal a server restored from the middle of it, in any order',
  async () => {
    const { world, checker, tickets } = await ground({ reentry: 'open' })
    const { groups } = (await (await world.as('guest')).request('GET', '/api/tickets/group-codes')).body
    const [group] = groups as { qrCode: string; ticketIds: string[] }[]
    const row = (ms: number, more: Record<string, unknown>) => ({
      ...{ scanId: randomUUID(), qrCode: group?.qrCode, ticketId: group?.ticketIds[0], ...more },
      scannedAt: new Date(world.clock.now().getTime() - ms).toISOString(),
    })
    const [entry, exit] = [{ admittedOffline: true }, { movement: 'exit' }]
    const own = {
      ...entry,
      qrCode: tickets.find(({ _id }) => _id === group?.ticketIds[2])?.qrCode,
      ticketId: undefined,
    }
    const north = [row(9_000, entry), row(7_000, exit), row(5_000, entry), count(3)]
    const south = [row(8_000, entry), row(6_000, exit), row(4_000, own), count(-1)]
    await send(checker, [north[0], south[0], south[3]])
    const file = await backedUp(world)
    await send(checker, [...north, ...south])
    const read = async (of: World) => {
      expect(await wrongInAccounts(of)).toEqual([])
      const { people, inside } = await evening(of)
      const rows = [
        await of.sql('select id, ticket_id, outcome from scans order by id'),
        await of.sql('select id, ticket_id, change from movements order by id'),
        await of.sql('select id, status, entry_scan_id, left_at from tickets order by id'),
      ]
      return { people, inside, rows }
    }
    const before = await read(world)
    expect(before).toMatchObject({ inside: exactly(4) })
    for (const journals of [
      [...south, ...north],
      [...north.toReversed(), ...south.toReversed()],
    ]) {
      const next = await restored(world, file)
      const phone = await next.as('qrchecker')
      for (const one of journals) await send(phone, [one])
      expect(await read(next)).toEqual(before)
    }
  },
)

describe('the evening', () => {
  testOnSqlite('says honestly how many may be inside while a phone is silent', async () => {
    const { world, tickets, code } = await ground()
    const phone = await pairedPhone(world)
    await ask(phone, 'GET', '/api/scanner/roster?unsent=0')
    await mark(await phone.client(), { qrCode: code })
    expect((await evening(world)).inside).toMatchObject({ low: 1, high: 1, silent: 0 })
    const since = world.clock.now().toISOString()
    world.clock.forward(6 * MINUTE)
    // Two tickets are left, so no more can have come in.
    const silent = { low: 1, high: 1 + tickets.length - 1, silent: 1, silentSince: since }
    expect((await evening(world)).inside).toEqual(silent)
    await ask(phone, 'GET', '/api/scanner/roster?unsent=2')
    expect((await evening(world)).inside).toMatchObject({ low: 0, high: 3, silent: 0 })
  })

  testOnSqlite(
    'expects as much of a silent phone after the event was called off, whether or not it has heard of it',
    async () => {
      const { world, code } = await ground()
      const phone = await pairedPhone(world)
      await ask(phone, 'GET', '/api/scanner/roster?unsent=0')
      await mark(await phone.client(), { qrCode: code })
      const off = { state: 'calledOff', reason: 'Rain', now: true }
      const admin = await world.as('admin')
      await admin.request('POST', '/api/admin/event/state', off, { 'Idempotency-Key': randomUUID() })
      await callOffRound(world.deps)
      expect(await world.sql('select outcome from scans')).toEqual([{ outcome: 'released' }])
      world.clock.forward(6 * MINUTE)
      expect((await evening(world)).inside).toMatchObject({ low: 1, high: 7, silent: 1 })
    },
  )

  testOnSqlite('says when all will be in once people come, and nothing before', async () => {
    const { world, tickets, checker } = await ground({}, 20)
    expect(await evening(world)).toMatchObject({ forecast: null })
    for (const ticket of tickets.slice(0, 10)) await mark(checker, { qrCode: codeOf(ticket) })
    const allInBy = new Date(world.clock.now().getTime() + 10 * MINUTE).toISOString()
    expect(await evening(world)).toMatchObject({ forecast: { allInBy, error: 10 } })
  })

  testOnSqlite('a capacity refuses to sell above itself, and phones learn of it', async () => {
    const { world, checker } = await ground({ capacity: 500 })
    const admin = await world.as('admin')
    const tooMany = await admin.request('PUT', '/api/event', eventForm({ totalTickets: 501, capacity: 500 }))
    const message = 'Total tickets cannot be more than the capacity of 500 people'
    expect(tooMany).toMatchObject({ status: 400, body: { errors: [{ field: 'totalTickets', message }] } })
    // An open page of before these fields sends none of them.
    await admin.request('PUT', '/api/event', eventForm())
    const roster = await checker.request('GET', '/api/scanner/roster')
    expect(roster.body).toMatchObject({ inside: 0, event: { capacity: 500 } })
    for (const capacity of [0, -1, 1.5, 'many'])
      expect((await admin.request('PUT', '/api/event', eventForm({ capacity }))).body).toMatchObject({
        errors: [{ field: 'capacity' }],
      })
    const none = await admin.request('PUT', '/api/event', eventForm({ capacity: null, totalTickets: 9_000 }))
    expect(none.body).toMatchObject({ data: { capacity: null } })
  })
})
