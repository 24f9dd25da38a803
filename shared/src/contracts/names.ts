export const ROLES = ['guest', 'admin', 'manager', 'qrchecker'] as const
export type Role = (typeof ROLES)[number]

/** What a paired phone may do: admit by code, admit from the list, take back, sell, give away, see the whole gate. */
export const RIGHTS = ['scan', 'find', 'undo', 'sell', 'complimentary', 'supervise'] as const
export type Right = (typeof RIGHTS)[number]

/** `waiting`: no phone has used the code yet. `lapsed`: its time is over. */
export const DEVICE_STATES = ['waiting', 'paired', 'revoked', 'lapsed'] as const
export type DeviceState = (typeof DEVICE_STATES)[number]

/**
 * Why an admission is marked for the desk: when it arrived, the phone was revoked, its time was over, or it had lost the right.
 * `afterEnd`: the phone had ended before the scan, but had not been told so.
 */
export const SCAN_FLAGS = ['revoked', 'lapsed', 'noRight', 'afterEnd'] as const
export type ScanFlag = (typeof SCAN_FLAGS)[number]

export const TICKET_STATUSES = ['active', 'used', 'cancelled'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]

/** How a ticket was sold or given: a gate may take only some kinds. */
export const TICKET_KINDS = ['online', 'counter', 'complimentary', 'paper'] as const
export type TicketKind = (typeof TICKET_KINDS)[number]

/** What a buyer gets a mail about. `late`, `duplicate` and `event` say that money goes back, and why. */
export const MAIL_NEWS = ['paid', 'cancelled', 'refunded', 'byHand', 'late', 'duplicate', 'event', 'changed'] as const
export type MailNews = (typeof MAIL_NEWS)[number]

/** What guests may pay with: PAYMENTS without `none` and `desk`. `demo` is the double of a real provider. */
export const GUEST_PROVIDERS = ['demo', 'razorpay', 'upi'] as const
export type GuestProvider = (typeof GUEST_PROVIDERS)[number]

/** Those that take the money on a page of their own and pay it back by themselves. */
export const LINK_PROVIDERS = ['demo', 'razorpay'] as const
export type LinkProvider = (typeof LINK_PROVIDERS)[number]

/** How the desk or a seller at the door is paid. */
export const DESK_METHODS = ['cash', 'upi', 'card', 'complimentary'] as const
export type DeskMethod = (typeof DESK_METHODS)[number]

/** Who took the money of an order; `none` where tickets are given out without payment. */
export const ORDER_PROVIDERS = ['none', ...GUEST_PROVIDERS, 'cash', 'card', 'complimentary'] as const
export type OrderProvider = (typeof ORDER_PROVIDERS)[number]

export const paysByLink = (provider: OrderProvider): provider is LinkProvider =>
  LINK_PROVIDERS.some((name) => name === provider)

export const ORDER_CHANNELS = ['web', 'desk', 'door'] as const
export type OrderChannel = (typeof ORDER_CHANNELS)[number]

export const ORDER_STATES = ['held', 'paid', 'expired', 'cancelled'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** `void`: nobody can pay this way any more. A captured payment stays captured. */
export const PAYMENT_STATES = ['created', 'pending', 'captured', 'failed', 'void'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Why money goes back: the guest cancelled a ticket, it came too late or twice, or the organiser gives it back. */
export const REFUND_KINDS = ['guest', 'late', 'duplicate', 'event'] as const
export type RefundKind = (typeof REFUND_KINDS)[number]

/** `asking`: the provider was asked, and its answer is not known yet. `manual`: the organiser pays it back by hand. */
export const REFUND_STATES = ['requested', 'asking', 'sent', 'done', 'failed', 'manual'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/**
 * `short`: less came than was asked. `unknown`: of no order of ours. `refundFailed`: the provider could not pay it back.
 * `noSeat`: tickets sold at the door whose codes had been returned, when no seat was free any more. `phoneEnded`: a sale
 * reported by a phone that was revoked, had lapsed or had lost the right by then. `noted`: what a phone did by hand or sold
 * after its end, which admitted nobody and sold nothing. `refundedElsewhere`: money went back that
 * this database did not send back, and the order has more tickets now than money. `codesReturned`: a phone reported a sale
 * of codes that it had given back. `overLimit`: it reported more sales of codes it no longer had than a phone may hold.
 * Neither of these two sales was carried out. `unproven`: paid by UPI or card at the desk or the door, without a number to find
 * the payment by.
 */
export const ATTENTION_KINDS = [
  /** Money of no ticket that somebody must pay back by hand. */
  'payBack',
  'short',
  'unknown',
  'refundFailed',
  /** It was paid back, and the bank sent it back. */
  'refundBounced',
  /** The provider paid a refund too that had been paid another way. */
  'paidTwice',
  'noSeat',
  'phoneEnded',
  'noted',
  'refundedElsewhere',
  'codesReturned',
  'overLimit',
  'unproven',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** What may still be open when an event is closed. `matters`: what is on the list under Money, without `unproven`. */
export const OPEN_MATTER_KINDS = [
  'drawers',
  'refundsByHand',
  'refundsInDoubt',
  'phonesUnsent',
  'matters',
  'unmatchedCredits',
  'unproven',
] as const
export type OpenMatterKind = (typeof OPEN_MATTER_KINDS)[number]

/** A ticket that only its owner's device knew, as the desk has decided. */
export const LOST_STATES = ['waiting', 'confirmed', 'refused'] as const
export type LostState = (typeof LOST_STATES)[number]

/** What a device gets to know of a code it offers. */
export const LOST_ANSWERS = ['known', 'waiting', 'refused'] as const
/** `invalid`: not a ticket's code, or its signature does not count any more. */
export const LOST_REFUSALS = ['desk', 'otherEvent', 'invalid'] as const
export type LostRefusal = (typeof LOST_REFUSALS)[number]

/**
 * What a credit on the bank statement means: `ready` has the UTR and the amount of an unpaid order, `proposed` its code and
 * amount. `disputed`: several orders claim it, or its UTR is of one order and its code of another. `differs`: another amount. `paid`: one more transfer for an order that is paid. `aside`: the desk says it pays none.
 */
export const STATEMENT_MATCHES = [
  'ready',
  'proposed',
  'disputed',
  'differs',
  'paid',
  'unmatched',
  'aside',
  'done',
] as const
export type StatementMatch = (typeof STATEMENT_MATCHES)[number]

/** `unknown`: settled, but nothing of ours. `missing`: captured, but not settled for days. */
export const SETTLEMENT_DIFFERENCES = ['unknown', 'amount', 'missing'] as const
export type SettlementDifferenceKind = (typeof SETTLEMENT_DIFFERENCES)[number]

/** What the accountant checks in the tables; each rule is green, or shows what breaks it. */
export const BOOK_RULES = [
  'ticketsPaid',
  'moneyAccounted',
  'refundsWithin',
  'refundsShown',
  'appliedOnce',
  'bankAgrees',
  'drawersAddUp',
  'seatsAddUp',
  'codesSold',
  'entriesCounted',
] as const
export type BookRule = (typeof BOOK_RULES)[number]
