import { randomUUID } from 'node:crypto'
import { ulidOf } from '@garba/shared/testing/ids'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../testing/scenes.ts'
import { makeWorld } from '../../testing/world.ts'

const BATCH = '/api/tickets/mark-used/batch'

testOnSqlite('a bad row is reported and blocks nothing', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [first, second] = await bought(await world.as('guest'), 2)
  const checker = await world.as('qrchecker')
  const good = (ticket = first) => ({ scanId: randomUUID(), qrCode: codeOf(ticket), admittedOffline: true })
  const scans = [
    good(),
    { scanId: 'no-uuid', qrCode: 'x' },
    null,
    'text',
    { scanId: randomUUID() },
    { scanId: randomUUID(), qrCode: 'nonsense', admittedOffline: true },
    { ...good(), admittedOffline: false },
    good(second),
  ]
  const { status, body } = await checker.request('POST', BATCH, { scans })
  expect(status).toBe(200)
  const results = body.results as Record<string, unknown>[]
  expect(results.map(({ status, code, outcome }) => [status, code ?? outcome])).toEqual([
    [200, 'admitted'],
    [400, 'VALIDATION_FAILED'],
    [400, 'VALIDATION_FAILED'],
    [400, 'VALIDATION_FAILED'],
    [400, 'VALIDATION_FAILED'],
    [400, 'QR_MALFORMED'],
    [409, 'ALREADY_USED'],
    [200, 'admitted'],
  ])
  expect(results.map((result) => result.scanId).slice(0, 3)).toEqual([
    (scans[0] as { scanId: string }).scanId,
    'no-uuid',
    null,
  ])
  expect(results.slice(1, 5).map(({ message }) => message)).toEqual([
    'This field is not valid',
    'This field is not valid',
    'This field is not valid',
    'A scan needs a qrCode, or a ticketId with manual: true',
  ])
  expect(results.every((result) => result.success === (result.status === 200))).toBe(true)
})

test('a whole batch sent again gets the same answers', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const tickets = await bought(await world.as('guest'), 6)
  const checker = await world.as('qrchecker')
  const scans = [...tickets, ...tickets].map((ticket) => ({
    scanId: randomUUID(),
    qrCode: codeOf(ticket),
    admittedOffline: true,
  }))
  const first = await checker.request('POST', BATCH, { scans })
  const again = await checker.request('POST', BATCH, { scans })
  expect(again.body).toEqual(first.body)
  const count = (await world.sql('select count(*) as n from scans'))[0]
  expect(count).toEqual({ n: 12 })
})

test('a row that fails for its own reason gets a final answer, is logged, and does not affect other rows', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const tickets = await bought(await world.as('guest'), 3)
  const checker = await world.as('qrchecker')
  const scans = tickets.map((ticket) => ({ scanId: randomUUID(), qrCode: codeOf(ticket), admittedOffline: true }))
  const bad = scans[1]?.scanId ?? ''
  await world.refuseRow('scans', bad)
  for (const _ of ['first', 'second']) {
    const { results } = (await checker.request('POST', BATCH, { scans })).body
    expect(results).toMatchObject([
      { status: 200, outcome: 'admitted' },
      { status: 409, success: false, code: 'SCAN_NOT_RECORDED', message: expect.stringMatching(/could not record/) },
      { status: 200, outcome: 'admitted' },
    ])
  }
  const used = await world.sql("select id from tickets where status = 'used' order by id")
  expect(used).toEqual([{ id: tickets[0]._id }, { id: tickets[2]?._id }])
  expect(world.log.some((line) => line.includes('a replayed scan failed'))).toBe(true)
})

testOnSqlite('a row is to be sent again while the database cannot be written', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  const checker = await world.as('qrchecker')
  const scans = [{ scanId: randomUUID(), qrCode: codeOf(ticket), admittedOffline: true }]
  const send = async () => (await checker.request('POST', BATCH, { scans })).body.results
  world.sqliteStore().sqlite.pragma('query_only = 1')
  expect(await send()).toMatchObject([{ status: 503, code: 'UNAVAILABLE' }])
  world.sqliteStore().sqlite.pragma('query_only = 0')
  expect(await send()).toMatchObject([{ status: 200, outcome: 'admitted' }])
})

