import { COUNT_CHANGE_MAX, DEVICE_NAME_MAX, SCAN_BATCH_MAX } from '../../constants.ts'
import { CODES } from '../codes.ts'
import {
  daySchema,
  defineAnswer,
  instantSchema,
  optionalNameSchema,
  ticketStatusSchema,
  ulidSchema,
} from '../common.ts'
import { CONFLICT_OVER, COUNT_GROUPS, REENTRIES, TICKET_KINDS } from '../names.ts'
import { gateTypeSchema } from '../types/ticketType.ts'
import * as z from '../zod.ts'
import { gateNameSchema, gateNamesSchema, gateSchema, shiftNameSchema } from './device.ts'

const scanIdSchema = z.uuid()
const deviceIdSchema = z.string().min(1).max(64)
const deviceNameSchema = optionalNameSchema(DEVICE_NAME_MAX)
const qrTextSchema = z.string().max(1024)

/** A ticket for scanner phones, without email and price: names are its only personal data. */
export const scannedTicketSchema = z.object({
  _id: ulidSchema,
  id: ulidSchema,
  ticketId: ulidSchema,
  user: z.object({ name: z.string() }),
  eventName: z.string(),
  status: ticketStatusSchema,
  entryTime: instantSchema.nullable(),
  /** When its holder left; absent while somebody is inside with it. */
  leftAt: instantSchema.optional(),
  scannedBy: z.object({ name: z.string() }).nullable(),
  /** The device of the first admission: its name, or null when an admin set the status. */
  scannedAtDevice: z.string().nullable(),
  scannedAtGate: z.string().optional(),
  cancelledAt: instantSchema.nullable(),
  /** Its owner has sent it to somebody, who brings it; present only for the tickets of a group code. */
  sent: z.literal(true).optional(),
  type: gateTypeSchema.optional(),
})
export type ScannedTicket = z.infer<typeof scannedTicketSchema>

const deviceShape = { deviceId: deviceIdSchema.optional(), deviceName: deviceNameSchema.optional() }

/** `gate`: where a refused code is recorded. */
export const verifyBodySchema = z.strictObject({
  qrCode: qrTextSchema,
  gate: gateNameSchema.optional(),
  ...deviceShape,
})
export const verifyAnswerSchema = defineAnswer({ ticket: scannedTicketSchema })

export const verifyGroupAnswerSchema = defineAnswer({ tickets: z.array(scannedTicketSchema) })

/**
 * One scan in a request. With a group's code, `ticketId` says which of its tickets is admitted. scannedAt is the
 * device's clock; clockOffset is serverTime minus device time in milliseconds.
 */
export const scanBodySchema = z.strictObject({
  qrCode: qrTextSchema.optional(),
  ticketId: ulidSchema.optional(),
  manual: z.boolean().optional(),
  scanId: scanIdSchema.optional(),
  scannedAt: instantSchema.optional(),
  clockOffset: z.number().int().min(-1e12).max(1e12).optional(),
  /** The _id of the checker who made the scan, if another checker sends it. */
  checkerId: ulidSchema.optional(),
  /**
   * The name on the shift during the scan. It is accepted from a paired phone, and for an admission whose checker the
   * server no longer knows.
   */
  checkerName: shiftNameSchema.optional(),
  admittedOffline: z.boolean().optional(),
  /** The device's gate. A device without a gate admits every kind of ticket. */
  gate: gateNameSchema.optional(),
  ...deviceShape,
})
export type ScanBody = z.infer<typeof scanBodySchema>
/**
 * A row of a batch. `undoneAt`: the time the checker undid the admission, by the device's clock. The person is then not
 * inside.
 */
export const queuedScanSchema = scanBodySchema.extend({
  undoneAt: instantSchema.optional(),
  movement: z.literal('entry').optional(),
})

/** A scan on the way out. With a group's code, `ticketId` says whose exit it is. */
export const exitBodySchema = scanBodySchema
  .omit({ manual: true, admittedOffline: true })
  .extend({ qrCode: qrTextSchema, scanId: scanIdSchema })
export type ExitBody = z.infer<typeof exitBodySchema>
/** An exit that already happened is a fact: the server never refuses it. */
export const queuedExitSchema = exitBodySchema.extend({
  movement: z.literal('exit'),
  undoneAt: instantSchema.optional(),
  admittedOffline: z.boolean().optional(),
})

/** People who came in or left without a code. `change` is negative for people who left. */
export const countRowSchema = scanBodySchema.omit({ qrCode: true, ticketId: true, manual: true }).extend({
  scanId: scanIdSchema,
  movement: z.literal('count'),
  group: z.enum(COUNT_GROUPS),
  change: z.number().int().min(-COUNT_CHANGE_MAX).max(COUNT_CHANGE_MAX),
})
export type CountRow = z.infer<typeof countRowSchema>
export type QueuedScan = z.infer<typeof queuedScanSchema> | z.infer<typeof queuedExitSchema> | CountRow

const admissionSideSchema = z.object({
  scanId: z.string().nullable(),
  at: instantSchema,
  checkerName: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  gate: z.string().optional(),
})
export type AdmissionSide = z.infer<typeof admissionSideSchema>
/** `over` is the ticket's state when the second person used it; `first` then has the time and name of that state. */
export const conflictSchema = z.object({
  over: z.enum(CONFLICT_OVER).optional(),
  disputed: z.boolean().optional(),
  first: admissionSideSchema,
  second: admissionSideSchema,
})
const deviceConflictSchema = conflictSchema.extend({ id: z.string(), ticketId: z.string(), name: z.string() })
export type DeviceConflict = z.infer<typeof deviceConflictSchema>

