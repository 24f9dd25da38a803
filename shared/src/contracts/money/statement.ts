import { REASON_MAX } from '../../constants.ts'
import { STATEMENT } from '../../messages/money.ts'
import { ORDER } from '../../messages/order.ts'
import { daySchema, defineAnswer, instantSchema } from '../common.ts'
import { GUEST_PROVIDERS, ORDER_STATES, SETTLEMENT_DIFFERENCES, STATEMENT_MATCHES } from '../names.ts'
import * as z from '../zod.ts'

/** The limit allows about 10,000 lines, which the server reads in half a second. */
export const CSV_MAX = 2_000_000
const csvSchema = z.string(STATEMENT.csv).min(1, STATEMENT.csv).max(CSV_MAX, STATEMENT.tooLong)

const columnSchema = z.number().int().min(0).max(99)
const columns = {
  date: columnSchema,
  amount: columnSchema,
  direction: columnSchema.optional(),
  utr: columnSchema.optional(),
  description: columnSchema.optional(),
  /** Whether the file writes the month before the day. Without it the file's dates decide; if they fit both, the day is first. */
  monthFirst: z.boolean().optional(),
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
export const readStatementAnswerSchema = defineAnswer({
  columns: z.array(z.string()),
  mapping: z.object(columns).partial(),
  sample: z.array(z.array(z.string())),
  /** Whether a person must say if the day or the month comes first: both fit, and only the unusual order is plausible. */
  asksDateOrder: z.boolean().optional(),
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
  order: z
    .object({
      code: z.string(),
      buyer: z.string(),
      total: z.number(),
      state: z.enum(ORDER_STATES),
      utr: z.string().nullable(),
    })
    .nullable(),
  other: z.object({ code: z.string(), buyer: z.string(), total: z.number(), state: z.enum(ORDER_STATES) }).nullable(),
  /** The reason and the person if the line was set aside; null otherwise, and once it pays an order. */
  aside: z.object({ note: z.string(), by: z.string(), at: instantSchema }).nullable(),
})
export type StatementLine = z.infer<typeof statementLineSchema>
export const statementLinesAnswerSchema = defineAnswer({ lines: z.array(statementLineSchema) })
/**
 * `fields`: the number of cells differs from the header's, and the row does not read in exactly one way. `bothSides`: its
 * money both came in and went out. `noSide`: the row does not show whether the money came in. `noSign`: other rows have
 * signs, so this is a transfer between own accounts. `failed`: its state is not that of a payment made.
 */
const skippedRowSchema = z.object({
  line: z.number().int(),
  why: z.enum(['debit', 'fields', 'bothSides', 'noSide', 'noSign', 'failed', 'noDate', 'wrongDate', 'noAmount']),
  cell: z.object({ column: z.string(), text: z.string() }).optional(),
  text: z.string(),
})
export type SkippedRow = z.infer<typeof skippedRowSchema>
const noteSchema = z.object({ line: z.number().int(), message: z.string() })
export type StatementNote = z.infer<typeof noteSchema>
/** The counts are rows of the file: new credits, known credits, and rows that are not credits or cannot be read. */
export const importStatementAnswerSchema = defineAnswer({
  added: z.number().int(),
  known: z.number().int(),
  skipped: z.number().int(),
  skippedRows: z.array(skippedRowSchema),
  notes: z.array(noteSchema).optional(),
  lines: z.array(statementLineSchema),
})

export const setLineAsideBodySchema = z.strictObject({
  aside: z
    .string(STATEMENT.aside.noteMissing)
    .trim()
    .min(1, STATEMENT.aside.noteMissing)
    .max(REASON_MAX, ORDER.reasonTooLong)
    .nullable(),
})

export const CONFIRMED_AT_ONCE = 500
export const confirmStatementBodySchema = z.strictObject({
  lines: z.array(z.string().max(64)).min(1, STATEMENT.chooseLines).max(CONFIRMED_AT_ONCE),
})
export const confirmStatementAnswerSchema = defineAnswer({
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
  id: z.string(),
  order: z.string().nullable(),
  settlementId: z.string().nullable(),
  /** The day of the settlement; if that is missing, the day of the capture. */
  day: daySchema,
  /** Our amount and the settled amount; null if one side has none. */
  ours: z.number().nullable(),
  settled: z.number().nullable(),
})
export type SettlementDifference = z.infer<typeof differenceSchema>

export const settlementsAnswerSchema = defineAnswer({
  payouts: z.array(payoutSchema),
  differences: z.array(differenceSchema),
  askedAt: instantSchema.nullable(),
})
export type Settlements = z.infer<typeof settlementsAnswerSchema>