test.each([[{ scans: [] }], [{ scans: Array(201).fill({}) }], [{ scans: 'x' }], [[]], [{}]])(
  'a batch that is empty, above 200 rows or not a list is an invalid request',
  async (body) => {
    const world = await makeWorld()
    const checker = await world.as('qrchecker')
    expect(await checker.request('POST', BATCH, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    })
  },
)

testOnSqlite('200 rows of maximum length fit', async () => {
  const world = await makeWorld()
  const checker = await world.as('qrchecker')
  const scans = Array.from({ length: 200 }, () => ({ scanId: randomUUID(), qrCode: 'x'.repeat(1024) }))
  expect((await checker.request('POST', BATCH, { scans })).status).toBe(200)
})

describe('limits', () => {
  const codesIn = (results: unknown) =>
    (results as { code?: string; outcome?: string }[]).map((r) => r.code ?? r.outcome)

  test('count rows: one above the limit is to be sent again, and so is the next batch', async () => {
    const world = await makeWorld({ limits: { user: 3 } })
    await putOnSale(world)
    const tickets = await bought(await world.as('guest'), 5)
    const checker = await world.as('qrchecker')
    const scans = tickets.map((ticket) => ({ scanId: randomUUID(), qrCode: codeOf(ticket), admittedOffline: true }))
    const { results } = (await checker.request('POST', BATCH, { scans })).body
    expect(codesIn(results)).toEqual(['admitted', 'admitted', 'admitted', 'RATE_LIMITED', 'RATE_LIMITED'])
    expect(results).toMatchObject([{}, {}, {}, { status: 429, success: false }, { status: 429, success: false }])
    expect(await checker.request('POST', BATCH, { scans })).toMatchObject({ status: 429 })
    expect(await world.sql('select 1 from scans')).toHaveLength(3)
  })

  testOnSqlite('are low for tickets chosen by hand, in a batch or alone, and do not affect codes', async () => {
    const world = await makeWorld({ limits: { manual: 2 } })
    await putOnSale(world)
    const tickets = await bought(await world.as('guest'), 5)
    const checker = await world.as('qrchecker')
    const byHand = (index: number) => ({ scanId: randomUUID(), ticketId: tickets[index]?._id, manual: true })
    const scans = [0, 1, 2].map((index) => ({ ...byHand(index), admittedOffline: true }))
    const byCode = { scanId: randomUUID(), qrCode: tickets[3]?.qrCode, admittedOffline: true }
    const { results } = (await checker.request('POST', BATCH, { scans: [...scans, byCode] })).body
    expect(codesIn(results)).toEqual(['admitted', 'admitted', 'RATE_LIMITED', 'admitted'])
    expect(await mark(checker, byHand(4))).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    const other = await world.as('qrchecker', person('Bhavna'))
    expect((await mark(other, byHand(4))).status).toBe(200)
  })
})

testOnSqlite('unknown ids chosen by hand are refused and create no conflict', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const checker = await world.as('qrchecker')
  const scans = Array.from({ length: 3 }, (_, i) => ({
    scanId: randomUUID(),
    ticketId: ulidOf(i),
    manual: true,
    admittedOffline: true,
  }))
  const { results } = (await checker.request('POST', BATCH, { scans })).body
  expect(results).toMatchObject(Array(3).fill({ status: 404, success: false, code: 'TICKET_NOT_FOUND' }))
  expect(await world.sql('select * from conflicts')).toEqual([])
})

testOnSqlite('a long batch gives other requests a turn between its rows', async () => {
  const world = await makeWorld()
  const checker = await world.as('qrchecker')
  let turns = 0
  let counting = true
  const turn = () => {
    turns++
    if (counting) setImmediate(turn)
  }
  turn()
  await checker.request('POST', BATCH, { scans: Array(200).fill({}) })
  counting = false
  expect(turns).toBeGreaterThanOrEqual(200)
})