/** A conflict in the scan's own answer; `id` is the same as in the evening view and the roster. */
const answeredConflictSchema = conflictSchema.extend({ id: z.string() })
export type AnsweredConflict = z.infer<typeof answeredConflictSchema>

export const markAnswerSchema = defineAnswer({
  ticket: scannedTicketSchema,
  outcome: z.enum(['admitted', 'conflict']),
  scanId: scanIdSchema,
  conflict: answeredConflictSchema.optional(),
  otherDay: z.literal(true).optional(),
  again: z.literal(true).optional(),
})
export const exitAnswerSchema = defineAnswer({
  ticket: scannedTicketSchema,
  outcome: z.literal('left'),
  scanId: scanIdSchema,
})

/** The rows are checked one by one, so that a bad row does not block the others. */
export const batchBodySchema = z.strictObject({ scans: z.array(z.unknown()).min(1).max(SCAN_BATCH_MAX) })
/** `status` is the HTTP status the scan would have had on its own. */
export const batchResultSchema = z.object({
  scanId: z.string().nullable(),
  success: z.boolean(),
  status: z.number().int(),
  /** `noted`: a phone that had ended chose the ticket by hand. No one was admitted; it is on the desk's list. */
  outcome: z.enum(['admitted', 'conflict', 'noted', 'left', 'counted']).optional(),
  code: z.enum(CODES).optional(),
  message: z.string().optional(),
  gates: gateNamesSchema.optional(),
  replacedAt: instantSchema.optional(),
  ticket: scannedTicketSchema.optional(),
  conflict: answeredConflictSchema.optional(),
  otherDay: z.literal(true).optional(),
  again: z.literal(true).optional(),
})
export type BatchResult = z.infer<typeof batchResultSchema>
export const batchAnswerSchema = defineAnswer({
  results: z.array(batchResultSchema),
  ended: z.enum(['DEVICE_REVOKED', 'DEVICE_LAPSED']).optional(),
})

export const undoBodySchema = z.strictObject({ scanId: scanIdSchema })
export const undoAnswerSchema = defineAnswer({ ticket: scannedTicketSchema })

const publicKeySchema = z.object({
  kid: z.string(),
  eventId: ulidSchema,
  jwk: z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
})
export type PublicKey = z.infer<typeof publicKeySchema>

/** `deleted` is a tombstone: the ticket was deleted or has a new id, and must be refused. */
const rosterEntrySchema = z.object({
  id: ulidSchema,
  status: z.enum(['active', 'used', 'cancelled', 'deleted']),
  name: z.string(),
  entryTime: instantSchema.nullable(),
  leftAt: instantSchema.optional(),
  kind: z.enum(TICKET_KINDS).optional(),
  gate: z.string().optional(),
  /** The buyer, if the ticket has another person's name. */
  buyer: z.string().optional(),
  order: z.string().optional(),
  paper: z.string().optional(),
  type: ulidSchema.optional(),
  /** The time the ticket got a new code. Its old id is then a tombstone, which earlier scanners refuse as not found. */
  replacedAt: instantSchema.optional(),
})
export type RosterEntry = z.infer<typeof rosterEntrySchema>

/** The query is also the device's heartbeat. `check` requests the count and hash of the whole roster too. */
export const rosterQuerySchema = z.object({
  since: z.coerce.number().int().min(0).optional(),
  deviceId: deviceIdSchema.optional(),
  deviceName: deviceNameSchema.optional(),
  unsent: z.coerce.number().int().min(0).max(1_000_000).optional(),
  oldestUnsent: instantSchema.optional(),
  /** The scanner's build version; the first release does not send it. */
  appVersion: z.string().min(1).max(60).optional(),
  check: z.coerce.number().int().optional(),
})
const rosterEventSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  venue: z.string(),
  date: daySchema,
  startTime: z.string(),
  endTime: z.string(),
  endsNextDay: z.boolean().optional(),
  capacity: z.number().int().optional(),
  reentry: z.enum(REENTRIES).optional(),
  reentryUntil: instantSchema.optional(),
  /** Only of an event with several types. */
  types: z.array(gateTypeSchema).optional(),
  calledOff: z.literal(true).optional(),
})
export const rosterAnswerSchema = defineAnswer({
  revision: z.number().int(),
  /** The epoch of the answering server; earlier servers do not send it. */
  epoch: z.number().int().optional(),
  full: z.boolean(),
  serverTime: instantSchema,
  keys: z.array(publicKeySchema),
  event: rosterEventSchema.nullable(),
  tickets: z.array(rosterEntrySchema),
  gates: z.array(gateSchema.omit({ types: true })).optional(),
  /** The gates that admit only some types; apart from `gates`, in which earlier scanners accept no further field. */
  gateTypes: z.array(gateSchema.pick({ name: true, types: true }).required()).optional(),
  people: z.number().int().optional(),
  inside: z.number().int().optional(),
  conflicts: z.array(deviceConflictSchema).optional(),
  /** `count` and `hash` cover the whole roster without tombstones; sent only if `check` was requested. */
  count: z.number().int().optional(),
  hash: z.string().optional(),
})
export type RosterAnswer = z.infer<typeof rosterAnswerSchema>

/** SSE: event `roster` carries a RosterAnswer (a delta), event `heartbeat` this. */
export const heartbeatSchema = z.object({ serverTime: instantSchema, revision: z.number().int() })
