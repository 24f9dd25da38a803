import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@garba/shared/constants'
import * as z from 'zod'
import type { PaymentSettings, RazorpaySettings } from '../settings/paymentSettings.ts'
import {
  type Fact,
  type LinkRequest,
  LOW_BALANCE,
  NOT_FOUND,
  type PaymentProvider,
  type ProviderEvent,
  ProviderRefused,
  type Providers,
  ProviderUnavailable,
  type RefundFact,
  type RefundRequest,
  type SettledMoney,
} from './provider.ts'
import { type Call, type CallDeps, razorpayHttp, readJson } from './razorpayHttp.ts'

/**
 * Razorpay refuses links with less than 15 minutes to live, by its own clock; the extra minute covers the transfer and
 * clocks that differ.
 */
const SHORTEST_LIFE_MS = 16 * MINUTE_MS
const SETTLED_PAGE = 1000
const LIST_PAGE = 100

/** The configured providers. The demo's is the same client with the double's address and keys. */
export function makeProviders(settings: PaymentSettings, deps: CallDeps & { now: () => Date }): Providers {
  if (!settings.razorpay) return {}
  const name = settings.guest.includes('demo') ? 'demo' : 'razorpay'
  return { [name]: makeRazorpay(settings.razorpay, deps) }
}

/**
 * Payments through Razorpay's Payment Links (razorpay.com/docs/api/payments/payment-links): they expire, can be
 * cancelled, and need no Razorpay script on the site's pages. The demo's double has the same API at another address.
 */
export function makeRazorpay(settings: RazorpaySettings, deps: CallDeps & { now: () => Date }): PaymentProvider {
  const call = razorpayHttp(settings, deps)
  return {
    start: (request) => start(call, request, deps.now()),
    find: async (code) => {
      const link = await findLinkByCode(call, code)
      return link && { url: link.short_url, ref: link.id }
    },
    codeOf: async (ref) => (await linkAt(call, ref))?.reference_id ?? null,
    cancel: (ref) => cancel(call, ref),
    fetchLinkFacts: (ref) => fetchLinkFacts(call, ref),
    parseEvent: (rawBody, headers) => parseProviderEvent(settings.webhookSecret, rawBody, headers),
    refundsOf: async (paymentId) => (await fetchRefunds(call, paymentId)).map(factOfRefund),
    refund: (request) => refund(call, request),
    since: (from) => since(call, from),
    readBalance: () => readBalance(call),
    fetchSettledMoney: (day) => fetchSettledMoney(call, day),
  }
}

/**
 * Razorpay refuses a second link for the same code; the first link, whose answer may have been lost, is then looked up.
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
        customer: buildCustomer(request.buyer),
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
    const link = await findLinkByCode(call, request.code).catch(() => null)
    if (!link) throw error
    if (link.amount !== request.paise)
      throw new ProviderRefused('REFERENCE_TAKEN', 'Another amount has this reference.')
    return { url: link.short_url, ref: link.id }
  }
}

/**
 * Razorpay refuses a link for a name of fewer than 3 or more than 50 characters, or with any other character
 * (razorpay.com/docs/api/customers); the name only fills in its form.
 */
