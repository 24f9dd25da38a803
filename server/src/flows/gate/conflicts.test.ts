import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../testing/world.ts'

const HOUR = 3_600_000

async function twoGates() {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  world.clock.forward(HOUR)
  const anil = await world.as('qrchecker', person('Anil'))
  const bina = await world.as('qrchecker', person('Bina'))
  return { world, ticket, code: codeOf(ticket), anil, bina }
}

const minutesAgo = (world: World, minutes: number): string =>
  new Date(world.clock.now().getTime() - minutes * 60_000).toISOString()
const replay = (checker: Client, scan: Record<string, unknown>) => mark(checker, { ...scan, admittedOffline: true })
const rows = ({ sql }: World, source: string, ...of: string[]) => sql(source, ...of)

describe('two gates admit one ticket while offline', () => {
  test('the first by corrected time wins; the later one is the conflict, with both gates, devices and times', async () => {
    const { world, ticket, code, anil, bina } = await twoGates()
    const first = { scanId: randomUUID(), scannedAt: minutesAgo(world, 10), deviceId: 'a', deviceName: 'Gate A' }
    const second = { scanId: randomUUID(), scannedAt: minutesAgo(world, 5), deviceId: 'b', deviceName: 'Gate B' }
    expect((await replay(anil, { qrCode: code, ...first })).body).toMatchObject({ outcome: 'admitted' })
    expect(await replay(bina, { qrCode: code, ...second })).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'conflict',
        scanId: second.scanId,
        ticket: { status: 'used', entryTime: first.scannedAt, scannedAtDevice: 'Gate A' },
        conflict: {
          over: 'used',
          first: {
            scanId: first.scanId,
            at: first.scannedAt,
            checkerName: 'Anil',
            deviceId: 'a',
            deviceName: 'Gate A',
          },
          second: { scanId: second.scanId, at: second.scannedAt, checkerName: 'Bina', deviceName: 'Gate B' },
        },
      },
    })
    expect(await rows(world, 'select id, outcome from scans order by at')).toEqual([
      { id: first.scanId, outcome: 'admitted' },
      { id: second.scanId, outcome: 'conflict' },
    ])
    expect(await rows(world, 'select id, ticket_id, holder_name from conflicts')).toEqual([
      { id: second.scanId, ticket_id: ticket._id, holder_name: 'Garima Guest' },
    ])
    expect(await rows(world, "select subject from audit where action = 'ticket.conflict'")).toEqual([
      { subject: ticket._id },
    ])
  })

  test('the earlier one wins even when it arrives last', async () => {
    const { world, code, anil, bina } = await twoGates()
    const late = { scanId: randomUUID(), scannedAt: minutesAgo(world, 5), deviceId: 'b', deviceName: 'Gate B' }
    const early = { scanId: randomUUID(), scannedAt: minutesAgo(world, 10), deviceId: 'a', deviceName: 'Gate A' }
    await replay(bina, { qrCode: code, ...late })
    expect((await replay(anil, { qrCode: code, ...early })).body).toMatchObject({
      outcome: 'conflict',
      ticket: { entryTime: early.scannedAt, scannedBy: { name: 'Anil' }, scannedAtDevice: 'Gate A' },
      conflict: { first: { scanId: early.scanId }, second: { scanId: late.scanId } },
    })
    expect(await rows(world, 'select id, outcome from scans order by at')).toEqual([
      { id: early.scanId, outcome: 'admitted' },
      { id: late.scanId, outcome: 'conflict' },
    ])
    expect(await rows(world, 'select id from conflicts')).toEqual([{ id: late.scanId }])
    expect((await mark(bina, { qrCode: code, scanId: late.scanId })).body).toMatchObject({ outcome: 'admitted' })
  })

  testOnSqlite('both devices get it in their next roster; a third does not', async () => {
    const { ticket, code, anil, bina } = await twoGates()
    await replay(anil, { qrCode: code, deviceId: 'a' })
    const { revision } = (await anil.request('GET', '/api/scanner/roster')).body
    const scanId = randomUUID()
    await replay(bina, { qrCode: code, deviceId: 'b', scanId })
    const conflictsFor = async (device: string) =>
      (await anil.request('GET', `/api/scanner/roster?since=${revision}&deviceId=${device}`)).body.conflicts
    for (const device of ['a', 'b'])
      expect(await conflictsFor(device)).toMatchObject([
        { id: scanId, ticketId: ticket._id, name: 'Garima Guest', over: 'used' },
      ])
    expect(await conflictsFor('c')).toEqual([])
  })

  test('20 tickets scanned twice make 20 used and 20 conflicts', async () => {
    const { world, anil, bina } = await twoGates()
    const tickets = await bought(await world.as('guest'), 20)
    const scans = (deviceId: string) =>
      tickets.map((ticket) => ({ qrCode: codeOf(ticket), scanId: randomUUID(), deviceId, admittedOffline: true }))
    const send = async (checker: Client, deviceId: string) =>
      (await checker.request('POST', '/api/tickets/mark-used/batch', { scans: scans(deviceId) })).body.results
    const outcomes = [await send(anil, 'a'), await send(bina, 'b')].map((results) =>
      (results as { outcome: string }[]).map((result) => result.outcome),
    )
    expect(outcomes).toEqual([Array(20).fill('admitted'), Array(20).fill('conflict')])
    expect(await rows(world, "select count(*) as n from tickets where status = 'used'")).toEqual([{ n: 20 }])
    expect(await rows(world, 'select count(*) as n from conflicts')).toEqual([{ n: 20 }])
  })
})

