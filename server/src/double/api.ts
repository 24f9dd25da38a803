import { Hono } from 'hono'
import * as z from 'zod'
import type { Bank } from './bank.ts'
import type { Link } from './records.ts'
import { Refused } from './refused.ts'
import { linkJson, paymentJson, refundJson, settledPaymentJson, settledRefundJson } from './shapes.ts'

const SETTLED_AFTER_MS = 2 * 24 * 3600 * 1000
const IST_MS = 5.5 * 3600 * 1000

const linkAsked = z.object({
  amount: z.int().min(100),
  currency: z.literal('INR'),
  reference_id: z.string().min(1).max(40),
  description: z.string().max(2048).default(''),
  customer: z.object({ name: z.string().optional(), email: z.string().optional() }).default({}),
  expire_by: z.int(),
  callback_url: z.url({ protocol: /^https?$/ }),
  callback_method: z.literal('get'),
})
const refundAsked = z.object({ amount: z.int().optional(), receipt: z.string().max(40).nullish() })
const IDEMPOTENCY_KEY = /^[\w-]{10,}$/

interface ApiOptions {
  keyId: string
  keySecret: string
  now: () => Date
  pageUrl: (link: Link) => string
}

/** The part of the provider's API that the client uses, with the same paths, answers and refusals. */
export function makeApi(bank: Bank, { keyId, keySecret, now, pageUrl }: ApiOptions): Hono {
  const api = new Hono()
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const json = (link: Link) => linkJson(link, pageUrl(link))
  const list = <T>(items: T[]) => ({ entity: 'collection', count: items.length, items })

  api.use(async (c, next) => {
    if (c.req.header('authorization') !== authorization) throw new Refused(401, 'Authentication failed')
    bank.tick()
    await next()
  })
  api.notFound((c) => c.json(errorJson('The requested URL was not found on the server.'), 400))
  api.onError((error, c) => {
    if (error instanceof Refused) return c.json(errorJson(error.message), error.status)
    if (error instanceof z.ZodError) {
      const [issue] = error.issues
      return c.json(errorJson(`${issue?.path.join('.')}: ${issue?.message}`), 400)
    }
    throw error
  })

  api.post('/payment_links', async (c) => {
    const asked = linkAsked.parse(await c.req.json())
    const link = bank.create({
      paise: asked.amount,
      reference: asked.reference_id,
      description: asked.description,
      customer: asked.customer,
      callbackUrl: asked.callback_url,
      expiresAt: asked.expire_by * 1000,
    })
    return c.json(json(link))
  })
  api.get('/payment_links', (c) => c.json({ payment_links: bank.linksOf(c.req.query('reference_id')).map(json) }))
  api.get('/payment_links/:id', (c) => c.json(json(bank.link(c.req.param('id')))))
  api.post('/payment_links/:id/cancel', (c) => c.json(json(bank.cancel(c.req.param('id')))))
  api.get('/orders/:id/payments', (c) => c.json(list(bank.paymentsOfOrder(c.req.param('id')).map(paymentJson))))
  api.get('/payments', (c) => {
    const { from = '0', count = '10', skip = '0' } = c.req.query()
    const all = bank.paymentsSince(Number(from) * 1000)
    return c.json(list(all.slice(Number(skip), Number(skip) + Number(count)).map(paymentJson)))
  })
  api.get('/payments/:id', (c) => c.json(paymentJson(bank.payment(c.req.param('id')))))
  api.get('/payments/:id/refunds', (c) => {
    const { count = '10', skip = '0' } = c.req.query()
    const { refunds } = bank.payment(c.req.param('id'))
    return c.json(list(refunds.slice(Number(skip), Number(skip) + Number(count)).map(refundJson)))
  })
  api.post('/payments/:id/refund', async (c) => {
    const { amount, receipt } = refundAsked.parse(await c.req.json())
    const key = c.req.header('x-refund-idempotency') ?? null
    if (key !== null && !IDEMPOTENCY_KEY.test(key)) throw new Refused(400, 'The idempotency key is invalid')
    const asked = { paymentId: c.req.param('id'), paise: amount, key, receipt: receipt ?? null }
    return c.json(refundJson(bank.refund(asked)))
  })
  api.get('/settlements/recon/combined', (c) => {
    const { year, month, day, count = '10', skip = '0' } = c.req.query()
    const isAsked = (at: number) =>
      at <= now().getTime() && new Date(at + IST_MS).toISOString().startsWith(`${year}-${month}-${day}T`)
    const paidOut = (at: number | null) => (at ?? 0) + SETTLED_AFTER_MS
    const payments = bank
      .captured()
      .filter(({ capturedAt }) => isAsked(paidOut(capturedAt)))
      .map((payment) => settledPaymentJson(payment, paidOut(payment.capturedAt)))
    const refunds = bank
      .refunded()
      .filter(({ processedAt }) => isAsked(paidOut(processedAt)))
      .map((refund) => settledRefundJson(refund, paidOut(refund.processedAt)))
    const all = [...payments, ...refunds]
    return c.json(list(all.slice(Number(skip), Number(skip) + Number(count))))
  })
  return api
}

const errorJson = (description: string) => ({
  error: { code: 'BAD_REQUEST_ERROR', description, metadata: {}, reason: null, source: null, step: null },
})
