import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { inspectBackup } from '../../src/store/engine/backup.ts'
import { rosterOf } from '../../src/testing/closing.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, buy, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const ask = (client: Client, { _id }: Pick<Ticket, '_id'>, headers = {}) =>
  client.request('POST', `/api/tickets/${_id}/new-code`, undefined, headers)
const renewed = async (client: Client, ticket: Pick<Ticket, '_id'>): Promise<Ticket> =>
  (await must(ask(client, ticket))).ticket as Ticket
const mine = async (guest: Client) => (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
const verify = (checker: Client, qrCode: string | undefined) =>
  checker.request('POST', '/api/tickets/verify-qr', { qrCode })
const batch = async (checker: Client, ...scans: object[]) =>
  (await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))).results as Record<string, unknown>[]
const allAgrees = async (world: World) => expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])

async function scene(quantity = 1, at?: string) {
  const world = await makeWorld()
  await putOnSale(world)
  if (at !== undefined) world.clock.set(at)
  const guest = await world.as('guest')
  const tickets = await bought(guest, quantity)
  return { world, guest, tickets, checker: await world.as('qrchecker'), admin: await world.as('admin') }
}

testOnSqlite('a ticket keeps its number, given in the order of buying, through new codes and purchases', async () => {
  const { guest, tickets } = await scene(2)
  await renewed(guest, tickets[0])
  await bought(guest, 1)
  const numbers = (list: readonly Ticket[]) => list.map(({ number, newCodes }) => ({ number, newCodes }))
  expect(numbers(tickets)).toEqual([1, 2].map((number) => ({ number, newCodes: 0 })))
  expect(numbers(await mine(guest))).toEqual([
    { number: 3, newCodes: 0 },
    { number: 2, newCodes: 0 },
    { number: 1, newCodes: 1 },
  ])
})

testOnSqlite('a new code admits, and the old one is refused everywhere with the time it was replaced', async () => {
  const { world, guest, tickets, checker, admin } = await scene(2, '2025-09-22T12:32:00Z')
  const [old] = tickets
  const { groups } = await must(guest.request('GET', '/api/tickets/group-codes'))
  const [group] = groups as { qrCode: string }[]
  const { revision } = await rosterOf(checker)
  const ticket = await renewed(guest, old)
  expect(ticket).toMatchObject({
    ...old,
    ...ticket,
    createdAt: old.createdAt,
    price: 299,
    status: 'active',
    newCodes: 1,
  })
  expect(ticket._id).not.toBe(old._id)
  expect((await mine(guest)).map(({ _id }) => _id).toSorted()).toEqual([ticket._id, tickets[1]?._id].toSorted())

  const replaced = {
    code: 'CODE_REPLACED',
    message: 'Replaced at 6:02 PM. Ask for the new code.',
    replacedAt: '2025-09-22T12:32:00.000Z',
  }
  expect(await verify(checker, codeOf(old))).toMatchObject({ status: 409, body: replaced })
  expect(await mark(checker, { qrCode: old.qrCode })).toMatchObject({ status: 409, body: replaced })
  const member = { qrCode: group?.qrCode, ticketId: old._id }
  expect(await mark(checker, member)).toMatchObject({ status: 409, body: replaced })
  expect(
    await batch(checker, { scanId: randomUUID(), qrCode: old.qrCode }, { scanId: randomUUID(), ...member }),
  ).toMatchObject(Array(2).fill({ success: false, status: 409, ...replaced }))
  expect(
    await admin.request('POST', '/api/tickets/mark-used/swap', { qrCode: old.qrCode, scanId: randomUUID() }),
  ).toMatchObject({
    status: 409,
    body: replaced,
  })
  expect(await must(checker.request('POST', '/api/tickets/verify-group', { qrCode: group?.qrCode }))).toMatchObject({
    tickets: [{ id: tickets[1]?._id }],
  })
  await must(admitAtGate(checker, tickets[1]))

  const delta = await rosterOf(checker, `?since=${revision}`)
  expect(delta.tickets.find(({ id }) => id === old._id)).toEqual({
    id: old._id,
    status: 'deleted',
    name: 'Garima Guest',
    order: expect.any(String),
    entryTime: null,
    replacedAt: replaced.replacedAt,
  })
  expect(await must(mark(checker, { qrCode: ticket.qrCode }))).toMatchObject({
    outcome: 'admitted',
    ticket: { id: ticket._id },
  })
  expect(await checker.request('POST', '/api/tickets/verify-group', { qrCode: group?.qrCode })).toMatchObject({
    status: 200,
  })
  await allAgrees(world)
})

