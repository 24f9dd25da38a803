import { NAME_MAX, REASON_MAX, REFERENCE_MAX } from '../constants.ts'
import { VALIDATION } from '../messages/common.ts'
import { ORDER } from '../messages/order.ts'
import {
  daySchema,
  filterBy,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  reasonSchema,
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
import { buyBodySchema, includeUsedShape, ticketSchema } from './ticket.ts'
import * as z from './zod.ts'

/** What a guest needs to pay by an app of their own. `id` is whom they pay, `note` carries the order's code. */
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
  /** Until when the seats are held; null once the order is settled. */
  holdUntil: instantSchema.nullable(),
  /** When it was paid, expired or was cancelled. */
  settledAt: instantSchema.nullable(),
  eventName: z.string(),
  /** Where to pay; absent until the provider has made the link, and once nobody can pay there any more. */
  payUrl: z.string().optional(),
  upi: upiSchema.optional(),
  /** The bank's number that the buyer has given for a UPI payment; while the order is held, one that is not confirmed yet. */
  utr: z.string().optional(),
  /** What has come for a held order so far, in rupees, where that is less than its total. */
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
  /** Buyers need not know the moments in which the provider's answer is awaited: it is requested for them. */
  state: z.enum(REFUND_STATES).exclude(['asking']),
  amount: z.number(),
  ticketId: ulidSchema.nullable(),
  at: instantSchema,
  updatedAt: instantSchema,
})
/** An order with everything that happened to its money, and its tickets. */
export const wholeOrderSchema = orderSchema.extend({
  payments: z.array(orderPaymentSchema),
  refunds: z.array(orderRefundSchema),
  tickets: z.array(ticketSchema),
  /** A credit with this order's code is on the bank's statement, and the desk has not decided on it. */
  creditSeen: z.boolean().optional(),
})
export type WholeOrder = z.infer<typeof wholeOrderSchema>

export const placeOrderBodySchema = z.strictObject({
  ...buyBodySchema.shape,
  provider: z.enum(GUEST_PROVIDERS, ORDER.provider).optional(),
})
export const orderAnswerSchema = success({ order: orderSchema })
/** `serverTime`: now, so that the time left to pay is right on a phone with a wrong clock. */
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
  /** The provider's ids or the bank's words: what to search for. */
  detail: z.string(),
  at: instantSchema,
})
export type Attention = z.infer<typeof attentionSchema>

