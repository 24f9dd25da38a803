import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { BLOCK } from '@garba/shared/messages/gate'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../app.ts'
import { writeMeta } from '../../store/meta.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { admitAtGate, buyer, must } from '../../testing/desk.ts'
import { everyRow } from '../../testing/everyRow.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../testing/money.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../testing/scenes.ts'
import { payloadOf, sign } from '../../testing/tokens.ts'
import { makeWorld, type World } from '../../testing/world.ts'
import { moneyRound } from '../money/upkeep/keepMoney.ts'
import { runRetention } from './retention.ts'

const BHAVNA = { uid: 'uid-bhavna', email: 'bhavna@example.org', name: 'Bhavna Shah' }
const TARA = { uid: 'uid-tara', email: 'tara@example.org', name: 'Tara Mehta' }
/** The event is over on 22 September 2025 at 17:00 UTC. */
const OVER = '2025-09-22T17:00:00Z'
const DUE = '2028-09-22T17:00:00.000Z'
const WARNED_FROM = '2028-08-23T17:00:00.000Z'
/** What guests of the event have left behind, and nobody else. */
const TRACES = ['adha', 'Patel', 'Meera', 'mother', 'sister', 'Kamlesh', 'kamlesh', 'Tara', 'tara@']

const PATIENCE = { timeout: 20_000 }

const ask = async (world: World, method: string, path: string, body?: unknown) =>
  must((await world.as('admin')).request(method, path, body))
const idOf = async (client: Awaited<ReturnType<World['as']>>) =>
  ((await must(client.request('GET', '/api/auth/me'))).user as { _id: string })._id
const close = (world: World, id: string) => ask(world, 'POST', `/api/admin/events/${id}/close`, { anyway: true })
const backUp = (world: World) => world.store.write((tx) => writeMeta(tx, 'lastBackup', world.clock.now().toISOString()))
const notices = async (world: World) =>
  ((await ask(world, 'GET', '/api/admin/system/health')).data as { retention: unknown[] }).retention
const onDay = async (world: World, at: string) => {
  world.clock.set(at)
  await runRetention(world.deps)
}

/** An evening with all that people leave behind: names, reasons, refunds, deleted accounts, double admissions. */
async function evening() {
  const world = await makeWorld()
  const event = await putOnSale(world)
  const { client: radha, tickets } = await buyer(world, {
    name: 'Radha Patel',
    email: 'radha@example.org',
    quantity: 4,
  })
  const [named, cancelled, used, deleted] = tickets as [Ticket, Ticket, Ticket, Ticket]
  await must(radha.request('PATCH', `/api/tickets/${named._id}/name`, { name: 'Meera Joshi' }))
  await must(radha.request('PATCH', `/api/tickets/cancel/${cancelled._id}`, { reason: 'My mother is ill' }))
  await must(radha.request('PUT', '/api/auth/profile', { displayName: 'Radhika Patel' }))
  const link = await must(radha.request('POST', '/api/tickets/links', { ticketIds: [named._id], purpose: 'share' }))
  const token = (link.link as { url: string }).url.split('#')[1]
  await must(world.nobody.request('POST', '/api/wallet/open', { token, deviceId: 'phone' }))
  const refund = { ticketIds: [cancelled._id], isRefundDone: true, reason: 'Sent to her sister' }
  await ask(world, 'PATCH', '/api/admin/tickets/bulk-refund', refund)
  await ask(world, 'DELETE', `/api/admin/tickets/${deleted._id}`)

  const { client: kamlesh } = await buyer(world, { name: 'Kamlesh Desai', email: 'kamlesh@example.org' })
  await ask(world, 'DELETE', `/api/admin/users/${await idOf(kamlesh)}`)
  const tara = await world.as('guest', TARA)
  const [adopted] = await bought(tara)
  await ask(world, 'DELETE', `/api/admin/users/${await idOf(tara)}`)
  const again = payloadOf({ ...TARA, uid: 'uid-tara-2' }, world.clock.now())
  await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: await sign(again) }))
  await bought(await world.as('guest', BHAVNA))
  await bought(await world.as('guest', person('Ila')))

  world.clock.set('2025-09-22T14:00:00Z')
  const checker = await world.as('qrchecker')
  const device = { deviceId: 'gate-a', deviceName: 'Chetans Pixel' }
  await must(checker.request('GET', '/api/scanner/roster?deviceId=gate-a&deviceName=Chetans%20Pixel'))
  const scan = { qrCode: codeOf(used), scanId: randomUUID(), ...device }
  await must(mark(checker, scan))
  await mark(checker, { ...scan, scanId: randomUUID() })
  await must(mark(checker, { ...scan, scanId: randomUUID(), admittedOffline: true }))
  await must(admitAtGate(checker, adopted, device))
  const { conflicts } = (await ask(world, 'GET', '/api/admin/gate')).data as { conflicts: { id: string }[] }
  await ask(world, 'POST', `/api/admin/gate/conflicts/${conflicts[0]?.id}/acknowledge`)

  world.clock.set(OVER)
  await close(world, event._id)
  return { world, event, used, checkerScan: scan }
}