testOnSqlite('a ticket can have three new codes, by its owner or the desk, while it is active', async () => {
  const { world, guest, tickets, checker, admin } = await scene(3)
  const [first, used, cancelled] = tickets
  const other = await world.as('guest', person('Radha'))
  expect(await ask(other, first)).toMatchObject({ status: 403 })
  expect(await ask(checker, first)).toMatchObject({ status: 403 })
  expect(await ask(guest, { _id: '01K0000000000000000000000Z' })).toMatchObject({ status: 404 })
  await must(mark(checker, { qrCode: used?.qrCode }))
  expect(await ask(guest, used ?? first)).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  await must(guest.request('PATCH', `/api/tickets/cancel/${cancelled?._id}`, { reason: 'Away' }))
  expect(await ask(guest, cancelled ?? first)).toMatchObject({ status: 409, body: { code: 'TICKET_CANCELLED' } })

  let ticket = await renewed(guest, first)
  expect(await ask(guest, first)).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  for (const client of [admin, guest]) ticket = await renewed(client, ticket)
  expect(ticket.newCodes).toBe(3)
  expect(await ask(admin, ticket)).toMatchObject({ status: 429, body: { code: 'NEW_CODE_LIMIT' } })
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=ticket.newCode'))
  expect(rows).toMatchObject([
    { actorName: 'Garima Guest' },
    { actorName: 'Asha Admin' },
    { actorName: 'Garima Guest' },
  ])
  const { tickets: listed } = await must(admin.request('GET', '/api/admin/tickets/management'))
  expect(listed).toHaveLength(3)
  expect(await must(admin.request('GET', '/api/tickets/admin/stats'))).toMatchObject({ total: 2 })
  await allAgrees(world)
})

testOnSqlite(
  'a lost answer is asked for again with its key, and a repeated purchase shows the code of now',
  async () => {
    const { world, guest } = await scene()
    const sale = randomUUID()
    const [old] = (await buy(guest, 1, sale)).body.tickets as [Ticket]
    const headers = { 'Idempotency-Key': randomUUID() }
    const { ticket } = await must(ask(guest, old, headers))
    expect(await must(ask(guest, old, headers))).toEqual({ success: true, ticket })
    expect((await buy(guest, 1, sale)).body.tickets).toEqual([ticket])
    const [another] = await bought(guest)
    expect(await ask(guest, another, headers)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    await allAgrees(world)
  },
)

testOnSqlite(
  'the desk finds a ticket by the number on an earlier code, also once it is renamed, and tickets.csv counts who came in on it',
  async () => {
    const { world, guest, tickets, checker, admin } = await scene(2)
    const [old] = tickets
    const ticket = await renewed(guest, await renewed(guest, old))
    const scan = { scanId: randomUUID(), qrCode: old.qrCode, admittedOffline: true }
    expect(await batch(checker, { ...scan, scannedAt: world.clock.now().toISOString() })).toMatchObject([
      { outcome: 'conflict' },
    ])
    await must(guest.request('PATCH', `/api/tickets/${ticket._id}/name`, { name: 'Radha' }))
    for (const number of [old._id, old._id.slice(-8), ticket._id.slice(-8)])
      expect(await must(admin.request('GET', `/api/admin/tickets/management?search=${number}`))).toMatchObject({
        tickets: [{ _id: ticket._id, holderName: 'Radha' }],
      })
    const text = await (await admin.fetch('GET', '/api/admin/tickets/export?format=csv')).text()
    const [head, ...rows] = text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(','))
    const column = head?.findIndex((name) => /people/i.test(name)) ?? -1
    expect(column).not.toBe(-1)
    expect(rows.map((row) => Number(row[column])).toSorted()).toEqual([0, 1])
    await allAgrees(world)
  },
)

test('two replacements at the same moment make one new code', async () => {
  const { world, guest, tickets } = await scene()
  const answers = await Promise.all([ask(guest, tickets[0]), ask(guest, tickets[0])])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await mine(guest)).toHaveLength(1)
  await allAgrees(world)
})

