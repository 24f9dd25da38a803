import { join } from 'node:path'
import { RIGHTS } from '@garba/shared/contracts/names'
import { type CallName, PATHS } from '@garba/shared/contracts/paths'
import { READ_ONLY } from '@garba/shared/messages/codes'
import { expect, test } from 'vitest'
import { startMoneyRounds } from '../../src/flows/money/upkeep/keepMoney.ts'
import { watchAddress } from '../../src/flows/recovery/address.ts'
import { takeOverHere } from '../../src/flows/recovery/epoch.ts'
import { keepBackups } from '../../src/flows/recovery/keepBackups.ts'
import { backupOf, replaced, serverOn, takenOver } from '../../src/testing/epochs.ts'
import { makeKnown } from '../../src/testing/fuzz/known.ts'
import { type Actor, type Document, type Plan, plansOf } from '../../src/testing/fuzz/plan.ts'
import { send } from '../../src/testing/fuzz/send.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, ordered, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { bought, buy, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

const REFUSED = { status: 503, body: { code: 'READ_ONLY', message: READ_ONLY.replaced } }

const PUBLIC_URL = 'https://tickets.example.org'

/** Every row but those that the test itself writes beside the server, and what the server keeps of the later epoch. */
async function rows({ sql }: World): Promise<Record<string, unknown[]>> {
  const own = ['users', 'paired_devices', 'meta']
  const tables = await sql("select name from sqlite_master where type = 'table' order by name")
  const names = tables.map(({ name }) => String(name)).filter((name) => !own.includes(name))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await sql(`select * from "${name}"`)])))
}

const NAMES = Object.keys(PATHS) as CallName[]
const READING = new Set<string>(
  NAMES.filter((name) => PATHS[name].method === 'GET' && !/Live|Image|openapi/.test(name)),
)
// The checks of the system ask others, which takes seconds, and write nothing.
const WRITING = new Set<string>(NAMES.filter((name) => PATHS[name].method !== 'GET' && name !== 'systemChecks'))

/** They answer about codes, for each row of a list, or again to a device that has opened the link. */
const WRITES_NOTHING = new Set<string>([
  ...(['logout', 'logError', 'verifyQr', 'verifyGroup', 'openWallet'] satisfies CallName[]),
  ...(['markUsedBatch', 'doorSales', 'offerLost', 'readStatement', 'confirmStatement'] satisfies CallName[]),
])

const requestBy = (actor: Actor): Plan => {
  const address = { call: null, method: 'GET', template: '/api/gates', path: {}, query: [] }
  return { ...address, headers: {}, body: null, actor }
}

test('a server that was replaced changes nothing, whatever call is made, and goes on showing what it has', async () => {
  const world = await makeWorld({ limits: { user: 1e9, address: 1e9, signIn: 1e9, failure: 1e9, manual: 1e9 } })
  await putOnSale(world)
  const document = (await world.nobody.request('GET', '/api/openapi.json')).body as unknown as Document
  const known = makeKnown()
  const sendAll = async (only: Set<string>, { seed, count }: { seed: number; count: number }) => {
    const answers = new Map<string, number[]>()
    for (const plan of plansOf(document, { seed, count, only })) {
      const exchange = await send(world, known, plan)
      if (exchange === null || exchange.answer === 'hangs' || plan.call === null) continue
      const { status, json } = exchange.answer
      if (status >= 500) expect(json).toMatchObject(REFUSED.body)
      answers.set(plan.call, [...(answers.get(plan.call) ?? []), status])
    }
    return (wanted: number) => [...answers].filter(([, statuses]) => statuses.includes(wanted)).map(([call]) => call)
  }
  await sendAll(WRITING, { seed: 14, count: 300 })
  // Phones that later requests are from: none can be paired any more then.
  for (const phone of [...RIGHTS, 'all'] as const) await send(world, known, requestBy({ phone }))
  replaced(world)
  const before = await rows(world)
  const written = await sendAll(WRITING, { seed: 15, count: 500 })
  const read = await sendAll(READING, { seed: 16, count: 250 })
  expect(await rows(world)).toEqual(before)
  expect(written(503).length).toBeGreaterThan(40)
  // A repeated sale gets the answer of the first.
  expect(written(201).filter((call) => call !== 'buyTickets')).toEqual([])
  expect(written(200).filter((call) => !WRITES_NOTHING.has(call))).toEqual([])
  expect(read(503)).toEqual([])
  expect(read(200)).toEqual(expect.arrayContaining(['myTickets', 'roster', 'allTickets', 'health']))
  // Asked without a code, which a random request invents.
  expect(await world.nobody.request('GET', '/api/event')).toMatchObject({ status: 200 })
})

