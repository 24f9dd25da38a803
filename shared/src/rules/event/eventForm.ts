import { IMAGE_MAX_BYTES, IMAGE_TYPES, EVENT_LIMITS as LIMIT } from '../../constants.ts'
import { type FieldError, hasWholePaise, momentSchema } from '../../contracts/common.ts'
import type { EventFormField } from '../../contracts/event.ts'
import { REENTRIES } from '../../contracts/names.ts'
import * as z from '../../contracts/zod.ts'
import { EVENT_FORM as SAY } from '../../messages/eventForm.ts'
import { HHMM, isDay, yearsAfter } from './calendar.ts'

/*
 * The rules for saving an event, for both the form and the API. Texts are trimmed, numbers may be decimal texts, and
 * features a list or comma-separated text. A wrong type gets the field's own message. A price with more than two
 * decimals is refused instead of rounded, because no one should be charged an amount that was never typed. Other fields
 * are ignored, so an event from an answer can be changed and sent back. (Spec: Validation.)
 */

const text = (what: string, required: string, max: number) =>
  z.string(required).trim().min(1, required).max(max, SAY.textTooLong(what, max))

const DECIMAL = /^(\d+(\.\d*)?|\.\d+)$/
const asNumber = (value: number | string): number =>
  typeof value === 'number' ? value : DECIMAL.test(value.trim()) ? Number(value) : Number.NaN

const numeric = <T extends z.ZodType<unknown, number>>(required: string, rule: T) =>
  z.union([z.number(), z.string()], required).transform(asNumber).pipe(rule)

const price = (what: string, required: string, decimals: string) =>
  numeric(
    required,
    z
      .number(required)
      .positive(required)
      .max(LIMIT.price, SAY.numberTooHigh(what, LIMIT.price))
      .refine(hasWholePaise, decimals),
  ).meta({ description: 'Rupees, at most two decimals, as a number or its text' })

const totalTickets = numeric(
  SAY.totalTicketsInvalid,
  z
    .number(SAY.totalTicketsInvalid)
    // Not z.int(): its failure would end the check of the times as well.
    .refine(Number.isInteger, SAY.totalTicketsInvalid)
    .positive(SAY.totalTicketsInvalid)
    .max(LIMIT.totalTickets, SAY.numberTooHigh('Total tickets', LIMIT.totalTickets)),
)

const time = (required: string, format: string) => z.string(required).trim().min(1, required).regex(HHMM, format)

/** A checkbox of the form is the text 'true' or ''. */
const endsNextDay = z
  .union([z.boolean(), z.string()], SAY.endsNextDayInvalid)
  .refine((given) => ['true', 'false', ''].includes(String(given)), SAY.endsNextDayInvalid)
  .default(false)
  .transform((given) => String(given) === 'true')
  .meta({ description: 'The event ends after midnight, so endTime is a time of the next day' })

/** Days in the event's time zone: today, and the date of the saved event, which may be in the past by now. */
interface FormDays {
  today: string
  savedDate?: string | undefined
}

const realDate = z
  .string(SAY.dateRequired)
  .trim()
  .min(1, SAY.dateRequired)
  .refine(isDay, SAY.dateFormat)
  .meta({ format: 'date', description: `A day of the event time zone, at most ${LIMIT.yearsAhead} years ahead` })

const dateWithin = ({ today, savedDate }: FormDays) =>
  realDate
    .refine((day) => day >= today || day === savedDate, SAY.datePast)
    .refine((day) => day <= yearsAfter(today, LIMIT.yearsAhead), SAY.dateTooFar(LIMIT.yearsAhead))

const features = z
  .union([z.string(), z.array(z.string())], SAY.featuresShape)
  .nullish()
  .transform((given) => (typeof given === 'string' ? given.split(',') : (given ?? [])))
  .transform((list) => list.map((feature) => feature.trim()).filter((feature) => feature !== ''))
  .pipe(
    z
      .array(z.string().max(LIMIT.feature, SAY.textTooLong('Each feature', LIMIT.feature)))
      .max(LIMIT.features, SAY.tooManyFeatures(LIMIT.features)),
  )
  .meta({ description: 'Short texts, as a list or comma separated' })

const aboutText = z
  .string(SAY.aboutShape)
  .trim()
  .max(LIMIT.description, SAY.textTooLong('About text', LIMIT.description))
  .nullish()
  .transform((about) => about || null)

const moment = z
  .union([z.literal(''), momentSchema(SAY.momentShape)], SAY.momentShape)
  .nullish()
  .transform((given) => (given ? new Date(given) : null))
  .meta({ format: 'date-time', description: 'A moment, or null for no limit; absent leaves it as it is' })

/** Blanks alone are an error: a pause whose sentence was deleted must not end unnoticed. */
const paused = z
  .string(SAY.pausedRequired)
  .refine((sentence) => sentence === '' || sentence.trim() !== '', SAY.pausedRequired)
  .trim()
  .max(LIMIT.paused, SAY.textTooLong('Sentence for guests', LIMIT.paused))
  .nullish()
  .transform((sentence) => sentence || null)
  .meta({ description: 'Why nothing is sold online now, or null; absent leaves it as it is' })

