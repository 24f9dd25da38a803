import { randomUUID } from 'node:crypto'
import type { Block } from '@garba/shared/contracts/phones/block'
import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { activate, brokenRules, codeOnPaper, paperBlock, takenSeats } from '../../src/testing/blocks.ts'
import { rosterOf } from '../../src/testing/closing.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { eventForm, mark } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const listed = async (admin: Client): Promise<Block[]> =>
  (await must(admin.request('GET', '/api/admin/blocks'))).blocks as Block[]
const giveBack = (admin: Client, { id }: Block, from: number, to: number) =>
  admin.request('POST', `/api/admin/blocks/${id}/return`, { from, to })

async function paperWorld(
  event: Record<string, unknown> = {},
): Promise<{ world: World; admin: Client; checker: Client }> {
  const world = await payingWorld({ event })
  await openDrawer(await world.as('admin'))
  return { world, admin: await world.as('admin'), checker: await world.as('qrchecker') }
}

testOnSqlite('paper that nobody has activated is refused with its own words, and admits once it is', async () => {
  const { world, admin, checker } = await paperWorld()
  const block = await paperBlock(admin, 5)
  const qrCode = await codeOnPaper(world, block, 2)
  expect(qrCode).toMatch(/^GB1:/)
  const refused = { status: 409, body: { code: 'NOT_ACTIVATED', message: expect.stringContaining('not been sold') } }
  expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode })).toMatchObject(refused)
  expect(await mark(checker, { qrCode })).toMatchObject(refused)
  const { body } = await activate(admin, block, { from: 1, to: 3 })
  expect(body).toMatchObject({
    order: { state: 'paid', channel: 'desk', provider: 'cash', quantity: 3, total: 897 },
    block: { sold: 3, left: 2, leftRanges: [{ from: 4, to: 5 }], orders: [{ numbers: [{ from: 1, to: 3 }] }] },
  })
  expect(await mark(checker, { qrCode })).toMatchObject({ status: 200, body: { outcome: 'admitted' } })
  expect(await mark(checker, { qrCode })).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  const { data } = await must(admin.request('GET', '/api/admin/gate'))
  expect(data).toMatchObject({ refusals: { byCode: expect.arrayContaining([{ code: 'NOT_ACTIVATED', count: 2 }]) } })
  expect(await brokenRules(admin)).toEqual([])
})

test('an activation that is sent again because its answer was lost is the first one, and its key sells nothing else', async () => {
  const { world, admin } = await paperWorld()
  const { id } = await paperBlock(admin, 5)
  const headers = { 'Idempotency-Key': randomUUID() }
  const send = (from: number, to: number, method = 'cash', more = {}) =>
    admin.request('POST', `/api/admin/blocks/${id}/activate`, { from, to, method, ...more }, headers)
  const first = await must(send(1, 3))
  expect(await must(send(1, 3))).toEqual(first)
  for (const [from, to, method, more] of [
    [2, 4, 'cash'],
    [1, 2, 'cash'],
    [1, 3, 'card'],
    [1, 3, 'cash', { name: 'Meera Shah' }],
  ] as const)
    expect(await send(from, to, method, more)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  expect(await world.sql('select quantity, total_paise from orders')).toEqual([{ quantity: 3, total_paise: 89_700 }])
  expect(await world.sql('select count(*) as n from tickets')).toEqual([{ n: 3 }])
})

test('an activation that is sent again as sold singly is not the one that was sold as a group', async () => {
  const { world, admin } = await paperWorld()
  const { id } = await paperBlock(admin, 9)
  const send = (key: string, from: number, to: number, singly: boolean) =>
    admin.request(
      'POST',
      `/api/admin/blocks/${id}/activate`,
      { from, to, method: 'cash', singly },
      { 'Idempotency-Key': key },
    )
  const reused = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }
  const group = await must(send('as-a-group', 1, 4, false))
  expect(await send('as-a-group', 1, 4, true)).toMatchObject(reused)
  expect(await must(send('as-a-group', 1, 4, false))).toEqual(group)
  await must(send('one-by-one', 5, 8, true))
  expect(await send('one-by-one', 5, 8, false)).toMatchObject(reused)
  // Below a group's size both answers have the same price.
  const single = await must(send('only-nine', 9, 9, false))
  expect(await must(send('only-nine', 9, 9, true))).toEqual(single)
  expect(await world.sql('select total_paise from orders order by id')).toEqual([
    { total_paise: 4 * 24_900 },
    { total_paise: 4 * 29_900 },
    { total_paise: 29_900 },
  ])
})

