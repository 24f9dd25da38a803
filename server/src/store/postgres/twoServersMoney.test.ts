import { randomUUID } from 'node:crypto'
import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, onTestFinished, test } from 'vitest'
import { startDouble } from '../../double/main.ts'
import { signedIn } from '../../testing/caller.ts'
import { twoServers } from '../../testing/twoServers.ts'
import { PAYING } from '../../testing/world.ts'

const SLOW_MS = 180_000
const PATIENCE = { timeout: 30_000, interval: 100 }
const GUESTS = 6

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
