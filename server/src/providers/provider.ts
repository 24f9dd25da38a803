import type { LinkProvider } from '@garba/shared/contracts/names'
import * as z from 'zod'

/** `key` is the idempotency key of our request; null for a refund made at the provider's own dashboard. */
const refundFactSchema = z.object({
  type: z.literal('refund'),
  key: z.string().nullable(),
  refundId: z.string(),
  paymentId: z.string(),
  paise: z.int(),
  state: z.enum(['sent', 'done', 'failed']),
})
export type RefundFact = z.output<typeof refundFactSchema>

const capturedSchema = z.object({
  type: z.literal('captured'),
  ref: z.string(),
  paymentId: z.string(),
  paise: z.int(),
  feePaise: z.int().nullable(),
  at: z.coerce.date(),
})
/** The money is reserved or on its way; it may still be captured, even days later. */
const pendingSchema = z.object({
  type: z.literal('pending'),
  ref: z.string(),
  paymentId: z.string(),
  paise: z.int(),
})
const failedSchema = z.object({
  type: z.literal('failed'),
  ref: z.string(),
  paymentId: z.string(),
  reason: z.string().nullable(),
})
/** The link can no longer be paid. */
const linkDeadSchema = z.object({ type: z.literal('linkDead'), ref: z.string(), why: z.enum(['cancelled', 'expired']) })

/**
 * A provider's statement about one payment or refund, in the same form from every source: a webhook, the return to our
 * page, or a question. Facts may come twice and in any order. `ref` is the provider's id of the payment link,
 * `paymentId` that of one payment made through it. The schema reads them from a stored job, where dates are text.
 */
export const factSchema = z.discriminatedUnion('type', [
  capturedSchema,
  pendingSchema,
  failedSchema,
  linkDeadSchema,
  refundFactSchema,
])
export type Fact = z.output<typeof factSchema>

/** A request to pay for an order. */
export interface PaymentAsked {
  /** The order's code: a second start for the same code returns the first one's link. */
  code: string
  paise: number
  /** One line for the payer to read. */
  description: string
  buyer: { name: string; email: string }
  /** The link stops working then. */
  expiresAt: Date
  /** The payer is sent back to this address. */
  returnUrl: string
}

export interface RefundAsked {
  paymentId: string
  paise: number
  /** 10 to 40 letters, digits, hyphens or underscores. */
  key: string
}

export interface ProviderEvent {
  /** The provider's id of the event, the same at each delivery. */
  id: string
  /** The provider's name for the event, such as "payment.captured". */
  kind: string
  facts: Fact[]
}

/**
 * Money that has reached the organiser's bank account, or was taken from it. `id` is that of the payment or the refund.
 */
export interface Settled {
  type: 'payment' | 'refund'
  id: string
  /** The amount the guest paid or got back, before the fee. */
  paise: number
  feePaise: number
  settlementId: string
}

/**
 * A payment provider. Every call may take seconds and is never made inside a read or write of the store. Each throws
 * ProviderUnavailable when it got no usable answer and its outcome is unknown, and ProviderRefused when the provider
 * said no.
 */
export interface PaymentProvider {
  start: (asked: PaymentAsked) => Promise<{ url: string; ref: string }>
  /** The link made for an order, if any: its first answer may have been lost. */
  find: (code: string) => Promise<{ url: string; ref: string } | null>
  /** The code of the order that a link was made for; null if there is no such link. */
  codeOf: (ref: string) => Promise<string | null>
  /**
   * Makes the link unusable; also resolves when it was already dead, or when the provider does not know it, as after a
   * change of keys. A link that is paid stays paid: `look` shows that.
   */
  cancel: (ref: string) => Promise<void>
  /**
   * Everything the provider knows of a link now: its payments, their refunds, and whether it is dead. Empty for an
   * unknown link.
   */
  look: (ref: string) => Promise<Fact[]>
  /**
   * Null when the signature is wrong. Events of other kinds have no facts, nor have those about payments made without a
   * link: an account may serve other shops too.
   */
  parseEvent: (rawBody: Uint8Array, headers: Headers) => ProviderEvent | null
  /** Every refund of a payment, including failed ones. */
  refundsOf: (paymentId: string) => Promise<RefundFact[]>
  /** Asks for a refund; the same key never pays twice. Resolves with its state so far. */
  refund: (asked: RefundAsked) => Promise<RefundFact>
  /** Every payment made through a link since a moment, with refunds: a restored database may lack them. */
  since: (from: Date) => Promise<Fact[]>
  /** The settlements of a day (YYYY-MM-DD, in the provider's time zone). */
  settled: (day: string) => Promise<Settled[]>
}

export type Providers = Partial<Record<LinkProvider, PaymentProvider>>

/**
 * There was no usable answer: the network, a timeout, or an error of the provider's own. The call may or may not have
 * been carried out.
 */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
  /** The network's code, where the provider was not reached. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** The provider answers, but limits the number of calls: callers with many questions should pause. */
export class ProviderBusy extends ProviderUnavailable {
  override name = 'ProviderBusy'
}

/** The code of a refund that is refused until more money comes in; no other refusal is worth a retry. */
export const LOW_BALANCE = 'LOW_BALANCE'

/** The code of a refusal because the provider does not know the id. */
export const NOT_FOUND = 'NOT_FOUND'

/** The provider understood the request and refused it. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  /** LOW_BALANCE, NOT_FOUND, or the provider's own code, such as "BAD_REQUEST_ERROR". */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
