import { SCAN_DUPLICATE_GUARD_MS, SCAN_INTERVAL_MS, SCAN_PAUSE_MS } from '@garba/shared/constants'
import type { Shown } from './shown.ts'

/** What is to be judged: a code that was read, or a ticket that was chosen by hand. */
export type Subject = { by: 'code'; text: string } | { by: 'hand'; ticketId: string }

export interface Scan {
  scanId: string
  subject: Subject
  /** Device time in ms. */
  at: number
}

/** The code last judged, as long as it stays before the camera. */
interface Held {
  text: string
  /** Device time in ms at which the camera last had it. */
  seenAt: number
}

/**
 * SPEC 4, "Scan flow": aiming, judging (further codes are ignored), shown (the pause of 2 s that a tap ends early).
 * `scannedAt` and `shownUntil` are device times in ms.
 */
export type ScanState =
  | { at: 'aiming'; scannedAt: number; freeAt: number; held: Held | null }
  | { at: 'judging'; scan: Scan; held: Held | null }
  | { at: 'shown'; scan: Scan; shown: Shown; until: number; held: Held | null }

export type ScanEvent =
  | { is: 'seen'; text: string; scanId: string; at: number }
  | { is: 'chosen'; ticketId: string; scanId: string; at: number }
  | { is: 'judged'; scanId: string; shown: Shown; at: number }
  | { is: 'dismissed'; at: number }
  | { is: 'clock'; at: number }

export const AIMING: ScanState = { at: 'aiming', scannedAt: Number.NEGATIVE_INFINITY, freeAt: 0, held: null }

/** A code that leaves the camera for this long while the scanner looks, and comes back, is read anew. */
const GONE_MS = 1_000
/** One that never left is not read out again at once, which would turn the green of a slow hand into red; later it is. */
export const HELD_MS = 2_000

/** The next state. Pure: identical events and times give identical verdicts to replay. */
export function step(state: ScanState, event: ScanEvent): ScanState {
  switch (event.is) {
    case 'seen':
      return seen(state, event)
    case 'chosen':
      return state.at === 'judging' ? state : judge(state, { by: 'hand', ticketId: event.ticketId }, event)
    case 'judged':
      if (state.at !== 'judging' || state.scan.scanId !== event.scanId) return state
      return { ...state, at: 'shown', shown: event.shown, until: event.at + SCAN_PAUSE_MS }
    case 'dismissed':
      return state.at === 'shown' ? aim(state, event.at) : state
    case 'clock':
      return state.at === 'shown' && !isWithin(event.at, state.until - SCAN_PAUSE_MS, SCAN_PAUSE_MS)
        ? aim(state, event.at)
        : state
  }
}

/** Less than `ms` after `since`. A device's clock may be set back meanwhile: then nobody knows, and nobody waits. */
const isWithin = (at: number, since: number, ms: number): boolean => at >= since && at - since < ms

const aim = (state: Extract<ScanState, { at: 'shown' }>, at: number): ScanState => ({
  at: 'aiming',
  scannedAt: state.scan.at,
  freeAt: at,
  // Nobody looked during the pause: the code may have been there all the time. "Please try again" is meant, though.
  held: state.held === null || state.shown.ending === 'failed' ? null : { ...state.held, seenAt: at },
})

const judge = ({ held }: ScanState, subject: Subject, { scanId, at }: { scanId: string; at: number }): ScanState => ({
  at: 'judging',
  scan: { scanId, subject, at },
  held: subject.by === 'code' ? { text: subject.text, seenAt: at } : held,
})

function seen(state: ScanState, event: Extract<ScanEvent, { is: 'seen' }>): ScanState {
  const { text, at } = event
  const same = state.held !== null && state.held.text === text && isWithin(at, state.held.seenAt, GONE_MS)
  const held = same ? { text, seenAt: at } : state.held
  if (state.at !== 'aiming') return state.held === held ? state : { ...state, held }
  const tooSoon = isWithin(at, state.scannedAt, Math.max(SCAN_DUPLICATE_GUARD_MS, SCAN_INTERVAL_MS))
  if (tooSoon || (same && isWithin(at, state.freeAt, HELD_MS))) return { ...state, held }
  return judge(state, { by: 'code', text }, event)
}
