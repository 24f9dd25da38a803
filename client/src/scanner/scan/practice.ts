import { dayText } from '@garba/shared/messages/gate'
import { findEventTimes, isOtherDay } from '@garba/shared/rules/event/eventDay'
import { isGroupText } from '@garba/shared/rules/groupQr'
import { create } from 'zustand'
import { serverNow } from '../../platform/net/clock.ts'
import { useNow } from '../../platform/screen/now.ts'
import { timeZoneNow } from '../core/moment.ts'
import type { ScanAttempt, ShownScan } from '../core/scan.ts'
import { rosterEvent, useRoster } from '../store/rosterMemory.ts'
import { asksServer, connectionNow } from '../sync/connection.ts'
import { DAY, SCAN } from '../texts/scanner.ts'
import { type ServerRequest, SILENT } from './askServer.ts'
import { decideScan } from './decide.ts'
import { buildShownScan } from './finish.ts'
import { countGroupMembers, lookAtGroup } from './group.ts'

/** Whether the checker wants to practise. It counts only outside the event's day, and a reload ends it. */
export const usePractice = create(() => ({ isOn: false }))

export interface OtherDay {
  day: string
  isOver: boolean
}

/** The event's day, if now is outside it by the corrected clock; null also without an event. */
export function findOtherDay(): OtherDay | null {
  const event = rosterEvent()
  if (event === null) return null
  try {
    const times = findEventTimes(event, timeZoneNow())
    const now = serverNow()
    return isOtherDay(times, now) ? { day: dayText(event.date, DAY.locale), isOver: now > times.endsAt } : null
  } catch (error) {
    // Scanning goes on with an event whose date is impossible.
    if (error instanceof RangeError) return null
    throw error
  }
}

const LOOK_MS = 15_000

export function useOtherDay(): OtherDay | null {
  useNow(LOOK_MS)
  useRoster(({ syncedAt }) => syncedAt)
  return findOtherDay()
}

export function withDay(shown: ShownScan): ShownScan {
  const other = shown.ticketId === null && shown.people === undefined ? null : findOtherDay()
  return other === null ? shown : { ...shown, otherDay: DAY.verdict(other) }
}

const askNobody = (): ServerRequest => ({
  final: Promise.resolve(SILENT),
  mayHaveMarked: () => false,
  before: () => null,
  verified: () => null,
  giveUp: () => {},
})

/** The verdict that a scan would get by this device's list. Marks nothing and stores nothing, here or on the server. */
export async function practiseScan(made: ScanAttempt, party?: readonly string[]): Promise<ShownScan> {
  const { subject } = made.scan
  const isOfMany = party !== undefined || (subject.type === 'code' && isGroupText(subject.text.trim()))
  const found = isOfMany ? await lookAtGroup(made, { party, asks: false }) : await decideScan(made, askNobody)
  const shown =
    'members' in found ? groupShown(made, countGroupMembers(found.members).left) : buildShownScan(found, made.scan)
  const isGreen = shown.look === 'pending' && asksServer(connectionNow())
  const words = isGreen
    ? {
        look: 'allowed' as const,
        title: SCAN.entryAllowed,
        detail: shown.name === null ? '' : SCAN.welcome(shown.name),
      }
    : {}
  return { ...shown, ...words, isPractice: true }
}

const groupShown = ({ scan: { scanId } }: ScanAttempt, people: number): ShownScan => ({
  scanId,
  look: 'pending',
  title: SCAN.pending,
  detail: SCAN.pendingDetail,
  name: null,
  ticketId: null,
  manual: false,
  by: 'device',
  status: 'valid',
  ending: 'pending',
  people,
})
