import { GUEST_LIST } from '../../messages/order.ts'
import { defineAnswer, reasonSchema } from '../common.ts'
import { CSV_MAX } from '../money/statement.ts'
import * as z from '../zod.ts'

const csvSchema = z.string(GUEST_LIST.csv).min(1, GUEST_LIST.csv).max(CSV_MAX, GUEST_LIST.tooLong)

export const readGuestListBodySchema = z.strictObject({ csv: csvSchema })
const listedGuestSchema = z.object({
  line: z.number().int(),
  name: z.string(),
  quantity: z.number().int(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  problem: z.string().nullable(),
})
export type ListedGuest = z.infer<typeof listedGuestSchema>
export const readGuestListAnswerSchema = defineAnswer({
  guests: z.array(listedGuestSchema),
  tickets: z.number().int(),
  problems: z.number().int(),
})

export const importGuestListBodySchema = z.strictObject({ csv: csvSchema, reason: reasonSchema })
export const importGuestListAnswerSchema = defineAnswer({ orders: z.number().int(), tickets: z.number().int() })