const capacity = z
  .union(
    [
      z.literal(''),
      numeric(
        SAY.capacityInvalid,
        z
          .int(SAY.capacityInvalid)
          .positive(SAY.capacityInvalid)
          .max(LIMIT.capacity, SAY.numberTooHigh('Capacity', LIMIT.capacity)),
      ),
    ],
    SAY.capacityInvalid,
  )
  .nullish()
  .transform((people) => people || null)
  .meta({ description: 'People that the ground may hold, or null; absent leaves it as it is' })

const reentry = z
  .string(SAY.reentryInvalid)
  .default('none')
  .transform((given) => given || 'none')
  .pipe(z.enum(REENTRIES, SAY.reentryInvalid))
  .meta({ enum: REENTRIES, description: 'Whether people who have left may come back; absent leaves it as it is' })

const STORED_IMAGE = /^\/api\/event\/image\/[A-Za-z0-9_-]{1,128}$/
const DATA_URL = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/

const isImageType = (type: string): boolean => (IMAGE_TYPES as readonly string[]).includes(type)

function imageTextProblem(image: string): string | null {
  if (image === '' || STORED_IMAGE.test(image)) return null
  const [, type = '', base64 = ''] = DATA_URL.exec(image) ?? []
  if (!isImageType(type) || base64.length % 4 !== 0) return SAY.imageFormat
  const bytes = (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
  return bytes > IMAGE_MAX_BYTES ? SAY.imageSize : null
}

const eventImage = z
  .string(SAY.imageFormat)
  .check((ctx) => {
    const message = imageTextProblem(ctx.value)
    if (message) ctx.issues.push({ code: 'custom', input: ctx.value, message })
  })
  .nullish()
  .transform((image) => image || null)
  .meta({ description: 'A base64 data URL (JPEG, PNG, GIF or WebP, at most 5 MB), the stored image address, or null' })

/** The form's schema; without `days` any real date passes. The spec fixes the messages. */
export const eventFormSchema = (days?: FormDays) =>
  z
    .object({
      name: text('Event name', SAY.nameRequired, LIMIT.name),
      venue: text('Event venue', SAY.venueRequired, LIMIT.venue),
      description: text('Event description', SAY.descriptionRequired, LIMIT.description),
      date: days ? dateWithin(days) : realDate,
      startTime: time(SAY.startTimeRequired, SAY.startTimeFormat),
      endTime: time(SAY.endTimeRequired, SAY.endTimeFormat),
      endsNextDay,
      ticketPrice: price('Ticket price', SAY.ticketPriceInvalid, SAY.ticketPriceDecimals),
      groupPrice4: price('Group price', SAY.groupPriceInvalid, SAY.groupPriceDecimals),
      totalTickets,
      eventImage,
      features,
      aboutText,
      salesFrom: moment,
      salesUntil: moment,
      paused,
      capacity,
      reentry,
      reentryUntil: moment,
    } satisfies Record<EventFormField, z.ZodType>)
    .refine(({ startTime, endTime, endsNextDay: nextDay }) => nextDay || startTime < endTime, {
      path: ['endTime'],
      error: SAY.endBeforeStart,
      // Checked whenever both times are valid, even beside other errors: the form shows all errors at once.
      when: ({ value }) => timesSchema.safeParse(value).success,
    })
    .refine(({ salesFrom, salesUntil }) => !salesFrom || !salesUntil || salesFrom < salesUntil, {
      path: ['salesUntil'],
      error: SAY.salesUntilBeforeFrom,
      when: ({ value }) => windowSchema.safeParse(value).success,
    })
    .refine(({ totalTickets: total, capacity: most }) => most === null || total <= most, {
      path: ['totalTickets'],
      error: ({ input }) => SAY.totalAboveCapacity(roomSchema.parse(input).capacity),
      when: ({ value }) => roomSchema.safeParse(value).success,
    })

const roomSchema = z.object({ totalTickets: z.number(), capacity: z.int().positive() })
const windowSchema = z.object({ salesFrom: z.date(), salesUntil: z.date() })
const timesSchema = z.object({ startTime: z.string().regex(HHMM), endTime: z.string().regex(HHMM) })

/** An event as it may be stored; prices in rupees, eventImage a data URL, a stored image's address or null. */
export type EventInput = z.output<ReturnType<typeof eventFormSchema>>

/** Checks typed or sent input of any shape; never throws. Errors come in the form's order, one for each field. */
export function parseEventForm(
  input: unknown,
  days: FormDays,
): { ok: true; value: EventInput } | { ok: false; errors: FieldError[] } {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const schema = eventFormSchema(days)
  // The schema is used once, so compiling it would take longer than it saves.
  const result = schema.safeParse(isObject ? input : {}, { jitless: true })
  if (result.success) return { ok: true, value: result.data }
  const first = new Map<string, FieldError>()
  for (const { path, message } of result.error.issues) {
    const field = String(path[0])
    if (!first.has(field)) first.set(field, { field, message })
  }
  const inOrder = Object.keys(schema.shape).flatMap((field) => first.get(field) ?? [])
  return { ok: false, errors: inOrder }
}

/** The problem with a chosen image file, or null. `type` is a MIME type; `size` is in bytes. (Spec: Validation.) */
export function imageProblem({ type, size }: { type: string; size: number }): string | null {
  if (!isImageType(type)) return SAY.imageType
  return size > IMAGE_MAX_BYTES ? SAY.imageSize : null
}
