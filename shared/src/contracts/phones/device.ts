import { DEVICE_GATES_MAX, DEVICE_NAME_MAX, GATES_MAX, SHIFT_NAME_MAX } from '../../constants.ts'
import { DEVICE, GATE } from '../../messages/gate.ts'
import { instantSchema, nameSchema, success, ulidSchema } from '../common.ts'
import { DEVICE_STATES, RIGHTS, SCAN_FLAGS, TICKET_KINDS } from '../names.ts'
import * as z from '../zod.ts'

const lineSchema = nameSchema(DEVICE_NAME_MAX)
const deviceNameSchema = nameSchema(DEVICE_NAME_MAX, DEVICE.name)
const rightsSchema = z.array(z.enum(RIGHTS)).min(1).max(RIGHTS.length)
const gatesSchema = z.array(lineSchema).max(DEVICE_GATES_MAX)

/** A paired phone as it sees itself. If no gates are listed, it may be at any. */
const ownDeviceSchema = z.object({
  id: ulidSchema,
  name: z.string(),
  gates: z.array(z.string()),
  rights: z.array(z.enum(RIGHTS)),
  until: instantSchema,
  shiftName: z.string().nullable(),
  /** The gate it is at now. */
  gate: z.string().nullable(),
})
export type OwnDevice = z.infer<typeof ownDeviceSchema>

/** A phone as the desk sees it. */
const deskDeviceSchema = ownDeviceSchema.extend({
  state: z.enum(DEVICE_STATES),
  createdAt: instantSchema,
  createdBy: z.string(),
  /** The phone's own description, such as "Chrome on Android". */
  label: z.string().nullable(),
  pairedAt: instantSchema.nullable(),
  /** The pairing code is valid until then; null if no code waits for a phone. */
  codeExpiresAt: instantSchema.nullable(),
  revokedAt: instantSchema.nullable(),
  revokedBy: z.string().nullable(),
  /** Its last heartbeat. */
  lastSeen: instantSchema.nullable(),
  /** The phone's version, if it differs from the server's. */
  olderVersion: z.string().nullable(),
  /** Counts the scans that were unsent at the last heartbeat. */
  unsent: z.number().int(),
  /** A revoked phone that has stayed offline can keep scanning until then; otherwise null. */
  scansOfflineUntil: instantSchema.nullable(),
  /** Counts scans at the current event. */
  admitted: z.number().int(),
  flagged: z.number().int(),
})
export type DeskDevice = z.infer<typeof deskDeviceSchema>

/** An admission that the desk should check: its phone was revoked, had lapsed or lacked the right. */
export const flaggedScanSchema = z.object({
  scanId: z.string(),
  ticketId: z.string().nullable(),
  at: instantSchema,
  receivedAt: instantSchema,
  outcome: z.enum(['admitted', 'conflict', 'refused']),
  checkerName: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  flag: z.enum(SCAN_FLAGS),
})
export type FlaggedScan = z.infer<typeof flaggedScanSchema>

/** Pairs a phone; shown once. `code` is for people to read; `url` has the code and a 130-bit secret after the #. */
const pairingSchema = z.object({ code: z.string(), url: z.string(), expiresAt: instantSchema })
export type Pairing = z.infer<typeof pairingSchema>

/** Without `until`, the phone works until 6 hours after the event's end. */
export const createDeviceBodySchema = z.strictObject({
  name: deviceNameSchema,
  gates: gatesSchema.default([]),
  rights: rightsSchema.default(['scan', 'find', 'undo']),
  until: instantSchema.optional(),
})
export const createdDeviceSchema = success({ device: deskDeviceSchema, pairing: pairingSchema })

export const devicesAnswerSchema = success({
  devices: z.array(deskDeviceSchema),
  /** Flagged scans of the current event, newest first. */
  flagged: z.array(flaggedScanSchema),
})

/** `renewCode` makes a new code; a phone that pairs with it replaces the one paired before. */
export const changeDeviceBodySchema = z.strictObject({
  name: deviceNameSchema.optional(),
  gates: gatesSchema.optional(),
  rights: rightsSchema.optional(),
  until: instantSchema.optional(),
  revoked: z.literal(true).optional(),
  renewCode: z.literal(true).optional(),
})
export const changedDeviceSchema = success({ device: deskDeviceSchema, pairing: pairingSchema.optional() })
export const revokedDevicesSchema = success({ revoked: z.number().int() })

/** A P-256 coordinate is 32 bytes, here in base64url. */
const coordinateSchema = z.string().regex(/^[\w-]{43}$/, 'Not a P-256 public key')
/** Other fields of an exported key are dropped, especially a private part. */
const publicKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinateSchema,
  y: coordinateSchema,
})
export type DevicePublicKey = z.infer<typeof publicKeySchema>

export const pairBodySchema = z.strictObject({
  code: z.string().max(200),
  publicKey: publicKeySchema,
  label: lineSchema.optional(),
})
export const ownDeviceAnswerSchema = success({ device: ownDeviceSchema, serverTime: instantSchema })

/** The first name a checker types at the start of a shift on a paired phone. */
export const shiftNameSchema = nameSchema(SHIFT_NAME_MAX)

export const shiftBodySchema = z.strictObject({ name: shiftNameSchema })

export const gateNameSchema = nameSchema(DEVICE_NAME_MAX, GATE.name)

/** A gate and the kinds of tickets it admits; an empty list means all. */
export const gateSchema = z.strictObject({
  name: gateNameSchema,
  kinds: z.array(z.enum(TICKET_KINDS)).max(TICKET_KINDS.length),
})
export type Gate = z.infer<typeof gateSchema>

/** The gates that admit a ticket, sent with WRONG_GATE. */
export const gateNamesSchema = z.array(z.string())
export const changeGateBodySchema = z.strictObject({ gate: gateNameSchema })
export const gatesAnswerSchema = success({ gates: z.array(gateSchema) })
export const saveGatesBodySchema = z.strictObject({
  gates: z
    .array(gateSchema)
    .max(GATES_MAX)
    .refine((gates) => new Set(gates.map(({ name }) => name)).size === gates.length, { message: GATE.twice }),
})
