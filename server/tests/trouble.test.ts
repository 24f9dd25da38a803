import dns from 'node:dns'
import { isIP } from 'node:net'
import { DAY_MS } from '@garba/shared/constants'
import type { Order } from '@garba/shared/contracts/order'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDouble } from '../src/double/main.ts'
import { runJobs } from '../src/flows/money/upkeep/jobs.ts'
import { moneyRound } from '../src/flows/money/upkeep/keepMoney.ts'
import { makeProviders } from '../src/providers/razorpay.ts'
import { BEGINNING, makeClock } from '../src/testing/clock.ts'
import { DOUBLE_SETTINGS } from '../src/testing/double.ts'
import { makeMailServer } from '../src/testing/mailServer.ts'
import { minutesPass, orderOf, payingWorld, place } from '../src/testing/money.ts'
import { person } from '../src/testing/scenes.ts'
import type { Client, World } from '../src/testing/world.ts'

const GUESTS = 60
const ORDER = { quantity: 1, provider: 'razorpay' }

/** What goes wrong around the server, and what puts it right. The server itself is not started again. */
const TROUBLES: Record<string, { begin: (world: World) => void; end: (world: World) => void; status: number }> = {
  'the disk is full': {
    begin: (world) => {
      const { sqlite } = world.sqliteStore()
      sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
    },
    end: (world) => void world.sqliteStore().sqlite.pragma('max_page_count = 1073741823'),
    status: 503,
  },
  'the database is read-only': {
    begin: (world) => void world.sqliteStore().sqlite.pragma('query_only = 1'),
    end: (world) => void world.sqliteStore().sqlite.pragma('query_only = 0'),
    status: 503,
  },
  'the clock is a day ahead': {
    begin: ({ clock }) => clock.forward(DAY_MS),
    end: ({ clock }) => clock.forward(-DAY_MS),
    status: 401,
  },
  'the clock is a day behind': {
    begin: ({ clock }) => clock.forward(-DAY_MS),
    end: ({ clock }) => clock.forward(DAY_MS),
    status: 401,
  },
}

test.each(Object.entries(TROUBLES))(
  'while %s a guest reads the reason, and buys afterwards without a restart',
  async (_, trouble) => {
    const world = await payingWorld()
    const guests = await Promise.all(Array.from({ length: GUESTS }, (_, n) => world.as('guest', person(`Guest${n}`))))
    trouble.begin(world)
    // Until the last free page of the file is full.
    let told = { status: 201, body: {} as Record<string, unknown> }
    while (told.status === 201 && guests.length > 1) told = await place(guests.shift() as Client, ORDER)
    const { status, body } = told
    expect({ status, code: body.code }).toEqual({ status: trouble.status, code: expect.stringMatching(/^[A-Z_]+$/) })
    expect(body.message).toMatch(/^[A-Z][^{}<>]{10,}\.$/)
    expect(body.message).not.toMatch(/SQLITE|ENOTFOUND|fetch|undefined/)
    trouble.end(world)
    expect(await place(guests.pop() as Client, ORDER)).toMatchObject({ status: 201 })
  },
)

/** No name is answered; later those under .invalid lead to this machine. Node's own ways to ask are replaced. */
function nameService(): { answers: boolean } {
  const service = { answers: false }
  const { lookup } = dns
  const unknown = (name: string) => Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  const asked = (name: string, options: dns.LookupOptions, tell: (...told: unknown[]) => void) => {
    if (isIP(name) !== 0) return lookup(name, options, tell as never)
    if (!service.answers) return setImmediate(tell, unknown(name))
    if (!name.endsWith('.invalid')) return lookup(name, options, tell as never)
    const found = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4]
    return setImmediate(tell, null, ...found)
  }
  const resolved = (name: string, tell: (...told: unknown[]) => void) =>
    setImmediate(tell, service.answers ? null : unknown(name), ['127.0.0.1'])
  vi.spyOn(dns, 'lookup').mockImplementation(asked as never)
  vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation(resolved as never)
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation(resolved as never)
  onTestFinished(() => void vi.restoreAllMocks())
  return service
}

test('while no name is answered a guest reads the reason and no mail is lost; afterwards both go on without a restart', async () => {
  const names = nameService()
  const mail = await makeMailServer()
  const SMTP_URL = mail.smtpUrl.replace('127.0.0.1', 'mail.garba.invalid')
  const webhookUrl = () => 'http://127.0.0.1:9'
  const now = makeClock(BEGINNING).now
  const double = await startDouble({ ...DOUBLE_SETTINGS, port: 0, seed: 'names', now, webhookUrl })
  onTestFinished(double.close)
  const world = await payingWorld({ settings: { SMTP_URL, MAIL_FROM: 'Garba <tickets@garba.test>' } })
  const apiUrl = double.url.replace('127.0.0.1', 'pay.garba.invalid')
  // Settings take a plain http address only of this machine.
  Object.assign(world.deps.settings.payments.razorpay ?? {}, { apiUrl })
  Object.assign(world.deps.providers, makeProviders(world.deps.settings.payments, { now: world.clock.now }))
  const [guest, admin] = [await world.as('guest'), await world.as('admin')]
  const key = crypto.randomUUID()
  const placed = await place(guest, ORDER, key)
  expect(placed).toMatchObject({ status: 201, body: { order: { state: 'held' } } })
  // Its page then says that the payment could not be opened, and asks again.
  expect(placed.body.order).not.toHaveProperty('payUrl')
  const { body } = await admin.request('POST', '/api/admin/system/checks')
  expect(body.checks).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'Email',
        detail: 'The mail server does not answer (the name is not found from here).',
      }),
      expect.objectContaining({
        name: 'Payments',
        detail: 'Razorpay does not answer (the name is not found from here).',
      }),
    ]),
  )

  names.answers = true
  const { code } = (await place(guest, ORDER, key)).body.order as Order
  expect(await orderOf(guest, code)).toHaveProperty('payUrl')
  double.pay(double.links().find(({ reference }) => reference === code)?.id ?? '')
  await moneyRound(world.deps)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid' })

  names.answers = false
  await runJobs(world.deps, 'mail')
  expect(mail.mails).toEqual([])
  const waiting = "select last_error from jobs where kind = 'mail' and ended_at is null"
  expect(await world.sql(waiting)).toEqual([{ last_error: expect.stringContaining('DNS') }])

  names.answers = true
  await minutesPass(world, 2)
  expect(mail.mails.length).toBeGreaterThan(0)
  expect(await world.sql(waiting)).toEqual([])
})
