import { CODES } from './codes.ts'
import { filterBy, instantSchema, pageQueryShape, paginationShape, success } from './common.ts'
import { flaggedScanSchema } from './device.ts'
import { eventQueryShape } from './event.ts'
import { conflictSchema } from './scan.ts'
import * as z from './zod.ts'

const salesPointShape = { count: z.number().int(), revenue: z.number() }

/** SPEC section 3. Days and hours are the event time zone's; conversionRate in percent. */
const analyticsSchema = z.object({
  revenue: z.object({ total: z.number(), today: z.number() }),
  tickets: z.object({ total: z.number().int(), soldToday: z.number().int() }),
  users: z.object({ total: z.number().int() }),
  analytics: z.object({ averageTicketValue: z.number(), conversionRate: z.number() }),
  event: z
    .object({
      name: z.string(),
      soldTickets: z.number().int(),
      availableTickets: z.number().int(),
      soldPercentage: z.number(),
      ticketPrice: z.number(),
    })
    .nullable(),
  /** Every day from the first sale to today, or to a closed event's own day; none before the first sale. */
  salesChart: z.array(z.object({ _id: z.string(), ...salesPointShape })),
  /** Every hour of today, 0 to 23, empty ones included. */
  hourlySales: z.array(z.object({ _id: z.number().int().min(0).max(23), ...salesPointShape })),
})
export type Analytics = z.infer<typeof analyticsSchema>
export const analyticsAnswerSchema = success({ data: analyticsSchema })

export const healthAnswerSchema = success({
  data: z.object({
    database: z.object({ ok: z.boolean(), sizeBytes: z.number(), walBytes: z.number(), revision: z.number().int() }),
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }),
    /** Of the two engines, the one in use. */
    versions: z.object({
      app: z.string(),
      node: z.string(),
      sqlite: z.string().optional(),
      postgres: z.string().optional(),
    }),
    /** Why the server takes no changes, if it takes none. */
    readOnly: z.string().optional(),
    uptimeSeconds: z.number(),
    lastBackup: instantSchema.nullable(),
    /** Those the server makes by itself; null where it makes none. */
    backups: z
      .object({
        everyMinutes: z.number().int(),
        /** The last one failed, at the latest try. */
        failed: z.object({ at: instantSchema, reason: z.string() }).nullable(),
      })
      .nullable(),
    /** Closed events whose people will be made anonymous within 30 days, or as soon as there is a backup. */
    retention: z.array(z.object({ event: z.string(), from: instantSchema, waitsForBackup: z.boolean() })),
  }),
})

/** One line of the doctor. */
const checkSchema = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failure']),
  detail: z.string(),
  /** What to do about it. */
  cure: z.string().optional(),
})
export type SystemCheck = z.infer<typeof checkSchema>
export const systemChecksSchema = success({ checks: z.array(checkSchema) })

const systemAlarmSchema = checkSchema.omit({ status: true }).extend({ since: instantSchema })
/** What is wrong with the server, its backups or its money, since when. */
export type SystemAlarm = z.infer<typeof systemAlarmSchema>

const eveningDeviceSchema = z.object({
  deviceId: z.string(),
  deviceName: z.string().nullable(),
  checkerName: z.string(),
  lastSeen: instantSchema,
  /** The version it runs, where it is not the server's. */
  olderVersion: z.string().nullable(),
  unsent: z.number().int(),
  oldestUnsent: instantSchema.nullable(),
  /** Revision the device held when last seen; compare with the answer's `revision`. */
  rosterRevision: z.number().int().nullable(),
  /** When the oldest change missing from its roster was made; null if none is missing, or it has no roster. */
  rosterLacksSince: instantSchema.nullable(),
  admitted: z.number().int(),
})
const eveningConflictSchema = conflictSchema.extend({
  /** The same as in the scan's answer and in the roster; identifies the conflict in the acknowledge call. */
  id: z.string(),
  ticketId: z.string(),
  name: z.string(),
  acknowledgedBy: z.string().nullable(),
  acknowledgedAt: instantSchema.nullable(),
})
/**
 * Needs attention: tickets a checker admitted by hand (`count` in the worst minute), admissions a checker undid, scans a
 * device sent as made long ago, unknown codes at a device, holders let in on one ticket (`count`, refused ones included). All from the last hour; `at` is the latest.
 */