testOnSqlite('a backup counts the tickets that the desk counts: neither deleted ones nor old codes', async () => {
  const { world, guest, tickets, admin } = await scene(3)
  await renewed(guest, tickets[0])
  await must(admin.request('DELETE', `/api/admin/tickets/${tickets[1]?._id}`))
  const { pagination } = await must(admin.request('GET', '/api/admin/tickets/management'))
  expect(pagination).toMatchObject({ totalTickets: 2 })
  expect(inspectBackup(await backedUp(world)).tickets).toBe(2)
})

testOnSqlite('somebody let in offline with the old code is on record, and the new code still admits', async () => {
  const { world, guest, tickets, checker } = await scene()
  const [old] = tickets
  const ticket = await renewed(guest, old)
  const scan = {
    scanId: randomUUID(),
    qrCode: old.qrCode,
    admittedOffline: true,
    scannedAt: world.clock.now().toISOString(),
  }
  expect(await batch(checker, scan)).toMatchObject([
    { outcome: 'conflict', conflict: { over: 'replaced', first: { checkerName: 'Code replaced' } } },
  ])
  expect(await batch(checker, scan)).toMatchObject([{ outcome: 'conflict' }])
  // Chosen by name from a list without the new code, it is the same ticket.
  const byHand = { scanId: randomUUID(), ticketId: old._id, manual: true, admittedOffline: true }
  expect(await batch(checker, byHand)).toMatchObject([{ outcome: 'admitted', ticket: { id: ticket._id } }])
  expect(await must(checker.request('POST', '/api/tickets/mark-used/undo', { scanId: byHand.scanId }))).toMatchObject({
    ticket: { id: ticket._id, status: 'active' },
  })
  await must(mark(checker, { qrCode: ticket.qrCode }))
  await allAgrees(world)
})

testOnSqlite(
  'an admission by hand keeps its first answer and its undo, whatever codes its ticket gets afterwards',
  async () => {
    const { guest, tickets, checker, admin } = await scene()
    const [old] = tickets
    const scan = { scanId: randomUUID(), ticketId: old._id, manual: true }
    const first = await must(mark(checker, scan))
    await must(admin.request('PATCH', `/api/tickets/admin/${old._id}/status`, { status: 'active' }))
    await renewed(guest, await renewed(guest, old))
    expect(await must(mark(checker, scan))).toEqual(first)
    const undo = { ...scan, admittedOffline: true, scannedAt: '2025-08-08T10:00:00Z', undoneAt: '2025-08-08T10:00:10Z' }
    expect(await batch(checker, undo)).toMatchObject([{ success: true }])
    expect(await mark(checker, { ...scan, ticketId: '01K0000000000000000000000Z' })).toMatchObject({
      body: { code: 'SCAN_ID_REUSED' },
    })
  },
)

testOnSqlite('a server restored to before new codes knows them again by their signatures', async () => {
  const { world: before, tickets } = await scene(5)
  const file = await backedUp(before)
  const guest = await before.as('guest')
  const fresh: Ticket[] = []
  for (const ticket of tickets) fresh.push(await renewed(guest, ticket))
  const [scanned, offered, twice, offline, byHand] = fresh as [Ticket, Ticket, Ticket, Ticket, Ticket]
  const last = await renewed(guest, twice)

  const world = await restored(before, file)
  const checker = await world.as('qrchecker')
  const owner = await world.as('guest')
  expect(await must(verify(checker, codeOf(scanned)))).toMatchObject({ ticket: { id: scanned._id, status: 'active' } })
  expect(await must(mark(checker, { qrCode: scanned.qrCode }))).toMatchObject({ outcome: 'admitted' })
  // A phone sends again what the lost server had.
  const again = { admittedOffline: true, scannedAt: world.clock.now().toISOString() }
  expect(
    await batch(
      checker,
      { ...again, scanId: randomUUID(), qrCode: codeOf(offline) },
      { ...again, scanId: randomUUID(), ticketId: byHand._id, manual: true },
    ),
  ).toMatchObject([
    { outcome: 'admitted', ticket: { id: offline._id } },
    { outcome: 'admitted', ticket: { id: byHand._id } },
  ])
  const codes = [codeOf(offered), codeOf(last)]
  expect(await must(owner.request('POST', '/api/tickets/lost', { codes }))).toMatchObject({
    answers: [{ state: 'known' }, { state: 'known' }],
  })
  for (const old of [...tickets.slice(1), twice])
    expect(await verify(checker, codeOf(old))).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  expect((await mine(owner)).map(({ _id, newCodes }) => [_id, newCodes]).toSorted()).toEqual(
    [
      [scanned._id, 1],
      [offline._id, 1],
      [byHand._id, 1],
      [offered._id, 1],
      [last._id, 2],
    ].toSorted(),
  )
  await allAgrees(world)
})

