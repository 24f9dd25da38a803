import { NAME_MAX, REASON_MAX, REFERENCE_MAX } from '../constants.ts'
import { ORDER } from '../messages/order.ts'
import {
  daySchema,
  daysQueryShape,
  filterBy,
  hasWholePaise,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  reasonSchema,
  searchSchema,
  sortBy,
  success,
  ulidSchema,
  utrSchema,
} from './common.ts'
import { eventQueryShape } from './event.ts'
import {
  ATTENTION_KINDS,
  BOOK_RULES,
  DESK_METHODS,
  type DeskMethod,
  GUEST_PROVIDERS,
  MAIL_NEWS,
  ORDER_CHANNELS,
  ORDER_PROVIDERS,
  ORDER_STATES,
  PAYMENT_STATES,
  REFUND_KINDS,
  REFUND_STATES,
} from './names.ts'
import { buyBodySchema, includeUsedShape, manyTicketsSchema, ticketSchema } from './ticket.ts'
import * as z from './zod.ts'

/** What a guest's UPI app needs to pay. `id` is the payee's UPI ID; `note` is the order's code. */
const upiSchema = z.object({ link: z.string(), id: z.string(), amount: z.number(), note: z.string() })

/** An order as its buyer sees it. Amounts are rupees. */
export const orderSchema = z.object({
  code: z.string(),
  state: z.enum(ORDER_STATES),
  channel: z.enum(ORDER_CHANNELS),
  provider: z.enum(ORDER_PROVIDERS),
  quantity: z.number().int(),
  unitPrice: z.number(),
  total: z.number(),
  createdAt: instantSchema,
  /** The seats are held until then; null once the order is settled. */
  holdUntil: instantSchema.nullable(),
  /** The time when the order was paid, expired or was cancelled. */
  settledAt: instantSchema.nullable(),
  eventName: z.string(),
  /** The payment link; absent until the provider has made it, and once it can no longer be used. */
  payUrl: z.string().optional(),
  upi: upiSchema.optional(),
  /** The UTR that the buyer has given for a UPI payment; it is unconfirmed while the order is held. */
  utr: z.string().optional(),
  /** Rupees received so far for a held order, if less than its total. */
  received: z.number().optional(),
})
export type Order = z.infer<typeof orderSchema>

const orderPaymentSchema = z.object({
  id: ulidSchema,
  provider: z.enum(ORDER_PROVIDERS),
  state: z.enum(PAYMENT_STATES),
  amount: z.number(),
  at: instantSchema,
})
const orderRefundSchema = z.object({
  id: z.string(),
  kind: z.enum(REFUND_KINDS),
  /** Buyers see `requested` while the provider's answer is awaited. */
  state: z.enum(REFUND_STATES).exclude(['asking']),
  amount: z.number(),
  ticketId: ulidSchema.nullable(),
  at: instantSchema,
  updatedAt: instantSchema,
})
/** An order with everything that happened to its money, and its tickets. */
const wholeOrderSchema = orderSchema.extend({
  payments: z.array(orderPaymentSchema),
  refunds: z.array(orderRefundSchema),
  tickets: z.array(ticketSchema),
  /** The bank statement has a credit with this order's code that the desk has not decided on. */
  creditSeen: z.boolean().optional(),
})
export type WholeOrder = z.infer<typeof wholeOrderSchema>

/** The total in rupees that the buyer saw; nothing is sold at another total. Older clients do not send it. */
const shownTotalSchema = z.number().nonnegative().optional()

export const placeOrderBodySchema = z.strictObject({
  ...buyBodySchema.shape,
  total: shownTotalSchema,
  provider: z.enum(GUEST_PROVIDERS, ORDER.provider).optional(),
})
export const orderAnswerSchema = success({ order: orderSchema })
/** `serverTime` lets a phone with a wrong clock show the right time left to pay. */
export const wholeOrderAnswerSchema = success({ order: wholeOrderSchema, serverTime: instantSchema })
export const ownOrdersQuerySchema = z.object(pageQueryShape)
export const ownOrdersAnswerSchema = success({
  orders: z.array(orderSchema),
  pagination: z.object({ ...paginationShape, totalOrders: z.number().int() }),
})

export const utrBodySchema = z.strictObject({ utr: utrSchema })

const attentionSchema = z.object({
  id: ulidSchema,
  kind: z.enum(ATTENTION_KINDS),
  /** The code of its order, if it has one. */
  order: z.string().nullable(),
  amount: z.number(),
  /** The provider's ids or the bank's text, for searching. */
  detail: z.string(),
  at: instantSchema,
})
export type Attention = z.infer<typeof attentionSchema>

