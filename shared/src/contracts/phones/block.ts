import { DEVICE_BLOCK_MAX, DOOR_SALE_MAX, NAME_MAX, PAPER_BLOCK_MAX, SCAN_BATCH_MAX } from '../../constants.ts'
import { VALIDATION } from '../../messages/codes.ts'
import { BLOCK } from '../../messages/gate.ts'
import { ORDER } from '../../messages/order.ts'
import { CODES } from '../codes.ts'
import { defineAnswer, instantSchema, nameSchema, reasonSchema, ticketStatusSchema, ulidSchema } from '../common.ts'
import { DESK_METHODS } from '../names.ts'
import { freeReason, orderSchema, referenceSchema, typedPhoneSchema, upiReference } from '../order.ts'
import { idempotencyKeySchema } from '../ticket.ts'
import { namedTypeSchema, ticketTypeSchema } from '../types/ticketType.ts'
import * as z from '../zod.ts'
import { gateNameSchema, shiftNameSchema } from './device.ts'

/** A range of code numbers in a block, both ends included. */
const rangeSchema = z.object({ from: z.number().int(), to: z.number().int() })
export type CodeRange = z.infer<typeof rangeSchema>

/** A block of codes as the desk sees it: printed on paper, or in a phone that sells at the door. Amounts are rupees. */
const blockSchema = z.object({
  id: ulidSchema,
  kind: z.enum(['paper', 'device']),
  label: z.string(),
  size: z.number().int(),
  sold: z.number().int(),
  left: z.number().int(),
  leftRanges: z.array(rangeSchema),
  returned: z.number().int(),
  type: namedTypeSchema.optional(),
  price: z.number(),
  groupPrice: z.number().nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  /** The phone may sell from the block until then; null on paper, and in a phone that ends with the event. */
  leaseUntil: instantSchema.nullable(),
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

export const paperBlockBodySchema = z.strictObject({
  label: nameSchema(NAME_MAX, BLOCK.label),
  size: z.number(BLOCK.size).int(BLOCK.size).min(1, BLOCK.size).max(PAPER_BLOCK_MAX, BLOCK.size),
  type: ulidSchema.optional(),
})
export const blockAnswerSchema = defineAnswer({ block: blockSchema })
export const blocksAnswerSchema = defineAnswer({ blocks: z.array(blockSchema) })

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
    /** They were sold one by one, each at the single price, however many numbers there are. */
    singly: z.boolean().optional(),
    /** The person who sells or gets the tickets; the block's label is used if it is absent. */
    name: nameSchema(NAME_MAX, ORDER.name).optional(),
    reason: reasonSchema.optional(),
    reference: referenceSchema.optional(),
  })
  .refine(({ from, to }) => from <= to, inOrder)
  .refine(...upiReference)
  .refine(...freeReason)
export const activatedAnswerSchema = defineAnswer({ order: orderSchema, block: blockSchema })

/** A block in a phone, with the codes that it may still sell. Amounts are rupees. */
const deviceBlockSchema = z.object({
  id: ulidSchema,
  eventId: ulidSchema,
  leaseUntil: instantSchema.nullable(),
  type: namedTypeSchema.optional(),
  /** The block of the sale's first code sets the prices; the group price applies from 4 tickets in one sale. */
  price: z.number(),
  groupPrice: z.number().nullable(),
  codes: z.array(z.object({ ticketId: ulidSchema, number: z.number().int(), qrCode: z.string() })),
})
export type DeviceBlock = z.infer<typeof deviceBlockSchema>

const sizeInPhone = z.number(BLOCK.sizeInPhone).int(BLOCK.sizeInPhone).min(1, BLOCK.sizeInPhone)
export const deviceBlockBodySchema = z.strictObject({
  size: sizeInPhone.max(DEVICE_BLOCK_MAX, BLOCK.sizeInPhone),
  type: ulidSchema.optional(),
})
export const deviceBlockAnswerSchema = defineAnswer({ block: deviceBlockSchema, serverTime: instantSchema })
export const deviceBlocksAnswerSchema = defineAnswer({
  blocks: z.array(deviceBlockSchema),
  /** What the phone may sell of an event with several types, whether guests can buy online now or not. */
  types: z.array(ticketTypeSchema).optional(),
  /** How many more tickets the phone may sell without cash until the desk has looked at its sales. */
  cashlessLeft: z.number().int(),
  serverTime: instantSchema,
})
export const returnedBlockSchema = defineAnswer({ returned: z.number().int() })

/**
 * An offline sale of a phone, with codes of its blocks. It is sent before the scans of its tickets. `scanIds`, one for
 * each ticket in order, means that the buyers were let in at once, so these scans are not sent separately.
 */
export const doorSaleSchema = z
  .strictObject({
    key: idempotencyKeySchema,
    ticketIds: z.array(ulidSchema).min(1, VALIDATION.quantity).max(DOOR_SALE_MAX),
    method: z.enum(DESK_METHODS, ORDER.method),
    name: nameSchema(NAME_MAX, ORDER.name).optional(),
    phone: typedPhoneSchema.optional(),
    reason: reasonSchema.optional(),
    reference: referenceSchema.optional(),
    /** The phone's clock; clockOffset is serverTime minus device time in milliseconds. */
    soldAt: instantSchema,
    clockOffset: z.number().int().min(-1e12).max(1e12).optional(),
    checkerName: shiftNameSchema.optional(),
    scanIds: z.array(z.uuid()).optional(),
    /** The phone's gate at the time of the sale; null for none. Earlier scanner versions do not send it. */
    gate: gateNameSchema.nullable().optional(),
  })
  .refine(({ ticketIds }) => new Set(ticketIds).size === ticketIds.length, {
    path: ['ticketIds'],
    message: VALIDATION.quantity,
  })
  .refine(...upiReference)
  .refine(({ ticketIds, scanIds }) => scanIds === undefined || scanIds.length === ticketIds.length, {
    path: ['scanIds'],
    message: BLOCK.scanIds,
  })
export type DoorSale = z.infer<typeof doorSaleSchema>

/** The rows are checked one by one, so that a bad row does not block the others. */
export const doorSalesBodySchema = z.strictObject({ sales: z.array(z.unknown()).min(1).max(SCAN_BATCH_MAX) })
/** `status` is the HTTP status the sale would have had on its own. */
export const doorSaleResultSchema = z.object({
  key: z.string().nullable(),
  success: z.boolean(),
  status: z.number().int(),
  code: z.enum(CODES).optional(),
  message: z.string().optional(),
  outcome: z.literal('noted').optional(),
  order: z.string().optional(),
  /** A ticket is `cancelled` if its code had been returned and no seat was free; it is on the desk's list. */
  tickets: z.array(z.object({ id: ulidSchema, status: ticketStatusSchema })).optional(),
})
export type DoorSaleResult = z.infer<typeof doorSaleResultSchema>
export const doorSalesAnswerSchema = defineAnswer({
  results: z.array(doorSaleResultSchema),
  ended: z.enum(['DEVICE_REVOKED', 'DEVICE_LAPSED']).optional(),
})
