import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { codeOf } from '../errorCode.ts'
import type { PaymentSettings, RazorpaySettings } from '../settings/paymentSettings.ts'
import {
  type Fact,
  type LinkRequest,
  LOW_BALANCE,
  NOT_FOUND,
  type PaymentProvider,
  ProviderBusy,
  type ProviderEvent,
  ProviderRefused,
  type Providers,
  ProviderUnavailable,
  type RefundFact,
  type RefundRequest,
  type Settled,
} from './provider.ts'

/**
 * Razorpay refuses links with less than 15 minutes to live, by its own clock; the extra minute covers the transfer and
 * clocks that differ.
 */
const SHORTEST_LIFE_MS = 16 * 60_000
const SETTLED_PAGE = 1000
/** Razorpay lists at most this many at once. */
const LIST_PAGE = 100

/** The configured providers. The demo's is the same client with the double's address and keys. */
export function providersOf(settings: PaymentSettings, deps: CallDeps & { now: () => Date }): Providers {
  if (!settings.razorpay) return {}
  const name = settings.guest.includes('demo') ? 'demo' : 'razorpay'
  return { [name]: razorpay(settings.razorpay, deps) }
}

/**
 * Payments through Razorpay's Payment Links (razorpay.com/docs/api/payments/payment-links): they expire, can be
 * cancelled, and need no Razorpay script on the site's pages. The demo's double has the same API at another address.
 */
export function razorpay(settings: RazorpaySettings, deps: CallDeps & { now: () => Date }): PaymentProvider {
  const call = razorpayHttp(settings, deps)
  return {
    start: (request) => start(call, request, deps.now()),
    find: async (code) => {
      const link = await linkOf(call, code)
      return link && { url: link.short_url, ref: link.id }
    },
    codeOf: async (ref) => (await linkAt(call, ref))?.reference_id ?? null,
    cancel: (ref) => cancel(call, ref),
    look: (ref) => look(call, ref),
    parseEvent: (rawBody, headers) => readEvent(settings.webhookSecret, rawBody, headers),
    refundsOf: async (paymentId) => (await refundsOf(call, paymentId)).map(factOfRefund),
    refund: (request) => refund(call, request),
    since: (from) => since(call, from),
    settled: (day) => settled(call, day),
  }
}

/**
 * Razorpay refuses a second link for the same code; the first one, whose answer may have been lost, is then looked up.
 */
async function start(call: Call, request: LinkRequest, now: Date): Promise<{ url: string; ref: string }> {
  const expiresAt = Math.max(request.expiresAt.getTime(), now.getTime() + SHORTEST_LIFE_MS)
  try {
    const link = await call({
      path: '/v1/payment_links',
      body: {
        amount: request.paise,
        currency: 'INR',
        accept_partial: false,
        reference_id: request.code,
        description: request.description,
        customer: request.buyer,
        expire_by: Math.ceil(expiresAt / 1000),
        // The server notifies the guest itself.
        notify: { sms: false, email: false },
        reminder_enable: false,
        callback_url: request.returnUrl,
        callback_method: 'get',
      },
      answer: linkSchema,
    })
    return { url: link.short_url, ref: link.id }
  } catch (error) {
    const refused = error instanceof ProviderRefused
    // Only the description distinguishes this refusal from others.
    if (refused && !/reference_id.*already exists/is.test(error.message)) throw error
    const link = await linkOf(call, request.code).catch(() => null)
    if (!link) throw error
    if (link.amount !== request.paise)
      throw new ProviderRefused('REFERENCE_TAKEN', 'Another amount has this reference.')
    return { url: link.short_url, ref: link.id }
  }
}

/** Compares the reference too, in case the filter is ignored: another order's link must never be used. */
async function linkOf(call: Call, code: string): Promise<Link | null> {
  const query = new URLSearchParams({ reference_id: code })
  const { payment_links } = await call({ path: `/v1/payment_links?${query}`, answer: linksSchema })
  return payment_links.find((link) => link.reference_id === code) ?? null
}

const pathOf = (ref: string) => `/v1/payment_links/${encodeURIComponent(ref)}`

/** Null for a link that Razorpay does not know. */
async function linkAt(call: Call, ref: string): Promise<Link | null> {
  try {
    return await call({ path: pathOf(ref), answer: linkSchema })
  } catch (error) {
    if (error instanceof ProviderRefused && error.code === NOT_FOUND) return null
    throw error
  }
}

