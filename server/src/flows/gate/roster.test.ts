import { setTimeout as sleep } from 'node:timers/promises'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import { type Roster, rosterApply, rosterDigest } from '@garba/shared/rules/admission'
import { readQr } from '@garba/shared/rules/qr'
import { expect, test } from 'vitest'
import { HEARTBEAT_MS } from '../../http/sse.ts'
import { must } from '../../testing/desk.ts'
import { eventsOf } from '../../testing/events.ts'
import { pairedPhone } from '../../testing/phone.ts'
import { bought, codeOf, mark, putOnSale } from '../../testing/scenes.ts'
import { type Client, makeWorld } from '../../testing/world.ts'

const roster = async (checker: Client, query = ''): Promise<RosterAnswer> =>
  (await checker.request('GET', `/api/scanner/roster${query}`)).body as unknown as RosterAnswer

async function sold(quantity: number) {
  const world = await makeWorld()
  const event = await putOnSale(world, { totalTickets: 50 })
  const guest = await world.as('guest')
  const tickets = await bought(guest, quantity)
  return { world, event, guest, tickets, checker: await world.as('qrchecker') }
}

test('the whole roster has names and statuses, public keys, the event, and no emails', async () => {
  const { world, event, tickets, checker } = await sold(3)
  const answer = await roster(checker)
  expect(answer).toMatchObject({ full: true, serverTime: world.clock.now().toISOString(), event: { _id: event._id } })
  expect(answer.tickets).toHaveLength(3)
  expect(answer.tickets[0]).toEqual({
    id: tickets[0]._id,
    order: expect.any(String),
    status: 'active',
    name: 'Garima Guest',
    entryTime: null,
  })
  const fact = await readQr({ text: codeOf(tickets[0]), keys: answer.keys, eventId: event._id })
  expect(fact.type).toBe('genuine')
  expect(JSON.stringify(answer)).not.toMatch(/@|"d":/)
})

test('a delta holds the changes since: sales, cancellations, admissions and undos', async () => {
  const { world, guest, tickets, checker } = await sold(3)
  let { revision } = await roster(checker)
  const changes = async () => {
    const answer = await roster(checker, `?since=${revision}`)
    expect(answer.full).toBe(false)
    revision = answer.revision
    return answer.tickets.map(({ id, status }) => [id, status])
  }
  expect(await changes()).toEqual([])
  await guest.request('PATCH', `/api/tickets/cancel/${tickets[0]._id}`, { reason: 'x' })
  const [late] = await bought(guest)
  expect(await changes()).toEqual([
    [tickets[0]._id, 'cancelled'],
    [late._id, 'active'],
  ])
  const marked = await mark(checker, { qrCode: codeOf(late) })
  expect(await changes()).toEqual([[late._id, 'used']])
  await checker.request('POST', '/api/tickets/mark-used/undo', { scanId: marked.body.scanId })
  expect(await changes()).toEqual([[late._id, 'active']])
  world.clock.forward(1000)
  expect(await changes()).toEqual([])
})

test('a deleted ticket is sent as a tombstone, even in the whole roster', async () => {
  const { world, tickets, checker } = await sold(2)
  const { revision } = await roster(checker)
  await world.sql("update tickets set status = 'deleted', revision = ? where id = ?", revision + 1, tickets[0]._id)
  await world.sql('update counters set value = ?', revision + 1)
  expect((await roster(checker, `?since=${revision}`)).tickets).toMatchObject([{ status: 'deleted' }])
  expect((await roster(checker)).tickets).toHaveLength(2)
})

test('a refused sale does not change the revision', async () => {
  const { guest, checker } = await sold(1)
  const { revision } = await roster(checker)
  await guest.request('POST', '/api/tickets', { quantity: 51 }, { 'Idempotency-Key': 'a-key-of-its-own' })
  expect((await roster(checker)).revision).toBe(revision)
})

test('a revision from the future, as after restoring a backup, gets the whole roster', async () => {
  const { checker } = await sold(2)
  const answer = await roster(checker, '?since=9999')
  expect(answer.full).toBe(true)
  expect(answer.tickets).toHaveLength(2)
})

test('check adds the whole roster’s count and hash, as a device that applied every delta computes them', async () => {
  const { world, guest, tickets, checker } = await sold(5)
  let held: Roster = rosterApply(new Map(), await roster(checker))
  const { revision } = await roster(checker)
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  await bought(guest, 2)
  await world.sql("update tickets set status = 'deleted', revision = revision + 50 where id = ?", tickets[1]?._id)
  await world.sql('update counters set value = value + 50')
  const delta = await roster(checker, `?since=${revision}&check=1`)
  held = rosterApply(held, delta)
  expect(delta.count).toBe(6)
  expect(delta.hash).toBe(await rosterDigest(held.values()))
  expect((await roster(checker)).hash).toBeUndefined()
})

