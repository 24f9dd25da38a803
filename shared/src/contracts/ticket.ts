import { BULK_UPDATE_MAX, HOLDER_NAME_MAX, LOST_OFFER_MAX, REASON_MAX } from '../constants.ts'
import { CANCELLATION, VALIDATION } from '../messages/codes.ts'
import { ORDER } from '../messages/order.ts'
import { FAILURE_TOASTS } from '../messages/toasts.ts'
import {
  claimedUtrSchema,
  defineAnswer,
  filterBy,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  reasonSchema,
  searchSchema,
  sortBy,
  ticketStatusSchema,
  ulidSchema,
} from './common.ts'
import { eventQueryShape } from './event.ts'
import { LOST_ANSWERS, LOST_REFUSALS, LOST_STATES, ORDER_CHANNELS } from './names.ts'
import { typedPromoCodeSchema } from './types/promoCode.ts'
import { heldTypeSchema, saleLinesSchema, severalTypesShape } from './types/ticketType.ts'
import * as z from './zod.ts'

export const ticketSchema = z.object({
  _id: ulidSchema,
  id: ulidSchema,
  ticketId: ulidSchema,
  user: z.object({ _id: ulidSchema.nullable(), name: z.string(), email: z.string() }),
  eventName: z.string(),
  /** Whether the event is closed: the ticket then has no code, and only its refund can be changed. */
  isPast: z.boolean().default(false),
  price: z.number(),
  status: ticketStatusSchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  /** Null if the ticket is not active or its event is closed. */
  qrCode: z.string().nullable(),
  entryTime: instantSchema.nullable(),
  scannedBy: z.object({ name: z.string() }).nullable(),
  cancelledAt: instantSchema.nullable(),
  cancellationReason: z.string().nullable(),
  isRefundDone: z.boolean().nullable(),
  /** The rupees that go back for a cancelled ticket; only in the owner's own list. */
  refundAmount: z.number().optional(),
  /** Present on a cancelled ticket of which nothing goes back; isRefundDone is true then. */
  nothingToRefund: z.literal(true).optional(),
  holderName: z.string().nullable(),
  /** Counts the buyer's tickets for this event from 1, in the order of buying. It never changes. */
  number: z.number().int().default(0),
  newCodes: z.number().int().default(0),
  type: heldTypeSchema.optional(),
  /** The number printed on a paper ticket; it counts from 1 within its block. */
  paperNumber: z.number().int().optional(),
  /** How many people were inside with its holder when they came in; only in the owner's own list. */
  light: z.number().int().optional(),
  /** Its owner has sent it by a link that is still open; only in the owner's own list. */
  sent: z.enum(['sent', 'opened']).optional(),
})
export type Ticket = z.infer<typeof ticketSchema>

export const quantitySchema = z.number(VALIDATION.quantity).int(VALIDATION.quantity).min(1, VALIDATION.quantity)
/** So many of the first ticket type, or lines. */
export const saleShape = { quantity: quantitySchema.optional(), lines: saleLinesSchema.optional() }
export const oneChoice = [
  ({ quantity, lines }: { quantity?: number | undefined; lines?: unknown }) =>
    (quantity === undefined) !== (lines === undefined),
  { path: ['quantity'], message: VALIDATION.quantity },
] as const satisfies Parameters<z.ZodType<{ quantity?: number | undefined; lines?: unknown }>['refine']>
export const guestSaleShape = { ...saleShape, code: typedPromoCodeSchema.optional() }
export const buyBodySchema = z.strictObject(guestSaleShape).refine(...oneChoice)
/** The client chooses one key per intended purchase, usually a UUID. */
export const idempotencyKeySchema = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[\x21-\x7e]+$/)
export const soldAnswerSchema = defineAnswer({ tickets: z.array(ticketSchema), availableTickets: z.number().int() })
/**
 * `serverTime` lets a phone with a wrong clock tell when the event is. It is absent in lists that the page itself has
 * changed.
 */
export const ticketsAnswerSchema = defineAnswer({
  tickets: z.array(ticketSchema),
  serverTime: instantSchema.optional(),
})
export const ticketAnswerSchema = defineAnswer({ ticket: ticketSchema })
const groupCodeSchema = z.object({ qrCode: z.string(), ticketIds: z.array(ulidSchema) })
export type GroupCode = z.infer<typeof groupCodeSchema>
export const groupCodesAnswerSchema = defineAnswer({ groups: z.array(groupCodeSchema) })
/** qrCodeImage: an SVG data URL, null unless active. */
export const ticketWithImageSchema = defineAnswer({
  ticket: ticketSchema.extend({ qrCodeImage: z.string().nullable() }),
})

export const cancelBodySchema = z.strictObject({
  reason: z
    .string(CANCELLATION.reasonRequired)
    .trim()
    .min(1, CANCELLATION.reasonRequired)
    .max(REASON_MAX, CANCELLATION.reasonTooLong),
})

/** `name` is the person who uses the ticket; null means the buyer. */
export const nameBodySchema = z.strictObject({
  name: nameSchema(HOLDER_NAME_MAX, VALIDATION.holderName).nullable(),
})