function buildCustomer({ name, email }: LinkRequest['buyer']): { name?: string; email?: string } {
  const allowed = [...name.normalize('NFKC').replace(/[^A-Za-z0-9 .'/@()]/g, ' ')].join('')
  const fitting = allowed.replace(/ +/g, ' ').trim().slice(0, 50).trim()
  return { ...(fitting.length < 3 ? {} : { name: fitting }), ...(email === '' ? {} : { email }) }
}

/** Compares the reference too, in case the filter is ignored: another order's link must never be used. */
async function findLinkByCode(call: Call, code: string): Promise<Link | null> {
  const query = new URLSearchParams({ reference_id: code })
  const { payment_links } = await call({ path: `/v1/payment_links?${query}`, answer: linksSchema })
  return payment_links.find((link) => link.reference_id === code) ?? null
}

const buildLinkPath = (ref: string) => `/v1/payment_links/${encodeURIComponent(ref)}`

async function linkAt(call: Call, ref: string): Promise<Link | null> {
  try {
    return await call({ path: buildLinkPath(ref), answer: linkSchema })
  } catch (error) {
    if (error instanceof ProviderRefused && error.code === NOT_FOUND) return null
    throw error
  }
}

async function cancel(call: Call, ref: string): Promise<void> {
  try {
    await call({ path: `${buildLinkPath(ref)}/cancel`, body: {}, answer: linkSchema })
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

async function* iterateEntries<A>(call: Call, { path, query, entry, page = LIST_PAGE }: List<A>): AsyncGenerator<A> {
  for (let skip = 0; ; skip += page) {
    const search = new URLSearchParams({ ...query, count: String(page), skip: String(skip) })
    const { items } = await call({ path: `${path}?${search}`, answer: buildCollectionSchema(entry) })
    yield* items
    if (items.length < page) return
  }
}

const fetchRefunds = (call: Call, paymentId: string): Promise<Refund[]> =>
  Array.fromAsync(iterateEntries(call, { path: `${paymentPath(paymentId)}/refunds`, entry: refundSchema }))

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
    if (!(error instanceof ProviderRefused)) throw error
    // This is also how Razorpay refuses a refund that the balance cannot cover.
    if (/invalid request sent/i.test(error.message)) throw new ProviderRefused(LOW_BALANCE, error.message)
    // By then Razorpay has forgotten the header, but not the receipt.
    if (!/duplicate receipt/i.test(error.message)) throw error
    const made = (await fetchRefunds(call, paymentId)).find(({ receipt }) => receipt === key)
    if (!made) throw error
    return factOfRefund(made)
  }
}

async function fetchLinkFacts(call: Call, ref: string): Promise<Fact[]> {
  const link = await linkAt(call, ref)
  if (!link) return []
  const payments = await fetchLinkPayments(call, link)
  const facts: Fact[] = payments.flatMap((payment) => factOfPayment(payment, ref, link) ?? [])
  for (const payment of payments)
    if (isCaptured(payment)) facts.push(...(await fetchRefunds(call, payment.id)).map(factOfRefund))
  if (link.status === 'cancelled' || link.status === 'expired') facts.push({ type: 'linkDead', ref, why: link.status })
  return facts
}

/**
 * A link lists only its successful payments; its order, which exists after the first attempt to pay, lists the others
 * too.
 */
async function fetchLinkPayments(call: Call, link: Link): Promise<Payment[]> {
  const order = link.order_id
  const tried = order
    ? (
        await call({
          path: `/v1/orders/${encodeURIComponent(order)}/payments`,
          answer: buildCollectionSchema(paymentSchema),
        })
      ).items
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
  for await (const payment of iterateEntries(call, { path: '/v1/payments', query, entry: paymentSchema })) {
    const ref = findLinkRef(payment)
    const fact = ref && factOfPayment(payment, ref)
    if (fact) facts.push(fact)
    if (fact && isCaptured(payment) && (payment.amount_refunded ?? 0) > 0)
      facts.push(...(await fetchRefunds(call, payment.id)).map(factOfRefund))
  }
  return facts
}

/** Accounts without the call, or without the right to it, get null. */
async function readBalance(call: Call): Promise<number | null> {
  try {
    const { balance, refund_credits: credits = 0 } = await call({ path: '/v1/balance', answer: balanceSchema })
    return balance + (credits ?? 0)
  } catch (error) {
    if (error instanceof ProviderRefused) return null
    throw error
  }
}

async function fetchSettledMoney(call: Call, day: string): Promise<SettledMoney[]> {
  const [year = '', month = '', date = ''] = z.iso.date().parse(day).split('-')
  const found: SettledMoney[] = []
  const query = { year, month, day: date }
  const list = { path: '/v1/settlements/recon/combined', query, entry: z.unknown(), page: SETTLED_PAGE }
  // Transfers, adjustments and rows that are not settled yet concern only the account, and may have any form.
  for await (const row of iterateEntries(call, list)) {
    if (!ourRowSchema.safeParse(row).success) continue
    const read = settledSchema.safeParse(row)
    if (!read.success) throw new ProviderUnavailable(`settlements: unexpected row at ${read.error.issues[0]?.path}`)
    const { type, entity_id: id, amount: paise, fee: feePaise, settlement_id: settlementId } = read.data
    found.push({ type, id, paise, feePaise, settlementId })
  }
  return found
}

/** The parts of Razorpay's answers and events that are used. Amounts are whole paise, times are in seconds. */
const paise = z.int().nonnegative()
const moment = z.int().transform((seconds) => new Date(seconds * 1000))

const balanceSchema = z.object({ balance: z.int(), refund_credits: z.int().nullish() })

const linkSchema = z.object({
  id: z.string().min(1),
  amount: paise,
  status: z.string(),
  short_url: z.url({ protocol: /^https?$/ }),
  reference_id: z.string().nullish(),
  order_id: z.string().nullish(),
  /** Lists only the successful payments; null before the first. */
  payments: z.array(z.object({ payment_id: z.string() })).nullish(),
})
type Link = z.output<typeof linkSchema>

/** Unlike other lists, this one is not called `items`. */
const linksSchema = z.object({ payment_links: z.array(linkSchema) })

const paymentSchema = z.object({
  id: z.string().min(1),
  amount: paise,
  status: z.string(),
  /** False for good if Razorpay gave back an authorised payment by itself. */
  captured: z.boolean().nullish(),
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

const ourRowSchema = z.object({
  type: z.enum(['payment', 'refund']),
  settled: z.literal(true),
  settlement_id: z.string().min(1),
})
const settledSchema = ourRowSchema.extend({ entity_id: z.string(), amount: paise, fee: paise })

const buildCollectionSchema = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item) })

/**
 * An authorised payment that Razorpay gives back by itself (late, or for an order that is paid) is refunded without ever
 * having been captured (razorpay.com/docs/payments/refunds/auto-refunds).
 */
const isCaptured = ({ status, captured }: Payment): boolean =>
  status === 'captured' || (status === 'refunded' && captured !== false)

/**
 * What a payment is worth: its link's amount, if a fee on the payer makes it larger, or an offer smaller and the link is
 * paid by it alone.
 */
function computePaymentWorth(
  { amount }: Payment,
  link: Pick<Link, 'amount' | 'status' | 'payments'> | undefined,
): number {
  if (!link) return amount
  const isOnly = link.status === 'paid' && (link.payments ?? []).length <= 1
  return amount > link.amount || isOnly ? link.amount : amount
}

/** Null while an attempt to pay has no outcome. */
function factOfPayment(
  payment: Payment,
  ref: string,
  link?: Pick<Link, 'amount' | 'status' | 'payments'>,
): Fact | null {
  const { id: paymentId, amount, status, fee = null } = payment
  if (isCaptured(payment)) {
    const paise = computePaymentWorth(payment, link)
    const charged = paise === amount ? {} : { chargedPaise: amount }
    const feePaise = fee === null ? null : Math.max(0, fee - Math.max(0, amount - paise))
    return { type: 'captured', ref, paymentId, paise, ...charged, feePaise, at: payment.created_at }
  }
  if (status === 'refunded') return { type: 'failed', ref, paymentId, reason: 'auto_refunded' }
  if (status === 'authorized') return { type: 'pending', ref, paymentId, paise: amount }
  if (status === 'failed') return { type: 'failed', ref, paymentId, reason: payment.error_reason ?? null }
  return null
}

function factOfRefund({ id, payment_id, amount, status, receipt }: Refund): RefundFact {
  const state = status === 'processed' ? 'done' : status === 'failed' || status === 'reversed' ? 'failed' : 'sent'
  return { type: 'refund', key: receipt ?? null, refundId: id, paymentId: payment_id, paise: amount, state }
}

/**
 * The link of a payment. The payment's own events and lists carry only the link's id, in the description:
 * "#ExjpAUN3gVHrPJ".
 */
function findLinkRef({ description }: Payment): string | null {
  const id = /^#([A-Za-z0-9]+)$/.exec(description ?? '')?.[1]
  return id ? `plink_${id}` : null
}

const entity = <S extends z.ZodType>(schema: S) => z.object({ entity: schema }).optional()
const eventSchema = z.object({
  event: z.string(),
  payload: z.object({
    payment_link: entity(
      linkSchema.pick({ id: true, payments: true }).extend({ amount: paise.nullish(), status: z.string().nullish() }),
    ),
    payment: entity(paymentSchema),
    refund: entity(refundSchema),
  }),
})
type Payload = z.output<typeof eventSchema>['payload']

/** The signature covers the raw body and uses the webhook's own secret (razorpay.com/docs/webhooks/validate-test). */
export function parseProviderEvent(secret: string, rawBody: Uint8Array, headers: Headers): ProviderEvent | null {
  if (!isSigned(secret, rawBody, headers.get('x-razorpay-signature') ?? '')) return null
  // Every delivery of an event has the same id, and the same body.
  const id = headers.get('x-razorpay-event-id') || createHash('sha256').update(rawBody).digest('hex')
  const event = eventSchema.safeParse(readJson(new TextDecoder().decode(rawBody))).data
  if (!event) return { id, kind: 'unknown', facts: [] }
  return { id, kind: event.event, facts: buildProviderFacts(event.event, event.payload) }
}

/** Signatures are compared as text: decoding hexadecimal would ignore anything after a whole signature. */
function isSigned(secret: string, rawBody: Uint8Array, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function buildProviderFacts(kind: string, { payment_link, payment, refund }: Payload): Fact[] {
  if ((kind === 'payment_link.cancelled' || kind === 'payment_link.expired') && payment_link)
    return [
      { type: 'linkDead', ref: payment_link.entity.id, why: kind === 'payment_link.expired' ? 'expired' : 'cancelled' },
    ]
  if (/^(payment_link\.(partially_)?paid|payment\.(authorized|captured|failed))$/.test(kind) && payment) {
    const ref = payment_link?.entity.id ?? findLinkRef(payment.entity)
    const { amount, status = '', payments } = payment_link?.entity ?? {}
    const link = amount == null ? undefined : { amount, status: status ?? '', payments }
    const fact = ref ? factOfPayment(payment.entity, ref, link) : null
    return fact ? [fact] : []
  }
  if (/^refund\.(created|processed|failed|reversed)$/.test(kind) && refund) {
    if (payment && !isCaptured(payment.entity)) return []
    const fact = factOfRefund(refund.entity)
    // Razorpay's sample of `refund.created` says "processed", but only `refund.processed` means money on its way back.
    return [kind === 'refund.created' && fact.state === 'done' ? { ...fact, state: 'sent' } : fact]
  }
  return []
}
