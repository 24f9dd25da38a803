import { REASON_MAX, TYPE_LIMITS } from '../../constants.ts'
import { CODE_FORM as SAY } from '../../messages/eventForm.ts'
import { defineAnswer, hasWholePaise, instantSchema, momentSchema, ulidSchema } from '../common.ts'
import { PROMO_KINDS } from '../names.ts'
import * as z from '../zod.ts'

const count = z.int(SAY.count).min(1, SAY.count).max(TYPE_LIMITS.seats, SAY.count).nullish()

export const typedPromoCodeSchema = z
  .string()
  .trim()
  .min(1, { error: SAY.code, abort: true })
  .max(TYPE_LIMITS.code, { error: SAY.code, abort: true })

export const promoCodeBodySchema = z
  .strictObject({
    code: typedPromoCodeSchema.regex(/[\p{L}\p{N}]/u, SAY.code),
    kind: z.enum(PROMO_KINDS, SAY.kind),
    value: z
      .number(SAY.value)
      .positive(SAY.value)
      .max(TYPE_LIMITS.price, SAY.value)
      .refine(hasWholePaise, SAY.value)
      .nullish(),
    types: z.array(ulidSchema).min(1).max(TYPE_LIMITS.types).nullish(),
    until: momentSchema().nullish(),
    tickets: count,
    perPerson: count,
    note: z.string().trim().max(REASON_MAX, SAY.noteTooLong).default(''),
  })
  .refine(({ kind, value }) => kind === 'access' || value != null, { path: ['value'], message: SAY.value })
  .refine(({ kind, value }) => kind !== 'percent' || value == null || value <= 100, {
    path: ['value'],
    message: SAY.percent,
  })
  .refine(({ kind, value }) => kind !== 'access' || value == null, { path: ['value'], message: SAY.noValue })

/** `used` counts held and sold tickets; the desk finds their orders by searching for the code. */
const promoCodeSchema = z.object({
  id: ulidSchema,
  code: z.string(),
  kind: z.enum(PROMO_KINDS),
  value: z.number().nullable(),
  types: z.array(ulidSchema).nullable(),
  until: instantSchema.nullable(),
  tickets: z.number().int().nullable(),
  perPerson: z.number().int().nullable(),
  note: z.string(),
  paused: z.boolean(),
  used: z.number().int(),
  createdBy: z.string(),
  createdAt: instantSchema,
})
export type PromoCode = z.infer<typeof promoCodeSchema>
export const promoCodeAnswerSchema = defineAnswer({ code: promoCodeSchema })
export const promoCodesAnswerSchema = defineAnswer({ codes: z.array(promoCodeSchema) })
export const pausePromoCodeSchema = z.strictObject({ paused: z.boolean() })

export const shownPromoCodeSchema = promoCodeSchema.pick({ code: true, kind: true, value: true, types: true })
export type ShownPromoCode = z.infer<typeof shownPromoCodeSchema>
