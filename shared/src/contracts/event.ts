import { NEWS_MAX } from '../constants.ts'
import { VALIDATION } from '../messages/codes.ts'
import { daySchema, defineAnswer, instantSchema, ulidSchema } from './common.ts'
import { EVENT_STATES, OPEN_MATTER_KINDS, REENTRIES } from './names.ts'
import { shownPromoCodeSchema, typedPromoCodeSchema } from './types/promoCode.ts'
import { deskTypeSchema, ticketTypeSchema } from './types/ticketType.ts'
import * as z from './zod.ts'

/**
 * An event as in the API's answers. `date` is a day in the event's time zone, and `startTime` and `endTime` are its
 * HH:MM; with `endsNextDay`, `endTime` is on the day after. `startsAt` and `endsAt` are the same moments as instants.
 * Prices are rupees.
 */
/** What the event form fills. The form, its drafts and the audit trail derive their fields from it. */
const eventFormShape = {
  name: z.string(),
  date: daySchema,
  startTime: z.string(),
  endTime: z.string(),
  endsNextDay: z.boolean().optional(),
  venue: z.string(),
  description: z.string(),
  ticketPrice: z.number(),
  groupPrice4: z.number(),
  totalTickets: z.number().int(),
  features: z.array(z.string()),
  aboutText: z.string().nullable(),
  eventImage: z.string().nullable(),
  /** Guests buy online from and until then, and not while `paused` tells them why; other ways of selling go on. */
  salesFrom: instantSchema.nullable().optional(),
  salesUntil: instantSchema.nullable().optional(),
  paused: z.string().nullable().optional(),
  /** The number of people that the ground may hold; null if nobody has set it. */
  capacity: z.number().int().nullable().optional(),
  /** Until when people who left may come back, if `reentry` is open; null for as long as the event lasts. */
  reentry: z.enum(REENTRIES).optional(),
  reentryUntil: instantSchema.nullable().optional(),
}
export type EventFormField = keyof typeof eventFormShape
export const EVENT_FORM_FIELDS = Object.keys(eventFormShape) as EventFormField[]

export const eventSchema = z.object({
  _id: ulidSchema,
  ...eventFormShape,
  startsAt: instantSchema,
  endsAt: instantSchema,
  availableTickets: z.number().int(),
  types: z.array(ticketTypeSchema).optional(),
  /** Present while some code can be used, so that guests are asked for theirs. */
  hasCodes: z.literal(true).optional(),
  /** What the organiser says of the event, and why; absent means on. */
  state: z.enum(EVENT_STATES).optional(),
  stateReason: z.string().nullable().optional(),
  /** Guests may cancel in full until then, because the event has moved. */
  freeCancelUntil: instantSchema.nullable().optional(),
  /** Until then the organiser can take the state back. */
  undoUntil: instantSchema.nullable().optional(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
})
export type GarbaEvent = z.infer<typeof eventSchema>
export type EventFormFacts = Pick<GarbaEvent, EventFormField>

/** With an access code, the answer has its hidden types too. */
export const eventCodeQuerySchema = z.object({ code: typedPromoCodeSchema.optional() })
export const eventAnswerSchema = defineAnswer({ data: eventSchema.nullable(), code: shownPromoCodeSchema.optional() })
export const deskTypesAnswerSchema = defineAnswer({
  types: z.array(deskTypeSchema),
  offers: z.array(ticketTypeSchema),
})
export const eventSavedSchema = defineAnswer({ data: eventSchema })
/** Counts what ends with the event, or tells of its date, and so moved with it. */
const movedSchema = z.object({
  phones: z.number().int(),
  blocks: z.number().int(),
  links: z.number().int(),
  notices: z.number().int(),
})
export type MovedWithEvent = z.infer<typeof movedSchema>
/** `moved` is absent if the event begins and ends as before. */
export const eventChangedSchema = eventSavedSchema.extend({ moved: movedSchema.optional() })
const closedEventSchema = eventSchema.extend({ closedAt: instantSchema })
export type ClosedEvent = z.infer<typeof closedEventSchema>
const openMatterSchema = z.object({ kind: z.enum(OPEN_MATTER_KINDS), count: z.number().int().min(1) })
export type OpenMatter = z.infer<typeof openMatterSchema>
export const openMattersSchema = defineAnswer({ matters: z.array(openMatterSchema) })
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
export const eventClosedSchema = defineAnswer({ data: closedEventSchema })
export const closedEventsSchema = defineAnswer({ events: z.array(closedEventSchema) })
/** Lists and figures are about the event with this id, or else about the current event. */
export const eventQueryShape = { event: ulidSchema.optional() }
export const eventQuerySchema = z.object(eventQueryShape)
export const eventExistsSchema = defineAnswer({ exists: z.boolean() })
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