test('the query counts as the device’s heartbeat', async () => {
  const { world, checker } = await sold(1)
  const oldest = '2025-08-08T11:58:00.000Z'
  await roster(checker, `?since=1&deviceId=d1&deviceName=Gate%20A&unsent=3&oldestUnsent=${oldest}`)
  world.clock.forward(30_000)
  await roster(checker, '?since=2&deviceId=d1&deviceName=Gate%20A&appVersion=1.0.0%2B4f9c2ab')
  expect(await world.sql('select * from devices')).toEqual([
    {
      id: 'd1',
      checker_id: checker.user?.id,
      name: 'Gate A',
      checker_name: 'Chetan Checker',
      last_seen: world.clock.now().getTime(),
      unsent: 0,
      oldest_unsent: null,
      roster_revision: 2,
      app_version: '1.0.0+4f9c2ab',
    },
  ])
})

test('without an event the roster is empty and has no keys', async () => {
  const world = await makeWorld()
  expect(await roster(await world.as('qrchecker'))).toMatchObject({ event: null, keys: [], tickets: [], revision: 0 })
})

test.each(['since=-1', 'since=x', 'unsent=-1', 'oldestUnsent=yesterday', `deviceId=${'x'.repeat(65)}`])(
  '%s is not a valid query',
  async (query) => {
    const world = await makeWorld()
    const reply = await (await world.as('qrchecker')).request('GET', `/api/scanner/roster?${query}`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  },
)

test('a paired phone gets the whole roster once a minute, and each change at once', async () => {
  const { world, tickets, checker } = await sold(2)
  const client = await (await pairedPhone(world)).client()
  const ask = (query: string) => client.request('GET', `/api/scanner/roster?${query}`)
  const first = await ask('deviceId=d1')
  expect(first).toMatchObject({ status: 200, body: { full: true } })
  world.clock.forward(20_000)
  for (const query of ['deviceId=d1', 'deviceId=d1&since=9999', 'deviceId=another'])
    expect(await ask(query)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', retryAfterSeconds: 40 } })
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  expect(await ask(`since=${first.body.revision}`)).toMatchObject({ status: 200, body: { tickets: [{}] } })
  world.clock.forward(40_000)
  expect((await ask('deviceId=d1')).status).toBe(200)
})

test('invented device ids get an account no more rosters, and grow no table', async () => {
  const { world, checker } = await sold(1)
  const kept = await (await pairedPhone(world)).client()
  await kept.request('GET', '/api/scanner/roster?unsent=3')
  const answers = []
  for (let n = 0; n < 40; n += 1) {
    world.clock.forward(10)
    answers.push((await checker.request('GET', `/api/scanner/roster?deviceId=invented-${n}&unsent=${n}`)).status)
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(30)
  expect(await world.sql('select count(*) as n, max(unsent) as newest from devices')).toEqual([{ n: 21, newest: 39 }])
})

test('a live view sends the whole roster once a minute too, and says at once when it does not', async () => {
  const { world } = await sold(1)
  const client = await (await pairedPhone(world)).client()
  expect((await client.request('GET', '/api/scanner/roster?deviceId=d1')).status).toBe(200)
  const live = await client.fetch('GET', '/api/scanner/live?deviceId=d1&since=9999')
  const events = eventsOf(live)
  const first = await Promise.race([events.next(), sleep(HEARTBEAT_MS, { value: 'only the first heartbeat' })])
  expect(first.value).toMatchObject({ event: 'heartbeat', data: { revision: -1 } })
  await events.return(undefined)
})

test('a phone that only sells gets tickets and double admissions without names, and a live view follows its rights', async () => {
  const { world, guest, tickets, checker } = await sold(1)
  const phone = await pairedPhone(world, { rights: ['sell'] })
  const client = await phone.client()
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  const admittedOffline = { scannedAt: '2025-08-08T11:00:00.000Z', admittedOffline: true }
  await mark(checker, { qrCode: codeOf(tickets[0]), deviceId: 'gate-b', ...admittedOffline })
  await world.sql('update conflicts set first_device_id = ?', phone.id)
  const { body } = await client.request('GET', '/api/scanner/roster')
  expect(body.tickets).toMatchObject([{ status: 'used', name: '' }])
  expect(body.conflicts).toHaveLength(1)
  expect(JSON.stringify(body)).not.toContain('Garima')
  const events = eventsOf(await client.fetch('GET', `/api/scanner/live?since=${body.revision}`))
  await events.next()
  const admin = await world.as('admin')
  const whole = () => client.request('GET', '/api/scanner/roster')
  expect((await whole()).status).toBe(429)
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['sell', 'find'] }))
  // The whole list with names is another one, and need not wait for its minute.
  expect(await whole()).toMatchObject({ status: 200, body: { tickets: [{ name: 'Garima Guest' }] } })
  expect((await whole()).status).toBe(429)
  await bought(guest)
  for await (const { event, data } of events) {
    if (event !== 'roster') continue
    expect(data).toMatchObject({ tickets: [{ name: 'Garima Guest' }] })
    break
  }
})