testOnSqlite('a paper ticket is found by the number printed on it, at the door and on the desk', async () => {
  const { admin, checker } = await paperWorld()
  const ravi = await paperBlock(admin, 15)
  const kiosk = await paperBlock(admin, 15, 'Kiosk, Law Garden')
  await must(activate(admin, ravi, { from: 1, to: 15 }, { name: 'Meera Shah' }))
  await must(activate(admin, kiosk, { from: 12, to: 12 }))
  const find = async (search: string, more = '') =>
    (
      (await must(admin.request('GET', `/api/admin/tickets/management?search=${encodeURIComponent(search)}${more}`)))
        .tickets as ManagedTicket[]
    ).map(({ paperNumber, paperBlock: block }) => `${paperNumber} ${block}`)
  const both = ['12 Kiosk, Law Garden', '12 Ravi, Paldi']
  for (const typed of ['12', 'No. 12', 'no 12', 'NO.12']) expect((await find(typed)).toSorted()).toEqual(both)
  expect(await find('No. 12 Meera')).toEqual(['12 Ravi, Paldi'])
  expect(await find('No. 1')).toEqual(['1 Ravi, Paldi'])
  const entry = async () =>
    (await rosterOf(checker)).tickets.find(
      ({ paper, status }) => status !== 'deleted' && paper === 'No. 12, Ravi, Paldi',
    ) as RosterEntry
  expect(await entry()).toMatchObject({ status: 'active', name: 'Meera Shah' })

  const renewed = await must(admin.request('POST', `/api/tickets/${(await entry()).id}/new-code`))
  expect(await entry()).toMatchObject({ id: (renewed.ticket as Ticket).id })
  const { id } = await entry()
  await must(admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status: 'cancelled' }))
  expect(await find('No. 12', '&refund=due')).toEqual(['12 Ravi, Paldi'])
  const file = await admin.fetch('GET', '/api/admin/tickets/export?format=csv&search=No.%2012')
  expect(await file.text()).toContain('"No. 12, Ravi, Paldi"')
})

testOnSqlite('somebody let in offline on paper that was never activated is on record as a conflict', async () => {
  const { world, admin, checker } = await paperWorld()
  const qrCode = await codeOnPaper(world, await paperBlock(admin, 1), 1)
  const scan = { qrCode, scanId: randomUUID(), admittedOffline: true, deviceId: 'gate-a' }
  expect((await mark(checker, scan)).body).toMatchObject({ outcome: 'conflict', conflict: { over: 'missing' } })
})

test('paper sold after several went in on it belongs to the first who is still inside', async () => {
  const { world, admin, checker } = await paperWorld()
  const block = await paperBlock(admin, 1)
  const qrCode = await codeOnPaper(world, block, 1)
  const scannedAt = world.clock.now().toISOString()
  const [early, next, last] = [1, 2, 3].map(() => ({ qrCode, scanId: randomUUID(), scannedAt, admittedOffline: true }))
  const send = (...scans: object[]) => must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))
  const undone = (scan: object | undefined) => ({ ...scan, undoneAt: scannedAt })
  for (const scan of [early, next, last]) {
    world.clock.forward(1_000)
    await send({ ...scan })
  }
  await send(undone(early))
  await must(activate(admin, block, { from: 1, to: 1 }))
  const ticket = () => world.sql('select status, entry_scan_id as entry from tickets')
  expect(await ticket()).toEqual([{ status: 'used', entry: next?.scanId }])
  await send(undone(next))
  expect(await ticket()).toEqual([{ status: 'used', entry: last?.scanId }])
  expect(await world.sql('select 1 from conflicts where acknowledged_at is null')).toEqual([])
  expect((await must(admin.request('GET', '/api/admin/gate'))).data).toMatchObject({ people: 1 })
})

