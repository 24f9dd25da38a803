import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { admitAtGate, buyer, must } from '../../src/testing/desk.ts'
import { putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const UNKNOWN = '01K50000000000000000000000'

/** An event with `seats` seats, its admin, its checker, and a guest with some tickets. */
async function desk({ seats = 100, quantity = 1 } = {}) {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: seats })
  const admin = await world.as('admin')
  const checker = await world.as('qrchecker')
  const { client: guest, tickets } = await buyer(world, { quantity })
  return { world, admin, checker, guest, tickets, ticket: tickets[0] }
}

const setStatus = (admin: Client, id: string, status: string) =>
  admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status })
const bulk = (admin: Client, ticketIds: string[], status: string, more = {}) =>
  admin.request('PATCH', '/api/admin/tickets/bulk-update', { ticketIds, status, ...more })

async function listed(admin: Client, query = ''): Promise<Ticket[]> {
  return (await must(admin.request('GET', `/api/admin/tickets/management${query}`))).tickets as Ticket[]
}
const seatsLeft = async (client: Client) =>
  ((await must(client.request('GET', '/api/event'))).data as { availableTickets: number }).availableTickets
const rosterSince = async (checker: Client, since: number) =>
  (await must(checker.request('GET', `/api/scanner/roster?since=${since}`))) as unknown as RosterAnswer
const auditOf = async (admin: Client, action: string) =>
  (await must(admin.request('GET', `/api/admin/audit?action=${action}`))).rows as { detail: string; subject: string }[]

testOnSqlite('both calls list tickets newest first, by status and by page', async () => {
  const { admin, tickets, ticket } = await desk({ quantity: 5 })
  await must(setStatus(admin, ticket.id, 'cancelled'))
  const newestFirst = tickets.map(({ id }) => id).reverse()
  expect((await listed(admin)).map(({ id }) => id)).toEqual(newestFirst)
  expect((await listed(admin, '?status=cancelled')).map(({ id }) => id)).toEqual([ticket.id])
  for (const path of ['/api/admin/tickets/management', '/api/tickets/admin/all'])
    expect(await must(admin.request('GET', `${path}?status=active&limit=3&page=2`))).toMatchObject({
      tickets: [{ id: tickets[1]?.id }],
      pagination: { current: 2, total: 2, count: 1, totalTickets: 4 },
    })
})

test('a search finds a ticket by its id, its last 8 characters, a name or an email', async () => {
  const { world, admin, ticket } = await desk()
  await buyer(world, { name: 'Renée Pátel', email: 'renee@example.org' })
  await buyer(world, { name: 'ધ્રુવી શાહ', email: 'dhruvi@example.org' })
  const found = async (text: string) =>
    (await listed(admin, `?search=${encodeURIComponent(text)}`)).map(({ user }) => user.name)
  expect(await found(ticket.id)).toEqual(['Garima Guest'])
  expect(await found(ticket.id.slice(-8).toLowerCase())).toEqual(['Garima Guest'])
  expect(await found('renee PATEL')).toEqual(['Renée Pátel'])
  expect(await found('dhruvi@')).toEqual(['ધ્રુવી શાહ'])
  expect(await found('ધ્રુવી')).toEqual(['ધ્રુવી શાહ'])
  expect(await found('nobody')).toEqual([])
})

testOnSqlite(
  'a ticket an admin marks used has an entry by that admin, which is gone when it is active again',
  async () => {
    const { world, admin, ticket } = await desk()
    const used = await must(setStatus(admin, ticket.id, 'used'))
    expect(used.ticket).toMatchObject({
      status: 'used',
      entryTime: world.clock.now().toISOString(),
      scannedBy: { name: 'Asha Admin' },
      qrCode: null,
    })
    const active = await must(setStatus(admin, ticket.id, 'active'))
    expect(active.ticket).toMatchObject({
      status: 'active',
      entryTime: null,
      scannedBy: null,
      qrCode: ticket.qrCode,
    })
  },
)

