import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { BooksLine, Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Moment, startDouble } from '../src/double/main.ts'
import { type Answer, signedIn } from '../src/testing/caller.ts'
import { runServer, temporaryFolder } from '../src/testing/process.ts'
import { eventForm } from '../src/testing/scenes.ts'
import { PAYING } from '../src/testing/world.ts'

const ADMIN = 'admin@garba.test'
const SLOW_MS = 120_000
const PATIENCE = { timeout: 20_000, interval: 50 }

/** A request that waits at the provider: before it is carried out, and then it never is, or before its answer goes back. */
interface Hold {
  moment: Moment
  path: RegExp
  reached: PromiseWithResolvers<void>
  released: PromiseWithResolvers<void>
}

/** A server in a process of its own that can be killed and started again, and the provider in this one. */
async function scene() {
  const folder = temporaryFolder()
  let holds: Hold[] = []
  let url = ''
  const double = await startDouble({
    port: 0,
    keyId: PAYING.RAZORPAY_KEY_ID,
    keySecret: PAYING.RAZORPAY_KEY_SECRET,
    webhookSecret: PAYING.RAZORPAY_WEBHOOK_SECRET,
    webhookUrl: () => `${url}/api/webhooks/razorpay`,
    gate: async (moment, { method, url: asked }) => {
      const hold = holds.find((one) => one.moment === moment && one.path.test(`${method} ${new URL(asked).pathname}`))
      if (!hold) return true
      holds = holds.filter((one) => one !== hold)
      hold.reached.resolve()
      await hold.released.promise
      return false
    },
  })
  onTestFinished(double.close)
  const serve = async () => {
    const run = await runServer({
      ...PAYING,
      PAYMENTS: 'razorpay',
      RAZORPAY_API_URL: double.url,
      DATA_DIR: folder,
      ADMIN_EMAILS: ADMIN,
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
    })
    if (run.url === '') throw new Error(run.stderr())
    url = run.url
    return run
  }
  let running = await serve()
  const held: Hold[] = []
  return {
    double,
    url: () => url,
    /** The next such request waits; resolves once it does. */
    hold: (moment: Moment, path: RegExp): Promise<void> => {
      const hold = { moment, path, reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
      holds.push(hold)
      held.push(hold)
      return hold.reached.promise
    },
    kill: async () => {
      running.child.kill('SIGKILL')
      await running.ended
      holds = []
      for (const { released } of held.splice(0)) released.resolve()
    },
    start: async () => {
      running = await serve()
    },
    /** SQL on the database's file, beside the server or while none runs. */
    sql: <T = Record<string, unknown>>(source: string, ...params: unknown[]): T[] => {
      const database = new Database(join(folder, 'garba.db'))
      try {
        const statement = database.prepare(source)
        if (statement.reader) return statement.all(...params) as T[]
        statement.run(...params)
        return []
      } finally {
        database.close()
      }
    },
  }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** A guest who orders one ticket, again and again with the same key. */
async function guestOf({ url }: Scene, name: string) {
  const send = await signedIn(url(), `${name}@garba.test`)
  const key = randomUUID()
  return {
    order: () => send(url(), '/api/orders', { quantity: 1 }, { 'idempotency-key': key }),
    read: (code: string) => send(url(), `/api/orders/${code}`),
    cancelTicket: async () => {
      const { tickets } = (await send(url(), '/api/tickets/my-tickets')).body as { tickets: Ticket[] }
      return send(url(), `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }, {}, 'PATCH')
    },
  }
}
const codeOf = ({ body }: Answer): string => (body.order as Order).code

test(
  'killed at any moment of an order, the server loses no money and gives nobody tickets twice',
  async () => {
    const it = await scene()
    const { double, sql } = it
    const admin = await signedIn(it.url(), ADMIN)
    const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    expect(await admin(it.url(), '/api/event', eventForm({ date, totalTickets: 20 }))).toMatchObject({ status: 201 })
    const linksOf = (code: string) => double.links().filter(({ reference }) => reference === code)
    const linkOf = (code: string) => linksOf(code)[0]?.id ?? ''
    const states = () => Object.fromEntries(sql<Order>('select code, state from orders').map((o) => [o.code, o.state]))
    const refunds = () => sql('select state from refunds').map(({ state }) => state)
    const balanced = async () => {
      const { books } = (await admin(it.url(), '/api/admin/books')).body as { books: BooksLine[] }
      expect(books.filter(({ ok }) => !ok)).toEqual([])
      expect(sql('select order_id from tickets group by order_id having count(*) > 1')).toEqual([])
    }
    const [ana, bina, chitra, dev, esha, farah, gita] = await Promise.all(
      ['ana', 'bina', 'chitra', 'dev', 'esha', 'farah', 'gita'].map((name) => guestOf(it, name)),
    )
    if (!(ana && bina && chitra && dev && esha && farah && gita)) throw new Error('Somebody is missing')

    // The order is stored and its link not made; and the link is made and its id not stored.
    const cut = it.hold('before', /POST .*payment_links$/)
    const lost = [ana.order().catch(() => null)]
    await cut
    const unheard = it.hold('after', /POST .*payment_links$/)
    lost.push(bina.order().catch(() => null))
    await unheard
    await it.kill()
    expect(await Promise.all(lost)).toEqual([null, null])
    expect([sql('select provider_ref from payments'), double.links().length]).toEqual([
      [{ provider_ref: null }, { provider_ref: null }],
      1,
    ])
    await it.start()
    const [a, b] = [await ana.order(), await bina.order()]
    expect([a, b]).toMatchObject(
      Array(2).fill({ status: 201, body: { order: { state: 'held', payUrl: expect.any(String) } } }),
    )
    const [anas, binas] = [codeOf(a), codeOf(b)]
    expect([linksOf(anas).length, linksOf(binas).length]).toEqual([1, 1])
    await balanced()

    // The money is captured, and no webhook was sent.
    double.setFaults({ lostEvent: 1 })
    double.pay(linkOf(anas))
    await it.kill()
    await it.start()
    await expect.poll(() => states()[anas], PATIENCE).toBe('paid')
    await balanced()
    double.setFaults({ lostEvent: 0 })

    // A refund is requested and not asked for; behind it an event is stored and not applied, and a mail is not sent.
    const chitras = codeOf(await chitra.order())
    const asked = it.hold('before', /POST .*\/refund$/)
    expect(await ana.cancelTicket()).toMatchObject({ status: 200 })
    await asked
    double.pay(linkOf(binas))
    await expect
      .poll(() => sql('select id from provider_events where applied_at is null').length, PATIENCE)
      .toBeGreaterThan(0)
    double.pay(linkOf(chitras))
    expect(await chitra.read(chitras)).toMatchObject({ body: { order: { state: 'paid' } } })
    expect([states()[binas], refunds()]).toEqual(['held', ['asking']])
    await it.kill()
    await it.start()
    await expect.poll(() => [states()[binas], refunds()], PATIENCE).toEqual(['paid', ['done']])
    expect(sql("select id from jobs where id like 'mail:paid:%'")).toHaveLength(3)
    await balanced()

    // The refund is made, and its answer lost.
    const unknown = it.hold('after', /POST .*\/refund$/)
    expect(await bina.cancelTicket()).toMatchObject({ status: 200 })
    await unknown
    const [deva, eshas, farahs, gitas] = [
      codeOf(await dev.order()),
      codeOf(await esha.order()),
      codeOf(await farah.order()),
      codeOf(await gita.order()),
    ]
    await it.kill()
    double.setFaults({ lostEvent: 1 })

    // Holds lapse while money comes: before the link is cancelled, after it, and not at all; and one is not yet over.
    const past = Date.now() - 1_000
    for (const code of [eshas, farahs, gitas]) sql('update orders set hold_until = ? where code = ?', past, code)
    const [before, after] = [
      it.hold('before', new RegExp(`POST .*${linkOf(eshas)}/cancel`)),
      it.hold('after', new RegExp(`POST .*${linkOf(farahs)}/cancel`)),
    ]
    await it.start()
    await Promise.all([before, after])
    double.pay(linkOf(eshas))
    double.pay(linkOf(farahs))
    await expect.poll(() => [states()[gitas], refunds()], PATIENCE).toEqual(['expired', ['done', 'done']])
    expect(linksOf(binas)[0]?.payments[0]?.refunds).toHaveLength(1)
    expect([states()[eshas], states()[farahs]]).toEqual(['held', 'held'])
    await balanced()
    await it.kill()
    await it.start()
    await expect.poll(() => [states()[eshas], states()[farahs]], PATIENCE).toEqual(['paid', 'paid'])
    expect(states()[deva]).toBe('held')
    await balanced()
    expect(sql('select id from attention')).toEqual([])
    // Mails about cancellations wait a minute.
    const open = "select id from jobs where (ended_at is null and id not like 'mail:cancelled:%') or gave_up <> 0"
    await expect.poll(() => sql(open), PATIENCE).toEqual([])
    for (const { payments } of double.links())
      expect(payments.filter(({ capturedAt }) => capturedAt !== null).length).toBeLessThanOrEqual(1)
  },
  SLOW_MS,
)
