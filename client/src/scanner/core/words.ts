import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { type EntryFacts, refusalText, SCAN, type ScanText } from '@garba/shared/messages/codes'
import { GATE } from '@garba/shared/messages/scanner'
import type { HistoryStatus } from '../../platform/store/gateSchema.ts'
import { ageText, momentText } from './moment.ts'

export interface Clock {
  /** The server's time as far as the device knows it. */
  now: Date
  timeZone: string
}

/** What is known of an earlier entry, wherever it was learned. */
export interface Entry {
  at: string | null
  by: string | null
  device: string | null
}

const RECENT_MS = 3_600_000

/** "7:03 pm (12 s ago)": in the first hour the age says more than the clock. */
function whenText(at: string, { now, timeZone }: Clock): string {
  const instant = new Date(at)
  const age = now.getTime() - instant.getTime()
  const when = momentText({ instant, now, timeZone })
  return age >= 0 && age < RECENT_MS ? `${when} (${GATE.ago(ageText(age))})` : when
}

const entryFacts = (entry: Entry, clock: Clock): EntryFacts => ({
  when: entry.at === null ? undefined : whenText(entry.at, clock),
  by: entry.by ?? undefined,
  at: entry.device ?? undefined,
})

export const entryOfTicket = (ticket: ScannedTicket): Entry => ({
  at: ticket.entryTime,
  by: ticket.scannedBy?.name ?? null,
  device: ticket.scannedAtDevice,
})

/** The words for a refusal; a ticket chosen by hand that is not listed was never a code. */
export function refusalWords(
  refusal: { code: RefusalCode; entry: Entry | null; manual: boolean },
  clock: Clock,
): ScanText {
  const { code, entry, manual } = refusal
  if (code === 'TICKET_NOT_FOUND' && manual) return { title: SCAN.notFound.title, detail: GATE.notInList }
  return refusalText(code, entry === null ? {} : entryFacts(entry, clock))
}

const STATUS: Readonly<Record<RefusalCode, HistoryStatus>> = {
  ALREADY_USED: 'used',
  TICKET_CANCELLED: 'cancelled',
  TICKET_NOT_FOUND: 'invalid',
  QR_FORGED: 'invalid',
  QR_MALFORMED: 'invalid',
  QR_OTHER_EVENT: 'invalid',
}
export const isRefusal = (code: string): code is RefusalCode => Object.hasOwn(STATUS, code)

export const statusOfRefusal = (code: RefusalCode): HistoryStatus => STATUS[code]