testOnSqlite('undoing a scanned entry marks the scan as undone, so that the gate counts agree', async () => {
  const { admin, checker, ticket } = await desk()
  await must(admitAtGate(checker, ticket, { deviceId: 'phone-1' }))
  await must(checker.request('GET', '/api/scanner/roster?deviceId=phone-1'))
  const counts = async () => {
    const { data } = await must(admin.request('GET', '/api/admin/gate'))
    const { admitted, devices } = data as { admitted: number; devices: { admitted: number }[] }
    return [admitted, devices[0]?.admitted]
  }
  expect(await counts()).toEqual([1, 1])
  await must(setStatus(admin, ticket.id, 'active'))
  expect(await counts()).toEqual([0, 0])
  await must(admitAtGate(checker, ticket, { deviceId: 'phone-1' }))
  expect(await counts()).toEqual([1, 1])
  await must(admin.request('DELETE', `/api/admin/tickets/${ticket.id}`))
  expect(await counts()).toEqual([0, 0])
})

testOnSqlite(
  'a ticket cancelled by an admin frees its seat and awaits its refund; reactivating it reverts both',
  async () => {
    const { world, admin, ticket } = await desk({ seats: 10 })
    const cancelled = await must(setStatus(admin, ticket.id, 'cancelled'))
    expect(cancelled.ticket).toMatchObject({
      status: 'cancelled',
      cancelledAt: world.clock.now().toISOString(),
      cancellationReason: 'Cancelled by the organiser',
      isRefundDone: null,
    })
    expect(await seatsLeft(admin)).toBe(10)
    await must(admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true }))
    const active = await must(setStatus(admin, ticket.id, 'active'))
    expect(active.ticket).toMatchObject({ cancelledAt: null, cancellationReason: null, isRefundDone: null })
    expect(await seatsLeft(admin)).toBe(9)
    const [line] = await auditOf(admin, 'ticket.status')
    expect(line).toMatchObject({
      subjectName: `Ticket ${ticket.id.slice(-8)}, Garima Guest`,
      detail: 'Status Cancelled -> Active; Refund was Done',
    })
  },
)

testOnSqlite('moving from cancelled to used takes a seat too', async () => {
  const { admin, ticket } = await desk({ seats: 1 })
  await must(setStatus(admin, ticket.id, 'cancelled'))
  await must(setStatus(admin, ticket.id, 'used'))
  expect(await seatsLeft(admin)).toBe(0)
})

testOnSqlite('a cancelled ticket cannot be reactivated once its seat is sold', async () => {
  const { world, admin, ticket } = await desk({ seats: 1 })
  await must(setStatus(admin, ticket.id, 'cancelled'))
  await buyer(world, { email: 'second@example.org' })
  for (const status of ['active', 'used'])
    expect(await setStatus(admin, ticket.id, status)).toMatchObject({
      status: 409,
      body: { code: 'SOLD_OUT', remaining: 0 },
    })
  expect(await listed(admin, '?status=cancelled')).toHaveLength(1)
  expect(await seatsLeft(admin)).toBe(0)
})

testOnSqlite('every change by an admin is sent to scanners and written to the audit trail', async () => {
  const { admin, checker, ticket } = await desk()
  const { revision } = await rosterSince(checker, 0)
  await must(setStatus(admin, ticket.id, 'used'))
  const first = await rosterSince(checker, revision)
  expect(first.tickets).toMatchObject([{ id: ticket.id, status: 'used' }])
  await must(setStatus(admin, ticket.id, 'used'))
  expect((await rosterSince(checker, first.revision)).tickets).toEqual([])
  await must(bulk(admin, [ticket.id], 'cancelled', { includeUsed: true }))
  expect((await rosterSince(checker, first.revision)).tickets).toMatchObject([{ status: 'cancelled', entryTime: null }])
  expect((await auditOf(admin, 'ticket.status')).map(({ detail }) => detail)).toEqual([
    'Status Used -> Cancelled',
    'Status Active -> Used',
  ])
})

test('a bulk update counts each ticket once and changes them all', async () => {
  const { admin, tickets } = await desk({ quantity: 3 })
  const ids = tickets.map(({ id }) => id)
  expect(await must(bulk(admin, [...ids, ...ids], 'cancelled'))).toMatchObject({ updated: 3 })
  expect(await listed(admin, '?status=cancelled')).toHaveLength(3)
  expect(await seatsLeft(admin)).toBe(100)
})