test('three years after a closed event its people are anonymous; rows, amounts and later tickets stay', async () => {
  const { world, event, used } = await evening()
  const next = await putOnSale(world, { name: 'Garba Rass 2028', date: '2028-10-12' })
  const [later] = await bought(await world.as('guest', BHAVNA), 2)
  const ila = await world.as('guest', person('Ila'))
  await bought(ila)
  await ask(world, 'DELETE', `/api/admin/users/${await idOf(ila)}`)
  const figures = () => ask(world, 'GET', `/api/admin/analytics/dashboard?event=${event._id}`)
  const sums = 'select count(*) as orders, sum(quantity) as seats, sum(total_paise) as paise from orders'
  world.clock.set('2028-08-01T12:00:00Z')
  const before = { figures: await figures(), sums: await world.sql(sums) }
  for (const trace of TRACES) expect(await everyRow(world)).toContain(trace)
  const links = ['ticket_links', 'link_tickets', 'link_devices']
  const linkRows = async () =>
    (await Promise.all(links.map((table) => world.sql(`select * from ${table}`)))).flat().length
  expect(await linkRows()).toBe(3)

  await onDay(world, '2028-08-23T16:59:59Z')
  expect(await notices(world)).toEqual([])
  await onDay(world, WARNED_FROM)
  const notice = { event: 'Garba Rass 2025', from: DUE, waitsForBackup: false }
  expect(await notices(world)).toEqual([notice])
  world.clock.set('2028-09-15T16:00:00Z')
  await backUp(world)
  await onDay(world, '2028-09-22T16:59:59Z')
  expect(await notices(world)).toEqual([notice])
  await onDay(world, DUE)
  expect(await notices(world)).toEqual([{ ...notice, waitsForBackup: true }])
  expect(world.log.join('')).toContain('no backup of the last 7 days')
  expect(await everyRow(world)).toContain('radha@example.org')
  await backUp(world)
  await onDay(world, DUE)

  const left = await everyRow(world)
  expect(left).toContain(used._id)
  for (const trace of TRACES) expect(left).not.toContain(trace)
  expect(await linkRows()).toBe(0)
  expect(await notices(world)).toEqual([])
  expect({ figures: await figures(), sums: await world.sql(sums) }).toEqual({
    ...before,
    figures: {
      ...before.figures,
      data: expect.objectContaining(pick(before.figures.data, ['revenue', 'tickets', 'event'])),
    },
  })
  const { tickets } = await ask(world, 'GET', `/api/admin/tickets/management?event=${event._id}&search=erased`)
  expect((tickets as Ticket[]).map(({ status }) => status).toSorted()).toEqual([
    ...['active', 'active', 'active', 'active'],
    'cancelled',
    'used',
    'used',
  ])
  expect(tickets).toContainEqual(
    expect.objectContaining({ status: 'cancelled', price: 249, isRefundDone: true, cancellationReason: 'Erased' }),
  )

  const bhavna = await world.as('guest', BHAVNA)
  const { tickets: hers } = await must(bhavna.request('GET', '/api/tickets/my-tickets'))
  expect(hers).toMatchObject([
    { eventName: 'Garba Rass 2028' },
    { _id: expect.any(String), user: { name: 'Bhavna Shah' } },
  ])
  expect((hers as Ticket[]).map(({ _id }) => _id)).toContain(later._id)
  const trail = await ask(world, 'GET', '/api/admin/audit?action=user.deleted&search=ila@example.org')
  expect(trail.rows).toHaveLength(1)
  const found = await ask(world, 'GET', `/api/admin/tickets/management?event=${next._id}&search=bhavna`)
  expect(found.tickets).toHaveLength(2)
  expect((await ask(world, 'GET', '/api/admin/audit?action=event.anonymous')).rows).toMatchObject([
    {
      actorName: 'The daily job',
      subject: event._id,
      subjectName: 'Garba Rass 2025',
      detail: 'Tickets kept as numbers: 7; accounts removed: 2',
    },
  ])

  await onDay(world, '2028-09-23T17:00:00Z')
  expect((await ask(world, 'GET', '/api/admin/audit?action=event.anonymous')).rows).toHaveLength(1)
})

