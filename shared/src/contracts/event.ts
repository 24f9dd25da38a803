import { NEWS_MAX } from '../constants.ts'
import { VALIDATION } from '../messages/common.ts'
import { daySchema, instantSchema, success, ulidSchema } from './common.ts'
import { OPEN_MATTER_KINDS } from './names.ts'
import * as z from './zod.ts'

/**
 * An event as in the API's answers. `date` is a day of the event's time zone, `startTime`/`endTime` are its HH:MM, and
 * with `endsNextDay` `endTime` is a time of the day after;
 * `startsAt`/`endsAt` are the same moments as instants. Prices are rupees.
 */
export const eventSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  venue: z.string(),
  description: z.string(),
  date: daySchema,
  startTime: z.string(),
  endTime: z.string(),
  /** Absent: false. */
  endsNextDay: z.boolean().optional(),
  startsAt: instantSchema,
  endsAt: instantSchema,
  ticketPrice: z.number(),
  groupPrice4: z.number(),
  totalTickets: z.number().int(),
  availableTickets: z.number().int(),
  eventImage: z.string().nullable(),
  features: z.array(z.string()),
  aboutText: z.string().nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
})
export type GarbaEvent = z.infer<typeof eventSchema>

export const eventAnswerSchema = success({ data: eventSchema.nullable() })
export const eventSavedSchema = success({ data: eventSchema })
/** An event that was closed: it stays readable, and nothing of it can be sold or changed any more. */
const closedEventSchema = eventSchema.extend({ closedAt: instantSchema })
export type ClosedEvent = z.infer<typeof closedEventSchema>
const openMatterSchema = z.object({ kind: z.enum(OPEN_MATTER_KINDS), count: z.number().int().min(1) })
export type OpenMatter = z.infer<typeof openMatterSchema>
/** EVENT_HAS_OPEN_MATTERS answers the same `matters`. */
export const openMattersSchema = success({ matters: z.array(openMatterSchema) })
/** `anyway`: although something is open. No body is as good as an empty one. */
export const closeEventBodySchema = z.strictObject({ anyway: z.boolean().optional() }).optional()
export const eventClosedSchema = success({ data: closedEventSchema })
/** The last closed first. */
export const closedEventsSchema = success({ events: z.array(closedEventSchema) })
/** Lists and figures are about the current event, or about the one with this id. */
export const eventQueryShape = { event: ulidSchema.optional() }
export const eventQuerySchema = z.object(eventQueryShape)
export const eventExistsSchema = success({ exists: z.boolean() })
/**
 * Tells everybody with an active ticket by mail that the event has changed, once for each id, where mails leave. `words` are
 * the admin's own and may be empty.
 */
export const tellHoldersSchema = z.object({
  id: z.uuid(),
  words: z.string().trim().max(NEWS_MAX, VALIDATION.newsTooLong),
})
/** The body of POST and PUT /event is checked by rules/eventForm, which owns SPEC section 5's messages. */