/** Filters cancelled tickets by refund. `due` means not paid back yet and includes failed refunds. */
const refundFilterSchema = z.enum(['due', 'failed', 'done'])
export type RefundFilter = z.infer<typeof refundFilterSchema>

const ticketFilterShape = {
  ...eventQueryShape,
  status: filterBy(ticketStatusSchema),
  refund: filterBy(refundFilterSchema),
  type: filterBy(ulidSchema),
  search: searchSchema,
}
export const TICKET_SORTS = ['ticket', 'holder', 'price', 'bought', 'entry', 'status', 'refund'] as const
export const ticketsQuerySchema = z.object({ ...ticketFilterShape, sort: sortBy(TICKET_SORTS), ...pageQueryShape })
const managedTicketSchema = ticketSchema.extend({
  /**
   * The rupees that the buyer gets back for a cancelled ticket: the requested amount, or else what a buyer who cancels
   * would get. `inDoubt`: the time since which the provider's answer about the refund is missing. Until then it cannot
   * be changed by hand.
   */
  refund: z.object({ amount: z.number(), inDoubt: instantSchema.nullable() }).nullable(),
  order: z.string().nullable(),
  channel: z.enum(ORDER_CHANNELS).nullable(),
  paperBlock: z.string().optional(),
})
export type ManagedTicket = z.infer<typeof managedTicketSchema>
export const ticketsPageSchema = defineAnswer({
  tickets: z.array(managedTicketSchema),
  ...severalTypesShape,
  pagination: z.object({ ...paginationShape, totalTickets: z.number().int() }),
  /** The rupees to pay back, or paid back, for all tickets that a `refund` filter matches. */
  refundTotal: z.number().optional(),
})
export const includeUsedShape = { includeUsed: z.boolean().optional() }
export const statusBodySchema = z.strictObject({ status: ticketStatusSchema, ...includeUsedShape })
export const refundBodySchema = z.strictObject({ isRefundDone: z.boolean().nullable() })
export const manyTicketsSchema = (none: string) =>
  z.array(ulidSchema, none).min(1, none).max(BULK_UPDATE_MAX, VALIDATION.tooManyTickets)
export const bulkBodySchema = z.strictObject({
  ticketIds: manyTicketsSchema(FAILURE_TOASTS.selectTicketsAndStatus),
  status: z.enum(ticketStatusSchema.options, FAILURE_TOASTS.selectTicketsAndStatus),
  ...includeUsedShape,
})
export const bulkAnswerSchema = defineAnswer({ updated: z.number().int() })
export const bulkRefundBodySchema = z.strictObject({
  ticketIds: bulkBodySchema.shape.ticketIds,
  isRefundDone: refundBodySchema.shape.isRefundDone,
  reason: reasonSchema.optional(),
})
export const ticketStatsSchema = defineAnswer({ total: z.number().int(), revenue: z.number() })
export const exportQuerySchema = z.object({ format: z.enum(['csv', 'json']).default('csv'), ...ticketFilterShape })

export const offerLostBodySchema = z.strictObject({
  codes: z.array(z.string().max(1024)).min(1).max(LOST_OFFER_MAX),
})
/** `known`: the server has the ticket, whatever its status. `note` is the desk's reason for refusing a ticket. */
const lostAnswerSchema = z.object({
  state: z.enum(LOST_ANSWERS),
  why: z.enum(LOST_REFUSALS).optional(),
  note: z.string().optional(),
})
export type LostAnswer = z.infer<typeof lostAnswerSchema>
export const offeredLostSchema = defineAnswer({ answers: z.array(lostAnswerSchema) })

const lostTicketSchema = z.object({
  id: ulidSchema,
  ticketId: ulidSchema,
  holder: z.object({ name: z.string(), email: z.string() }),
  offeredAt: instantSchema,
  state: z.enum(LOST_STATES),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  note: z.string().nullable(),
  others: z.number().int(),
  together: z.number().int(),
  /** The ticket's price according to the event, in rupees. */
  price: z.number(),
  letIn: z.object({ at: instantSchema, by: z.string() }).nullable(),
})
export type LostTicket = z.infer<typeof lostTicketSchema>
const foundMoneySchema = z.object({ id: ulidSchema, amount: z.number(), at: instantSchema, detail: z.string() })
export type FoundMoney = z.infer<typeof foundMoneySchema>

export const lostTicketsSchema = defineAnswer({
  lost: z.array(lostTicketSchema),
  waiting: z.number().int(),
  paid: z.boolean(),
  remaining: z.number().int(),
  money: z.array(foundMoneySchema),
})
/**
 * With payments on, the body states how the ticket was paid: with money at the provider, by a bank transfer, or not at
 * all, with a reason.
 */
export const confirmLostBodySchema = z.strictObject({
  money: ulidSchema.optional(),
  utr: claimedUtrSchema.optional(),
  reason: z.string().trim().min(1, ORDER.reason).max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
export const refuseLostBodySchema = z.strictObject({ note: reasonSchema })
export const decidedLostSchema = defineAnswer({ lost: lostTicketSchema })
