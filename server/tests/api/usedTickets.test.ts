import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { evening } from '../../src/testing/evening.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { codeOf, mark } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const letIn = (checker: Client, ticket: Ticket | undefined) =>
  must(mark(checker, { scanId: randomUUID(), qrCode: codeOf(ticket as Ticket) }))
const BULK = '/api/admin/tickets/bulk-update'

test('a used ticket is cancelled only on an explicit request, one by one and in bulk', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const [one, two, three] = tickets
  await letIn(gateA, one)
  await letIn(gateA, two)
  const entryTime = world.clock.now().toISOString()
  const path = `/api/tickets/admin/${one._id}/status`
  const first = await admin.request('PATCH', path, { status: 'cancelled' })
  expect(first).toMatchObject({
    status: 409,
    body: { code: 'TICKET_USED', tickets: [{ _id: one._id, name: 'Garima Guest', entryTime }] },
  })
  const ticketIds = [one._id, two?._id, three?._id]
  const many = await admin.request('PATCH', BULK, { ticketIds, status: 'cancelled', includeUsed: false })
  expect(many).toMatchObject({ status: 409, body: { code: 'TICKET_USED', tickets: { length: 2 } } })
  expect(await world.sql("select id from tickets where status = 'cancelled'")).toEqual([])
  await must(admin.request('PATCH', path, { status: 'cancelled', includeUsed: true }))
  expect(await must(admin.request('PATCH', BULK, { ticketIds, status: 'cancelled', includeUsed: true }))).toMatchObject(
    {
      updated: 3,
    },
  )
})

test('a status that is sent again because its answer was lost does not undo what the gate did meanwhile', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const [one, two] = tickets
  for (const ticket of [one, two]) await letIn(gateA, ticket)
  const changes = [
    [`/api/tickets/admin/${one._id}/status`, { status: 'active' }],
    [BULK, { ticketIds: [two?._id], status: 'active' }],
  ] as const
  for (const [path, body] of changes) {
    const headers = { 'Idempotency-Key': randomUUID() }
    await must(admin.request('PATCH', path, body, headers))
    await letIn(gateA, path === BULK ? two : one)
    await must(admin.request('PATCH', path, body, headers))
    expect(await admin.request('PATCH', path, { ...body, status: 'cancelled' }, headers)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  }
  expect(await world.sql('select status, count(*) as n from tickets group by status order by status')).toEqual([
    { status: 'active', n: 3 },
    { status: 'used', n: 2 },
  ])
  const third = await mark(gateA, { scanId: randomUUID(), qrCode: codeOf(one) })
  expect(third).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  // Another key, or none, is another change.
  await must(admin.request('PATCH', changes[0][0], changes[0][1]))
  expect(await world.sql('select status from tickets where id = ?', one._id)).toEqual([{ status: 'active' }])
})

test('a used ticket moves to active, and a cancelled one stays cancelled, without being asked about', async () => {
  const { tickets, admin, gateA } = await evening()
  await letIn(gateA, tickets[0])
  const path = `/api/tickets/admin/${tickets[0]._id}/status`
  await must(admin.request('PATCH', path, { status: 'active' }))
  await must(admin.request('PATCH', path, { status: 'cancelled' }))
  await must(admin.request('PATCH', path, { status: 'cancelled' }))
})

test('refunding an order refuses its used tickets and changes nothing, until they are included', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const sale = { quantity: 3, method: 'card', name: 'Meera' }
  const sold = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const { order, tickets } = sold as unknown as { order: Order; tickets: Ticket[] }
  const [one, two] = tickets
  await letIn(await world.as('qrchecker'), one)
  const key = { 'Idempotency-Key': randomUUID() }
  const refund = (body: Record<string, unknown>, headers = key) =>
    admin.request('POST', `/api/admin/orders/${order.code}/refund`, { reason: 'Rain', ...body }, headers)
  const used = { status: 409, body: { code: 'TICKET_USED', tickets: [{ _id: one?._id }] } }
  expect(await refund({ all: true })).toMatchObject(used)
  expect(await refund({ ticketIds: [one?._id, two?._id] })).toMatchObject(used)
  expect(await world.sql('select id from refunds')).toEqual([])
  await must(refund({ ticketIds: [two?._id] }, { 'Idempotency-Key': randomUUID() }))
  await must(refund({ all: true, includeUsed: true }))
  expect(await world.sql("select id from tickets where status = 'cancelled'")).toHaveLength(3)
})
