import { PAGE_MAX, PAGE_SIZE, PAGE_SIZE_MAX, REASON_MAX, SEARCH_MAX } from '../constants.ts'
import { SCANNER_KEYS } from '../messages/gate.ts'
import { ORDER } from '../messages/order.ts'
import { CODES } from './codes.ts'
import { ROLES, TICKET_STATUSES } from './names.ts'
import { isCodeText, plainName } from './people/personName.ts'
import * as z from './zod.ts'

export const roleSchema = z.enum(ROLES)
export const ticketStatusSchema = z.enum(TICKET_STATUSES)

/** 26 characters of Crockford base32, upper case. */
export const ulidSchema = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'Not a valid id')
export const instantSchema = z.iso.datetime({ offset: true })
/** An offset can move the first or last day of these years into a year that no answer can name. */
const isInUsualYear = (text: string): boolean => !/^(0000|9999)/.test(text)
export const momentSchema = (error?: string) => z.iso.datetime({ offset: true, error }).refine(isInUsualYear, error)
export const daySchema = z.iso.date()
export const usualDaySchema = daySchema.refine(isInUsualYear)

export const utrSchema = z
  .string(ORDER.utr)
  .trim()
  .regex(/^\d{12}$/, ORDER.utr)
/**
 * Numbers that banks print on many lines, which identify no transfer: zeros, and the pool numbers on every UPI line of
 * SBI without their leading zero.
 */
const BANKS_OWN = /^(?:0{12}|097(?:69|73)\d16209\d)$/
export const claimedUtrSchema = utrSchema.refine((utr) => !BANKS_OWN.test(utr), ORDER.bankNumber)
export const reasonSchema = z.string(ORDER.reason).trim().min(1, ORDER.reason).max(REASON_MAX, ORDER.reasonTooLong)

/** Amounts with fractions of a paisa are refused instead of rounded, because no one can have counted them. */
export const hasWholePaise = (rupees: number): boolean => Number(rupees.toFixed(2)) === rupees

/** The rule's text in the OpenAPI document. A test finds name fields that lack it. */
export const NAME_RULE = 'A name: one line, in which spaces are single and invisible characters are taken out'

const notCode = [(name: string) => !isCodeText(name), SCANNER_KEYS.nameIsCode] as const

/** Every name follows this rule: of a person, a phone, a gate or a block. */
export const nameSchema = (max: number, error?: string) =>
  z
    .string(error)
    .overwrite(plainName)
    .min(1, error)
    .max(max, error)
    .refine(...notCode)
    .meta({ description: NAME_RULE })

export const optionalNameSchema = (max: number, error?: string) =>
  z
    .string(error)
    .overwrite(plainName)
    .max(max, error)
    .refine(...notCode)
    .meta({ description: NAME_RULE })

const fieldErrorSchema = z.object({ field: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldErrorSchema>

export const failureSchema = z.looseObject({
  success: z.literal(false),
  code: z.enum(CODES),
  message: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
})

/** An optional filter of a list; '' means no filter. */
export const filterBy = <S extends z.ZodType>(values: S) =>
  values.or(z.literal('').transform(() => undefined)).optional()

export const searchSchema = z.string().trim().max(SEARCH_MAX).optional()

/** The columns a list can be sorted by, each also with "-" for the opposite order; '' and nothing mean newest first. */
export type Sort<C extends string> = C | `-${C}`
export const sortBy = <const C extends string>(columns: readonly C[]) =>
  filterBy(z.enum(columns.flatMap((column): Sort<C>[] => [column, `-${column}`])))

/** The first and the last day of a list, in the event's time zone; an absent end is open. */
export const daysQueryShape = { from: filterBy(daySchema), to: filterBy(daySchema) }
export const daysQuerySchema = z.object(daysQueryShape)
export type Days = z.infer<typeof daysQuerySchema>

export const defineAnswer = <S extends z.ZodRawShape>(shape: S) => z.object({ success: z.literal(true), ...shape })
export const okSchema = defineAnswer({})

export const pageQueryShape = {
  page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
}

/** total = pages, count = rows on this page. */
export const paginationShape = { current: z.number().int(), total: z.number().int(), count: z.number().int() }

const demoMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  at: instantSchema,
  text: z.string(),
  html: z.string(),
})
export type DemoMail = z.infer<typeof demoMailSchema>
export const demoMailsAnswerSchema = defineAnswer({ mails: z.array(demoMailSchema) })