/** The desk's view: who bought and who sold, what went wrong, and what is still to be done. */
export const deskOrderSchema = wholeOrderSchema.extend({
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
      /** How often the provider did not make it when asked, and when it is asked again. */
      attempts: z.number().int(),
      nextAt: instantSchema.nullable(),
      lastError: z.string().nullable(),
      reason: z.string().nullable(),
      requestedBy: z.string().nullable(),
    }),
  ),
  /** What nobody has decided yet about its money, oldest first. */
  matters: z.array(attentionSchema),
  /** Mails and other work after a commit, as far as it concerns this order. */
  jobs: z.array(
    z.object({
      kind: z.string(),
      /** What a mail is about; null for other work. */
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
  state: filterBy(z.enum(ORDER_STATES)),
  provider: filterBy(z.enum(ORDER_PROVIDERS)),
  channel: filterBy(z.enum(ORDER_CHANNELS)),
  search: z.string().trim().max(200).optional(),
}
export const ordersQuerySchema = z.object({ ...orderFilterShape, ...pageQueryShape })
export const ordersExportQuerySchema = z.object(orderFilterShape)
const listedOrderSchema = orderSchema.extend({
  buyer: deskOrderSchema.shape.buyer,
  seller: z.string().nullable(),
  /** Money received, money that went back, and money that is asked for and still to go back. */
  captured: z.number(),
  refunded: z.number(),
  requested: z.number(),
})
export type OrderListed = z.infer<typeof listedOrderSchema>
export const ordersPageSchema = success({
  orders: z.array(listedOrderSchema),
  pagination: z.object({ ...paginationShape, totalOrders: z.number().int() }),
})

export const phoneSchema = z
  .string()
  .trim()
  .regex(/^\+?[\d ()-]{7,20}$/, ORDER.phone)

export const referenceSchema = z
  .string(ORDER.reference)
  .trim()
  .min(1, ORDER.reference)
  .max(REFERENCE_MAX, ORDER.reference)
/** A UPI transfer is known by its UTR alone. */
export const upiReference = [
  ({ method, reference }: { method: DeskMethod; reference?: string | undefined }) =>
    method !== 'upi' || reference === undefined || utrSchema.safeParse(reference).success,
  { path: ['reference'], message: ORDER.utr },
] as const satisfies Parameters<z.ZodType<{ method: DeskMethod; reference?: string | undefined }>['refine']>

export const deskSaleBodySchema = z
  .strictObject({
    ...buyBodySchema.shape,
    method: z.enum(DESK_METHODS, ORDER.method),
    name: nameSchema(NAME_MAX, ORDER.name),
    email: z.email(ORDER.email).max(200, ORDER.email).toLowerCase().optional(),
    phone: phoneSchema.optional(),
    /** Why a complimentary order is given. */
    reason: reasonSchema.optional(),
    /** What proves the payment: the bank's number of a UPI transfer (12 digits), or the number on the card's slip. */
    reference: referenceSchema.optional(),
    /** An earlier name of `reference`, for UPI alone. */
    utr: utrSchema.optional(),
    /** Lets the buyers in at once; a paired phone needs the right to scan. */
    admit: z.boolean().optional(),
  })
  .refine(({ method, reason }) => method !== 'complimentary' || reason !== undefined, {
    path: ['reason'],
    message: ORDER.reason,
  })
  .refine(...upiReference)
/** `scanIds`: one for each ticket, in their order, when the buyers were let in at once. */
export const deskSaleAnswerSchema = success({
  order: orderSchema,
  tickets: z.array(ticketSchema),
  scanIds: z.array(z.string()).optional(),
})

export const confirmBodySchema = z.strictObject({
  /** What the bank statement shows, in rupees: it may be less or more than the order asks for. */
  amount: z.number(ORDER.received).min(0.01, ORDER.received).max(10_000_000, ORDER.received),
  utr: utrSchema.optional(),
  note: z.string().trim().max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
export const orderRefundBodySchema = z
  .strictObject({
    ticketIds: z.array(ulidSchema).min(1, VALIDATION.quantity).max(1_000).optional(),
    all: z.literal(true).optional(),
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
      /** How many break it, and the first of them. */
      count: z.number().int(),
      examples: z.array(z.string()),
    }),
  ),
})
export type BooksLine = z.infer<typeof booksAnswerSchema>['books'][number]

export const attentionAnswerSchema = success({
  attention: z.array(attentionSchema),
  /** UPI orders that wait for the desk: `claimed` have a UTR, `seats` of at most `most` are held. Null without UPI. */
  upiWaiting: z
    .object({ orders: z.number().int(), claimed: z.number().int(), seats: z.number().int(), most: z.number().int() })
    .nullable(),
})
export const resolveBodySchema = z.strictObject({ resolution: reasonSchema })
export const resolvedAnswerSchema = success({ resolved: attentionSchema })

/** The newest day first; days are the event's, amounts rupees. */
export const moneyTotalsSchema = success({
  totals: z.array(
    z.object({
      day: daySchema,
      channel: z.enum(ORDER_CHANNELS),
      provider: z.enum(ORDER_PROVIDERS),
      orders: z.number().int(),
      /** On the day it came in. */
      captured: z.number(),
      /** On the day it went out. */
      refunded: z.number(),
      /** Not gone out yet: on the day it was asked for. */
      requested: z.number(),
    }),
  ),
})
export type MoneyTotal = z.infer<typeof moneyTotalsSchema>['totals'][number]

const cashAmountSchema = z.number(ORDER.amount).min(0, ORDER.amount).max(10_000_000, ORDER.amount)
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
  /** Cash sales so far, and what they brought. */
  sales: z.number().int(),
  taken: z.number(),
  /** Cash that was paid back out of it. */
  paidBack: z.number(),
  /** Float, plus taken, minus paid back. */
  expected: z.number(),
  /** Null while open, and so are the next two. */
  closedAt: instantSchema.nullable(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
  note: z.string().nullable(),
})
export type CashSession = z.infer<typeof cashSessionSchema>
export const cashSessionAnswerSchema = success({ session: cashSessionSchema })
/** `own` is the caller's open one. */
export const cashSessionsAnswerSchema = success({
  own: cashSessionSchema.nullable(),
  /** `mayClose`: the caller may count it, because it is open and theirs or its owner no longer can. */
  sessions: z.array(cashSessionSchema.extend({ mayClose: z.boolean() })),
  /**
   * Cash of the current event that is in no drawer: sales that a phone reported after its drawer was counted, or without one.
   * `phone` is null for a sale at the desk.
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