test('a number is sold once: a range with one that is sold or returned is refused as a whole', async () => {
  const { admin, world } = await paperWorld()
  const block = await paperBlock(admin, 10)
  await must(activate(admin, block, { from: 3, to: 5 }))
  await must(giveBack(admin, block, 8, 8))
  const before = await listed(admin)
  const conflict = (numbers: string) => ({
    status: 409,
    body: { code: 'CODES_NOT_LEFT', message: expect.stringContaining(`: ${numbers}. Nothing was changed.`) },
  })
  expect(await activate(admin, block, { from: 1, to: 10 })).toMatchObject(conflict('3 to 5, 8'))
  expect(await giveBack(admin, block, 5, 6)).toMatchObject(conflict('5'))
  expect(await activate(admin, block, { from: 8, to: 8 })).toMatchObject(conflict('8'))
  for (const [from, to, field] of [
    [1, 11, 'to'],
    [2, 1, 'to'],
    [0, 1, 'from'],
  ] as const)
    expect(await activate(admin, block, { from, to })).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  expect(await listed(admin)).toEqual(before)
  const twice = await Promise.all([1, 2].map(() => activate(admin, block, { from: 9, to: 10 })))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await takenSeats(world)).toBe(9)
  expect(await brokenRules(admin)).toEqual([])
})

testOnSqlite(
  'a block, and the return of a range, that is asked for again after a lost answer is done once',
  async () => {
    const { admin, world } = await paperWorld()
    const headers = { 'Idempotency-Key': randomUUID() }
    const make = (size: number) => admin.request('POST', '/api/admin/blocks', { label: 'Ravi, Paldi', size }, headers)
    const first = await must(make(6))
    expect(await must(make(6))).toEqual(first)
    // Another one just like it has a key of its own.
    const alike = await paperBlock(admin, 6)
    expect(await must(make(6))).toEqual(first)
    await must(giveBack(admin, alike, 1, 6))
    expect(await make(7)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await takenSeats(world)).toBe(6)
    const block = first.block as Block
    const back = await must(giveBack(admin, block, 2, 3))
    expect(await must(giveBack(admin, block, 2, 3))).toEqual(back)
    expect(await giveBack(admin, block, 2, 4)).toMatchObject({ status: 409, body: { code: 'CODES_NOT_LEFT' } })
    expect(await takenSeats(world)).toBe(4)
    expect(await brokenRules(admin)).toEqual([])
  },
)

testOnSqlite(
  'seats are taken when paper is made and free again when it is returned, so nothing is oversold',
  async () => {
    const { world, admin } = await paperWorld({ totalTickets: 10 })
    const block = await paperBlock(admin, 8)
    expect(await admin.request('POST', '/api/admin/blocks', { label: 'More', size: 3 })).toMatchObject({
      status: 409,
      body: { code: 'SOLD_OUT', remaining: 2 },
    })
    expect(await admin.request('PUT', '/api/event', eventForm({ totalTickets: 7 }))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'totalTickets' }] },
    })
    await must(giveBack(admin, block, 1, 8))
    expect(await takenSeats(world)).toBe(0)
    expect(await listed(admin)).toMatchObject([{ left: 0, returned: 8, leftRanges: [] }])
    expect(await brokenRules(admin)).toEqual([])
  },
)

testOnSqlite(
  'a block keeps the price it was made at; complimentary paper costs nothing and needs a reason',
  async () => {
    const { admin } = await paperWorld()
    const block = await paperBlock(admin, 9)
    await must(admin.request('PUT', '/api/event', eventForm({ ticketPrice: 900, groupPrice4: 800 })))
    expect((await activate(admin, block, { from: 1, to: 1 })).body).toMatchObject({ order: { total: 299 } })
    expect((await activate(admin, block, { from: 2, to: 5 }, { name: 'Meera' })).body).toMatchObject({
      order: { total: 996 },
      block: { orders: [{ name: 'Meera' }, { name: 'Ravi, Paldi' }] },
    })
    const free = { method: 'complimentary' }
    expect(await activate(admin, block, { from: 6, to: 6 }, free)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'reason' }] },
    })
    expect((await activate(admin, block, { from: 6, to: 6 }, { ...free, reason: 'Crew' })).body).toMatchObject({
      order: { total: 0 },
    })
    expect(await brokenRules(admin)).toEqual([])
  },
)

