import type { LinkProvider } from '@garba/shared/contracts/names'
import * as z from 'zod'

/** `key` is the idempotency key of this server's request; null for a refund made at the provider's own dashboard. */
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
  /** What the payer was charged, if a fee on the payer or an offer makes it another amount. */
  chargedPaise: z.int().optional(),
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
const linkDeadSchema = z.object({ type: z.literal('linkDead'), ref: z.string(), why: z.enum(['cancelled', 'expired']) })

/**
 * A provider's statement about one payment or refund, in the same form from every source: a webhook, the payer's
 * return, or a query. Facts may come twice and in any order. `ref` is the provider's id of the payment link,
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

export interface LinkRequest {
  /** The order's code. A second start with the same code returns the first link. */
  code: string
  paise: number
  description: string
  buyer: { name: string; email: string }
  expiresAt: Date
  returnUrl: string
}

export interface RefundRequest {
  paymentId: string
  paise: number
  /** 10 to 40 letters, digits, hyphens or underscores. */
  key: string
}

export interface ProviderEvent {
  /** The provider's id of the event, the same at each delivery. */
  id: string
  kind: string
  facts: Fact[]
}

/**
 * Money that was paid out to the organiser's bank account, or deducted from a payout. `id` is that of the payment or
 * the refund.
 */
export interface SettledMoney {
  type: 'payment' | 'refund'
  id: string
  /** The amount the guest paid or got back, before the fee. */
  paise: number
  feePaise: number
  settlementId: string
}

/**
 * A payment provider. Every call may take seconds and is never made inside a read or write of the store. Each throws
 * ProviderUnavailable if there was no usable answer and the outcome is unknown, and ProviderRefused if the provider
 * refused.
 */
export interface PaymentProvider {
  start: (request: LinkRequest) => Promise<{ url: string; ref: string }>
  /** The link made for an order, if any, because the answer with it may have been lost. */
  find: (code: string) => Promise<{ url: string; ref: string } | null>
  /** The code of the order that a link was made for; null if there is no such link. */
  codeOf: (ref: string) => Promise<string | null>
  /**
   * Makes the link unusable; also resolves when it was already dead, or when the provider does not know it, as after a
   * change of keys. A paid link stays paid, as `look` shows.
   */
  cancel: (ref: string) => Promise<void>
  /**
   * Everything the provider knows of a link now: its payments, their refunds, and whether it is dead. Empty for an
   * unknown link.
   */
  fetchLinkFacts: (ref: string) => Promise<Fact[]>
  /**
   * Null if the signature is wrong. Events of other kinds, or about payments without a link, have no facts, because the
   * account may also serve other shops.
   */
  parseEvent: (rawBody: Uint8Array, headers: Headers) => ProviderEvent | null
  refundsOf: (paymentId: string) => Promise<RefundFact[]>
  /** Asks for a refund; the same key never pays twice. Resolves with its state so far. */
  refund: (request: RefundRequest) => Promise<RefundFact>
  /** Every payment made through a link since a moment, with its refunds, because a restored database may lack them. */
  since: (from: Date) => Promise<Fact[]>
  /** The money (paise) that refunds can be paid from; null if the provider does not say. */
  readBalance: () => Promise<number | null>
  /** The settlements of a day (YYYY-MM-DD, in the provider's time zone). */
  fetchSettledMoney: (day: string) => Promise<SettledMoney[]>
}

export type Providers = Partial<Record<LinkProvider, PaymentProvider>>

/**
 * There was no usable answer: the network, a timeout, or an error of the provider's own. The call may or may not have
 * been carried out.
 */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
  /** The network's error code, if the provider was not reached. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** The provider answers, but limits the number of calls. Callers with many questions should pause. */
export class ProviderBusy extends ProviderUnavailable {
  override name = 'ProviderBusy'
}

/** The code of a refund that is refused until more money comes in; no other refusal is worth a retry. */
export const LOW_BALANCE = 'LOW_BALANCE'

export const NOT_FOUND = 'NOT_FOUND'

export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
