import { randomUUID } from 'node:crypto'
import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, onTestFinished, test } from 'vitest'
import { startDouble } from '../../src/double/main.ts'
import { type Answer, type Send, signedIn, tokenOf } from '../../src/testing/caller.ts'
import { eventsOf } from '../../src/testing/events.ts'
import { startPostgres } from '../../src/testing/postgres.ts'
import { codeOf } from '../../src/testing/scenes.ts'
import { ADMIN, twoServers } from '../../src/testing/twoServers.ts'
import { PAYING } from '../../src/testing/world.ts'

/** Several processes start in each, on a machine that may be busy. */
const SLOW_MS = 180_000
const PATIENCE = { timeout: 30_000, interval: 100 }
const GUESTS = 6

const buy = (send: Send, url: string, key: string = randomUUID()) =>
  send(url, '/api/tickets', { quantity: 1 }, { 'idempotency-key': key })
const ticketsOf = ({ body }: Answer) => body.tickets as [Ticket, ...Ticket[]]
const idsOf = (answer: Answer) => ticketsOf(answer).map(({ _id }) => _id)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test(
  "two servers sell the last 50 seats once, admit once, answer one order once, and see each other's changes",
  async () => {
    const { a, b, admin, rows } = await twoServers({ seats: 51 })
    const either = (n: number) => (n % 2 ? a.url : b.url)

    // One order, sent to both.
    const key = randomUUID()
    const answers = await Promise.all(numbers(20).map((n) => buy(admin, either(n), key)))
    expect(new Set(answers.map((answer) => idsOf(answer).join())).size).toBe(1)

    // 200 buyers of the last 50 seats.
    const sales = await Promise.all(numbers(200).map((n) => buy(admin, either(n))))
    const sold = sales.filter(({ status }) => status === 201)
    expect(sold).toHaveLength(50)
    expect(new Set(sold.flatMap(idsOf)).size).toBe(50)
    expect(sales.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
      Array(150).fill('SOLD_OUT'),
    )
    expect(await rows('select count(*)::int as n from tickets')).toEqual([{ n: 51 }])

    // 50 scans of one ticket, while a scanner listens at the one server and the ticket is admitted at either.
    const hangUp = new AbortController()
    onTestFinished(() => hangUp.abort())
    const headers = { authorization: `Bearer ${tokenOf(ADMIN)}` }
    const live = eventsOf(await fetch(`${b.url}/api/scanner/live`, { headers, signal: hangUp.signal }))
    await live.next()
    const [ticket] = ticketsOf(sold[0] as Answer)
    const scan = (url: string) => admin(url, '/api/tickets/mark-used', { qrCode: codeOf(ticket), scanId: randomUUID() })
    const scans = await Promise.all(numbers(50).map((n) => scan(either(n))))
    expect(scans.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(scans.filter(({ body }) => body.code === 'ALREADY_USED')).toHaveLength(49)
    expect(await rows("select outcome from scans where outcome = 'admitted'")).toHaveLength(1)
    const admitted = { event: 'roster', data: { tickets: [{ id: ticket._id, status: 'used' }] } }
    expect((await live.next()).value).toMatchObject(admitted)

    // A scan at the other server comes before a heartbeat, which would bring it as well.
    const [another] = ticketsOf(sold[1] as Answer)
    const elsewhere = await admin(a.url, '/api/tickets/mark-used', { qrCode: codeOf(another) })
    expect(elsewhere).toMatchObject({ status: 200 })
    const announced = { event: 'roster', data: { tickets: [{ id: another._id, status: 'used' }] } }
    expect((await live.next()).value).toMatchObject(announced)
  },
  SLOW_MS,
)

test(
  'a server killed and PostgreSQL crashed in mid-storm lose no answered sale and no answered scan',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)
    const { serve, a, b, admin, rows } = await twoServers({ seats: 5_000, url: postgres.url })
    const early = await Promise.all(numbers(60).map((n) => buy(admin, n % 2 ? a.url : b.url)))
    const tickets = early.map((answer) => ticketsOf(answer)[0])
    const keys = numbers(300).map(() => randomUUID())
    const scanIds = tickets.map(() => randomUUID())

    let answered = 0
    const calm = Promise.withResolvers<void>()
    const troubles = (async () => {
      await calm.promise
      a.child.kill('SIGKILL')
      await postgres.crash()
      const away = await buy(admin, b.url)
      expect(away).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
      expect(away.headers.get('retry-after')).toBe('1')
      expect(await admin(b.url, '/healthz')).toMatchObject({ status: 503 })
      await postgres.start()
    })()
    const sent = async (asked: Promise<Answer>) => {
      const answer = await asked.catch(() => null)
      if (answer !== null && answer.status < 300) answered += 1
      if (answered === 80) calm.resolve()
      return answer !== null && answer.status < 300 ? answer : null
    }
    const sales = keys.map((key, n) => sent(buy(admin, n % 2 ? a.url : b.url, key)))
    const mark = (url: string, n: number) =>
      admin(url, '/api/tickets/mark-used', { qrCode: codeOf(tickets[n] as Ticket), scanId: scanIds[n] })
    const scans = tickets.map((_, n) => sent(mark(n % 2 ? a.url : b.url, n)))
    const before = { sales: await Promise.all(sales), scans: await Promise.all(scans) }
    await troubles
    expect(before.sales).toContain(null)

    // The server that survived it must reconnect by itself; the other one is started again.
    await expect.poll(async () => (await admin(b.url, '/healthz')).status, { timeout: 60_000 }).toBe(200)
    const again = await serve()
    const after = await Promise.all(keys.map((key, n) => buy(admin, n % 2 ? again.url : b.url, key)))
    expect(after.map(({ status }) => status)).toEqual(keys.map(() => 201))
    after.forEach((answer, n) => {
      const first = before.sales[n]
      if (first) expect(idsOf(answer)).toEqual(idsOf(first))
    })
    const marked = await Promise.all(tickets.map((_, n) => mark(n % 2 ? again.url : b.url, n)))
    expect(marked.map(({ status }) => status)).toEqual(tickets.map(() => 200))
    expect(await rows("select count(*)::int as n from scans where outcome = 'admitted'")).toEqual([
      { n: tickets.length },
    ])
    expect(await rows('select count(*)::int as n from tickets')).toEqual([{ n: tickets.length + keys.length }])
    expect(await rows('select taken_seats as n from events')).toEqual([{ n: String(tickets.length + keys.length) }])
  },
  SLOW_MS,
)

