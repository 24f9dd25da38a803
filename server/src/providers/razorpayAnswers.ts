import * as z from 'zod'
import type { Fact, RefundFact } from './provider.ts'

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