async function cancel(call: Call, ref: string): Promise<void> {
  try {
    await call({ path: `${pathOf(ref)}/cancel`, body: {}, answer: linkSchema })
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    // Only links that wait for a payment can be cancelled.
    const link = await linkAt(call, ref)
    if (link?.status === 'created') throw error
  }
}

const paymentPath = (id: string) => `/v1/payments/${encodeURIComponent(id)}`

interface List<A> {
  path: string
  query?: Readonly<Record<string, string>>
  entry: z.ZodType<A>
  page?: number
}

/** All entries of a list, which Razorpay returns page by page. */
async function* entriesOf<A>(call: Call, { path, query, entry, page = LIST_PAGE }: List<A>): AsyncGenerator<A> {
  for (let skip = 0; ; skip += page) {
    const search = new URLSearchParams({ ...query, count: String(page), skip: String(skip) })
    const { items } = await call({ path: `${path}?${search}`, answer: collectionOf(entry) })
    yield* items
    if (items.length < page) return
  }
}

const refundsOf = (call: Call, paymentId: string): Promise<Refund[]> =>
  Array.fromAsync(entriesOf(call, { path: `${paymentPath(paymentId)}/refunds`, entry: refundSchema }))

/**
 * The header makes a key pay only once. The receipt carries the key too, because every answer and event contains it.
 */
async function refund(call: Call, { paymentId, paise, key }: RefundRequest): Promise<RefundFact> {
  try {
    return factOfRefund(
      await call({
        path: `${paymentPath(paymentId)}/refund`,
        // The body must be the same in every retry, or Razorpay refuses it.
        body: { amount: paise, speed: 'normal', receipt: key },
        headers: { 'x-refund-idempotency': key },
        answer: refundSchema,
      }),
    )
  } catch (error) {
    // By then Razorpay has forgotten the header, but not the receipt.
    if (!(error instanceof ProviderRefused) || !/duplicate receipt/i.test(error.message)) throw error
    const made = (await refundsOf(call, paymentId)).find(({ receipt }) => receipt === key)
    if (!made) throw error
    return factOfRefund(made)
  }
}

async function look(call: Call, ref: string): Promise<Fact[]> {
  const link = await linkAt(call, ref)
  if (!link) return []
  const payments = await paymentsOf(call, link)
  const facts: Fact[] = payments.flatMap((payment) => factOfPayment(payment, ref) ?? [])
  for (const { id, status } of payments) {
    if (status !== 'captured' && status !== 'refunded') continue
    facts.push(...(await refundsOf(call, id)).map(factOfRefund))
  }
  if (link.status === 'cancelled' || link.status === 'expired') facts.push({ type: 'linkDead', ref, why: link.status })
  return facts
}

/**
 * A link lists only its successful payments; its order, which exists after the first attempt to pay, lists the others
 * too.
 */
async function paymentsOf(call: Call, link: Link): Promise<Payment[]> {
  const order = link.order_id
  const tried = order
    ? (await call({ path: `/v1/orders/${encodeURIComponent(order)}/payments`, answer: collectionOf(paymentSchema) }))
        .items
    : []
  const known = new Set(tried.map(({ id }) => id))
  const others = await Array.fromAsync(
    (link.payments ?? []).filter(({ payment_id }) => !known.has(payment_id)),
    ({ payment_id }) => call({ path: paymentPath(payment_id), answer: paymentSchema }),
  )
  return [...tried, ...others]
}

async function since(call: Call, from: Date): Promise<Fact[]> {
  const facts: Fact[] = []
  const query = { from: String(Math.floor(from.getTime() / 1000)) }
  for await (const payment of entriesOf(call, { path: '/v1/payments', query, entry: paymentSchema })) {
    const ref = refOf(payment)
    const fact = ref && factOfPayment(payment, ref)
    if (fact) facts.push(fact)
    if (fact && (payment.amount_refunded ?? 0) > 0) facts.push(...(await refundsOf(call, payment.id)).map(factOfRefund))
  }
  return facts
}