test('those who worked at the evening keep their accounts, and their names leave its records', async () => {
  const { world, event } = await evening()
  await onDay(world, WARNED_FROM)
  world.clock.set(DUE)
  await backUp(world)
  await runRetention(world.deps)
  const records = await Promise.all([
    ...['tickets', 'scans', 'conflicts', 'refusals'].map((table) =>
      world.sql(`select * from ${table} where event_id = ?`, event._id),
    ),
    world.sql("select * from audit where event_id = ? and action <> 'event.anonymous'", event._id),
    world.sql('select * from devices'),
  ])
  for (const rows of records) expect(rows).not.toEqual([])
  for (const trace of ['Chetan', 'Pixel', 'Asha', 'uid-']) expect(JSON.stringify(records)).not.toContain(trace)
  for (const staff of await world.sql("select id from users where role <> 'guest'"))
    expect(JSON.stringify(records)).not.toContain(staff.id)
  const checker = await world.as('qrchecker')
  expect(await must(checker.request('GET', '/api/auth/me'))).toMatchObject({ user: { name: 'Chetan Checker' } })
  expect(await ask(world, 'GET', `/api/admin/gate?event=${event._id}`)).toMatchObject({
    data: {
      admitted: 2,
      conflicts: [{ first: { checkerName: 'Erased person' } }],
      refusals: { byCode: [{ count: 1 }] },
    },
  })
})

testOnSqlite('a phone that asks once more gets its first answer, without the names', async () => {
  const { world, checkerScan, used } = await evening()
  await onDay(world, WARNED_FROM)
  world.clock.set(DUE)
  await backUp(world)
  await runRetention(world.deps)
  expect(await must(mark(await world.as('qrchecker'), checkerScan))).toMatchObject({
    outcome: 'admitted',
    ticket: { _id: used._id, status: 'used', user: { name: 'Erased person' }, scannedBy: { name: 'Erased person' } },
  })
})

testOnSqlite(
  'an event that is long over but was never closed, or whose warning nobody could see, keeps its people',
  async () => {
    const world = await makeWorld()
    const event = await putOnSale(world)
    await bought(await world.as('guest', person('Nisha')))
    const isKnown = async () => (await everyRow(world)).includes('nisha@example.org')
    world.clock.set('2029-01-01T00:00:00Z')
    await backUp(world)
    await runRetention(world.deps)
    expect([await isKnown(), await notices(world)]).toEqual([true, []])

    await close(world, event._id)
    await onDay(world, '2029-01-02T00:00:00Z')
    const from = '2029-02-01T00:00:00.000Z'
    expect(await notices(world)).toEqual([{ event: 'Garba Rass 2025', from, waitsForBackup: false }])
    world.clock.set('2029-01-31T23:59:59Z')
    await backUp(world)
    await runRetention(world.deps)
    expect(await isKnown()).toBe(true)
    await onDay(world, from)
    expect(await isKnown()).toBe(false)
  },
)

testOnSqlite('an event on 29 February keeps the others of its site from nothing, and is due on the 28th', async () => {
  const world = await makeWorld()
  const { _id: id } = await putOnSale(world)
  await world.sql("update events set date = '2024-02-29'")
  await close(world, id)
  await onDay(world, '2027-02-01T00:00:00Z')
  expect(await notices(world)).toMatchObject([{ from: expect.stringMatching(/^2027-03-03/) }])
})

test('the job runs once the server listens and every day from then on', async () => {
  const { world } = await evening()
  const { store, settings, publicUrl, log } = world.deps
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date(WARNED_FROM) })
  const stopping = new AbortController()
  try {
    // A demo asks nobody for keys.
    const given = { store, settings: { ...settings, demo: true }, publicUrl, log, stopping: stopping.signal }
    const { listening } = await openApp(given)
    const warned = 'select people_warned_at as at from events'
    // One that cannot listen must leave all work to the server that has its port.
    for (let write = 0; write < 20; write += 1) await backUp(world)
    expect(await world.sql(warned)).toEqual([{ at: null }])
    listening()
    await vi.waitFor(async () => expect(await world.sql(warned)).toEqual([{ at: expect.any(Number) }]), PATIENCE)
    vi.setSystemTime(new Date(DUE))
    world.clock.set(DUE)
    await backUp(world)
    vi.advanceTimersByTime(86_400_000)
    await vi.waitFor(async () => expect(await everyRow(world)).not.toContain('radha@example.org'), PATIENCE)
  } finally {
    stopping.abort()
    vi.useRealTimers()
  }
}, 60_000)

const pick = (data: unknown, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, (data as Record<string, unknown>)[key]]))

