import { daySchema, instantSchema, success } from './common.ts'
import { GUEST_PROVIDERS, SETTLEMENT_DIFFERENCES } from './names.ts'
import * as z from './zod.ts'

/** One transfer of a provider to the bank. Rupees; net is gross less refunds and fees. */
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
  /** The code of its order, if we know it. */
  order: z.string().nullable(),
  settlementId: z.string().nullable(),
  /** The day it was settled; of what is missing, the day it was captured. */
  day: daySchema,
  /** What we have, and what was settled; null where one side has nothing. */
  ours: z.number().nullable(),
  settled: z.number().nullable(),
})
export type SettlementDifference = z.infer<typeof differenceSchema>

export const settlementsAnswerSchema = success({
  /** Newest first. */
  payouts: z.array(payoutSchema),
  differences: z.array(differenceSchema),
  /** When a provider last reported its settlements; null before. */
  askedAt: instantSchema.nullable(),
})
export type Settlements = z.infer<typeof settlementsAnswerSchema>
