import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { Fact, ProviderEvent } from './provider.ts'
import { factOfPayment, factOfRefund, paymentSchema, refOf, refundSchema } from './razorpayAnswers.ts'

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
