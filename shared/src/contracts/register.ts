import { defineAnswer, instantSchema } from './common.ts'
import { TICKET_KINDS } from './names.ts'
import * as z from './zod.ts'

const count = z.number().int()

const registerRowSchema = z.object({
  minute: instantSchema,
  gate: z.string().nullable(),
  /** People let in, those who came back included. */
  in: count,
  returned: count,
  out: count,
  /** People counted without a code, less those counted out. */
  counted: count,
  /** People inside by this gate after this minute: in, less out, plus counted. It may be below 0. */
  inside: count,
  insideInAll: count,
  refused: count,
  doubles: count,
  /** Entries by hand, dated late or taken back, and unknown codes: what raises the evening's alarms. */
  alarms: count,
})
export type RegisterRow = z.infer<typeof registerRowSchema>

export const registerSchema = z.object({
  event: z.string(),
  at: instantSchema,
  /** Each minute and gate in which something happened, in the order of time. */
  rows: z.array(registerRowSchema),
  channels: z.array(z.object({ channel: z.enum(TICKET_KINDS), sold: count, used: count })),
  closed: z.object({ at: instantSchema, by: z.string() }).nullable(),
  /**
   * What the evening said each quarter of an hour about when all would be in, and by how many minutes that was after
   * the last person came (below 0: before). Empty until the event is over.
   */
  forecasts: z.array(z.object({ at: instantSchema, allInBy: instantSchema, off: count })),
})
export type EveningRegister = z.infer<typeof registerSchema>
export const registerAnswerSchema = defineAnswer({ data: registerSchema })
