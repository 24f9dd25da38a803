import { DAY_MS } from '@garba/shared/constants'
import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { GateType } from '@garba/shared/contracts/types/ticketType'
import type {
  HistoryStatus,
  JournalRow,
  LocalAdmission,
  OutboxRow,
  ScanEnding,
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

export interface Member {
  ticketId: string
  name: string | null
  refusal: RefusalCode | null
  /** The gates that take the ticket; present only with WRONG_GATE. */
  gates?: readonly string[] | undefined
  entry: Entry | null
  proven?: true
  /** Its owner has sent it to somebody else, who brings it. */
  sent?: true
  type?: GateType | undefined
  /** On the way out: whether its holder is inside as far as this phone knows, or when they left. */
  exit?: { isInside: boolean; leftAt: string | null }
}

export interface Scan {
  scanId: string
  subject: Subject
  /** Device time in ms. */
  at: number
  /** Device time in ms at which an earlier try was given up, though the server may have admitted the ticket. */
  again?: number | undefined
}

export interface Station {
  deviceId: string
  deviceName: string
  checkerId: string
  checkerUid: string
  checkerName: string
  gate?: string
  clockOffset: number
  /** The latest epoch of the server that was known before the scan. */
  epoch: number
}

export interface ScanAttempt {
  scan: Scan
  station: Station
}

export const isOfPairedPhone = ({ deviceId, checkerId }: Pick<Station, 'deviceId' | 'checkerId'>): boolean =>
  checkerId === deviceId

export type Look = 'allowed' | 'pending' | 'refused'

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
  ending: ScanEnding
  people?: number
  isGroup?: boolean
  otherDay?: string
  isPractice?: true
  isExit?: true
  /** As the server said it; the list may not have the ticket yet. */
  type?: GateType | undefined
  /** Why it was refused, so that the age of the first entry keeps counting. */
  refusal?: Refusal
}

/** When something was done here, by the server's clock; `clockOffset` (ms) is the offset that the device knew then. */
export const madeAt = (deviceTime: string, clockOffset: number): string =>
  new Date(Date.parse(deviceTime) + clockOffset).toISOString()

export const toLocalAdmission = (row: OutboxRow): LocalAdmission => ({
  ticketId: row.ticketId,
  scanId: row.scanId,
  at: madeAt(row.scannedAt, row.clockOffset),
  ...(row.movement === 'exit' && { leftAt: madeAt(row.scannedAt, row.clockOffset) }),
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

/** Applies to scans by a phone that knew no event; the server alone decided those. */
const WITHOUT_EVENT_MS = 3 * DAY_MS

/** Scans are kept for a day after their event; ms. */
export const keptUntil = (event: EventTimes | null, scannedAt: number): number =>
  event === null ? scannedAt + WITHOUT_EVENT_MS : event.endsAt + DAY_MS

/** An admission in the outbox as the journal keeps it: without the name, and for longer. */
export function toJournalRow(row: OutboxRow, at: { event: EventTimes | null; epoch: number }): JournalRow {
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

export const SYNC_TAG = 'garba-outbox'
export const SYNC_MESSAGE = 'garba-send-outbox'
