import { LOST_OFFER_MAX, REASON_MAX } from '../constants.ts'
import { ORDER } from '../messages/order.ts'
import { instantSchema, success, ulidSchema } from './common.ts'
import { LOST_ANSWERS, LOST_REFUSALS, LOST_STATES } from './names.ts'
import { reasonSchema, utrSchema } from './order.ts'
import * as z from './zod.ts'

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