async function settled(call: Call, day: string): Promise<Settled[]> {
  const [year = '', month = '', date = ''] = z.iso.date().parse(day).split('-')
  const found: Settled[] = []
  const query = { year, month, day: date }
  const list = { path: '/v1/settlements/recon/combined', query, entry: settledSchema, page: SETTLED_PAGE }
  // Transfers and adjustments concern only the account.
  for await (const { type, entity_id: id, amount: paise, fee: feePaise, settled, settlement_id } of entriesOf(
    call,
    list,
  ))
    if ((type === 'payment' || type === 'refund') && settled && settlement_id)
      found.push({ type, id, paise, feePaise, settlementId: settlement_id })
  return found
}

/** The parts of Razorpay's answers and events that are used. Amounts are whole paise, times are in seconds. */
const paise = z.int().nonnegative()
const moment = z.int().transform((seconds) => new Date(seconds * 1000))

const linkSchema = z.object({
  id: z.string().min(1),
  amount: paise,
  status: z.string(),
  short_url: z.url({ protocol: /^https?$/ }),
  reference_id: z.string().nullish(),
  order_id: z.string().nullish(),
  /** Lists only the successful ones; null before the first. */
  payments: z.array(z.object({ payment_id: z.string() })).nullish(),
})
type Link = z.output<typeof linkSchema>

/** Unlike other lists, this one is not called `items`. */
const linksSchema = z.object({ payment_links: z.array(linkSchema) })

const paymentSchema = z.object({
  id: z.string().min(1),
  amount: paise,
  status: z.string(),
  /** Includes tax; null until the capture. */
  fee: paise.nullish(),
  amount_refunded: paise.nullish(),
  description: z.string().nullish(),
  error_reason: z.string().nullish(),
  created_at: moment,
})
type Payment = z.output<typeof paymentSchema>

const refundSchema = z.object({
  id: z.string().min(1),
  payment_id: z.string(),
  amount: paise,
  status: z.string(),
  receipt: z.string().nullish(),
})
type Refund = z.output<typeof refundSchema>

const settledSchema = z.object({
  entity_id: z.string(),
  type: z.string(),
  amount: paise,
  fee: paise,
  settled: z.boolean(),
  settlement_id: z.string().nullish(),
})

const collectionOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item) })

/** Null while an attempt to pay has no outcome. A refunded payment was captured before. */
function factOfPayment(payment: Payment, ref: string): Fact | null {
  const { id: paymentId, amount, status } = payment
  if (status === 'captured' || status === 'refunded')
    return { type: 'captured', ref, paymentId, paise: amount, feePaise: payment.fee ?? null, at: payment.created_at }
  if (status === 'authorized') return { type: 'pending', ref, paymentId, paise: amount }
  if (status === 'failed') return { type: 'failed', ref, paymentId, reason: payment.error_reason ?? null }
  return null
}

function factOfRefund({ id, payment_id, amount, status, receipt }: Refund): RefundFact {
  const state = status === 'processed' ? 'done' : status === 'failed' ? 'failed' : 'sent'
  return { type: 'refund', key: receipt ?? null, refundId: id, paymentId: payment_id, paise: amount, state }
}

/**
 * The link of a payment. The payment's own events and lists carry only the link's id, in the description:
 * "#ExjpAUN3gVHrPJ".
 */
function refOf({ description }: Payment): string | null {
  const id = /^#([A-Za-z0-9]+)$/.exec(description ?? '')?.[1]
  return id ? `plink_${id}` : null
}

const entity = <S extends z.ZodType>(schema: S) => z.object({ entity: schema }).optional()
const eventSchema = z.object({
  event: z.string(),
  payload: z.object({
    payment_link: entity(z.object({ id: z.string().min(1) })),
    payment: entity(paymentSchema),
    refund: entity(refundSchema),
  }),
})
type Payload = z.output<typeof eventSchema>['payload']

/** The signature covers the raw body and uses the webhook's own secret (razorpay.com/docs/webhooks/validate-test). */
export function readEvent(secret: string, rawBody: Uint8Array, headers: Headers): ProviderEvent | null {
  if (!isSigned(secret, rawBody, headers.get('x-razorpay-signature') ?? '')) return null
  // Every delivery of an event has the same id, and the same body.
  const id = headers.get('x-razorpay-event-id') || createHash('sha256').update(rawBody).digest('hex')
  const event = eventSchema.safeParse(json(new TextDecoder().decode(rawBody))).data
  if (!event) return { id, kind: 'unknown', facts: [] }
  return { id, kind: event.event, facts: factsOf(event.event, event.payload) }
}

