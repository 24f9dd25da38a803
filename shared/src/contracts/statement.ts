import { REASON_MAX } from '../constants.ts'
import { STATEMENT } from '../messages/money.ts'
import { ORDER } from '../messages/order.ts'
import { daySchema, instantSchema, success } from './common.ts'
import { GUEST_PROVIDERS, ORDER_STATES, SETTLEMENT_DIFFERENCES, STATEMENT_MATCHES } from './names.ts'
import * as z from './zod.ts'

/** The limit allows about 5,000 lines, which the server reads in a fifth of a second. */
const CSV_MAX = 500_000
const csvSchema = z.string(STATEMENT.csv).min(1, STATEMENT.csv).max(CSV_MAX, STATEMENT.tooLong)

const columnSchema = z.number().int().min(0).max(99)
const columns = {
  date: columnSchema,
  amount: columnSchema,
  direction: columnSchema.optional(),
  utr: columnSchema.optional(),
  description: columnSchema.optional(),
}
/**
 * Maps each field to its column, counted from 0. `amount` is the amount or the credit; `direction` is the column with
 * Cr or Dr, if one column holds both. The UTR is in its own column or within the description.
 */
export const statementMappingSchema = z
  .strictObject(columns)
  .refine(({ utr, description }) => utr !== undefined || description !== undefined, {
    path: ['utr'],
    message: STATEMENT.utrColumn,
  })
export type StatementMapping = z.infer<typeof statementMappingSchema>

export const readStatementBodySchema = z.strictObject({ csv: csvSchema })
/** The columns of a statement, what each seems to hold, and its first rows. */
export const readStatementAnswerSchema = success({
  columns: z.array(z.string()),
  mapping: z.object(columns).partial(),
  sample: z.array(z.array(z.string())),
})
export type StatementColumns = z.infer<typeof readStatementAnswerSchema>

export const importStatementBodySchema = z.strictObject({ csv: csvSchema, mapping: statementMappingSchema })

const statementLineSchema = z.object({
  id: z.string(),
  day: daySchema,
  amount: z.number(),
  utr: z.string().nullable(),
  text: z.string(),
  importedAt: instantSchema,
  match: z.enum(STATEMENT_MATCHES),
  /** The order that the line probably pays, or has paid. */
  order: z
    .object({
      code: z.string(),
      buyer: z.string(),
      total: z.number(),
      state: z.enum(ORDER_STATES),
      utr: z.string().nullable(),
    })
    .nullable(),
  /** Another order that the UTR or the code also names. */
  other: z.object({ code: z.string(), buyer: z.string(), total: z.number(), state: z.enum(ORDER_STATES) }).nullable(),
  /** The reason and the person if the line was set aside; null otherwise, and once it pays an order. */
  aside: z.object({ note: z.string(), by: z.string(), at: instantSchema }).nullable(),
})
export type StatementLine = z.infer<typeof statementLineSchema>
/** The newest day comes first. */
export const statementLinesAnswerSchema = success({ lines: z.array(statementLineSchema) })
/**
 * `fields`: the row is ambiguous, because its number of cells differs from the header's, or its money both came in and
 * went out. `noSide`: the row does not show whether the money came in.
 */
const skippedRowSchema = z.object({
  line: z.number().int(),
  why: z.enum(['debit', 'fields', 'noSide', 'noDate', 'noAmount']),
  text: z.string(),
})
export type SkippedRow = z.infer<typeof skippedRowSchema>
/** The counts are rows of the file: new credits, known credits, and rows that are not credits or cannot be read. */
export const importStatementAnswerSchema = success({
  added: z.number().int(),
  known: z.number().int(),
  skipped: z.number().int(),
  /** The first skipped rows, with debits last. */
  skippedRows: z.array(skippedRowSchema),
  lines: z.array(statementLineSchema),
})

/** The note says what the money is; null undoes setting the line aside. */
export const setLineAsideBodySchema = z.strictObject({
  aside: z
    .string(STATEMENT.aside.noteMissing)
    .trim()
    .min(1, STATEMENT.aside.noteMissing)
    .max(REASON_MAX, ORDER.reasonTooLong)
    .nullable(),
})

/** The most lines that one request confirms. */
export const CONFIRMED_AT_ONCE = 500
export const confirmStatementBodySchema = z.strictObject({
  lines: z.array(z.string().max(64)).min(1, STATEMENT.chooseLines).max(CONFIRMED_AT_ONCE),
})
/** `left` lists the lines that could no longer be confirmed, with the reason. */
export const confirmStatementAnswerSchema = success({
  confirmed: z.number().int(),
  left: z.array(z.object({ id: z.string(), message: z.string() })),
  lines: z.array(statementLineSchema),
})

/** One transfer from a provider to the bank, in rupees; net is gross minus refunds and fees. */
const payoutSchema = z.object({
  id: z.string(),
  provider: z.enum(GUEST_PROVIDERS),
  day: daySchema,
  lines: z.number().int(),
  gross: z.number(),
  refunded: z.number(),
  fees: z.number(),
  net: z.number(),
})
export type Payout = z.infer<typeof payoutSchema>

const differenceSchema = z.object({
  kind: z.enum(SETTLEMENT_DIFFERENCES),
  of: z.enum(['payment', 'refund']),
  /** The provider's id of the payment or the refund. */
  id: z.string(),
  /** The code of its order, if known. */
  order: z.string().nullable(),
  settlementId: z.string().nullable(),
  /** The day of the settlement; for a missing one, the day of the capture. */
  day: daySchema,
  /** Our amount and the settled amount; null if one side has none. */
  ours: z.number().nullable(),
  settled: z.number().nullable(),
})
export type SettlementDifference = z.infer<typeof differenceSchema>

export const settlementsAnswerSchema = success({
  /** Newest first. */
  payouts: z.array(payoutSchema),
  differences: z.array(differenceSchema),
  /** The last time a provider reported its settlements; null before the first report. */
  askedAt: instantSchema.nullable(),
})
export type Settlements = z.infer<typeof settlementsAnswerSchema>