test('closing the event takes unsold paper back', async () => {
  const { world, admin } = await paperWorld({ date: '2025-08-08', startTime: '18:00', endTime: '19:00' })
  const block = await paperBlock(admin, 4)
  await must(activate(admin, block, { from: 1, to: 1 }))
  world.clock.set('2025-08-08T13:31:00Z')
  const [event] = await world.sql('select id from events')
  await must((await world.as('admin')).request('POST', `/api/admin/events/${event?.id}/close`, { anyway: true }))
  expect(await world.sql('select taken_seats from events')).toEqual([{ taken_seats: 1 }])
  const again = await world.as('admin')
  expect(await brokenRules(again)).toEqual([])
  expect(await activate(again, block, { from: 2, to: 2 })).toMatchObject({
    status: 409,
    body: { code: 'EVENT_CLOSED' },
  })
})

testOnSqlite('the event cannot shrink below its unsold paper, which the reason does not call sold', async () => {
  const { admin } = await paperWorld()
  await paperBlock(admin, 5)
  const message = 'Total tickets cannot be less than the 5 tickets already sold or held'
  expect(await admin.request('PUT', '/api/event', eventForm({ totalTickets: 4 }))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'totalTickets', message }] },
  })
})

testOnSqlite('where the desk takes no money, paper can still be given away', async () => {
  const world = await payingWorld({ settings: { PAYMENTS: 'razorpay' } })
  const admin = await world.as('admin')
  const block = await paperBlock(admin, 2)
  expect(await activate(admin, block, { from: 1, to: 1 })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'method' }] },
  })
  const gift = { method: 'complimentary', reason: 'Sponsors' }
  expect((await activate(admin, block, { from: 1, to: 1 }, gift)).status).toBe(200)
})

testOnSqlite('the sheet is a PDF for the desk, without the tickets that were returned', async () => {
  const { admin } = await paperWorld()
  const block = await paperBlock(admin, 11)
  const sheet = async () => {
    const response = await admin.fetch('GET', `/api/admin/blocks/${block.id}/sheet`)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    return Buffer.from(await response.arrayBuffer()).toString('latin1')
  }
  expect((await sheet()).match(/\/Type \/Page\b/g)).toHaveLength(2)
  await must(giveBack(admin, block, 3, 3))
  expect((await sheet()).match(/\/Type \/Page\b/g)).toHaveLength(1)
})

testOnSqlite('an unknown block is not found', async () => {
  const { admin } = await paperWorld()
  const id = '01K0000000000000000000000Z'
  const path = `/api/admin/blocks/${id}`
  const missing = { status: 404, body: { code: 'BLOCK_NOT_FOUND' } }
  expect(await admin.request('GET', `${path}/sheet`)).toMatchObject(missing)
  expect(await admin.request('POST', `${path}/return`, { from: 1, to: 1 })).toMatchObject(missing)
  expect(await admin.request('POST', `${path}/activate`, { from: 1, to: 1, method: 'cash' })).toMatchObject(missing)
})

testOnSqlite('four or more numbers that were sold one by one cost the single price each', async () => {
  const { admin } = await paperWorld()
  const block = await paperBlock(admin, 20)
  const singly = await must(activate(admin, block, { from: 1, to: 5 }, { singly: true }))
  expect(singly.order).toMatchObject({ quantity: 5, total: 5 * block.price })
  const group = await must(activate(admin, block, { from: 6, to: 10 }))
  expect(group.order).toMatchObject({ total: 5 * (block.groupPrice ?? 0) })
  expect(await brokenRules(admin)).toEqual([])
})
