export const ROLES = ['guest', 'admin', 'manager', 'qrchecker'] as const
export type Role = (typeof ROLES)[number]

/** Google is always offered; `email` is a link by mail. */
export const SIGN_IN_WAYS = ['google', 'email'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

/** The rights of a paired phone: admit by code, admit from the list, undo, sell, give tickets away, and supervise. */
export const RIGHTS = ['scan', 'find', 'undo', 'sell', 'complimentary', 'supervise'] as const
export type Right = (typeof RIGHTS)[number]
/** A phone with none of these rights has no use for guests' names, and its list comes without them. */
export const RIGHTS_WITH_NAMES = ['scan', 'find', 'supervise'] as const satisfies readonly Right[]

/** `waiting`: no phone has used the code yet. `lapsed`: the phone's pairing has ended. */
export const DEVICE_STATES = ['waiting', 'paired', 'revoked', 'lapsed'] as const
export type DeviceState = (typeof DEVICE_STATES)[number]

/**
 * Why an admission is flagged for the desk: when it arrived, the phone was revoked, had lapsed or had lost the right.
 * `afterEnd`: the phone had ended before the scan but did not know it yet. `online`: let in by hand, as if without a
 * network, while the phone spoke to the server.
 */
export const SCAN_FLAGS = ['revoked', 'lapsed', 'noRight', 'afterEnd', 'online'] as const
export type ScanFlag = (typeof SCAN_FLAGS)[number]

/** What a row of a phone's batch reports: a scan on the way in or out, or people counted without a code. */
export const MOVEMENTS = ['entry', 'exit', 'count'] as const
export type Movement = (typeof MOVEMENTS)[number]

export const COUNT_GROUPS = ['children', 'crew', 'other'] as const
export type CountGroup = (typeof COUNT_GROUPS)[number]

/** Whether people who have left may come back in with the same ticket. */
export const REENTRIES = ['none', 'open'] as const

/** The ticket's state when somebody was let in although it admitted nobody more. */
export const CONFLICT_OVER = ['used', 'cancelled', 'deleted', 'replaced', 'missing'] as const

/** What the organiser says of the event. `delayed` keeps its day, `moved` gives it another. */
export const EVENT_STATES = ['on', 'delayed', 'moved', 'calledOff'] as const
export type EventState = (typeof EVENT_STATES)[number]

export const TICKET_STATUSES = ['active', 'used', 'cancelled'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]

export const TICKET_KINDS = ['online', 'counter', 'complimentary', 'paper'] as const
export type TicketKind = (typeof TICKET_KINDS)[number]

/**
 * `share`: the owner sends tickets to someone. `order`: a buyer opens an order's tickets. `offer`: the first person to
 * claim the tickets gets them.
 */
export const LINK_PURPOSES = ['share', 'order', 'offer'] as const

/** Why money that the buyer did not cancel goes back; the mail about it says so. */
export const RETURN_REASONS = ['late', 'duplicate', 'event'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

export const MAIL_NEWS = [
  ...(['paid', 'cancelled', 'refunded', 'byHand'] as const),
  ...RETURN_REASONS,
  ...(['changed', 'calledOff', 'reminder', 'offer'] as const),
] as const
export type MailNews = (typeof MAIL_NEWS)[number]

/** The ways a guest can pay: the PAYMENTS values without `none` and `desk`. `demo` imitates a real provider. */
export const GUEST_PROVIDERS = ['demo', 'razorpay', 'upi'] as const
export type GuestProvider = (typeof GUEST_PROVIDERS)[number]

/** Providers that take the money on their own page and pay refunds themselves. */
export const LINK_PROVIDERS = ['demo', 'razorpay'] as const
export type LinkProvider = (typeof LINK_PROVIDERS)[number]

/** What becomes of a refund that is smaller than providers send: the desk pays it back by hand, or nobody does. */

export const DESK_METHODS = ['cash', 'upi', 'card', 'complimentary'] as const
export type DeskMethod = (typeof DESK_METHODS)[number]

export const ORDER_PROVIDERS = ['none', ...GUEST_PROVIDERS, 'cash', 'card', 'complimentary'] as const
export type OrderProvider = (typeof ORDER_PROVIDERS)[number]

export const paysByLink = (provider: OrderProvider): provider is LinkProvider =>
  LINK_PROVIDERS.some((name) => name === provider)

export const ORDER_CHANNELS = ['web', 'desk', 'door'] as const
export type OrderChannel = (typeof ORDER_CHANNELS)[number]

export const ORDER_STATES = ['held', 'paid', 'expired', 'cancelled'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** `void`: this payment can no longer be made. A captured payment stays captured. */
export const PAYMENT_STATES = ['created', 'pending', 'captured', 'failed', 'void'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Why money goes back: the guest cancelled, it came too late or twice, or the organiser refunds it. */
export const REFUND_KINDS = ['guest', ...RETURN_REASONS] as const
export type RefundKind = (typeof REFUND_KINDS)[number]

/**
 * `asking`: the provider was asked, and its answer is not known yet. `manual`: the organiser has paid it back by hand.
 */
export const REFUND_STATES = ['requested', 'asking', 'sent', 'done', 'failed', 'manual'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/**
 * Matters that the desk must settle.
 * - `short`: less money came than the order's total. `unknown`: the money matches no order.
 * - `refundFailed`: the provider could not pay the refund.
 * - `noSeat`: tickets were sold at the door with returned codes when no seat was free.
 * - `phoneEnded`: a sale was reported by a phone that was by then revoked, lapsed or without the right to sell.
 * - `afterClosing`: a sale was reported after its event had been closed.
 * - `typeNotOnSale`: a phone sold a type that was paused or over, or several at the price of one.
 * - `noted`: a phone admitted by hand or sold after its end; no one was admitted and nothing was sold.
 * - `refundedElsewhere`: money went back that this database did not send, so the order has more tickets than its money
 * buys.
 * - `codesReturned`: a phone reported a sale of codes that it had returned. The sale was not carried out.
 * - `overLimit`: a phone reported sales of more former codes than a phone may hold. The sale was not carried out.
 * - `takenOver`: an account that may not be the buyer's has tickets of a seller, and gave them new codes.
 * - `unproven`: a seller says that a sale was paid by UPI or card, and neither the bank's statement nor the terminal's
 * total has shown it yet.
 * - `slipTwice`: a card's slip was given for two sales.
 * - `drawerBelowZero`: more cash was marked as paid back out of a drawer than was in it.
 * - `restored`: the data is a backup's, and what only the desk did since must be done again.
 */
export const ATTENTION_KINDS = [
  /** Money without a ticket must be paid back by hand. */
  'payBack',
  'short',
  'unknown',
  'refundFailed',
  'refundBounced',
  /** The provider paid a refund that had already been paid another way. */
  'paidTwice',
  'noSeat',
  'phoneEnded',
  'afterClosing',
  'typeNotOnSale',
  'noted',
  'refundedElsewhere',
  'codesReturned',
  'overLimit',
  'takenOver',
  'unproven',
  'slipTwice',
  'drawerBelowZero',
  'restored',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/**
 * The kinds of matters that may be open when an event is closed. Held orders stop the closing. `matters` is the list under Money, without `unproven`.
 */
export const OPEN_MATTER_KINDS = [
  'heldOrders',
  'drawers',
  'refundsByHand',
  'refundsInDoubt',
  'phonesUnsent',
  'doubleAdmissions',
  'phonesSilent',
  'cashOutside',
  'matters',
  'unmatchedCredits',
  'unproven',
] as const
export type OpenMatterKind = (typeof OPEN_MATTER_KINDS)[number]

export const LOST_STATES = ['waiting', 'confirmed', 'refused'] as const
export type LostState = (typeof LOST_STATES)[number]

export const LOST_ANSWERS = ['known', 'waiting', 'refused'] as const
/** `invalid`: the text is not a ticket's code, or its signature is no longer accepted. */
export const LOST_REFUSALS = ['desk', 'otherEvent', 'invalid'] as const

/**
 * The meaning of a credit on the bank statement. `ready` has the UTR and the amount of an unpaid order, `proposed` its
 * code and amount, `begins` the beginning of its code and the amount, `amount` only the amount that one order waits for at
 * a bank without remarks. `disputed`: several orders claim it, or its UTR and its code belong to different orders. `differs`:
 * the amount differs. `paid`: it is a further transfer for a paid order. `aside`: the desk says it pays no order.
 */
export const STATEMENT_MATCHES = [
  'ready',
  'proposed',
  'begins',
  'amount',
  'disputed',
  'differs',
  'paid',
  'unmatched',
  'aside',
  'done',
] as const
export type StatementMatch = (typeof STATEMENT_MATCHES)[number]

/**
 * `unknown`: the provider settled it, but it is not in our records. `missing`: it was captured, but not settled within
 * days.
 */
export const SETTLEMENT_DIFFERENCES = ['unknown', 'amount', 'missing'] as const
export type SettlementDifferenceKind = (typeof SETTLEMENT_DIFFERENCES)[number]

export const BOOK_RULES = [
  'ticketsPaid',
  'moneyAccounted',
  'refundsWithin',
  'refundsShown',
  'appliedOnce',
  'bankAgrees',
  'claimsListed',
  'drawersAddUp',
  'seatsAddUp',
  'codesSold',
  'entriesCounted',
] as const
export type BookRule = (typeof BOOK_RULES)[number]

export const TYPE_STATES = ['onSale', 'soon', 'soldOut', 'ended', 'paused'] as const
export type TypeState = (typeof TYPE_STATES)[number]

/** What a code does: takes a share or rupees off each ticket, or shows hidden types. */
export const PROMO_KINDS = ['percent', 'amount', 'access'] as const
export type PromoKind = (typeof PROMO_KINDS)[number]