test('a replaced server reports it once in its log, and in every answer about its state', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  await bought(guest)
  expect((await world.nobody.request('GET', '/healthz')).body).not.toHaveProperty('readOnly')
  replaced(world)
  replaced(world)
  expect(await buy(guest, 1)).toMatchObject({ ...REFUSED, headers: expect.anything() })
  expect((await guest.request('GET', '/api/tickets/my-tickets')).body).toMatchObject({ tickets: [{}] })
  expect((await world.nobody.request('GET', '/healthz')).body).toMatchObject({ readOnly: READ_ONLY.replaced })
  expect((await admin.request('GET', '/api/admin/system/health')).body).toMatchObject({
    data: { readOnly: READ_ONLY.replaced, database: { ok: false } },
  })
  expect(world.log.filter((line) => line.includes('read-only'))).toHaveLength(1)
})

test('the old server wakes up: it finds the new one at its address, and changes nothing', async () => {
  const world = await makeWorld({ settings: { PUBLIC_URL } })
  await putOnSale(world)
  const guest = await world.as('guest')
  await bought(guest, 2)
  const backup = backupOf(world)
  await bought(guest)

  world.clock.forward(60_000)
  const fresh = await takenOver(backup, world.deps)
  const askFresh = async (url: string) => fresh.app.request(url.replace(PUBLIC_URL, ''))
  watchAddress(world.deps, { ask: askFresh }).begin()
  expect(await buy(guest, 1)).toMatchObject(REFUSED)

  // Started again, with the name still elsewhere.
  const file = join(world.folder, 'garba.db')
  await world.store.close()
  const again = await serverOn(file, world.deps)
  watchAddress(again.deps, { ask: askFresh }).begin()
  await expect(again.deps.store.write(async () => undefined)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(await (await again.app.request('/healthz')).json()).toMatchObject({ readOnly: READ_ONLY.replaced })
  await again.store.close()

  // With a later takeover the first machine is the right one again.
  world.clock.forward(60_000)
  await takeOverHere(file, world.clock.now())
  const back = await serverOn(file, world.deps)
  expect(back.epoch.number).toBeGreaterThan(fresh.deps.epoch.number)
  const ask = async (url: string) => back.app.request(url.replace(PUBLIC_URL, ''))
  watchAddress(back.deps, { ask }).begin()
  await back.deps.store.write(async () => undefined)
  expect(back.epoch.readOnly()).toBeNull()
})

test.each([
  ['refunds and mails, as long as no other server does', false],
  ['refunds and mails nothing once another server does', true],
])('a server %s', async (_, isReplaced) => {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>', BACKUP_DIR: '/never/there' }
  const world = await payingWorld({ settings })
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [ticket] = (await guest.request('GET', '/api/tickets/my-tickets')).body.tickets as { _id: string }[]
  await guest.request('PATCH', `/api/tickets/cancel/${ticket?._id}`, { reason: 'Away' })
  const mailed = mails.length
  const before = world.double.changes()

  // The mail about a cancellation waits for others within the minute.
  world.clock.forward(60_000)
  if (isReplaced) replaced(world)
  world.log.splice(0)
  const idle = [startMoneyRounds(world.deps), keepBackups(world.deps)]
  for (const done of idle) await done()
  world.stopping.abort()
  const did = { refunds: world.double.changes() > before, mails: mails.length > mailed, log: world.log.length > 0 }
  // There is no such folder for backups, so trying to make one is logged.
  expect(did).toEqual({ refunds: !isReplaced, mails: !isReplaced, log: !isReplaced })
})