const eveningAlarmSchema = z.object({
  kind: z.enum(['manual', 'undos', 'backDated', 'unknownCodes', 'swaps']),
  count: z.number().int(),
  checkerName: z.string().nullable(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  at: instantSchema,
})
export type EveningAlarm = z.infer<typeof eveningAlarmSchema>
const refusalSchema = z.object({
  at: instantSchema,
  code: z.enum(CODES),
  name: z.string().nullable(),
  ticketId: z.string().nullable(),
  checkerName: z.string(),
  deviceName: z.string().nullable(),
})
export const eveningSchema = z.object({
  at: instantSchema,
  revision: z.number().int(),
  /** Everybody who went in and was not undone, whatever became of the ticket: both sides of a double admission too. */
  people: z.number().int(),
  /** Tickets with status used. */
  admitted: z.number().int(),
  /** Active and used tickets. */
  sold: z.number().int(),
  leftToCome: z.number().int(),
  /** People in each of the last 120 minutes, oldest first, empty ones included. */
  perMinute: z.array(z.object({ minute: instantSchema, count: z.number().int() })),
  /** Of each gate; the busy ones of those minutes alone. They add up to `people`. */
  gates: z.array(
    z.object({
      name: z.string(),
      /** Those who went in at no gate, or at one that is not known. */
      none: z.literal(true).optional(),
      people: z.number().int(),
      /** The same, for clients from before `people`. */
      admitted: z.number().int(),
      perMinute: z.array(z.object({ minute: instantSchema, count: z.number().int() })),
    }),
  ),
  alarms: z.array(eveningAlarmSchema),
  system: z.array(systemAlarmSchema).optional(),
  /** The latest to report first, and the total. */
  devices: z.array(eveningDeviceSchema),
  devicesTotal: z.number().int(),
  /** Unacknowledged ones first, then the newest first, and the total. */
  conflicts: z.array(eveningConflictSchema),
  conflictsTotal: z.number().int(),
  /** Admissions to look at, the last to arrive first. */
  flagged: z.array(flaggedScanSchema).optional(),
  refusals: z.object({
    byCode: z.array(z.object({ code: z.enum(CODES), count: z.number().int() })),
    recent: z.array(refusalSchema),
  }),
})
export type Evening = z.infer<typeof eveningSchema>
export const eveningAnswerSchema = success({ data: eveningSchema })
export const acknowledgeAnswerSchema = success({ conflict: eveningConflictSchema })

export const auditActionSchema = z.enum([
  'user.created',
  'user.renamed',
  'user.role',
  'user.deleted',
  'user.erased',
  'event.created',
  'event.updated',
  'event.closed',
  'event.anonymous',
  'ticket.sold',
  'ticket.adopted',
  'ticket.named',
  'ticket.cancelled',
  'ticket.admitted',
  'ticket.refused',
  'ticket.admissionUndone',
  'ticket.conflict',
  'ticket.conflictAcknowledged',
  'ticket.swapped',
  'ticket.status',
  'ticket.refund',
  'ticket.deleted',
  'lost.confirmed',
  'lost.refused',
  'order.deskSale',
  'order.confirmed',
  'order.cancelled',
  'order.refunded',
  'order.mailed',
  'order.attention',
  'order.erased',
  'gates.saved',
  'statement.setAside',
  'statement.broughtBack',
  'block.made',
  'block.sold',
  'block.returned',
  'cash.opened',
  'cash.closed',
  'device.created',
  'device.paired',
  'device.changed',
  'device.revoked',
  'device.shift',
  'device.gate',
  'keys.rotated',
  'keys.revoked',
])
export const auditQuerySchema = z.object({
  action: filterBy(auditActionSchema),
  search: z.string().trim().max(200).optional(),
  /** The rows of one event; without it the whole trail. */
  ...eventQueryShape,
  ...pageQueryShape,
})
const auditRowSchema = z.object({
  id: z.number().int(),
  at: instantSchema,
  action: auditActionSchema,
  actorName: z.string(),
  /** id of the user, order, ticket, event or device that changed. */
  subject: z.string().nullable(),
  /** How people call it: "Name (email)", "Ticket 1234ABCD, Name" or the event's name; null in rows of the first release. */
  subjectName: z.string().nullable(),
  /** One readable line about the change. */
  detail: z.string(),
})
export type AuditRow = z.infer<typeof auditRowSchema>
export const auditAnswerSchema = success({
  rows: z.array(auditRowSchema),
  pagination: z.object({ ...paginationShape, totalRows: z.number().int() }),
})
