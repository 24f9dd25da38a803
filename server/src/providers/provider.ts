/**
 * What a payment provider says about one payment or refund, in one form whatever way it was learned: by webhook, by the
 * return to our page, or by asking. Facts may come twice and in any order.
 * `ref` is the provider's id of the payment link, `paymentId` that of one payment made through it.
 */
export type Fact =
  | { type: 'captured'; ref: string; paymentId: string; paise: number; feePaise: number | null; at: Date }
  /** The money is reserved or on its way; it may still be captured, even days later. */
  | { type: 'pending'; ref: string; paymentId: string; paise: number }
  | { type: 'failed'; ref: string; paymentId: string; reason: string | null }
  /** Nobody can pay through the link any more. */
  | { type: 'linkDead'; ref: string; why: 'cancelled' | 'expired' }
  | RefundFact

/** `key` is the idempotency key the refund was asked with; null for one made at the provider's own dashboard. */
export interface RefundFact {
  type: 'refund'
  key: string | null
  refundId: string
  paymentId: string
  paise: number
  state: 'sent' | 'done' | 'failed'
}

/** What somebody is asked to pay for. */
export interface PaymentAsked {
  /** The order's code: a second start for the same one gives the link of the first. */
  code: string
  paise: number
  /** One line that the payer reads. */
  description: string
  buyer: { name: string; email: string }
  /** When the link stops working. */
  expiresAt: Date
  /** Where the payer comes back to. */
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
  /** The provider's name for what happened, such as "payment.captured". */
  kind: string
  facts: Fact[]
}

/** Money that has reached, or was taken from, the organiser's bank account. `id` is that of the payment or the refund. */
export interface Settled {
  type: 'payment' | 'refund'
  id: string
  /** What the guest paid or got back, before the fee. */
  paise: number
  feePaise: number
  settlementId: string
}

/**
 * A payment provider. Every call may take seconds and is never made inside a read or write of the store. Each throws
 * ProviderUnavailable when it got no usable answer, so that nobody knows whether it was carried out, and ProviderRefused when
 * the provider said no.
 */
export interface PaymentProvider {
  start: (asked: PaymentAsked) => Promise<{ url: string; ref: string }>
  /** The link that was made for an order, if any: its answer may have been lost. */
  find: (code: string) => Promise<{ url: string; ref: string } | null>
  /** The code of the order that a link was made for; null if there is no such link. */
  codeOf: (ref: string) => Promise<string | null>
  /**
   * Makes the link unusable; resolves too when it was already dead, or when the provider does not know it, as after other keys
   * were set. A link that is paid stays paid: `look` tells.
   */
  cancel: (ref: string) => Promise<void>
  /** Everything the provider knows of a link now: its payments, their refunds, and whether it is dead. Nothing of one that it does not know. */
  look: (ref: string) => Promise<Fact[]>
  /**
   * Null when the signature is wrong. Events of other kinds have no facts, nor have those about payments that were not made
   * through a link: an account may serve other shops too.
   */
  parseEvent: (rawBody: Uint8Array, headers: Headers) => ProviderEvent | null
  /** Every refund of a payment, the failed ones included. */
  refundsOf: (paymentId: string) => Promise<RefundFact[]>
  /** Asks for a refund; the same key never pays twice. Resolves with what has become of it so far. */
  refund: (asked: RefundAsked) => Promise<RefundFact>
  /** Every payment made through a link since a moment, and their refunds: what a restored database does not know. */
  since: (from: Date) => Promise<Fact[]>
  /** What was settled on a day (YYYY-MM-DD, in the provider's time zone). */
  settled: (day: string) => Promise<Settled[]>
}

/** No usable answer: the network, a timeout, or an error of the provider's own. It may or may not have been carried out. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** The provider answers, but not to so many calls: callers that ask about many should pause. */
export class ProviderBusy extends ProviderUnavailable {
  override name = 'ProviderBusy'
}

/** The code of a refund that is refused until more money comes in; the only refusal that is worth asking again. */
export const LOW_BALANCE = 'LOW_BALANCE'

/** The code of a refusal because the provider does not know what was named. */
export const NOT_FOUND = 'NOT_FOUND'

/** The provider understood and said no. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  /** LOW_BALANCE, NOT_FOUND, or the provider's own word for it, such as "BAD_REQUEST_ERROR". */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