/** Signatures are compared as text: decoding hexadecimal would ignore anything after a whole signature. */
function isSigned(secret: string, rawBody: Uint8Array, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function factsOf(kind: string, { payment_link, payment, refund }: Payload): Fact[] {
  if ((kind === 'payment_link.cancelled' || kind === 'payment_link.expired') && payment_link)
    return [
      { type: 'linkDead', ref: payment_link.entity.id, why: kind === 'payment_link.expired' ? 'expired' : 'cancelled' },
    ]
  if (/^(payment_link\.(partially_)?paid|payment\.(authorized|captured|failed))$/.test(kind) && payment) {
    const ref = payment_link?.entity.id ?? refOf(payment.entity)
    const fact = ref ? factOfPayment(payment.entity, ref) : null
    return fact ? [fact] : []
  }
  if (/^refund\.(created|processed|failed)$/.test(kind) && refund) {
    const fact = factOfRefund(refund.entity)
    // Razorpay's sample of `refund.created` has the status "processed", but only `refund.processed` means that the
    // money is on its way back.
    return [kind === 'refund.created' && fact.state === 'done' ? { ...fact, state: 'sent' } : fact]
  }
  return []
}

/** Short, because a guest waits for the link. If the answer is late, the next query gets it. */
const TIMEOUT_MS = 5_000

export interface CallDeps {
  /** Defaults to the global one. */
  fetch?: typeof globalThis.fetch
}

interface ApiRequest<A> {
  path: string
  /** A request with a body is a POST. */
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  answer: z.ZodType<A>
}

/** Throws ProviderUnavailable or ProviderRefused, whose messages contain no keys and no data that was sent. */
export type Call = <A>(request: ApiRequest<A>) => Promise<A>

export function razorpayHttp(
  { apiUrl, keyId, keySecret }: RazorpaySettings,
  { fetch = globalThis.fetch }: CallDeps,
): Call {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  return async ({ path, body, headers, answer }) => {
    const method = body ? 'POST' : 'GET'
    // The query is left out, because it may name an order.
    const what = `${method} ${path.split('?')[0]}`
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // The keys must not follow a redirect to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      // Only the code is kept, because the error itself may quote the request.
      throw new ProviderUnavailable(`${what}: ${error instanceof Error ? error.name : 'no answer'}`, codeOf(error))
    })
    const text = await response.text().catch(() => '')
    if (!response.ok) throw failure(what, response.status, json(text))
    const parsed = answer.safeParse(json(text))
    if (parsed.success) return parsed.data
    const where = parsed.error.issues[0]?.path.join('.')
    throw new ProviderUnavailable(`${what}: unexpected answer${where ? ` at ${where}` : ''}`)
  }
}

/** Undefined if it is not JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Statuses after which a retry may succeed: 401 and 403 mean keys that an operator must fix, 409 that the same request
 * is still being processed.
 */
const ASK_AGAIN = [401, 403, 408, 409, 425]
const TOO_MANY = 429

const errorSchema = z.object({
  error: z.object({ code: z.string().nullish(), description: z.string().nullish() }),
})

function failure(what: string, status: number, body: unknown): ProviderUnavailable | ProviderRefused {
  if (status === TOO_MANY) return new ProviderBusy(`${what}: ${status}`)
  const problem = errorSchema.safeParse(body).data?.error
  // A proxy in between may answer 4xx with its own page. A 404 has no description.
  if (status >= 500 || status < 400 || ASK_AGAIN.includes(status) || (!problem && status !== 404))
    return new ProviderUnavailable(`${what}: ${status}`)
  const description = (problem?.description ?? 'no description').replace(/\S+@\S+/g, '…').slice(0, 200)
  const code = codeFor(status, description) ?? problem?.code ?? String(status)
  return new ProviderRefused(code, `${what}: ${status} ${description}`)
}

/** Razorpay's own codes do not distinguish these. */
function codeFor(status: number, description: string): string | null {
  if (status === 404 || /id provided does not exist/i.test(description)) return NOT_FOUND
  return /enough balance|insufficient balance/i.test(description) ? LOW_BALANCE : null
}