describe('a back-dated scan', () => {
  const entryTimes = (world: World) => rows(world, 'select entry_time from tickets')

  test('is kept, marked and audited, and never replaces an online admission', async () => {
    const { world, ticket, code, anil, bina } = await twoGates()
    world.clock.forward(20 * HOUR)
    const [gateA, gateB] = [await world.as('qrchecker', person('Anil')), await world.as('qrchecker', person('Bina'))]
    expect([gateA.user, gateB.user]).toEqual([anil.user, bina.user])
    await mark(gateA, { qrCode: code, deviceId: 'a' })
    const entry = world.clock.now().toISOString()
    world.clock.forward(60_000)
    const scanId = randomUUID()
    expect((await replay(gateB, { qrCode: code, scanId, scannedAt: '1970-01-01T00:00:00Z' })).body).toMatchObject({
      outcome: 'conflict',
      ticket: { entryTime: entry, scannedBy: { name: 'Anil' } },
      conflict: { first: { checkerName: 'Anil' }, second: { scanId, at: ticket.createdAt } },
    })
    world.clock.forward(1000)
    const earlier = minutesAgo(world, 13 * 60)
    expect((await replay(gateB, { qrCode: code, scannedAt: earlier })).body).toMatchObject({
      conflict: { first: { checkerName: 'Anil' }, second: { at: earlier } },
    })
    expect(await entryTimes(world)).toEqual([{ entry_time: Date.parse(entry) }])
    expect(await rows(world, 'select back_dated, claimed_at from scans order by received_at')).toEqual([
      { back_dated: 0, claimed_at: null },
      { back_dated: 1, claimed_at: 0 },
      { back_dated: 1, claimed_at: null },
    ])
    const audit = await rows(world, "select detail from audit where action = 'ticket.conflict' order by id")
    expect(audit).toMatchObject([
      {
        detail: expect.stringContaining(`, back-dated, its time 1970-01-01T00:00:00.000Z taken as ${ticket.createdAt}`),
      },
      { detail: expect.stringMatching(/, back-dated$/) },
    ])
  })

  testOnSqlite('does not replace an entry by an admin either', async () => {
    const { world, ticket, code, anil } = await twoGates()
    await (await world.as('admin')).request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status: 'used' })
    const entry = world.clock.now().getTime()
    await replay(anil, { qrCode: code, scannedAt: minutesAgo(world, 90) })
    expect(await entryTimes(world)).toEqual([{ entry_time: entry }])
  })

  testOnSqlite('an earlier scan from the same evening still replaces an online admission', async () => {
    const { world, code, anil, bina } = await twoGates()
    await mark(anil, { qrCode: code })
    await replay(bina, { qrCode: code, scannedAt: minutesAgo(world, 30) })
    expect(await entryTimes(world)).toEqual([{ entry_time: Date.parse(minutesAgo(world, 30)) }])
  })
})

describe('a conflict has one id in the response, the roster and the evening view', () => {
  /** As phones with the first release derive it. */
  const idOnOldPhones = (body: Record<string, unknown>) => {
    const { conflict, scanId } = body as { scanId: string; conflict: { second: { scanId: string | null } } }
    return conflict.second.scanId ?? scanId
  }

  test('unique to each scan, however often the entry changes; phones with the first release agree', async () => {
    const { world, ticket, code, anil, bina } = await twoGates()
    const admin = await world.as('admin')
    await admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status: 'used' })
    const { revision } = (await anil.request('GET', '/api/scanner/roster')).body
    const answers = []
    for (const [minutes, checker] of [
      [10, anil],
      [20, bina],
      [30, anil],
      [5, bina],
    ] as const)
      answers.push(
        await replay(checker, {
          qrCode: code,
          scanId: randomUUID(),
          scannedAt: minutesAgo(world, minutes),
          deviceId: 'a',
        }),
      )
    expect(answers.map(({ status, body }) => [status, body.outcome])).toEqual(Array(4).fill([200, 'conflict']))
    const carried = answers.map(({ body }) => (body.conflict as { id: string }).id)
    expect(new Set(carried).size).toBe(4)
    expect(answers.map(({ body }) => idOnOldPhones(body))).toEqual(carried)
    const roster = await anil.request('GET', `/api/scanner/roster?since=${revision}&deviceId=a`)
    expect((roster.body.conflicts as { id: string }[]).map(({ id }) => id)).toEqual(carried)
    expect(await rows(world, 'select id from conflicts order by revision')).toEqual(carried.map((id) => ({ id })))
    expect(await rows(world, 'select entry_time from tickets')).toEqual([
      { entry_time: Date.parse(minutesAgo(world, 30)) },
    ])
  })
})

