import type { RefusalCode } from '@garba/shared/contracts/codes'
import type {
  Ending,
  HistoryStatus,
  JournalRow,
  LocalAdmission,
  OutboxRow,
} from '../../platform/store/scannerSchema.ts'
import type { Entry, Refusal } from './words.ts'

/**
 * The subject of a scan: a code that was read, a ticket chosen by hand, or one ticket of a group's code (`text`). `proven`: the
 * server has found the group's code to be genuine.
 */
export type Subject =
  | { type: 'code'; text: string }
  | { type: 'hand'; ticketId: string }
  | { type: 'member'; text: string; ticketId: string; proven?: true | undefined }

/** A ticket of a group's code, as it stands when the code is read. */
export interface Member {
  ticketId: string
  name: string | null
  /** Why it admits nobody; null if it does. */
  refusal: RefusalCode | null
  /** The gates that take the ticket; present only with WRONG_GATE. */
  gates?: readonly string[] | undefined
  /** The first entry of a used ticket, if it is known. */
  entry: Entry | null
  /** The server has found the group's code to be genuine. */
  proven?: true
}

export interface Scan {
  scanId: string
  subject: Subject
  /** Device time in ms. */
  at: number
  /** Device time in ms at which an earlier try was given up, though the server may have admitted the ticket. */
  again?: number | undefined
}

/** Who scans on which device: sent with every call of a scan. */
export interface Station {
  deviceId: string
  deviceName: string
  checkerId: string
  checkerUid: string
  checkerName: string
  /** The gate at which a paired phone stands; absent if there is none. */
  gate?: string
  /** Server time minus device time in ms. */
  clockOffset: number
  /** The latest epoch of the server that was known before the scan. */
  epoch: number
}

/** A scan, and who makes it where. */
export interface Made {
  scan: Scan
  station: Station
}

/** A paired phone is its own checker: the server expects the shift's name from it, and an account from anybody else. */
export const isOfPairedPhone = ({ deviceId, checkerId }: Pick<Station, 'deviceId' | 'checkerId'>): boolean =>
  checkerId === deviceId

/** Colour and shape of a verdict: green tick, amber ring, red cross. */
export type Look = 'allowed' | 'pending' | 'refused'

/** A scan as the checker sees it and as the history keeps it. */
export interface ShownScan {
  scanId: string
  look: Look
  title: string
  detail: string
  name: string | null
  ticketId: string | null
  manual: boolean
  by: 'server' | 'device'
  status: HistoryStatus
  ending: Ending
  /** How many people of a group it lets in. */
  people?: number
  /** A whole group was refused, so that nobody's name is in it. */
  isGroup?: boolean
  /** Why it was refused, so that the age of the first entry keeps counting. */
  refusal?: Refusal
}

/** The text of the app's test code. It does not have a ticket's form, so it admits nobody. */
export const SELF_TEST_TEXT = 'GARBA SCANNER SELF TEST'

/** When something was done here, by the server's clock: device time, and the offset that the device knew (ms). */
export const madeAt = (deviceTime: string, clockOffset: number): string =>
  new Date(Date.parse(deviceTime) + clockOffset).toISOString()

/** An unsent scan counts on this device as an admission of its ticket. */
export const admissionOf = (row: OutboxRow): LocalAdmission => ({
  ticketId: row.ticketId,
  scanId: row.scanId,
  at: madeAt(row.scannedAt, row.clockOffset),
  name: row.name,
  checkerName: row.checkerName,
  deviceName: row.deviceName,
  settledAt: null,
})

/** The event a scan was made at; `endsAt` is in ms. */
export interface EventTimes {
  id: string
  endsAt: number
}

const DAY_MS = 86_400_000
/** Applies to scans by a phone that knew no event; the server alone decided those. */
const WITHOUT_EVENT_MS = 3 * DAY_MS

/** Scans are kept for a day after their event; ms. */
export const keptUntil = (event: EventTimes | null, scannedAt: number): number =>
  event === null ? scannedAt + WITHOUT_EVENT_MS : event.endsAt + DAY_MS

/** An admission in the outbox as the journal keeps it: without the name, and for longer. */
export function journalRowOf(row: OutboxRow, at: { event: EventTimes | null; epoch: number }): JournalRow {
  const { event, epoch } = at
  const { seq: _seq, name: _name, attempts: _attempts, undo, again: _again, parked: _parked, ...sent } = row
  return {
    ...sent,
    ending: undo ? 'undone' : 'admitted',
    eventId: event?.id ?? null,
    until: keptUntil(event, Date.parse(row.scannedAt)),
    epoch,
  }
}

/** The sync tag that wakes the worker, and the message it then sends to the open pages. */
export const SYNC_TAG = 'garba-outbox'
export const SYNC_MESSAGE = 'garba-send-outbox'
