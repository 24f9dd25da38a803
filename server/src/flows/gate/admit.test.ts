import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, codeOf, eventForm, mark, person, putOnSale } from '../../testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../testing/world.ts'

/** An event, one sold ticket and a checker at a gate. */
async function gate(quantity = 1) {
  const world = await makeWorld()
  await putOnSale(world)
  const tickets = await bought(await world.as('guest'), quantity)
  const checker = await world.as('qrchecker')
  return { world, tickets, ticket: tickets[0], code: codeOf(tickets[0]), checker }
}

const scansOf = ({ sql }: World) => sql('select * from scans order by received_at')
const verify = (checker: Client, qrCode: unknown) => checker.request('POST', '/api/tickets/verify-qr', { qrCode })
const statusOf = async (world: World, id: string) =>
  (await (await world.as('admin')).request('GET', `/api/tickets/${id}`)).body.ticket

describe('verifying', () => {
  testOnSqlite('shows the ticket whatever its status: a name, no email, no price', async () => {
    const { world, ticket, code, checker } = await gate()
    const active = await verify(checker, ` ${code}\n`)
    expect(active).toMatchObject({
      status: 200,
      body: { success: true, ticket: { _id: ticket._id, status: 'active', user: { name: 'Garima Guest' } } },
    })
    expect(JSON.stringify(active.body)).not.toMatch(/garba\.test|price|GR1:/)
    await mark(checker, { qrCode: code, deviceId: 'd1', deviceName: 'Gate A' })
    expect((await verify(checker, code)).body.ticket).toMatchObject({
      status: 'used',
      entryTime: world.clock.now().toISOString(),
      scannedBy: { name: 'Chetan Checker' },
      scannedAtDevice: 'Gate A',
    })
  })

  test.each(['', '   ', 'hello', 'GR1:', `GR1:${'Z'.repeat(118)}`, 'https://example.org'])(
    '%j is malformed',
    async (text) => {
      const { checker } = await gate()
      expect(await verify(checker, text)).toMatchObject({ status: 400, body: { success: false, code: 'QR_MALFORMED' } })
    },
  )

  testOnSqlite('a well-formed code whose signature fails is answered 200, forged', async () => {
    const { checker, code } = await gate()
    const other = code.endsWith('0') ? '1' : '0'
    const forged = `${code.slice(0, -1)}${other}`
    expect(await verify(checker, forged)).toMatchObject({ status: 200, body: { success: false, code: 'QR_FORGED' } })
    expect(await mark(checker, { qrCode: forged })).toMatchObject({
      status: 200,
      body: { success: false, code: 'QR_FORGED' },
    })
  })

  test('another installation’s ticket is forged here', async () => {
    const { checker } = await gate()
    const elsewhere = await gate()
    expect(await elsewhere.world.sql('select 1 from tickets')).toHaveLength(1)
    expect((await verify(checker, elsewhere.code)).body).toMatchObject({ success: false })
  })

  test('a genuine code without a ticket is not found', async () => {
    const { world, checker, code, ticket } = await gate()
    await world.sql("update tickets set status = 'deleted' where id = ?", ticket._id)
    expect(await verify(checker, code)).toMatchObject({ status: 404, body: { code: 'TICKET_NOT_FOUND' } })
  })

  test('records a refused code for the evening view', async () => {
    const { world, checker, code } = await gate()
    await verify(checker, code)
    await mark(checker, { qrCode: code })
    await verify(checker, code)
    await verify(checker, 'hello')
    const rows = await world.sql('select code, holder_name from refusals order by id')
    expect(rows).toEqual([
      { code: 'ALREADY_USED', holder_name: 'Garima Guest' },
      { code: 'QR_MALFORMED', holder_name: null },
    ])
  })

  testOnSqlite('a code above 1024 characters, or none, is an invalid request', async () => {
    const { checker } = await gate()
    for (const qrCode of ['x'.repeat(1025), 5, null, undefined])
      expect(await verify(checker, qrCode)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('admitting', () => {
  testOnSqlite('uses the ticket once; the second gate sees when, by whom and where', async () => {
    const { world, ticket, code, checker } = await gate()
    const scanId = randomUUID()
    const first = await mark(checker, { qrCode: code, scanId, deviceId: 'd1', deviceName: 'Gate A' })
    expect(first).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'admitted', scanId, ticket: { status: 'used', user: { name: 'Garima Guest' } } },
    })
    const entryTime = world.clock.now().toISOString()
    world.clock.forward(60_000)
    const gateB = await world.as('qrchecker', person('Bhavna'))
    expect(await mark(gateB, { qrCode: code, deviceId: 'd2' })).toMatchObject({
      status: 409,
      body: {
        success: false,
        code: 'ALREADY_USED',
        ticket: { entryTime, scannedBy: { name: 'Chetan Checker' }, scannedAtDevice: 'Gate A' },
      },
    })
    expect(await statusOf(world, ticket._id)).toMatchObject({ status: 'used', entryTime })
    const audit = await world.sql("select * from audit where action = 'ticket.admitted'")
    expect(audit).toMatchObject([{ actor_name: 'Chetan Checker', subject: ticket._id }])
    const refused = await world.sql("select * from audit where action = 'ticket.refused'")
    expect(refused).toMatchObject([
      {
        actor_name: 'Bhavna',
        subject: ticket._id,
        detail: 'At d2: Ticket Already Used',
      },
    ])
  })

  test('50 times at once admits once', async () => {
    const { world, code, checker } = await gate()
    const replies = await Promise.all(Array.from({ length: 50 }, () => mark(checker, { qrCode: code })))
    expect(replies.filter((reply) => reply.body.outcome === 'admitted')).toHaveLength(1)
    expect(replies.filter((reply) => reply.body.code === 'ALREADY_USED')).toHaveLength(49)
    expect(await scansOf(world)).toHaveLength(50)
  })

  testOnSqlite('a repeated scanId gets its first answer', async () => {
    const { world, ticket, code, checker } = await gate()
    const scanId = randomUUID()
    const first = await mark(checker, { qrCode: code, scanId })
    expect((await mark(checker, { qrCode: code, scanId })).body).toEqual(first.body)
    expect((await mark(checker, { qrCode: code, scanId, admittedOffline: true })).body).toEqual(first.body)
    await world.sql("update tickets set status = 'cancelled' where id = ?", ticket._id)
    expect((await mark(checker, { qrCode: code, scanId })).body).toEqual(first.body)
    const other = randomUUID()
    const refused = await mark(checker, { qrCode: code, scanId: other })
    expect(refused).toMatchObject({ status: 409, body: { code: 'TICKET_CANCELLED' } })
    await world.sql("update tickets set status = 'active' where id = ?", ticket._id)
    expect(await mark(checker, { qrCode: code, scanId: other })).toMatchObject({ status: 409, body: refused.body })
    expect(await scansOf(world)).toHaveLength(2)
  })

  testOnSqlite('a scanId that belongs to another ticket admits nobody', async () => {
    const { world, tickets, checker } = await gate(2)
    const [first, second] = tickets
    const scanId = randomUUID()
    await mark(checker, { qrCode: codeOf(first), scanId })
    const reused = { status: 409, body: { success: false, code: 'SCAN_ID_REUSED' } }
    const other = { ticketId: second?._id, manual: true, scanId }
    expect(await mark(checker, other)).toMatchObject(reused)
    expect(await mark(checker, { ...other, admittedOffline: true })).toMatchObject(reused)
    expect(await mark(checker, { qrCode: 'nonsense', scanId })).toMatchObject(reused)
    expect(await statusOf(world, second?._id ?? '')).toMatchObject({ status: 'active' })
    expect(await scansOf(world)).toMatchObject([{ id: scanId, ticket_id: first._id }])
  })

  testOnSqlite('by hand is marked as such and needs an existing ticket', async () => {
    const { world, ticket, checker } = await gate()
    expect((await mark(checker, { ticketId: ticket._id, manual: true })).body).toMatchObject({ outcome: 'admitted' })
    expect(await scansOf(world)).toMatchObject([{ manual: 1, ticket_id: ticket._id }])
    const unknown = '01K0000000000000000000000Z'
    expect(await mark(checker, { ticketId: unknown, manual: true })).toMatchObject({
      status: 404,
      body: { code: 'TICKET_NOT_FOUND' },
    })
  })

  test.each([
    [{}],
    [{ ticketId: '01K0000000000000000000000Z' }],
    [{ ticketId: '01K0000000000000000000000Z', manual: false }],
    [{ ticketId: 'x', manual: true }],
    [{ qrCode: 'x', scanId: 'not-a-uuid' }],
    [{ qrCode: 'x', scannedAt: 'yesterday' }],
    [{ qrCode: 'x', surprise: 1 }],
  ])('%j is not a valid scan', async (scan) => {
    const { checker, world } = await gate()
    expect(await mark(checker, scan)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(await scansOf(world)).toEqual([])
  })
})

describe('the checker of a scan', () => {
  test('is the one who made a queued scan, and the sender is recorded too', async () => {
    const { world, code, checker } = await gate()
    const maker = await world.as('qrchecker', person('Mira'))
    await world.sql("update users set role = 'guest' where id = ?", maker.user?.id)
    const reply = await mark(checker, { qrCode: code, checkerId: maker.user?.id, admittedOffline: true })
    expect(reply.body.ticket).toMatchObject({ scannedBy: { name: 'Mira' } })
    expect(await scansOf(world)).toMatchObject([{ checker_name: 'Mira', sender_name: 'Chetan Checker' }])
  })

  testOnSqlite('cannot be someone who never was a checker', async () => {
    const { world, code, checker } = await gate()
    const guest = await world.as('guest')
    const reply = await mark(checker, { qrCode: code, checkerId: guest.user?.id })
    expect(reply.body.ticket).toMatchObject({ scannedBy: { name: 'Chetan Checker' } })
  })
})

describe('the time of a scan', () => {
  testOnSqlite('is the device time corrected by the measured offset; both are stored', async () => {
    const { world, code, checker } = await gate()
    world.clock.forward(600_000)
    const now = world.clock.now().getTime()
    // The phone is ten minutes fast and scanned five minutes ago.
    const scannedAt = new Date(now - 300_000 + 600_000)
    const reply = await mark(checker, {
      qrCode: code,
      scannedAt: scannedAt.toISOString(),
      clockOffset: -600_000,
      admittedOffline: true,
    })
    expect(reply.body.ticket).toMatchObject({ entryTime: new Date(now - 300_000).toISOString() })
    expect(await scansOf(world)).toMatchObject([
      { device_time: scannedAt.getTime(), at: now - 300_000, received_at: now, admitted_offline: 1 },
    ])
  })

  testOnSqlite('is the server’s time for an online scan, whatever the phone says', async () => {
    const { world, code, checker } = await gate()
    world.clock.forward(600_000)
    const now = world.clock.now()
    const scannedAt = new Date(now.getTime() - 300_000)
    const reply = await mark(checker, { qrCode: code, scannedAt: scannedAt.toISOString() })
    expect(reply.body.ticket).toMatchObject({ entryTime: now.toISOString() })
    expect(await scansOf(world)).toMatchObject([
      { device_time: scannedAt.getTime(), at: now.getTime(), claimed_at: null },
    ])
  })

  test('is never later than now or before the sale; the claimed time is recorded and audited', async () => {
    const { world, tickets, checker } = await gate(2)
    const [sold, hour] = [world.clock.now(), 3_600_000]
    world.clock.forward(hour / 2)
    const now = world.clock.now()
    const offline = async (ticket: (typeof tickets)[number] | undefined, scannedAt: Date) => {
      const scan = { ticketId: ticket?._id, manual: true, scannedAt: scannedAt.toISOString(), admittedOffline: true }
      return (await mark(checker, scan)).body.ticket
    }
    const [late, early] = [new Date(now.getTime() + hour), new Date(sold.getTime() - hour)]
    expect(await offline(tickets[0], late)).toMatchObject({ entryTime: now.toISOString() })
    expect(await offline(tickets[1], early)).toMatchObject({ entryTime: sold.toISOString() })
    expect(await scansOf(world)).toMatchObject([
      { at: now.getTime(), claimed_at: late.getTime(), back_dated: 0 },
      { at: sold.getTime(), claimed_at: early.getTime(), back_dated: 1 },
    ])
    const details = await world.sql("select detail from audit where action = 'ticket.admitted'")
    expect(details).toMatchObject([
      { detail: expect.stringContaining(`its time ${late.toISOString()} taken as ${now.toISOString()}`) },
      { detail: expect.stringContaining(`back-dated, its time ${early.toISOString()}`) },
    ])
  })
})

testOnSqlite('renaming an event keeps its tickets valid', async () => {
  const { world, code, checker } = await gate()
  await (await world.as('admin')).request('PUT', '/api/event', eventForm({ name: 'Raas' }))
  expect((await verify(checker, code)).body.ticket).toMatchObject({ eventName: 'Raas', status: 'active' })
})