testOnSqlite('a bulk update with an unknown ticket changes nothing', async () => {
  const { admin, checker, tickets } = await desk({ quantity: 3 })
  const { revision } = await rosterSince(checker, 0)
  const ids = tickets.map(({ id }) => id)
  expect(await bulk(admin, [...ids, UNKNOWN], 'used')).toMatchObject({
    status: 404,
    body: { code: 'TICKET_NOT_FOUND' },
  })
  expect(await listed(admin, '?status=active')).toHaveLength(3)
  expect((await rosterSince(checker, revision)).tickets).toEqual([])
  expect(await auditOf(admin, 'ticket.status')).toEqual([])
})

testOnSqlite('a bulk update that needs more seats than are free takes none', async () => {
  const { world, admin, tickets } = await desk({ seats: 3, quantity: 3 })
  const ids = tickets.map(({ id }) => id)
  await must(bulk(admin, ids, 'cancelled'))
  await buyer(world, { email: 'second@example.org' })
  expect(await bulk(admin, ids, 'active')).toMatchObject({ status: 409, body: { code: 'SOLD_OUT', remaining: 2 } })
  expect(await listed(admin, '?status=cancelled')).toHaveLength(3)
  expect(await seatsLeft(admin)).toBe(2)
  expect(await must(bulk(admin, ids.slice(0, 2), 'active'))).toMatchObject({ updated: 2 })
  expect(await seatsLeft(admin)).toBe(0)
})

test.each([
  [{ ticketIds: [], status: 'used' }],
  [{ ticketIds: [UNKNOWN] }],
  [{ ticketIds: 'all', status: 'used' }],
  [{}],
])('a bulk update with %j is refused because it needs tickets and a status', async (body) => {
  const { admin } = await desk()
  const answer = await admin.request('PATCH', '/api/admin/tickets/bulk-update', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(JSON.stringify(answer.body)).toContain('Please select tickets and status')
})

testOnSqlite('a deleted ticket is gone for everyone except scanners, and its seat is free', async () => {
  const { admin, checker, guest, ticket } = await desk({ seats: 1 })
  const { revision } = await rosterSince(checker, 0)
  await must(admin.request('DELETE', `/api/admin/tickets/${ticket.id}`))
  expect(await listed(admin)).toEqual([])
  expect(await must(guest.request('GET', '/api/tickets/my-tickets'))).toMatchObject({ tickets: [] })
  expect(await seatsLeft(admin)).toBe(1)
  expect((await rosterSince(checker, revision)).tickets).toMatchObject([{ id: ticket.id, status: 'deleted' }])
  expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode: ticket.qrCode })).toMatchObject({
    status: 404,
  })
  expect(await auditOf(admin, 'ticket.deleted')).toMatchObject([{ subject: ticket.id }])
  for (const again of [
    () => admin.request('DELETE', `/api/admin/tickets/${ticket.id}`),
    () => setStatus(admin, ticket.id, 'active'),
    () => bulk(admin, [ticket.id], 'active'),
    () => admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone: true }),
  ])
    expect(await again()).toMatchObject({ status: 404, body: { code: 'TICKET_NOT_FOUND' } })
})

testOnSqlite('only a cancelled ticket has a refund: Pending, Done, Failed and back', async () => {
  const { admin, guest, ticket } = await desk()
  const refund = (isRefundDone: unknown) =>
    admin.request('PATCH', `/api/admin/tickets/${ticket.id}/refund`, { isRefundDone })
  expect(await refund(true)).toMatchObject({ status: 409, body: { code: 'REFUND_NOT_CANCELLED' } })
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away that week' }))
  for (const state of [true, false, null, null])
    expect((await must(refund(state))).ticket).toMatchObject({
      isRefundDone: state,
      cancellationReason: 'Away that week',
    })
  expect((await auditOf(admin, 'ticket.refund')).map(({ detail }) => detail)).toEqual([
    'Refund Failed -> Pending',
    'Refund Done -> Failed',
    'Refund Pending -> Done',
  ])
  expect(await refund('yes')).toMatchObject({ status: 400 })
  expect(await setStatus(admin, ticket.id, 'refunded')).toMatchObject({ status: 400 })
})

