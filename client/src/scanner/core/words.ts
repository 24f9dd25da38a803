import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { AdmissionSide, DeviceConflict, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { type EntryFacts, refusalText, type ScanText } from '@garba/shared/messages/codes'
import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import type { HistoryStatus } from '../../platform/store/scannerSchema.ts'
import { CONFLICT_TITLES, NEXT_STEPS, SCAN, SCAN_NOTES } from '../texts/scanner.ts'
import { formatAge } from './moment.ts'

export interface Clock {
  now: Date
  timeZone: string
}

export interface Entry {
  at: string | null
  by: string | null
  device: string | null
  gate?: string | undefined
  left?: string | undefined
}

const RECENT_MS = 3_600_000
/** Another phone's entry may seem to be this much later than now, because clocks are corrected only roughly. */
const CLOCK_ERROR_MS = 5_000

const formatClockMoment = (at: string, clock: Clock): string => scanTimeText({ instant: new Date(at), ...clock })

/** "7:03 PM (12 s ago)": in the first hour the age is more helpful than the time. */
function whenText(at: string, { now, timeZone }: Clock): string {
  const instant = new Date(at)
  const age = now.getTime() - instant.getTime()
  const when = scanTimeText({ instant, now, timeZone })
  const isRecent = age >= -CLOCK_ERROR_MS && age < RECENT_MS
  return isRecent ? `${when} (${SCAN_NOTES.ago(formatAge(Math.max(age, 0)))})` : when
}

const entryFacts = (entry: Entry, clock: Clock): EntryFacts => ({
  when: entry.at === null ? undefined : whenText(entry.at, clock),
  by: entry.by ?? undefined,
  at: entry.device ?? undefined,
  gate: entry.gate,
  left: entry.left === undefined ? undefined : formatClockMoment(entry.left, clock),
})

export const entryOfTicket = (ticket: ScannedTicket): Entry => ({
  at: ticket.entryTime,
  by: ticket.scannedBy?.name ?? null,
  device: ticket.scannedAtDevice,
  gate: ticket.scannedAtGate,
  left: ticket.leftAt,
})

/** Why a scan was refused. `manual`: the ticket was chosen by hand. With CODE_REPLACED, `entry` has the new code's time. */
export interface Refusal {
  code: RefusalCode
  entry: Entry | null
  gates?: readonly string[] | undefined
  said?: string | undefined
  manual: boolean
}

export function refusalWords({ code, entry, gates, said, manual }: Refusal, clock: Clock): ScanText {
  if (said !== undefined) return { ...refusalText(code, {}, SCAN), detail: said }
  if (code === 'TICKET_NOT_FOUND' && manual) return { title: SCAN.notFound.title, detail: SCAN_NOTES.notInList }
  if (code === 'CODE_REPLACED')
    return refusalText(code, entry?.at ? { when: formatClockMoment(entry.at, clock) } : {}, SCAN)
  return refusalText(code, { gates, ...(entry === null ? {} : entryFacts(entry, clock)) }, SCAN)
}

/** null where the reason says it itself. A used ticket of a group has no Check ID. */
export function nextStep(
  { code, gates = [], manual }: Refusal,
  { mayFind, isGroup }: { mayFind: boolean; isGroup: boolean },
) {
  const step = (NEXT_STEPS as Partial<Record<RefusalCode, string>>)[code] ?? null
  if (code === 'ALREADY_USED') return isGroup ? SCAN_NOTES.toDesk : step
  // Without a gate's name the reason says whom to ask.
  if (code === 'WRONG_GATE') return gates.length === 0 ? null : step
  return step === null || code === 'TICKET_CANCELLED' || (mayFind && !manual) ? step : SCAN_NOTES.toDesk
}

const STATUS: Readonly<Record<RefusalCode, HistoryStatus>> = {
  ALREADY_USED: 'used',
  TICKET_CANCELLED: 'cancelled',
  CODE_REPLACED: 'invalid',
  TICKET_NOT_FOUND: 'invalid',
  NOT_ACTIVATED: 'invalid',
  WRONG_GATE: 'invalid',
  EVENT_CALLED_OFF: 'cancelled',
  QR_FORGED: 'invalid',
  QR_MALFORMED: 'invalid',
  QR_OTHER_EVENT: 'invalid',
}
export const isRefusal = (code: string): code is RefusalCode => Object.hasOwn(STATUS, code)

export const statusOfRefusal = (code: RefusalCode): HistoryStatus => STATUS[code]

export interface ConflictWords extends ScanText {
  first: string
  second: string
}

export function conflictWords(conflict: DeviceConflict, here: { deviceId: string; clock: Clock }): ConflictWords {
  const { deviceId, clock } = here
  const line = (side: AdmissionSide) =>
    [scanTimeText({ instant: new Date(side.at), ...clock }), side.checkerName, formatAdmissionPlace(side, deviceId)]
      .filter(Boolean)
      .join(', ')
  const [first, second] = [line(conflict.first), line(conflict.second)]
  return { title: CONFLICT_TITLES[conflict.over ?? 'used'], detail: `${first}; ${second}`, first, second }
}

function formatAdmissionPlace({ deviceId, deviceName }: AdmissionSide, here: string): string | null {
  if (deviceId === null) return null
  if (deviceId === here) return deviceName === null ? SCAN_NOTES.thisDevice : `${deviceName} (${SCAN_NOTES.thisDevice})`
  return deviceName ?? SCAN_NOTES.otherDevice
}
