import { REASON_MAX } from '../constants.ts'
import { EVENT_STATE } from '../messages/eventState.ts'
import { daySchema, defineAnswer, instantSchema, momentSchema, ulidSchema, usualDaySchema } from './common.ts'
import { EVENT_STATES, ORDER_PROVIDERS } from './names.ts'
import * as z from './zod.ts'

const dayOrMoment = z.union([usualDaySchema, momentSchema()], EVENT_STATE.freeUntilShape)

/**
 * `delayed` needs a startTime, `moved` a date; both are checked like the event form's. Without `now` nothing leaves for
 * ten minutes, and `on` takes the state back. `freeCancelUntil` is a day, which counts whole, or a moment.
 */
export const eventStateBodySchema = z.strictObject({
  state: z.enum(EVENT_STATES),
  reason: z.string().trim().max(REASON_MAX, EVENT_STATE.reasonTooLong).optional(),
  date: z.string().optional(),
  startTime: z.string().optional(),
  freeCancelUntil: dayOrMoment.nullable().optional(),
  now: z.boolean().optional(),
})

const stateShape = {
  state: z.enum(EVENT_STATES),
  reason: z.string().nullable(),
  date: daySchema,
  startTime: z.string(),
  freeCancelUntil: instantSchema.nullable(),
  /** Nothing has left yet, and nothing will before then; null once it has left. */
  undoUntil: instantSchema.nullable(),
}
const eventStateSchema = z.object(stateShape)
export type EventStateFacts = z.infer<typeof eventStateSchema>
export const eventStateAnswerSchema = defineAnswer({ data: eventStateSchema })

const sumSchema = z.object({ count: z.number().int(), amount: z.number() })
export type TicketSum = z.infer<typeof sumSchema>

/** `people` have valid tickets. `lacks` is what a provider's balance is short of; null if the provider does not say. */
const statePreviewSchema = z.object({
  ...stateShape,
  people: z.number().int(),
  refund: sumSchema,
  providers: z.array(
    sumSchema.extend({
      provider: z.enum(ORDER_PROVIDERS),
      balance: z.number().nullable(),
      lacks: z.number().nullable(),
    }),
  ),
  byHand: sumSchema,
  mails: z.number().int(),
})
export type EventStatePreview = z.infer<typeof statePreviewSchema>
export const statePreviewAnswerSchema = defineAnswer({ data: statePreviewSchema })

/** `left` lists the first of the tickets whose money a person must give back: failed ones and those by hand. */
export const eventRefundsAnswerSchema = defineAnswer({
  total: sumSchema,
  done: sumSchema,
  waiting: sumSchema,
  failed: sumSchema,
  byHand: sumSchema,
  paused: z.boolean(),
  left: z.array(
    z.object({
      ticketId: ulidSchema,
      order: z.string().nullable(),
      name: z.string(),
      amount: z.number(),
      failed: z.boolean(),
    }),
  ),
})
export type EventRefunds = Omit<z.infer<typeof eventRefundsAnswerSchema>, 'success'>
export const pauseRefundsBodySchema = z.strictObject({ paused: z.boolean() })
