import { TYPE_LIMITS } from '../../constants.ts'
import { TYPE_FORM as SAY } from '../../messages/eventForm.ts'
import { hasWholePaise, instantSchema, momentSchema, nameSchema, optionalNameSchema, ulidSchema } from '../common.ts'
import { TYPE_STATES } from '../names.ts'
import * as z from '../zod.ts'

/** The name of a ticket type for people; a missing language shows the English name. */
export const typeNameSchema = z.object({ en: z.string(), gu: z.string().optional(), hi: z.string().optional() })
export type TypeName = z.infer<typeof typeNameSchema>

export const namedTypeSchema = z.object({ id: ulidSchema, name: typeNameSchema })
export type NamedType = z.infer<typeof namedTypeSchema>
export const gateTypeSchema = namedTypeSchema.extend({ note: z.string().nullable() })
export type GateType = z.infer<typeof gateTypeSchema>
/** The event's types, in lists that can be narrowed to one; absent for an event with one type. */
export const severalTypesShape = { types: z.array(namedTypeSchema).optional() }

/** The type of a ticket or line; `isShown` where its holder knows of several types, so that screens and mails name it. */
export const heldTypeSchema = namedTypeSchema.extend({ isShown: z.literal(true).optional() })
export type HeldType = z.infer<typeof heldTypeSchema>

/** A ticket type as guests see it. Prices are rupees; `remaining`, `left` and `maxPerOrder` count this type. */
export const ticketTypeSchema = gateTypeSchema.extend({
  price: z.number(),
  groupPrice: z.number(),
  /** These prices count until then, and for so many more; null without such an end. */
  phase: z.object({ until: instantSchema.nullable(), left: z.number().int().nullable() }),
  remaining: z.number().int(),
  state: z.enum(TYPE_STATES),
  admits: z.number().int(),
  maxPerOrder: z.number().int().nullable(),
  /** Guests buy it only with an access code; the desk sells it without. */
  hidden: z.literal(true).optional(),
})
export type TicketTypeOffer = z.infer<typeof ticketTypeSchema>

const rupees = z
  .number(SAY.price)
  .positive(SAY.price)
  .max(TYPE_LIMITS.price, SAY.price)
  .refine(hasWholePaise, SAY.decimals)
const countOrNone = (error: string) => z.int(error).min(1, error).max(TYPE_LIMITS.seats, error).nullish()
const momentOrNone = momentSchema(SAY.moment).nullish()

const phaseInputSchema = z.object({
  price: rupees,
  /** Per ticket of the type from four in one order on; absent, it is the price. */
  groupPrice: rupees.nullish(),
  until: momentOrNone,
  sold: countOrNone(SAY.sold),
})

/** A ticket type as the desk writes it. Absent fields mean none; the last phase has no end. */
const typeInputSchema = z.object({
  id: ulidSchema.optional(),
  name: z.object(
    {
      en: nameSchema(TYPE_LIMITS.name, SAY.name),
      gu: optionalNameSchema(TYPE_LIMITS.name, SAY.translatedName).nullish(),
      hi: optionalNameSchema(TYPE_LIMITS.name, SAY.translatedName).nullish(),
    },
    SAY.name,
  ),
  note: z.string().trim().max(TYPE_LIMITS.note, SAY.noteTooLong).nullish(),
  seats: countOrNone(SAY.seats),
  from: momentOrNone,
  until: momentOrNone,
  maxPerOrder: countOrNone(SAY.maxPerOrder),
  paused: z.boolean().nullish(),
  hidden: z.boolean().nullish(),
  /** The people whom one of this type lets in, each with a ticket. */
  admits: z.int(SAY.admits).min(1, SAY.admits).max(TYPE_LIMITS.admits, SAY.admits).nullish(),
  phases: z.array(phaseInputSchema, SAY.phases).min(1, SAY.phases).max(TYPE_LIMITS.phases, SAY.phases),
})
export type TicketTypeInput = z.input<typeof typeInputSchema>

export const typesInputSchema = z
  .array(typeInputSchema, SAY.types)
  .min(1, SAY.types)
  .max(TYPE_LIMITS.types, SAY.tooManyTypes)
export type TypesInput = z.output<typeof typesInputSchema>

export const deskTypeSchema = typeInputSchema.extend({ id: ulidSchema, taken: z.number().int() })
export type DeskTicketType = z.output<typeof deskTypeSchema>

/** How many of a type; `price` is the price of one in rupees as the buyer saw it, and nothing is sold at another. */
const saleLineSchema = z.strictObject({
  type: ulidSchema,
  quantity: z.number(SAY.quantity).int(SAY.quantity).min(1, SAY.quantity).max(TYPE_LIMITS.seats, SAY.quantity),
  price: z.number().nonnegative().optional(),
})
export type SaleLineInput = z.infer<typeof saleLineSchema>
export const saleLinesSchema = z
  .array(saleLineSchema)
  .min(1, SAY.quantity)
  .max(TYPE_LIMITS.types, SAY.tooManyTypes)
  .refine((lines) => new Set(lines.map(({ type }) => type)).size === lines.length, SAY.typeTwice)

/** A line of an order as stored and shown; `price` is that of one, after the code. */
export const orderLineSchema = z.object({
  type: heldTypeSchema,
  quantity: z.number().int(),
  price: z.number(),
})