testOnSqlite('a server restored to before the sale takes one code of a ticket back, its newest', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const empty = await backedUp(world)
  const guest = await world.as('guest')
  const [old, second] = (await bought(guest, 2)) as [Ticket, Ticket]
  const fresh = await renewed(guest, old)
  const later = await renewed(guest, second)

  const next = await restored(world, empty)
  const offer = async (client: Client, ...codes: Ticket[]) =>
    (await must(client.request('POST', '/api/tickets/lost', { codes: codes.map(codeOf) }))).answers
  const [owner, thief] = [await next.as('guest'), await next.as('guest', person('Radha'))]
  expect(await offer(owner, old, fresh)).toEqual([{ state: 'refused', why: 'invalid' }, { state: 'waiting' }])
  expect(await offer(thief, old)).toEqual([{ state: 'refused', why: 'invalid' }])
  // The picture of the other ticket's old code comes before its owner does.
  expect(await offer(thief, second)).toEqual([{ state: 'waiting' }])
  expect(await offer(owner, later)).toEqual([{ state: 'waiting' }])
  const admin = await next.as('admin')
  const lost = async () =>
    (await must(admin.request('GET', '/api/admin/lost-tickets'))).lost as { id: string; ticketId: string }[]
  const confirm = async (ticketId: string) =>
    admin.request(
      'POST',
      `/api/admin/lost-tickets/${(await lost()).find((one) => one.ticketId === ticketId)?.id}/confirm`,
      {},
    )
  expect(await confirm(second._id)).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  await must(confirm(later._id))
  expect(await confirm(second._id)).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  await must(confirm(fresh._id))
  expect(await offer(thief, old, second)).toEqual(Array(2).fill({ state: 'refused', why: 'invalid' }))
  expect((await mine(owner)).map(({ _id }) => _id).toSorted()).toEqual([fresh._id, later._id].toSorted())
  await allAgrees(next)
})

test('a link’s device teaches a restored server the new codes it holds, and nothing else', async () => {
  const { world, guest, tickets } = await scene(2)
  const [old, other] = tickets as [Ticket, Ticket]
  const made = await must(guest.request('POST', '/api/tickets/links', { ticketIds: [old._id], purpose: 'share' }))
  const token = (made.link as { url: string }).url.split('#')[1]
  const file = await backedUp(world)
  const fresh = await renewed(guest, old)
  const next = await restored(world, file)
  const open = async (codes?: (string | undefined)[]) =>
    (await must(next.nobody.request('POST', '/api/wallet/open', { token, deviceId: 'a', ...(codes ? { codes } : {}) })))
      .tickets
  expect(await open()).toMatchObject([{ _id: old._id }])
  expect(await open(['nonsense', codeOf(other), `${codeOf(fresh).slice(0, -6)}AAAAAA`])).toMatchObject([
    { _id: old._id },
  ])
  const wrong = { token: 'A'.repeat(22), deviceId: 'a', codes: [codeOf(fresh)] }
  expect((await next.nobody.request('POST', '/api/wallet/open', wrong)).status).toBe(404)
  expect(await open()).toMatchObject([{ _id: old._id }])
  expect(await open([codeOf(fresh)])).toMatchObject([{ _id: fresh._id }])
  expect(await verify(await next.as('qrchecker'), codeOf(old))).toMatchObject({ body: { code: 'CODE_REPLACED' } })
  await allAgrees(next)
})

test.each([
  ['a code that replaced none', "update tickets set new_codes = 0 where status = 'active'"],
  ['a replaced code that lets somebody in', "update tickets set status = 'active' where status = 'deleted'"],
])('the Books find %s', async (_, change) => {
  const { world, guest, tickets } = await scene()
  await renewed(guest, tickets[0])
  await allAgrees(world)
  await world.sql(change)
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok).map(({ rule }) => rule)).toContain('ticketsPaid')
})