/** The desk sees who bought and who sold, what went wrong and what is still to be done. */
const deskOrderSchema = wholeOrderSchema.extend({
  /** The id of its event, which may be closed. */
  event: ulidSchema,
  buyer: z.object({ name: z.string(), email: z.string(), phone: z.string().nullable() }),
  /** The buyer's account; null without one. */
  account: ulidSchema.nullable(),
  seller: z.string().nullable(),
  reason: z.string().nullable(),
  payments: z.array(
    orderPaymentSchema.extend({
      providerRef: z.string().nullable(),
      providerPaymentId: z.string().nullable(),
      utr: z.string().nullable(),
      /** The number on the slip of a card payment. */
      reference: z.string().nullable(),
      fee: z.number().nullable(),
      recordedBy: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  refunds: z.array(
    orderRefundSchema.extend({
      state: z.enum(REFUND_STATES),
      providerRefundId: z.string().nullable(),
      /** The number of failed attempts at the provider, and the time of the next one. */
      attempts: z.number().int(),
      nextAt: instantSchema.nullable(),
      lastError: z.string().nullable(),
      reason: z.string().nullable(),
      requestedBy: z.string().nullable(),
    }),
  ),
  /** Undecided matters about its money, oldest first. */
  matters: z.array(attentionSchema),
  /** Mails and other background work for this order. */
  jobs: z.array(
    z.object({
      kind: z.string(),
      /** The topic of a mail; null for other work. */
      mail: z.enum(MAIL_NEWS).nullable(),
      at: instantSchema,
      endedAt: instantSchema.nullable(),
      gaveUp: z.boolean(),
      attempts: z.number().int(),
      lastError: z.string().nullable(),
    }),
  ),
})
export type DeskOrder = z.infer<typeof deskOrderSchema>
export const deskOrderAnswerSchema = success({ order: deskOrderSchema })

const orderFilterShape = {
  ...eventQueryShape,
  /** The days on which the orders were placed. */
  ...daysQueryShape,
  state: filterBy(z.enum(ORDER_STATES)),
  provider: filterBy(z.enum(ORDER_PROVIDERS)),
  channel: filterBy(z.enum(ORDER_CHANNELS)),
  search: searchSchema,
}
export const ORDER_SORTS = ['order', 'buyer', 'placed', 'quantity', 'amount', 'state', 'provider'] as const
export const ordersQuerySchema = z.object({ ...orderFilterShape, sort: sortBy(ORDER_SORTS), ...pageQueryShape })
export const ordersExportQuerySchema = z.object(orderFilterShape)
const listedOrderSchema = orderSchema.extend({
  buyer: deskOrderSchema.shape.buyer,
  seller: z.string().nullable(),
  /** Rupees received, rupees refunded, and rupees of requested refunds that are not paid yet. */
  captured: z.number(),
  refunded: z.number(),
  requested: z.number(),
})
export type OrderListed = z.infer<typeof listedOrderSchema>
export const ordersPageSchema = success({
  orders: z.array(listedOrderSchema),
  pagination: z.object({ ...paginationShape, totalOrders: z.number().int() }),
})

/** Less strict than `phoneSchema`, because a sale that a paired phone already made must be accepted as typed. */
export const typedPhoneSchema = z
  .string()
  .trim()
  .regex(/^\+?[\d ()-]{7,20}$/, { error: ORDER.phone, abort: true })
const phoneSchema = typedPhoneSchema.refine((phone) => phone.replace(/\D/g, '').length >= 7, ORDER.phone)

export const referenceSchema = z
  .string(ORDER.reference)
  .trim()
  .min(1, ORDER.reference)
  .max(REFERENCE_MAX, ORDER.reference)
/** A UPI transfer can be identified only by its UTR. */
export const upiReference = [
  ({ method, reference }: { method: DeskMethod; reference?: string | undefined }) =>
    method !== 'upi' || reference === undefined || utrSchema.safeParse(reference).success,
  { path: ['reference'], message: ORDER.utr },
] as const satisfies Parameters<z.ZodType<{ method: DeskMethod; reference?: string | undefined }>['refine']>

/** Complimentary tickets need a reason. */
export const freeReason = [
  ({ method, reason }: { method: DeskMethod; reason?: string | undefined }) =>
    method !== 'complimentary' || reason !== undefined,
  { path: ['reason'], message: ORDER.reason },
] as const satisfies Parameters<z.ZodType<{ method: DeskMethod; reason?: string | undefined }>['refine']>

export const deskSaleBodySchema = z
  .strictObject({
    ...buyBodySchema.shape,
    total: shownTotalSchema,
    method: z.enum(DESK_METHODS, ORDER.method),
    name: nameSchema(NAME_MAX, ORDER.name),
    email: z.email(ORDER.email).max(200, ORDER.email).toLowerCase().optional(),
    phone: phoneSchema.optional(),
    reason: reasonSchema.optional(),
    /** Proof of the payment: the 12-digit UTR of a UPI transfer, or the number on the card's slip. */
    reference: referenceSchema.optional(),
    /** Older clients send the `reference` of a UPI payment under this name. */
    utr: utrSchema.optional(),
    /** The buyers are let in at once; a paired phone needs the right to scan. */
    admit: z.boolean().optional(),
  })
  .refine(...freeReason)
  .refine(...upiReference)
/** If the buyers were let in at once, `scanIds` has one id for each ticket, in order. */
export const deskSaleAnswerSchema = success({
  order: orderSchema,
  tickets: z.array(ticketSchema),
  scanIds: z.array(z.string()).optional(),
})

export const confirmBodySchema = z.strictObject({
  /** The amount on the bank statement, in rupees; it may differ from the order's total. */
  amount: z
    .number(ORDER.received)
    .min(0.01, ORDER.received)
    .max(10_000_000, ORDER.received)
    .refine(hasWholePaise, ORDER.received),
  utr: utrSchema.optional(),
  note: z.string().trim().max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
export const orderRefundBodySchema = z
  .strictObject({
    ticketIds: manyTicketsSchema(ORDER.whichTickets).optional(),
    all: z.literal(true).optional(),
    /**
     * The number of uncancelled tickets that the caller saw, so that "all" means no others. Older clients do not send
     * it.
     */
    tickets: z.int().nonnegative().optional(),
    reason: reasonSchema,
    ...includeUsedShape,
  })
  .refine(({ ticketIds, all }) => (ticketIds === undefined) !== (all === undefined), {
    path: ['ticketIds'],
    message: ORDER.whichTickets,
  })

export const booksAnswerSchema = success({
  books: z.array(
    z.object({
      rule: z.enum(BOOK_RULES),
      ok: z.boolean(),
      /** The number of entries that break the rule, and the first of them. */
      count: z.number().int(),
      examples: z.array(z.string()),
    }),
  ),
})
export type BooksLine = z.infer<typeof booksAnswerSchema>['books'][number]

export const attentionAnswerSchema = success({
  attention: z.array(attentionSchema),
  /** UPI orders waiting for the desk: `claimed` have a UTR; they hold `seats` of at most `most`. Null without UPI. */
  upiWaiting: z
    .object({ orders: z.number().int(), claimed: z.number().int(), seats: z.number().int(), most: z.number().int() })
    .nullable(),
})
export const resolveBodySchema = z.strictObject({ resolution: reasonSchema })
export const resolvedAnswerSchema = success({ resolved: attentionSchema })

export const moneyTotalsQuerySchema = z.object({ ...eventQueryShape, ...daysQueryShape })
/** The newest day comes first. Days are in the event's time zone; amounts are rupees. */
export const moneyTotalsSchema = success({
  totals: z.array(
    z.object({
      day: daySchema,
      channel: z.enum(ORDER_CHANNELS),
      provider: z.enum(ORDER_PROVIDERS),
      orders: z.number().int(),
      /** Counted on the day the money came in. */
      captured: z.number(),
      /** Counted on the day the money went out. */
      refunded: z.number(),
      /** The provider's known fees on the money that came in. */
      fees: z.number(),
      /** Refunds not paid yet are counted on the day they were requested. */
      requested: z.number(),
    }),
  ),
})
export type MoneyTotal = z.infer<typeof moneyTotalsSchema>['totals'][number]

const cashAmountSchema = z
  .number(ORDER.amount)
  .min(0, ORDER.amount)
  .max(10_000_000, ORDER.amount)
  .refine(hasWholePaise, ORDER.amount)
export const openCashBodySchema = z.strictObject({ float: cashAmountSchema })
export const closeCashBodySchema = z.strictObject({
  counted: cashAmountSchema,
  note: z.string().trim().max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
const cashSessionSchema = z.object({
  id: ulidSchema,
  person: z.string(),
  openedAt: instantSchema,
  float: z.number(),
  /** The number of cash sales so far, and the rupees they brought. */
  sales: z.number().int(),
  taken: z.number(),
  /** Cash that was paid back out of the drawer. */
  paidBack: z.number(),
  /** The float, plus cash taken, minus cash paid back. */
  expected: z.number(),
  /** This and the next two are null while the session is open. */
  closedAt: instantSchema.nullable(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
  note: z.string().nullable(),
})
export type CashSession = z.infer<typeof cashSessionSchema>
export const cashSessionAnswerSchema = success({ session: cashSessionSchema })
/** `own` is the caller's open session. */
export const cashSessionsAnswerSchema = success({
  own: cashSessionSchema.nullable(),
  /** `mayClose`: the session is open, and is the caller's or one that its owner can no longer count. */
  sessions: z.array(cashSessionSchema.extend({ mayClose: z.boolean() })),
  /**
   * Cash of the current event that is in no drawer: a phone reported the sales after its drawer was counted, or had
   * none. `phone` is null for a sale at the desk.
   */
  arrivedLater: z.array(
    z.object({
      phone: z.string().nullable(),
      seller: z.string(),
      sales: z.number().int(),
      amount: z.number(),
    }),
  ),
  /** Cash of the current event that was paid back while no drawer was open. */
  paidBackOutside: z.number(),
})
export type CashSessionsAnswer = z.infer<typeof cashSessionsAnswerSchema>
