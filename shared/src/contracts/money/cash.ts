import { REASON_MAX } from '../../constants.ts'
import { ORDER } from '../../messages/order.ts'
import { daySchema, daysQueryShape, defineAnswer, hasWholePaise, instantSchema, ulidSchema } from '../common.ts'
import { eventQueryShape } from '../event.ts'
import { ORDER_CHANNELS, ORDER_PROVIDERS } from '../names.ts'
import * as z from '../zod.ts'

export const moneyTotalsQuerySchema = z.object({ ...eventQueryShape, ...daysQueryShape })
/** The newest day comes first. Days are in the event's time zone; amounts are rupees. */
export const moneyTotalsSchema = defineAnswer({
  totals: z.array(
    z.object({
      day: daySchema,
      channel: z.enum(ORDER_CHANNELS),
      provider: z.enum(ORDER_PROVIDERS),
      orders: z.number().int(),
      /** `captured` counts on the day the money came in, `refunded` on the day it went out. */
      captured: z.number(),
      refunded: z.number(),
      /** The provider's known fees on the money that came in. */
      fees: z.number(),
      requested: z.number(),
    }),
  ),
})
export type MoneyTotal = z.infer<typeof moneyTotalsSchema>['totals'][number]

const cashAmountSchema = z
  .number(ORDER.amount)
  .min(0, ORDER.amount)
  .max(10_000_000, ORDER.amount)
  .refine(hasWholePaise, ORDER.amount)
export const openCashBodySchema = z.strictObject({ float: cashAmountSchema })
export const closeCashBodySchema = z.strictObject({
  counted: cashAmountSchema,
  note: z.string().trim().max(REASON_MAX, ORDER.reasonTooLong).optional(),
})
const cashSessionSchema = z.object({
  id: ulidSchema,
  person: z.string(),
  openedAt: instantSchema,
  float: z.number(),
  /** The number of cash sales so far, and the rupees they brought. */
  sales: z.number().int(),
  taken: z.number(),
  paidBack: z.number(),
  expected: z.number(),
  /** This and the next two fields are null while the session is open. */
  closedAt: instantSchema.nullable(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
  note: z.string().nullable(),
})
export type CashSession = z.infer<typeof cashSessionSchema>
export const cashSessionAnswerSchema = defineAnswer({ session: cashSessionSchema })
export const cashSessionsAnswerSchema = defineAnswer({
  own: cashSessionSchema.nullable(),
  /** `mayClose`: the session is open, and is the caller's or can no longer be counted by its owner. */
  sessions: z.array(cashSessionSchema.extend({ mayClose: z.boolean() })),
  /**
   * Cash of the current event that is in no drawer: a phone reported the sales after its drawer was counted, or had
   * none. `phone` is null for a sale at the desk.
   */
  arrivedLater: z.array(
    z.object({
      phone: z.string().nullable(),
      seller: z.string(),
      sales: z.number().int(),
      amount: z.number(),
    }),
  ),
  paidBackOutside: z.number(),
})
export type CashSessionsAnswer = z.infer<typeof cashSessionsAnswerSchema>