test(
  'two servers that hear of the same payments at once make the tickets once and send each refund once',
  async () => {
    let webhooksAt = ''
    const double = await startDouble({
      port: 0,
      keyId: PAYING.RAZORPAY_KEY_ID,
      keySecret: PAYING.RAZORPAY_KEY_SECRET,
      webhookSecret: PAYING.RAZORPAY_WEBHOOK_SECRET,
      webhookUrl: () => `${webhooksAt}/api/webhooks/razorpay`,
    })
    onTestFinished(double.close)
    const settings = { ...PAYING, PAYMENTS: 'razorpay', RAZORPAY_API_URL: double.url }
    const { a, b, admin, rows } = await twoServers({ seats: 50, settings })
    webhooksAt = a.url

    const guests = await Promise.all(
      Array.from({ length: GUESTS }, (_, n) => signedIn(n % 2 ? a.url : b.url, `guest${n}@garba.test`)),
    )
    const codes = await Promise.all(
      guests.map(async (guest, n) => {
        const key = { 'idempotency-key': randomUUID() }
        // The same request at both servers.
        const answers = await Promise.all([a.url, b.url].map((url) => guest(url, '/api/orders', { quantity: 2 }, key)))
        expect(answers.map(({ status }) => status)).toEqual([201, 201])
        const [code, again] = answers.map(({ body }) => (body.order as Order).code)
        expect({ n, code }).toEqual({ n, code: again })
        return code ?? ''
      }),
    )
    expect(double.links()).toHaveLength(GUESTS)

    for (const { id } of double.links()) double.pay(id)
    const paid = async (n: number) =>
      Promise.all(
        [a.url, b.url].map(async (url) => (await guests[n]?.(url, `/api/orders/${codes[n]}`))?.body.order as Order),
      )
    for (let n = 0; n < GUESTS; n += 1)
      await expect.poll(async () => (await paid(n)).map(({ state }) => state), PATIENCE).toEqual(['paid', 'paid'])
    expect(await rows('select count(*)::int as n from tickets')).toEqual([{ n: 2 * GUESTS }])

    await Promise.all(
      guests.map(async (guest, n) => {
        const { body } = await guest(a.url, '/api/tickets/my-tickets')
        const [ticket] = body.tickets as Ticket[]
        const path = `/api/tickets/cancel/${ticket?.id}`
        expect(await guest(n % 2 ? a.url : b.url, path, { reason: 'Away' }, {}, 'PATCH')).toMatchObject({ status: 200 })
      }),
    )
    const states = async () => (await rows<{ state: string }>('select state from refunds')).map(({ state }) => state)
    await expect.poll(states, PATIENCE).toEqual(Array(GUESTS).fill('done'))
    // Each was taken up by one server alone.
    expect(
      await rows("select attempts::int as n, count(*)::int as jobs from jobs where kind = 'refund' group by attempts"),
    ).toEqual([{ n: 1, jobs: GUESTS }])
    const { body } = await admin(b.url, '/api/admin/books')
    expect(body.books).toMatchObject(BOOK_RULES.map((rule) => ({ rule, ok: true })))
  },
  SLOW_MS,
)
