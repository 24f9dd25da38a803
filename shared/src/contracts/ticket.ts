import { BULK_UPDATE_MAX, HOLDER_NAME_MAX, LOST_OFFER_MAX, REASON_MAX } from '../constants.ts'
import { CANCELLATION } from '../messages/codes.ts'
import { VALIDATION } from '../messages/common.ts'
import { ORDER } from '../messages/order.ts'
import { FAILURE_TOASTS } from '../messages/toasts.ts'
import {
  filterBy,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  reasonSchema,
  success,
  ticketStatusSchema,
  ulidSchema,
  utrSchema,
} from './common.ts'
import { eventQueryShape } from './event.ts'
import { LOST_ANSWERS, LOST_REFUSALS, LOST_STATES } from './names.ts'
import * as z from './zod.ts'

export const ticketSchema = z.object({
  _id: ulidSchema,
  id: ulidSchema,
  ticketId: ulidSchema,
  user: z.object({ _id: ulidSchema.nullable(), name: z.string(), email: z.string() }),
  eventName: z.string(),
  /** Its event is closed: there is no code, and nothing but its refund can be changed. */
  isPast: z.boolean().default(false),
  price: z.number(),
  status: ticketStatusSchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  /** null unless active, and once its event is closed. */
  qrCode: z.string().nullable(),
  entryTime: instantSchema.nullable(),
  scannedBy: z.object({ name: z.string() }).nullable(),
  cancelledAt: instantSchema.nullable(),
  cancellationReason: z.string().nullable(),
  isRefundDone: z.boolean().nullable(),
  /** Who uses the ticket, if its owner has said so; the gate reads this name instead of the buyer's. */
  holderName: z.string().nullable(),
})
export type Ticket = z.infer<typeof ticketSchema>

export const buyBodySchema = z.strictObject({
  quantity: z.number(VALIDATION.quantity).int(VALIDATION.quantity).min(1, VALIDATION.quantity),
})
/** Chosen by the client, one per intended purchase; a UUID is customary. */
export const idempotencyKeySchema = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[\x21-\x7e]+$/)
export const soldAnswerSchema = success({ tickets: z.array(ticketSchema), availableTickets: z.number().int() })
export const ticketsAnswerSchema = success({ tickets: z.array(ticketSchema) })
export const ticketAnswerSchema = success({ ticket: ticketSchema })
const groupCodeSchema = z.object({ qrCode: z.string(), ticketIds: z.array(ulidSchema) })
/** One code for several tickets, with their ids in its order. */
export type GroupCode = z.infer<typeof groupCodeSchema>
export const groupCodesAnswerSchema = success({ groups: z.array(groupCodeSchema) })
/** qrCodeImage: an SVG data URL, null unless active. */
export const ticketWithImageSchema = success({ ticket: ticketSchema.extend({ qrCodeImage: z.string().nullable() }) })

export const cancelBodySchema = z.strictObject({
  reason: z
    .string(CANCELLATION.reasonRequired)
    .trim()
    .min(1, CANCELLATION.reasonRequired)
    .max(REASON_MAX, CANCELLATION.reasonTooLong),
})

/** Who uses the ticket; null for the buyer. */
export const nameBodySchema = z.strictObject({
  name: nameSchema(HOLDER_NAME_MAX, VALIDATION.holderName).nullable(),
})

/** Cancelled tickets by their refund: `due` is not paid back yet, which includes the failed ones. */
const refundFilterSchema = z.enum(['due', 'failed', 'done'])
export type RefundFilter = z.infer<typeof refundFilterSchema>

