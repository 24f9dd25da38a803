import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { Fact, ProviderEvent, RefundFact } from './provider.ts'

/** The parts of Razorpay's answers and events that we read. Amounts are whole paise, times are in seconds. */
const paise = z.int().nonnegative()
const moment = z.int().transform((seconds) => new Date(seconds * 1000))

export const linkSchema = z.object({
  id: z.string().min(1),
  amount: paise,
  status: z.string(),
  short_url: z.url({ protocol: /^https?$/ }),
  reference_id: z.string().nullish(),
  order_id: z.string().nullish(),
  /** Lists only the successful ones; null before the first. */
  payments: z.array(z.object({ payment_id: z.string() })).nullish(),
})
export type Link = z.output<typeof linkSchema>

/** Unlike other lists, this one is not called `items`. */
export const linksSchema = z.object({ payment_links: z.array(linkSchema) })

export const paymentSchema = z.object({
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
export type Payment = z.output<typeof paymentSchema>

export const refundSchema = z.object({
  id: z.string().min(1),
  payment_id: z.string(),
  amount: paise,
  status: z.string(),
  receipt: z.string().nullish(),
})
export type Refund = z.output<typeof refundSchema>

export const settledSchema = z.object({
  entity_id: z.string(),
  type: z.string(),
  amount: paise,
  fee: paise,
  settled: z.boolean(),
  settlement_id: z.string().nullish(),
})

export const collectionOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item) })

/** Null while an attempt to pay has no outcome. A refunded payment was captured before. */
export function factOfPayment(payment: Payment, ref: string): Fact | null {
  const { id: paymentId, amount, status } = payment
  if (status === 'captured' || status === 'refunded')
    return { type: 'captured', ref, paymentId, paise: amount, feePaise: payment.fee ?? null, at: payment.created_at }
  if (status === 'authorized') return { type: 'pending', ref, paymentId, paise: amount }
  if (status === 'failed') return { type: 'failed', ref, paymentId, reason: payment.error_reason ?? null }
  return null
}

export function factOfRefund({ id, payment_id, amount, status, receipt }: Refund): RefundFact {
  const state = status === 'processed' ? 'done' : status === 'failed' ? 'failed' : 'sent'
  return { type: 'refund', key: receipt ?? null, refundId: id, paymentId: payment_id, paise: amount, state }
}

/**
 * The link of a payment. The payment's own events and lists carry only the link's id, in the description:
 * "#ExjpAUN3gVHrPJ".
 */
export function refOf({ description }: Payment): string | null {
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

/** The signature covers the raw body, with the webhook's own secret (razorpay.com/docs/webhooks/validate-test). */
export function readEvent(secret: string, rawBody: Uint8Array, headers: Headers): ProviderEvent | null {
  if (!isSigned(secret, rawBody, headers.get('x-razorpay-signature') ?? '')) return null
  // Every delivery of an event has the same id, and the same body.
  const id = headers.get('x-razorpay-event-id') || createHash('sha256').update(rawBody).digest('hex')
  const event = eventSchema.safeParse(parse(rawBody)).data
  return event
    ? { id, kind: event.event, facts: factsOf(event.event, event.payload) }
    : { id, kind: 'unknown', facts: [] }
}

/** Signatures are compared as text: decoding hexadecimal would ignore anything after a whole signature. */
function isSigned(secret: string, rawBody: Uint8Array, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parse(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(rawBody))
  } catch {
    return null
  }
}

function factsOf(kind: string, { payment_link, payment, refund }: Payload): Fact[] {
  if (kind === 'payment_link.cancelled' && payment_link)
    return [{ type: 'linkDead', ref: payment_link.entity.id, why: 'cancelled' }]
  if (kind === 'payment_link.expired' && payment_link)
    return [{ type: 'linkDead', ref: payment_link.entity.id, why: 'expired' }]
  if (/^(payment_link\.(partially_)?paid|payment\.(authorized|captured|failed))$/.test(kind) && payment) {
    const ref = payment_link?.entity.id ?? refOf(payment.entity)
    const fact = ref ? factOfPayment(payment.entity, ref) : null
    return fact ? [fact] : []
  }
  if (/^refund\.(created|processed|failed)$/.test(kind) && refund) {
    const fact = factOfRefund(refund.entity)
    // The sample of `created` says "processed", but only the event of that name means that the money is on its way
    // back.
    return [kind === 'refund.created' && fact.state === 'done' ? { ...fact, state: 'sent' } : fact]
  }
  return []
}