test('refunds are listed by what is due, with what they add up to, and many are recorded with one reason', async () => {
  const { admin, guest, tickets } = await desk({ quantity: 5 })
  const ids = tickets.map(({ id }) => id)
  for (const id of ids.slice(0, 4)) await must(guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Ill' }))
  const listOf = (query: string) => must(admin.request('GET', `/api/admin/tickets/management?${query}`))
  const idsOf = async (query: string) =>
    ((await listOf(query)).tickets as { id: string }[]).map(({ id }) => id).toSorted()

  // Four at the group price of 249, less 40 for each.
  expect(await listOf('refund=due')).toMatchObject({ refundTotal: 4 * 209, pagination: { totalTickets: 4 } })
  expect(await listOf('')).not.toHaveProperty('refundTotal')
  const record = (ticketIds: readonly string[], rest: object) =>
    admin.request('PATCH', '/api/admin/tickets/bulk-refund', { ticketIds, ...rest })
  const [first = '', second = '', third = '', , active = ''] = ids
  expect(await must(record([first, second, first], { isRefundDone: true, reason: 'Transfer 4711' }))).toMatchObject({
    updated: 2,
  })
  await must(record([third], { isRefundDone: false }))
  expect(await idsOf('refund=done')).toEqual([first, second].toSorted())
  expect(await idsOf('refund=failed')).toEqual([third])
  expect(await listOf('refund=due')).toMatchObject({ refundTotal: 2 * 209, pagination: { totalTickets: 2 } })
  expect(await idsOf(`refund=due&search=${third}`)).toEqual([third])
  expect(await idsOf('refund=due&status=active')).toEqual([])
  expect((await auditOf(admin, 'ticket.refund')).map(({ detail }) => detail)).toEqual([
    'Refund Pending -> Failed',
    'Refund Pending -> Done; Transfer 4711',
    'Refund Pending -> Done; Transfer 4711',
  ])

  // All or nothing.
  expect(await record([third, active], { isRefundDone: true })).toMatchObject({
    status: 409,
    body: { code: 'REFUND_NOT_CANCELLED' },
  })
  expect(await idsOf('refund=failed')).toEqual([third])
  expect((await record([], { isRefundDone: true })).status).toBe(400)
  expect((await listOf('refund=')).pagination).toMatchObject({ totalTickets: 5 })
  expect((await admin.request('GET', '/api/admin/tickets/management?refund=soon')).status).toBe(400)
})

test('a ticket of which nothing goes back is settled when it is cancelled: never pending, never due, and it stays so', async () => {
  const world = await makeWorld()
  // Less than a rupee is left of 40.99 after the deductions of 40; a rupee is left of 41.
  await putOnSale(world, { ticketPrice: 41, groupPrice4: 40.99 })
  const admin = await world.as('admin')
  const [one] = (await buyer(world, { quantity: 1, email: 'one@example.org' })).tickets
  const group = await buyer(world, { quantity: 4, email: 'four@example.org' })
  const [first, second] = group.tickets
  const cancelled = await must(group.client.request('PATCH', `/api/tickets/cancel/${first?.id}`, { reason: 'Ill' }))
  expect(cancelled.ticket).toMatchObject({ isRefundDone: true, nothingToRefund: true })
  expect((await must(setStatus(admin, second?.id ?? '', 'cancelled'))).ticket).toMatchObject({
    isRefundDone: true,
    nothingToRefund: true,
  })
  const due = (await must(setStatus(admin, one?.id ?? '', 'cancelled'))).ticket as Ticket
  expect(due.isRefundDone).toBeNull()
  expect(due).not.toHaveProperty('nothingToRefund')
  expect((await listed(admin, '?refund=due')).map(({ id }) => id)).toEqual([one?.id])
  expect(await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))).toMatchObject({ refundTotal: 1 })

  const pending = await admin.request('PATCH', `/api/admin/tickets/${first?.id}/refund`, { isRefundDone: null })
  expect(pending).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_REFUND' } })
  const csv = await admin.fetch('GET', '/api/admin/tickets/export?format=csv&status=cancelled')
  expect(await csv.text()).toContain('Nothing to refund')
  // Valid again, it forgets that.
  const again = (await must(setStatus(admin, second?.id ?? '', 'active'))).ticket as Ticket
  expect(again.isRefundDone).toBeNull()
  expect(again).not.toHaveProperty('nothingToRefund')
})
