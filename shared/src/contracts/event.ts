import { NEWS_MAX } from '../constants.ts'
import { VALIDATION } from '../messages/common.ts'
import { daySchema, instantSchema, success, ulidSchema } from './common.ts'
import { OPEN_MATTER_KINDS } from './names.ts'
import * as z from './zod.ts'

/**
 * An event as in the API's answers. `date` is a day in the event's time zone, and `startTime` and `endTime` are its
 * HH:MM; with `endsNextDay`, `endTime` is on the day after. `startsAt` and `endsAt` are the same moments as instants.
 * Prices are rupees.
 */
export const eventSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  venue: z.string(),
  description: z.string(),
  date: daySchema,
  startTime: z.string(),
  endTime: z.string(),
  /** An absent value means false. */
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
/** A closed event stays readable, but nothing of it can be sold or changed. */
const closedEventSchema = eventSchema.extend({ closedAt: instantSchema })
export type ClosedEvent = z.infer<typeof closedEventSchema>
const openMatterSchema = z.object({ kind: z.enum(OPEN_MATTER_KINDS), count: z.number().int().min(1) })
export type OpenMatter = z.infer<typeof openMatterSchema>
/** EVENT_HAS_OPEN_MATTERS answers the same `matters`. */
export const openMattersSchema = success({ matters: z.array(openMatterSchema) })
/**
 * `anyway` closes the event although matters are open, but no more than `matters`, if the caller sends what it has
 * seen. The body may be absent.
 */
export const closeEventBodySchema = z
  .strictObject({
    anyway: z.boolean().optional(),
    matters: z.array(openMatterSchema).max(OPEN_MATTER_KINDS.length).optional(),
  })
  .optional()
export const eventClosedSchema = success({ data: closedEventSchema })
/** The event closed last comes first. */
export const closedEventsSchema = success({ events: z.array(closedEventSchema) })
/** Lists and figures are about the current event, or about the one with this id. */
export const eventQueryShape = { event: ulidSchema.optional() }
export const eventQuerySchema = z.object(eventQueryShape)
export const eventExistsSchema = success({ exists: z.boolean() })
/**
 * Mails everyone with an active ticket that the event has changed, once for each id and words, if mails are sent.
 * `words` is the admin's own message and may be empty.
 */
export const tellHoldersSchema = z.object({
  id: z.uuid(),
  words: z.string().trim().max(NEWS_MAX, VALIDATION.newsTooLong),
})
export type Notice = z.infer<typeof tellHoldersSchema>
/** `_id` is the event that was edited; no other event is changed. Earlier clients do not send it. */
export const changeEventShape = { _id: z.string().optional(), tell: tellHoldersSchema.optional() }
/** rules/eventForm checks the body of POST and PUT /event, and has its messages. */
