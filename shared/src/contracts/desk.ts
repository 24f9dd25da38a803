import { CODES } from './codes.ts'
import {
  defineAnswer,
  filterBy,
  instantSchema,
  pageQueryShape,
  paginationShape,
  searchSchema,
  sortBy,
} from './common.ts'
import { eventQueryShape } from './event.ts'
import { flaggedScanSchema } from './phones/device.ts'
import { conflictSchema } from './phones/scan.ts'
import { namedTypeSchema } from './types/ticketType.ts'
import * as z from './zod.ts'

/** `prices` sums the prices of the tickets sold, whose average it gives; revenue is the money received. */
const salesPointShape = { count: z.number().int(), revenue: z.number(), prices: z.number() }

/** Days and hours are in the event's time zone; conversionRate is a percentage. */
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
  /**
   * By ticket type, for an event with several. `left` counts seats on sale; `revenue` is the price in rupees of the
   * tickets sold.
   */
  types: z
    .array(namedTypeSchema.extend({ sold: z.number().int(), left: z.number().int(), revenue: z.number() }))
    .optional(),
  /**
   * Lists every day from the first sale to today, or for a closed event to its last day or a later sale or payment;
   * empty before the first sale.
   */
  salesChart: z.array(z.object({ _id: z.string(), ...salesPointShape })),
  /** Lists every hour of today, 0 to 23, including hours without sales. */
  hourlySales: z.array(z.object({ _id: z.number().int().min(0).max(23), ...salesPointShape })),
})
export type Analytics = z.infer<typeof analyticsSchema>
export const analyticsAnswerSchema = defineAnswer({ data: analyticsSchema })

export const healthAnswerSchema = defineAnswer({
  data: z.object({
    database: z.object({ ok: z.boolean(), sizeBytes: z.number(), walBytes: z.number(), revision: z.number().int() }),
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }),
    /** Only the database engine in use has a version here. */
    versions: z.object({
      app: z.string(),
      node: z.string(),
      sqlite: z.string().optional(),
      postgres: z.string().optional(),
    }),
    readOnly: z.string().optional(),
    uptimeSeconds: z.number(),
    lastBackup: instantSchema.nullable(),
    refusedMails: z.number().int().optional(),
    /** Whether a rehearsal has been made on this machine. */
    rehearsed: z.boolean(),
    backups: z
      .object({
        everyMinutes: z.number().int(),
        failed: z.object({ at: instantSchema, reason: z.string() }).nullable(),
      })
      .nullable(),
    /** Closed events whose people will be made anonymous within 30 days, or as soon as there is a backup. */
    retention: z.array(z.object({ event: z.string(), from: instantSchema, waitsForBackup: z.boolean() })),
  }),
})

export const mailsSentAgainSchema = defineAnswer({ mails: z.number().int() })

export const backedUpSchema = defineAnswer({ lastBackup: instantSchema })

const checkSchema = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failure']),
  detail: z.string(),
  cure: z.string().optional(),
})
export type SystemCheck = z.infer<typeof checkSchema>
export const systemChecksSchema = defineAnswer({ checks: z.array(checkSchema) })

const systemAlarmSchema = checkSchema.omit({ status: true }).extend({ since: instantSchema })
export type SystemAlarm = z.infer<typeof systemAlarmSchema>

const eveningDeviceSchema = z.object({
  deviceId: z.string(),
  deviceName: z.string().nullable(),
  checkerName: z.string(),
  lastSeen: instantSchema,
  /** Set for a paired phone that was revoked or has lapsed, which is not expected to report. */
  ended: z.literal(true).optional(),
  /** The phone's version, if it differs from the server's. */
  olderVersion: z.string().nullable(),
  unsent: z.number().int(),
  oldestUnsent: instantSchema.nullable(),
  /** Revision the device held when last seen; compare with the answer's `revision`. */
  rosterRevision: z.number().int().nullable(),
  /** The time of the oldest change missing from the roster; null if none is missing or there is no roster. */
  rosterLacksSince: instantSchema.nullable(),
  admitted: z.number().int(),
})
const eveningConflictSchema = conflictSchema.extend({
  id: z.string(),
  ticketId: z.string(),
  name: z.string(),
  acknowledgedBy: z.string().nullable(),
  acknowledgedAt: instantSchema.nullable(),
})
/**
 * Needs attention: tickets a checker admitted by hand (`count` in the worst minute), admissions a checker undid, scans
 * that a device dated long ago, unknown codes at a device, and several double admissions and refused swaps on one ticket
 * (`swaps`). All are from the last hour; `at` is the latest.
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
  /**
   * Counts everyone admitted and not undone, whatever happened to the ticket since; a double admission counts twice.
   */
  people: z.number().int(),
  admitted: z.number().int(),
  sold: z.number().int(),
  leftToCome: z.number().int(),
  /** People in the ground now. The bounds differ while phones are silent or have rows to send. */
  inside: z.object({
    low: z.number().int(),
    high: z.number().int(),
    silent: z.number().int(),
    /** Since when the first of them has been silent; null if none is. */
    silentSince: instantSchema.nullable(),
  }),
  capacity: z.number().int().nullable(),
  /** When all who come will be in, and by how many minutes that has moved lately; null while too few come to say. */
  forecast: z.object({ allInBy: instantSchema, error: z.number() }).nullable(),
  /** Counts people in each of the last 120 minutes, oldest first, including empty minutes. */
  perMinute: z.array(z.object({ minute: instantSchema, count: z.number().int() })),
  /** Each gate's `perMinute` omits empty minutes. The gates add up to `people`. */
  gates: z.array(
    z.object({
      name: z.string(),
      /** Set for the people who went in without a gate. */
      none: z.literal(true).optional(),
      people: z.number().int(),
      /** People who came in here less those who left here, with the people counted without a code. */
      inside: z.number().int(),
      left: z.number().int(),
      /** Repeats `people` for clients that predate it. */
      admitted: z.number().int(),
      perMinute: z.array(z.object({ minute: instantSchema, count: z.number().int() })),
    }),
  ),
  alarms: z.array(eveningAlarmSchema),
  system: z.array(systemAlarmSchema).optional(),
  devices: z.array(eveningDeviceSchema),
  devicesTotal: z.number().int(),
  /** Unacknowledged conflicts come first, then the newest first. */
  conflicts: z.array(eveningConflictSchema),
  conflictsTotal: z.number().int(),
  flagged: z.array(flaggedScanSchema).optional(),
  refusals: z.object({
    byCode: z.array(z.object({ code: z.enum(CODES), count: z.number().int() })),
    recent: z.array(refusalSchema),
  }),
})
export type EveningFigures = z.infer<typeof eveningSchema>
export const eveningAnswerSchema = defineAnswer({ data: eveningSchema })
export const acknowledgeAnswerSchema = defineAnswer({ conflict: eveningConflictSchema })

