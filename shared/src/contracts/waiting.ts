import { defineAnswer, instantSchema, ulidSchema } from './common.ts'
import { quantitySchema } from './ticket.ts'
import * as z from './zod.ts'

export const joinWaitingBodySchema = z.strictObject({ quantity: quantitySchema })

/** A place in line; `ahead` counts the people before. */
const placeSchema = z.object({ quantity: z.number().int(), ahead: z.number().int(), since: instantSchema })
/** A held order. It is paid like any other; where tickets are free, buying them takes it up. */
const offerSchema = z.object({ order: z.string(), quantity: z.number().int(), until: instantSchema })
export const ownWaitingAnswerSchema = defineAnswer({
  waiting: placeSchema.nullable(),
  offer: offerSchema.nullable(),
})
export type OwnWaiting = Omit<z.infer<typeof ownWaitingAnswerSchema>, 'success'>

const personSchema = z.object({ user: ulidSchema, name: z.string(), email: z.string(), quantity: z.number().int() })
export const waitingListAnswerSchema = defineAnswer({
  waiting: z.array(personSchema.extend({ since: instantSchema })),
  offers: z.array(offerSchema.extend({ name: z.string() })),
  tickets: z.number().int(),
})
export type WaitingList = Omit<z.infer<typeof waitingListAnswerSchema>, 'success'>
