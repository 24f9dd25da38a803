import { DAY_MS, HOUR_MS } from '@garba/shared/constants'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import {
  type Bank,
  type BankEvent,
  computeFee,
  computeFeeTax,
  type Link,
  type Payment,
  type Refund,
  Refused,
  sumRefunded,
} from './bank.ts'

const SETTLED_AFTER_MS = 2 * DAY_MS
const IST_MS = 5.5 * HOUR_MS

const linkRequest = z.object({
  amount: z.int().min(100),
  currency: z.literal('INR'),
  reference_id: z.string().min(1).max(40),
  description: z.string().max(2048).default(''),
  customer: z.object({ name: z.string().optional(), email: z.string().optional() }).default({}),
  expire_by: z.int(),
  callback_url: z.url({ protocol: /^https?$/ }),
  callback_method: z.literal('get'),
})
const refundRequest = z.object({ amount: z.int().optional(), receipt: z.string().max(40).nullish() })
const IDEMPOTENCY_KEY = /^[\w-]{10,}$/

interface ApiOptions {
  keyId: string
  keySecret: string
  now: () => Date
  pageUrl: (link: Link) => string
}

export function makeApi(bank: Bank, { keyId, keySecret, now, pageUrl }: ApiOptions): Hono {
  const api = new Hono()
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const json = (link: Link) => linkJson(link, pageUrl(link))
  const list = <T>(items: T[]) => ({ entity: 'collection', count: items.length, items })
  const pageOf = <T>(c: Context, all: T[]) => {
    const { count = '10', skip = '0' } = c.req.query()
    return c.json(list(all.slice(Number(skip), Number(skip) + Number(count))))
  }

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
    const request = linkRequest.parse(await c.req.json())
    const link = bank.create({
      paise: request.amount,
      reference: request.reference_id,
      description: request.description,
      customer: request.customer,
      callbackUrl: request.callback_url,
      expiresAt: request.expire_by * 1000,
    })
    return c.json(json(link))
  })
  api.get('/payment_links', (c) => c.json({ payment_links: bank.linksOf(c.req.query('reference_id')).map(json) }))
  api.get('/payment_links/:id', (c) => c.json(json(bank.link(c.req.param('id')))))
  api.post('/payment_links/:id/cancel', (c) => c.json(json(bank.cancel(c.req.param('id')))))
  api.get('/orders/:id/payments', (c) => c.json(list(bank.paymentsOfOrder(c.req.param('id')).map(paymentJson))))
  api.get('/payments', (c) => {
    const { from = '0' } = c.req.query()
    return pageOf(c, bank.paymentsSince(Number(from) * 1000).map(paymentJson))
  })
  api.get('/payments/:id', (c) => c.json(paymentJson(bank.payment(c.req.param('id')))))
  api.get('/payments/:id/refunds', (c) => pageOf(c, bank.payment(c.req.param('id')).refunds.map(refundJson)))
  api.post('/payments/:id/refund', async (c) => {
    const { amount, receipt } = refundRequest.parse(await c.req.json())
    const key = c.req.header('x-refund-idempotency') ?? null
    if (key !== null && !IDEMPOTENCY_KEY.test(key)) throw new Refused(400, 'The idempotency key is invalid')
    const request = { paymentId: c.req.param('id'), paise: amount, key, receipt: receipt ?? null }
    return c.json(refundJson(bank.refund(request)))
  })
  api.get('/balance', (c) => c.json({ balance: bank.balance(), refund_credits: 0 }))
  api.get('/settlements/recon/combined', (c) => {
    const { year, month, day } = c.req.query()
    const isRequested = (at: number) =>
      at <= now().getTime() && new Date(at + IST_MS).toISOString().startsWith(`${year}-${month}-${day}T`)
    const paidOut = (at: number | null) => (at ?? 0) + SETTLED_AFTER_MS
    const payments = bank
      .captured()
      .filter(({ capturedAt }) => isRequested(paidOut(capturedAt)))
      .map((payment) => settledPaymentJson(payment, paidOut(payment.capturedAt)))
    const refunds = bank
      .refunded()
      .filter(({ processedAt }) => isRequested(paidOut(processedAt)))
      .map((refund) => settledRefundJson(refund, paidOut(refund.processedAt)))
    return pageOf<unknown>(c, [...payments, ...refunds])
  })
  return api
}

const errorJson = (description: string) => ({
  error: { code: 'BAD_REQUEST_ERROR', description, metadata: {}, reason: null, source: null, step: null },
})

/** The provider's JSON, with all documented fields this double uses. Times are in seconds. */
const seconds = (ms: number) => Math.floor(ms / 1000)

