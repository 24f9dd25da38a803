import { NAME_MAX, PAPER_BLOCK_MAX } from '../constants.ts'
import { BLOCK } from '../messages/block.ts'
import { ORDER } from '../messages/order.ts'
import { instantSchema, success, ulidSchema } from './common.ts'
import { DESK_METHODS } from './names.ts'
import { orderSchema, reasonSchema, utrSchema } from './order.ts'
import { plainName } from './personName.ts'
import * as z from './zod.ts'

/** Codes of a block, from one number to another, both included. */
const rangeSchema = z.object({ from: z.number().int(), to: z.number().int() })
export type CodeRange = z.infer<typeof rangeSchema>

/** A block of codes as the desk sees it: printed on paper, or in a phone that sells at the door. Amounts are rupees. */
const blockSchema = z.object({
  id: ulidSchema,
  kind: z.enum(['paper', 'device']),
  /** What the desk calls it, or the phone that has it. */
  label: z.string(),
  size: z.number().int(),
  sold: z.number().int(),
  /** Codes that can still be sold, and their numbers. */
  left: z.number().int(),
  leftRanges: z.array(rangeSchema),
  returned: z.number().int(),
  /** The event's prices when the block was made; its codes are sold at these. */
  price: z.number(),
  groupPrice: z.number().nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  /** Until when the phone may sell from it; null on paper. */
  leaseUntil: instantSchema.nullable(),
  /** Orders that sold its codes, newest first. */
  orders: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      numbers: z.array(rangeSchema),
      at: instantSchema,
      total: z.number(),
    }),
  ),
})
export type Block = z.infer<typeof blockSchema>

const label = () => z.string(BLOCK.label).overwrite(plainName).min(1, BLOCK.label).max(NAME_MAX, BLOCK.label)
export const paperBlockBodySchema = z.strictObject({
  label: label(),
  size: z.number(BLOCK.size).int(BLOCK.size).min(1, BLOCK.size).max(PAPER_BLOCK_MAX, BLOCK.size),
})
export const blockAnswerSchema = success({ block: blockSchema })
export const blocksAnswerSchema = success({ blocks: z.array(blockSchema) })

const numberSchema = z.number(BLOCK.range).int(BLOCK.range).min(1, BLOCK.range)
const inOrder = { path: ['to'], message: BLOCK.range }
export const returnRangeBodySchema = z
  .strictObject({ from: numberSchema, to: numberSchema })
  .refine(({ from, to }) => from <= to, inOrder)
export const activateBodySchema = z
  .strictObject({
    from: numberSchema,
    to: numberSchema,
    method: z.enum(DESK_METHODS, ORDER.method),
    /** Who sells or gets them; the block's label without it. */
    name: z.string(ORDER.name).overwrite(plainName).min(1, ORDER.name).max(NAME_MAX, ORDER.name).optional(),
    /** Why complimentary tickets are given. */
    reason: reasonSchema.optional(),
    /** The bank's number of a UPI payment. */
    utr: utrSchema.optional(),
  })
  .refine(({ from, to }) => from <= to, inOrder)
  .refine(({ method, reason }) => method !== 'complimentary' || reason !== undefined, {
    path: ['reason'],
    message: ORDER.reason,
  })
export const activatedAnswerSchema = success({ order: orderSchema, block: blockSchema })
