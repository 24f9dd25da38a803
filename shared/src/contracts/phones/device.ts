import { DEVICE_GATES_MAX, DEVICE_NAME_MAX, GATES_MAX, SHIFT_NAME_MAX, TYPE_LIMITS } from '../../constants.ts'
import { DEVICE, GATE } from '../../messages/gate.ts'
import { defineAnswer, instantSchema, nameSchema, ulidSchema } from '../common.ts'
import { DEVICE_STATES, RIGHTS, SCAN_FLAGS, TICKET_KINDS } from '../names.ts'
import { severalTypesShape } from '../types/ticketType.ts'
import * as z from '../zod.ts'

const lineSchema = nameSchema(DEVICE_NAME_MAX)
const deviceNameSchema = nameSchema(DEVICE_NAME_MAX, DEVICE.name)
const rightsSchema = z.array(z.enum(RIGHTS)).min(1).max(RIGHTS.length)
const gatesSchema = z.array(lineSchema).max(DEVICE_GATES_MAX)

/** A paired phone as it sees itself. If no gates are listed, it may be at any gate. */
const ownDeviceSchema = z.object({
  id: ulidSchema,
  name: z.string(),
  gates: z.array(z.string()),
  rights: z.array(z.enum(RIGHTS)),
  /** Null: it ends with the event, six hours after the event's end. */
  until: instantSchema.nullable(),
  /** The moment it ends as things stand; null if it ends with an event that does not exist yet. */
  endsAt: instantSchema.nullable(),
  shiftName: z.string().nullable(),
  gate: z.string().nullable(),
})
export type OwnDevice = z.infer<typeof ownDeviceSchema>

const deskDeviceSchema = ownDeviceSchema.extend({
  state: z.enum(DEVICE_STATES),
  createdAt: instantSchema,
  createdBy: z.string(),
  label: z.string().nullable(),
  pairedAt: instantSchema.nullable(),
  /** The pairing code is valid until then; null if no code waits for a phone. */
  codeExpiresAt: instantSchema.nullable(),
  revokedAt: instantSchema.nullable(),
  revokedBy: z.string().nullable(),
  lastSeen: instantSchema.nullable(),
  olderVersion: z.string().nullable(),
  unsent: z.number().int(),
  /** A revoked phone that has stayed offline can keep scanning until then; otherwise null. */
  scansOfflineUntil: instantSchema.nullable(),
  admitted: z.number().int(),
  flagged: z.number().int(),
})
export type DeskDevice = z.infer<typeof deskDeviceSchema>

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
export type PairingCode = z.infer<typeof pairingSchema>

/**
 * Without `until`, or with null, the phone ends with the event. Without it and after the event, the phone works for a
 * day.
 */
export const createDeviceBodySchema = z.strictObject({
  name: deviceNameSchema,
  gates: gatesSchema.default([]),
  rights: rightsSchema.default(['scan', 'find', 'undo']),
  until: instantSchema.nullable().optional(),
})
export const createdDeviceSchema = defineAnswer({ device: deskDeviceSchema, pairing: pairingSchema })

export const devicesAnswerSchema = defineAnswer({
  devices: z.array(deskDeviceSchema),
  flagged: z.array(flaggedScanSchema),
})

/** `renewCode` makes a new code; a phone that pairs with it replaces the one paired before. */
export const changeDeviceBodySchema = z.strictObject({
  name: deviceNameSchema.optional(),
  gates: gatesSchema.optional(),
  rights: rightsSchema.optional(),
  until: instantSchema.nullable().optional(),
  revoked: z.literal(true).optional(),
  renewCode: z.literal(true).optional(),
})
export const changedDeviceSchema = defineAnswer({ device: deskDeviceSchema, pairing: pairingSchema.optional() })
export const revokedDevicesSchema = defineAnswer({ revoked: z.number().int() })

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
export const ownDeviceAnswerSchema = defineAnswer({ device: ownDeviceSchema, serverTime: instantSchema })

export const shiftNameSchema = nameSchema(SHIFT_NAME_MAX)

export const shiftBodySchema = z.strictObject({ name: shiftNameSchema })

export const gateNameSchema = nameSchema(DEVICE_NAME_MAX, GATE.name)

export const gateSchema = z.strictObject({
  name: gateNameSchema,
  kinds: z.array(z.enum(TICKET_KINDS)).max(TICKET_KINDS.length),
  /** The ids of the ticket types that it admits; absent, it admits them all. */
  types: z.array(ulidSchema).max(TYPE_LIMITS.types).optional(),
})
export type Gate = z.infer<typeof gateSchema>

export const gateNamesSchema = z.array(z.string())
export const changeGateBodySchema = z.strictObject({ gate: gateNameSchema })
export const gatesAnswerSchema = defineAnswer({ gates: z.array(gateSchema), ...severalTypesShape })
export const saveGatesBodySchema = z.strictObject({
  gates: z
    .array(gateSchema)
    .max(GATES_MAX)
    .refine((gates) => new Set(gates.map(({ name }) => name)).size === gates.length, { message: GATE.twice }),
})