const ticketFilterShape = {
  ...eventQueryShape,
  status: filterBy(ticketStatusSchema),
  refund: filterBy(refundFilterSchema),
  search: z.string().trim().max(200).optional(),
}
export const ticketsQuerySchema = z.object({ ...ticketFilterShape, ...pageQueryShape })
const managedTicketSchema = ticketSchema.extend({
  /**
   * What its buyer gets back for a cancelled ticket, in rupees: as promised, or else as a buyer who cancels gets. `inDoubt`
   * since when the provider has not said whether it made the refund; nobody can change it by hand until it does.
   */
  refund: z.object({ amount: z.number(), inDoubt: instantSchema.nullable() }).nullable(),
})
export type ManagedTicket = z.infer<typeof managedTicketSchema>
export const ticketsPageSchema = success({
  tickets: z.array(managedTicketSchema),
  pagination: z.object({ ...paginationShape, totalTickets: z.number().int() }),
  /** Rupees to pay back, or paid back, for all tickets of a query by `refund`. */
  refundTotal: z.number().optional(),
})
/** Cancels tickets whose holders went in, too; without it they are refused with TICKET_USED. */
export const includeUsedShape = { includeUsed: z.boolean().optional() }
export const statusBodySchema = z.strictObject({ status: ticketStatusSchema, ...includeUsedShape })
export const refundBodySchema = z.strictObject({ isRefundDone: z.boolean().nullable() })
export const bulkBodySchema = z.strictObject({
  ticketIds: z
    .array(ulidSchema, FAILURE_TOASTS.selectTicketsAndStatus)
    .min(1, FAILURE_TOASTS.selectTicketsAndStatus)
    .max(BULK_UPDATE_MAX),
  status: z.enum(ticketStatusSchema.options, FAILURE_TOASTS.selectTicketsAndStatus),
  ...includeUsedShape,
})
export const bulkAnswerSchema = success({ updated: z.number().int() })
export const bulkRefundBodySchema = z.strictObject({
  ticketIds: bulkBodySchema.shape.ticketIds,
  isRefundDone: refundBodySchema.shape.isRefundDone,
  /** One for all of them, such as the bank transfer's number; it is kept in the audit trail. */
  reason: z.string().trim().min(1).max(REASON_MAX).optional(),
})
export const ticketStatsSchema = success({ total: z.number().int(), revenue: z.number() })
export const exportQuerySchema = z.object({ format: z.enum(['csv', 'json']).default('csv'), ...ticketFilterShape })

/** Tickets that a guest's device kept although the server lost them. */

/** The texts of their codes, as the server has signed them. */
export const offerLostBodySchema = z.strictObject({
  codes: z.array(z.string().max(1024)).min(1).max(LOST_OFFER_MAX),
})
/** `known`: the server has the ticket, whatever became of it. `note`: what the desk says to a ticket that it refused. */
const lostAnswerSchema = z.object({
  state: z.enum(LOST_ANSWERS),
  why: z.enum(LOST_REFUSALS).optional(),
  note: z.string().optional(),
})
export type LostAnswer = z.infer<typeof lostAnswerSchema>
/** One for each code, in their order. */
export const offeredLostSchema = success({ answers: z.array(lostAnswerSchema) })

const lostTicketSchema = z.object({
  id: ulidSchema,
  ticketId: ulidSchema,
  /** The account that offers it. */
  holder: z.object({ name: z.string(), email: z.string() }),
  offeredAt: instantSchema,
  state: z.enum(LOST_STATES),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  note: z.string().nullable(),
  /** How many other accounts offer the same ticket. */
  others: z.number().int(),
  /** How many lost tickets seem to have been bought together, this one included. */
  together: z.number().int(),
  /** What it cost by the event's prices. Rupees. */
  price: z.number(),
  /** The first admission that was recorded without knowing the ticket. */
  letIn: z.object({ at: instantSchema, by: z.string() }).nullable(),
})
export type LostTicket = z.infer<typeof lostTicketSchema>
const foundMoneySchema = z.object({ id: ulidSchema, amount: z.number(), at: instantSchema, detail: z.string() })
export type FoundMoney = z.infer<typeof foundMoneySchema>

export const lostTicketsSchema = success({
  /** Those that wait first, oldest first; then the last ones decided. */
  lost: z.array(lostTicketSchema),
  waiting: z.number().int(),
  /** Tickets are paid for here, so that a confirmation says how. */
  paid: z.boolean(),
  /** Seats that are free. */
  remaining: z.number().int(),
  /** Money that the provider knows and no order of ours: one of these may have paid. */
  money: z.array(foundMoneySchema),
})
/**
 * How it was paid, where tickets are paid for: with money that the provider knows, by a bank transfer, or, with a reason, not
 * at all.
 */
export const confirmLostBodySchema = z.strictObject({
  money: ulidSchema.optional(),
  utr: utrSchema.optional(),
  reason: z.string().trim().min(1, ORDER.reason).max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
export const refuseLostBodySchema = z.strictObject({ note: reasonSchema })
export const decidedLostSchema = success({ lost: lostTicketSchema })