describe('an admission that happened is never refused', () => {
  testOnSqlite('a refused scan replayed as admitted offline becomes a conflict and stays one', async () => {
    const { world, code, anil, bina } = await twoGates()
    await mark(anil, { qrCode: code, deviceId: 'a' })
    world.clock.forward(1000)
    const scanId = randomUUID()
    expect(await mark(bina, { qrCode: code, scanId })).toMatchObject({ status: 409 })
    const replayed = await replay(bina, { qrCode: code, scanId })
    expect(replayed).toMatchObject({ status: 200, body: { outcome: 'conflict', scanId } })
    expect((await replay(bina, { qrCode: code, scanId })).body).toEqual(replayed.body)
    expect((await mark(bina, { qrCode: code, scanId })).body).toEqual(replayed.body)
    expect(await rows(world, 'select count(*) as n from conflicts')).toEqual([{ n: 1 }])
  })

  test('only the device that was refused may do so; another one gets the first answer again', async () => {
    const { world, code, anil, bina } = await twoGates()
    await mark(anil, { qrCode: code, deviceId: 'a' })
    const scanId = randomUUID()
    const refused = await mark(bina, { qrCode: code, scanId, deviceId: 'b' })
    expect(await replay(anil, { qrCode: code, scanId, deviceId: 'a' })).toMatchObject({
      status: 409,
      body: refused.body,
    })
    expect(await rows(world, 'select outcome, device_id from scans where id = ?', scanId)).toEqual([
      { outcome: 'refused', device_id: 'b' },
    ])
    expect((await replay(bina, { qrCode: code, scanId, deviceId: 'b' })).body).toMatchObject({ outcome: 'conflict' })
  })

  test.each([
    ['cancelled', 'Ticket cancelled'],
    ['deleted', 'Ticket deleted'],
  ])(
    'on a %s ticket it is a conflict with that reason, and the ticket keeps its status',
    async (status, checkerName) => {
      const { world, ticket, code, anil } = await twoGates()
      await world.sql('update tickets set status = ? where id = ?', status, ticket._id)
      expect((await replay(anil, { qrCode: code })).body).toMatchObject({
        outcome: 'conflict',
        conflict: { over: status, first: { scanId: null, checkerName }, second: { checkerName: 'Anil' } },
      })
      expect(await rows(world, 'select status from tickets')).toEqual([{ status }])
    },
  )

  test('on a ticket that is not in the database it is a conflict too', async () => {
    const { world, ticket, code, anil } = await twoGates()
    await world.sql('delete from tickets')
    expect((await replay(anil, { qrCode: code })).body).toMatchObject({
      outcome: 'conflict',
      ticket: { _id: ticket._id },
      conflict: { over: 'missing' },
    })
  })

  test('on a ticket an admin marked used, both entries are kept', async () => {
    const { world, ticket, code, anil } = await twoGates()
    const entry = world.clock.now().getTime()
    await world.sql("update tickets set status = 'used', entry_time = ?", entry)
    expect((await replay(anil, { qrCode: code, scannedAt: minutesAgo(world, 3) })).body).toMatchObject({
      outcome: 'conflict',
      ticket: { _id: ticket._id, entryTime: minutesAgo(world, 3) },
      conflict: {
        first: { checkerName: 'Anil' },
        second: { scanId: null, checkerName: 'Set as used by an administrator' },
      },
    })
  })

  test('a code that is not genuine is still refused', async () => {
    const { world, code, anil } = await twoGates()
    const forged = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`
    expect((await replay(anil, { qrCode: forged })).body).toMatchObject({ success: false, code: 'QR_FORGED' })
    expect(await replay(anil, { qrCode: 'nonsense' })).toMatchObject({ status: 400, body: { code: 'QR_MALFORMED' } })
    expect(await rows(world, 'select * from conflicts')).toEqual([])
  })
})
