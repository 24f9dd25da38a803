import { DEVICE_NAME_MAX, GATES_MAX } from '../constants.ts'
import { GATE } from '../messages/gate.ts'
import { nameSchema, success } from './common.ts'
import { TICKET_KINDS } from './names.ts'
import * as z from './zod.ts'

export const gateNameSchema = nameSchema(DEVICE_NAME_MAX, GATE.name)

/** A gate and the kinds of tickets it takes; none named means all. */
export const gateSchema = z.strictObject({
  name: gateNameSchema,
  kinds: z.array(z.enum(TICKET_KINDS)).max(TICKET_KINDS.length),
})
export type Gate = z.infer<typeof gateSchema>

/** The gates that take a ticket, with WRONG_GATE. */
export const gateNamesSchema = z.array(z.string())
export const changeGateBodySchema = z.strictObject({ gate: gateNameSchema })
export const gatesAnswerSchema = success({ gates: z.array(gateSchema) })
export const saveGatesBodySchema = z.strictObject({
  gates: z
    .array(gateSchema)
    .max(GATES_MAX)
    .refine((gates) => new Set(gates.map(({ name }) => name)).size === gates.length, { message: GATE.twice }),
})