function linkJson(link: Link, pageUrl: string) {
  const captured = link.payments.filter(({ capturedAt }) => capturedAt !== null)
  return {
    accept_partial: false,
    amount: link.paise,
    amount_paid: captured.reduce((sum, { paise }) => sum + paise, 0),
    callback_method: 'get',
    callback_url: link.callbackUrl,
    cancelled_at: link.status === 'cancelled' ? seconds(link.updatedAt) : 0,
    created_at: seconds(link.createdAt),
    currency: 'INR',
    customer: link.customer,
    description: link.description,
    expire_by: seconds(link.expiresAt),
    expired_at: link.status === 'expired' ? seconds(link.updatedAt) : 0,
    first_min_partial_amount: 0,
    id: link.id,
    notes: null,
    notify: { email: false, sms: false, whatsapp: false },
    // The real provider names the order only after a payment attempt.
    ...(link.payments.length > 0 ? { order_id: link.orderId } : {}),
    payments:
      captured.length === 0
        ? null
        : captured.map((payment) => ({
            amount: payment.paise,
            created_at: seconds(payment.createdAt),
            method: 'upi',
            payment_id: payment.id,
            plink_id: link.id,
            status: 'captured',
            updated_at: seconds(payment.capturedAt ?? payment.createdAt),
          })),
    reference_id: link.reference,
    reminder_enable: false,
    reminders: [],
    short_url: pageUrl,
    status: link.status,
    updated_at: seconds(link.updatedAt),
    upi_link: false,
    user_id: '',
  }
}

function paymentJson(payment: Payment) {
  const { link, paise, capturedAt, errorReason } = payment
  const refunded = sumRefunded(payment)
  const failed = payment.status === 'failed'
  return {
    id: payment.id,
    entity: 'payment',
    amount: paise,
    currency: 'INR',
    status: payment.status,
    order_id: link.orderId,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded === paise ? 'full' : 'partial',
    captured: capturedAt !== null,
    description: `#${link.id.replace('plink_', '')}`,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: 'guest@upi',
    email: link.customer.email ?? 'void@razorpay.com',
    contact: '+919999999999',
    notes: [],
    fee: capturedAt === null ? null : computeFee(paise) + computeFeeTax(paise),
    tax: capturedAt === null ? null : computeFeeTax(paise),
    error_code: failed ? 'BAD_REQUEST_ERROR' : null,
    error_description: failed ? 'Payment was unsuccessful due to a temporary issue.' : null,
    error_source: failed ? 'gateway' : null,
    error_step: failed ? 'payment_response' : null,
    error_reason: errorReason,
    created_at: seconds(payment.createdAt),
  }
}

function refundJson(refund: Refund) {
  return {
    id: refund.id,
    entity: 'refund',
    amount: refund.paise,
    currency: 'INR',
    payment_id: refund.payment.id,
    notes: [],
    receipt: refund.receipt,
    acquirer_data: { arn: null },
    created_at: seconds(refund.createdAt),
    batch_id: null,
    status: refund.status,
    speed_processed: 'normal',
    speed_requested: 'normal',
  }
}

/** An event as webhooks carry it: a snapshot, made when it happened. */
export function eventJson(happening: BankEvent, pageUrl: (link: Link) => string, at: Date) {
  const entities: Record<string, unknown> = {}
  if ('payment' in happening) entities.payment = paymentJson(happening.payment)
  if ('refund' in happening) {
    entities.refund = refundJson(happening.refund)
    entities.payment = paymentJson(happening.refund.payment)
  }
  if ('link' in happening) entities.payment_link = linkJson(happening.link, pageUrl(happening.link))
  return {
    entity: 'event',
    account_id: 'acc_Double00000000',
    event: happening.kind,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
    created_at: seconds(at.getTime()),
  }
}

const settlement = (at: number) => ({
  settled: true,
  settled_at: seconds(at),
  settlement_id: `setl_${seconds(at)}`,
  settlement_utr: `${seconds(at)}double`,
  currency: 'INR',
  on_hold: false,
})

function settledPaymentJson(payment: Payment, at: number) {
  const { paise, link } = payment
  const { orderId } = link
  const fee = computeFee(paise) + computeFeeTax(paise)
  return {
    entity_id: payment.id,
    type: 'payment',
    debit: 0,
    credit: paise - fee,
    amount: paise,
    fee,
    tax: computeFeeTax(paise),
    payment_id: null,
    order_id: orderId,
    ...settlement(at),
  }
}

function settledRefundJson(refund: Refund, at: number) {
  return {
    entity_id: refund.id,
    type: 'refund',
    debit: refund.paise,
    credit: 0,
    amount: refund.paise,
    fee: 0,
    tax: 0,
    payment_id: refund.payment.id,
    order_id: refund.payment.link.orderId,
    ...settlement(at),
  }
}