/**
 * Every action of the audit trail, with what the detail of its rows may contain besides fixed texts and figures:
 * nothing, names of crew and phones, or free text.
 */
export const AUDIT_DETAILS = {
  'user.created': 'facts',
  'user.renamed': 'words',
  'user.role': 'facts',
  'user.deleted': 'facts',
  'user.erased': 'facts',
  'event.created': 'facts',
  'event.state': 'words',
  'event.updated': 'facts',
  'event.closed': 'facts',
  'event.anonymous': 'facts',
  'ticket.sold': 'facts',
  'ticket.adopted': 'facts',
  'ticket.named': 'words',
  'ticket.cancelled': 'words',
  'ticket.admitted': 'crew',
  'ticket.refused': 'crew',
  'ticket.left': 'crew',
  'ticket.exitUndone': 'facts',
  'gate.counted': 'crew',
  'ticket.admissionUndone': 'facts',
  'ticket.conflict': 'crew',
  'ticket.conflictAcknowledged': 'facts',
  'ticket.swapped': 'crew',
  'ticket.status': 'facts',
  'ticket.refund': 'words',
  'ticket.deleted': 'facts',
  'ticket.newCode': 'facts',
  'link.made': 'facts',
  'link.ended': 'facts',
  'link.claimed': 'facts',
  'lost.confirmed': 'words',
  'lost.refused': 'words',
  'order.deskSale': 'words',
  'order.confirmed': 'words',
  'order.cancelled': 'words',
  'order.refunded': 'words',
  'order.mailed': 'facts',
  'order.corrected': 'words',
  'order.attention': 'words',
  'order.erased': 'facts',
  'gates.saved': 'facts',
  'statement.setAside': 'facts',
  'statement.broughtBack': 'facts',
  'code.made': 'facts',
  'code.changed': 'facts',
  'block.made': 'facts',
  'block.sold': 'words',
  'block.returned': 'facts',
  'cash.opened': 'facts',
  'cash.closed': 'words',
  'device.created': 'crew',
  'device.paired': 'crew',
  'device.changed': 'crew',
  'device.revoked': 'crew',
  'device.shift': 'crew',
  'device.gate': 'crew',
  'keys.rotated': 'facts',
  'keys.revoked': 'facts',
} as const satisfies Record<string, 'facts' | 'crew' | 'words'>
export const auditActionSchema = z.enum(Object.keys(AUDIT_DETAILS) as (keyof typeof AUDIT_DETAILS)[])
export const AUDIT_SORTS = ['at', 'actor', 'action', 'subject'] as const
export const auditQuerySchema = z.object({
  action: filterBy(auditActionSchema),
  search: searchSchema,
  ...eventQueryShape,
  sort: sortBy(AUDIT_SORTS),
  ...pageQueryShape,
})
const auditRowSchema = z.object({
  id: z.number().int(),
  at: instantSchema,
  action: auditActionSchema,
  actorName: z.string(),
  subject: z.string().nullable(),
  /** A readable name: "Name (email)", "Ticket 1234ABCD, Name" or the event's. Null in rows of the first release. */
  subjectName: z.string().nullable(),
  detail: z.string(),
})
export type AuditRow = z.infer<typeof auditRowSchema>
export const auditAnswerSchema = defineAnswer({
  rows: z.array(auditRowSchema),
  pagination: z.object({ ...paginationShape, totalRows: z.number().int() }),
})
