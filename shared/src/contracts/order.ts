import { BULK_UPDATE_MAX, NAME_MAX, REASON_MAX, REFERENCE_MAX } from '../constants.ts'
import { ORDER } from '../messages/order.ts'
import {
  claimedUtrSchema,
  daySchema,
  daysQueryShape,
  defineAnswer,
  filterBy,
  hasWholePaise,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  reasonSchema,
  searchSchema,
  sortBy,
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
import { guestSaleShape, includeUsedShape, manyTicketsSchema, oneChoice, saleShape, ticketSchema } from './ticket.ts'
import { orderLineSchema, severalTypesShape } from './types/ticketType.ts'
import * as z from './zod.ts'

/** What a guest's UPI app needs to pay. `id` is the payee's UPI ID; `note` is the order's code. */
const upiSchema = z.object({
  link: z.string(),
  id: z.string(),
  amount: z.number(),
  note: z.string(),
  /** The payee's bank does not pass on the whole note, so only the UTR leads from the money to the order. */
  asksUtr: z.boolean(),
})

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
  /** The held seats were offered from the waiting list until then. */
  offeredUntil: instantSchema.optional(),
  settledAt: instantSchema.nullable(),
  eventName: z.string(),
  /** What was ordered, where the event has several ticket types or prices. */
  lines: z.array(orderLineSchema).optional(),
  /** The payment link; absent until the provider has made it, and once it can no longer be used. */
  payUrl: z.string().optional(),
  upi: upiSchema.optional(),
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
const wholeOrderSchema = orderSchema.extend({
  payments: z.array(orderPaymentSchema),
  refunds: z.array(orderRefundSchema),
  tickets: z.array(ticketSchema),
  creditSeen: z.boolean().optional(),
})
export type WholeOrder = z.infer<typeof wholeOrderSchema>

/** The total in rupees that the buyer saw; nothing is sold at another total. Older clients do not send it. */
const shownTotalSchema = z.number().nonnegative().optional()

export const placeOrderBodySchema = z
  .strictObject({
    ...guestSaleShape,
    total: shownTotalSchema,
    provider: z.enum(GUEST_PROVIDERS, ORDER.provider).optional(),
  })
  .refine(...oneChoice)
export const orderAnswerSchema = defineAnswer({ order: orderSchema })
/** `serverTime` lets a phone with a wrong clock show the right time left to pay. */
export const wholeOrderAnswerSchema = defineAnswer({ order: wholeOrderSchema, serverTime: instantSchema })
export const ownOrdersQuerySchema = z.object(pageQueryShape)
export const ownOrdersAnswerSchema = defineAnswer({
  orders: z.array(orderSchema),
  pagination: z.object({ ...paginationShape, totalOrders: z.number().int() }),
})

export const utrBodySchema = z.strictObject({ utr: claimedUtrSchema })

const attentionSchema = z.object({
  id: ulidSchema,
  kind: z.enum(ATTENTION_KINDS),
  order: z.string().nullable(),
  amount: z.number(),
  detail: z.string(),
  at: instantSchema,
})
export type Attention = z.infer<typeof attentionSchema>

/** The promo code that an order used, and who made it. */
const usedPromoSchema = z.object({ id: ulidSchema, code: z.string(), createdBy: z.string() })

const deskOrderSchema = wholeOrderSchema.extend({
  event: ulidSchema,
  promo: usedPromoSchema.optional(),
  buyer: z.object({ name: z.string(), email: z.string(), phone: z.string().nullable() }),
  account: ulidSchema.nullable(),
  seller: z.string().nullable(),
  reason: z.string().nullable(),
  payments: z.array(
    orderPaymentSchema.extend({
      providerRef: z.string().nullable(),
      providerPaymentId: z.string().nullable(),
      utr: z.string().nullable(),
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
      attempts: z.number().int(),
      nextAt: instantSchema.nullable(),
      lastError: z.string().nullable(),
      reason: z.string().nullable(),
      requestedBy: z.string().nullable(),
    }),
  ),
  matters: z.array(attentionSchema),
  jobs: z.array(
    z.object({
      kind: z.string(),
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
export const deskOrderAnswerSchema = defineAnswer({ order: deskOrderSchema })

const orderFilterShape = {
  ...eventQueryShape,
  ...daysQueryShape,
  state: filterBy(z.enum(ORDER_STATES)),
  provider: filterBy(z.enum(ORDER_PROVIDERS)),
  channel: filterBy(z.enum(ORDER_CHANNELS)),
  type: filterBy(ulidSchema),
  promo: filterBy(ulidSchema),
  search: searchSchema,
}
export const ORDER_SORTS = ['order', 'buyer', 'placed', 'quantity', 'amount', 'state', 'provider'] as const
export const ordersQuerySchema = z.object({ ...orderFilterShape, sort: sortBy(ORDER_SORTS), ...pageQueryShape })
export const ordersExportQuerySchema = z.object(orderFilterShape)
const listedOrderSchema = orderSchema.extend({
  buyer: deskOrderSchema.shape.buyer,
  seller: z.string().nullable(),
  promo: usedPromoSchema.optional(),
  /** Rupees received, rupees refunded, and rupees of requested refunds that are not paid yet. */
  captured: z.number(),
  refunded: z.number(),
  requested: z.number(),
})
export type OrderListed = z.infer<typeof listedOrderSchema>
export const ordersPageSchema = defineAnswer({
  orders: z.array(listedOrderSchema),
  ...severalTypesShape,
  codes: z.array(usedPromoSchema.pick({ id: true, code: true })).optional(),
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
    method !== 'upi' || reference === undefined || claimedUtrSchema.safeParse(reference).success,
  {
    path: ['reference'],
    error: ({ input }) => {
      const { reference } = input as { reference?: string }
      return utrSchema.safeParse(reference).success ? ORDER.bankNumber : ORDER.utr
    },
  },
] as const satisfies Parameters<z.ZodType<{ method: DeskMethod; reference?: string | undefined }>['refine']>

export const freeReason = [
  ({ method, reason }: { method: DeskMethod; reason?: string | undefined }) =>
    method !== 'complimentary' || reason !== undefined,
  { path: ['reason'], message: ORDER.reason },
] as const satisfies Parameters<z.ZodType<{ method: DeskMethod; reason?: string | undefined }>['refine']>

export const deskSaleBodySchema = z
  .strictObject({
    ...saleShape,
    total: shownTotalSchema,
    method: z.enum(DESK_METHODS, ORDER.method),
    name: nameSchema(NAME_MAX, ORDER.name),
    email: z.email(ORDER.email).max(200, ORDER.email).toLowerCase().optional(),
    phone: phoneSchema.optional(),
    reason: reasonSchema.optional(),
    reference: referenceSchema.optional(),
    /** The buyers are let in at once; a paired phone needs the right to scan. */
    admit: z.boolean().optional(),
  })
  .refine(...oneChoice)
  .refine(...freeReason)
  .refine(...upiReference)
/** If the buyers were let in at once, `scanIds` has one id for each ticket, in order. */
export const deskSaleAnswerSchema = defineAnswer({
  order: orderSchema,
  tickets: z.array(ticketSchema),
  scanIds: z.array(z.string()).optional(),
})

/** `claimed` also takes tickets that an account claimed from a seller's link. An empty email or phone removes it. */
export const correctBuyerBodySchema = z
  .strictObject({
    name: nameSchema(NAME_MAX, ORDER.name).optional(),
    email: z.union([z.literal(''), z.email(ORDER.email).max(200, ORDER.email).toLowerCase()], ORDER.email).optional(),
    phone: z.union([z.literal(''), phoneSchema], ORDER.phone).optional(),
    claimed: z.literal(true).optional(),
    reason: reasonSchema,
  })
  .refine(({ reason: _, ...changed }) => Object.keys(changed).length > 0, {
    path: ['name'],
    message: ORDER.buyerChange,
  })

export const confirmBodySchema = z.strictObject({
  /** The amount on the bank statement, in rupees; it may differ from the order's total. */
  amount: z
    .number(ORDER.received)
    .min(0.01, ORDER.received)
    .max(10_000_000, ORDER.received)
    .refine(hasWholePaise, ORDER.received),
  utr: claimedUtrSchema.optional(),
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

export const booksAnswerSchema = defineAnswer({
  books: z.array(
    z.object({
      rule: z.enum(BOOK_RULES),
      ok: z.boolean(),
      count: z.number().int(),
      examples: z.array(z.string()),
    }),
  ),
})
export type BooksLine = z.infer<typeof booksAnswerSchema>['books'][number]

const unprovenSumSchema = z.object({
  sellerId: z.string(),
  seller: z.string(),
  day: daySchema,
  method: z.enum(ORDER_PROVIDERS),
  orders: z.number().int(),
  tickets: z.number().int(),
  amount: z.number(),
})
export type UnprovenSum = z.infer<typeof unprovenSumSchema>

/** The total of the card terminal for one seller and day, in rupees. */
export const terminalTotalBodySchema = z.strictObject({
  sellerId: ulidSchema,
  seller: z.string().max(NAME_MAX),
  day: daySchema,
  amount: z.number(ORDER.amount).min(0, ORDER.amount).max(10_000_000, ORDER.amount).refine(hasWholePaise, ORDER.amount),
})

const phoneSaleSchema = z.object({
  order: z.string(),
  at: instantSchema,
  method: z.enum(ORDER_PROVIDERS),
  isHeld: z.boolean(),
  buyer: z.string(),
  seller: z.string(),
  quantity: z.number().int(),
  used: z.number().int(),
  total: z.number(),
  number: z.string().nullable(),
  isLooked: z.boolean(),
})
export type PhoneSale = z.infer<typeof phoneSaleSchema>
export const phoneSalesAnswerSchema = defineAnswer({ sales: z.array(phoneSaleSchema) })
const chosenOrdersSchema = z
  .array(z.string().regex(/^[0-9A-Z]{8}$/))
  .min(1)
  .max(BULK_UPDATE_MAX)
export const lookAtSalesBodySchema = z.strictObject({ orders: chosenOrdersSchema })
export const cancelSalesBodySchema = z.strictObject({ orders: chosenOrdersSchema, reason: reasonSchema })

const otherDayEntrySchema = z.object({
  scanId: z.string(),
  ticketId: ulidSchema,
  name: z.string(),
  at: instantSchema,
  checkerName: z.string(),
  deviceName: z.string().nullable(),
})
export type OtherDayEntry = z.infer<typeof otherDayEntrySchema>
export const setBackBodySchema = z.strictObject({ scanIds: z.array(z.uuid()).min(1).max(BULK_UPDATE_MAX) })
export const setBackAnswerSchema = defineAnswer({ setBack: z.number().int(), otherDay: z.array(otherDayEntrySchema) })

export const attentionAnswerSchema = defineAnswer({
  otherDay: z.array(otherDayEntrySchema),
  attention: z.array(attentionSchema),
  unproven: z.array(unprovenSumSchema),
  /**
   * Unpaid orders, which hold `seats` of at most `most`. `upi` of them wait for the desk, `claimed` with a UTR. Null
   * where tickets need no payment.
   */
  unpaid: z
    .object({
      orders: z.number().int(),
      upi: z.number().int(),
      claimed: z.number().int(),
      seats: z.number().int(),
      most: z.number().int(),
    })
    .nullable(),
})
export const resolveBodySchema = z.strictObject({ resolution: reasonSchema })
export const resolvedAnswerSchema = defineAnswer({ resolved: attentionSchema })