test('after 30 days what the provider sent is kept without its words, and after three years buyers and sellers are gone', async () => {
  const world = await payingWorld()
  const { data } = await must(world.nobody.request('GET', '/api/event'))
  const radha = await world.as('guest', { uid: 'uid-radha', email: 'radha@example.org', name: 'Radha Patel' })
  const { code } = await ordered(radha)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [ticket] = (await orderOf(radha, code)).tickets
  await must(radha.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'My mother is ill' }))
  await settleMoney(world)
  // Never paid, so that no ticket leads to them.
  await ordered(await world.as('guest', TARA))
  const sale = { quantity: 1, method: 'card', name: 'Kamlesh Desai', phone: '+919800000000', reason: 'Her sister' }
  await must((await world.as('admin')).request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  const statement = {
    csv: 'Date,Narration,Credit\n08/08/2025,UPI RADHA Kamlesh Desai,299',
    mapping: { date: 0, description: 1, amount: 2 },
  }
  const { lines } = await must((await world.as('admin')).request('POST', '/api/admin/statements', statement))
  const [line] = lines as { id: string }[]
  await must(
    (await world.as('admin')).request('PATCH', `/api/admin/statements/${line?.id}`, { aside: 'Kamlesh Desai, rent' }),
  )
  const [order] = (await world.sql('select id from orders limit 1')) as { id: string }[]
  for (const [id, kind, orderId] of [
    ['01K50000000000000000000000', 'unknown', 'null'],
    ['01K50000000000000000000001', 'phoneEnded', `'${order?.id}'`],
    ['01K50000000000000000000002', 'noSeat', `'${order?.id}'`],
  ] as const) {
    const detail = kind === 'unknown' ? 'pay_1 plink_1' : BLOCK.phoneEnded(1, 'Tara Mehta')
    await world.sql(`insert into attention (id, kind, dedupe_key, order_id, amount_paise, detail, created_at)
      values ('${id}', '${kind}', '${kind}:1', ${orderId}, 29900, '${detail}', ${world.clock.now().getTime()})`)
    await ask(world, 'POST', `/api/admin/attention/${id}/resolve`, { resolution: 'Given to Kamlesh Desai' })
  }
  const bodies = async () => JSON.stringify(await world.sql('select body from provider_events'))
  const since = world.clock.now().getTime()
  await onDay(world, new Date(since + 30 * 86_400_000 - 1).toISOString())
  expect(await bodies()).toContain('radha@example.org')
  await onDay(world, new Date(since + 30 * 86_400_000).toISOString())
  expect(await bodies()).not.toContain('radha')

  world.clock.set(OVER)
  await moneyRound(world.deps)
  await close(world, (data as { _id: string })._id)
  const money = () => world.sql('select id, state, total_paise from orders order by id')
  const before = await money()
  await onDay(world, WARNED_FROM)
  world.clock.set(DUE)
  await backUp(world)
  await runRetention(world.deps)
  const tables = ['orders', 'payments', 'refunds', 'tickets', 'attention', 'provider_events', 'jobs', 'statement_lines']
  const left = JSON.stringify([
    ...(await Promise.all(tables.map((table) => world.sql(`select * from ${table}`)))),
    await world.sql("select * from audit where event_id is not null and action like 'order.%'"),
    await world.sql("select * from audit where action in ('ticket.sold', 'order.attention')"),
  ])
  for (const trace of [...TRACES, 'adha', '98000', 'Asha']) expect(left).not.toContain(trace)
  expect(await money()).toEqual(before)
})

testOnSqlite('a guest of a long past event who is paying for the next one gets what they pay for', async () => {
  const world = await payingWorld()
  const { data } = await must(world.nobody.request('GET', '/api/event'))
  const pay = async (code: string) => {
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
  }
  await pay((await ordered(await world.as('guest', TARA))).code)
  world.clock.set(OVER)
  await moneyRound(world.deps)
  await close(world, (data as { _id: string })._id)
  await onDay(world, WARNED_FROM)
  await putOnSale(world, { name: 'Garba Rass 2028', date: '2028-10-12' })
  world.clock.set(DUE)
  const tara = await world.as('guest', TARA)
  const { code } = await ordered(tara)
  await backUp(world)
  await runRetention(world.deps)
  expect(await world.sql('select buyer_name as name from tickets')).toEqual([{ name: 'Erased person' }])
  await pay(code)
  const { tickets } = await must(tara.request('GET', '/api/tickets/my-tickets'))
  expect(tickets).toMatchObject([{ eventName: 'Garba Rass 2028', user: { name: 'Tara Mehta' } }])
})
