import { SCAN_DUPLICATE_GUARD_MS, SCAN_INTERVAL_MS, SCAN_PAUSE_MS } from '@garba/shared/constants'
import type { Member, Scan, ShownScan, Subject } from '../core/scan.ts'
import { GROUP } from '../texts/scanner.ts'

interface HeldCode {
  text: string
  /** Device time in ms since which no frame has shown it; null if the last frame did. */
  goneSince: number | null
}

/**
 * A scan is aiming, judging (further codes are ignored), then shown (the pause of 2 s that a tap ends early). A group's
 * code is judged, then the checker chooses whom of its members to let in, then those are judged.
 * `scannedAt` and `shownUntil` are device times in ms.
 */
export type ScanState =
  | { type: 'aiming'; scannedAt: number; last: ShownScan | null; held: readonly HeldCode[] }
  /**
   * `party`: tickets picked together in the list. `chosen`: members of the group or party. `swap`: for the holder of a ticket that
   * was used before.
   */
  | {
      type: 'judging'
      scan: Scan
      party?: readonly string[]
      chosen?: readonly Member[]
      swap?: true
      held: readonly HeldCode[]
    }
  | { type: 'choosing'; scan: Scan; members: readonly Member[]; held: readonly HeldCode[] }
  | { type: 'shown'; scan: Scan; shown: ShownScan; until: number; held: readonly HeldCode[] }

export type ScanEvent =
  | { type: 'seen'; text: string; scanId: string; at: number }
  | { type: 'nothing'; at: number }
  /** A hardware scanner read it. It cannot stay in view, so each time counts. */
  | { type: 'typed'; text: string; scanId: string; at: number }
  | { type: 'chosen'; ticketId: string; scanId: string; at: number }
  | { type: 'partyChosen'; party: readonly string[]; scanId: string; at: number }
  | { type: 'swapped'; ticketId: string; scanId: string; at: number }
  | { type: 'grouped'; scanId: string; members: readonly Member[] }
  | { type: 'letIn'; members: readonly Member[]; scanId: string; at: number }
  | { type: 'judged'; scanId: string; shown: ShownScan; at: number }
  | { type: 'dismissed'; at: number }
  | { type: 'clock'; at: number }
  | { type: 'again' }

export const AIMING: ScanState = { type: 'aiming', scannedAt: Number.NEGATIVE_INFINITY, last: null, held: [] }

/**
 * A code is judged again only after the camera has looked this long without finding it, because the counters count people.
 * A few frames in which it is not read prove nothing.
 */
export const LEFT_MS = 1_500

/** The next state. Pure: the same events and times always give the same verdicts. */
export function stepScan(state: ScanState, event: ScanEvent): ScanState {
  switch (event.type) {
    case 'seen':
      return seen(state, event)
    case 'nothing':
      return holding(state, lookedAt(state.held, { text: null, at: event.at }))
    case 'typed':
      if (state.type === 'judging' || state.type === 'choosing') return state
      return { ...judge(state, { type: 'code', text: event.text }, event), held: state.held }
    case 'chosen':
      return state.type === 'judging' ? state : judge(state, { type: 'hand', ticketId: event.ticketId }, event)
    case 'partyChosen': {
      const [ticketId] = event.party
      if (state.type === 'judging' || ticketId === undefined) return state
      return { ...judge(state, { type: 'hand', ticketId }, event), party: event.party }
    }
    case 'swapped': {
      if (state.type === 'judging') return state
      return { ...judge(state, { type: 'hand', ticketId: event.ticketId }, event), swap: true }
    }
    case 'grouped':
      if (state.type !== 'judging' || state.scan.scanId !== event.scanId) return state
      return { type: 'choosing', scan: state.scan, members: event.members, held: state.held }
    case 'letIn':
      if (state.type !== 'choosing' || event.members.length === 0) return state
      return {
        type: 'judging',
        scan: { ...state.scan, scanId: event.scanId, at: event.at },
        chosen: event.members,
        held: state.held,
      }
    case 'judged': {
      if (state.type !== 'judging' || state.scan.scanId !== event.scanId) return state
      const { scan, held } = state
      return { type: 'shown', scan, shown: event.shown, until: event.at + SCAN_PAUSE_MS, held }
    }
    case 'dismissed':
      if (state.type === 'choosing')
        return { type: 'aiming', scannedAt: state.scan.at, last: notNow(state), held: state.held }
      return state.type === 'shown' ? aim(state) : state
    case 'clock':
      return state.type === 'shown' && !isWithin(event.at, state.until - SCAN_PAUSE_MS, SCAN_PAUSE_MS)
        ? aim(state)
        : state
    case 'again':
      return holding(state, NONE)
  }
}

const isWithin = (at: number, since: number, ms: number): boolean => at >= since && at - since < ms

const aim = ({ scan, shown, held }: Extract<ScanState, { type: 'shown' }>): ScanState => ({
  type: 'aiming',
  scannedAt: scan.at,
  last: shown,
  held,
})

/**
 * The result of a group whose code was put aside. While the code stays in view it can be scanned again. A party from the list
 * leaves no result.
 */
const notNow = ({ scan, members }: Extract<ScanState, { type: 'choosing' }>): ShownScan | null =>
  scan.subject.type === 'hand'
    ? null
    : {
        scanId: scan.scanId,
        look: 'refused',
        title: GROUP.title(members.length),
        detail: '',
        name: GROUP.nobody,
        ticketId: null,
        manual: false,
        by: 'device',
        status: 'valid',
        ending: 'failed',
      }

const judge = (
  { held }: ScanState,
  subject: Subject,
  { scanId, at }: { scanId: string; at: number },
): Extract<ScanState, { type: 'judging' }> => ({
  type: 'judging',
  scan: { scanId, subject, at },
  held: subject.type === 'code' ? [...held, { text: subject.text, goneSince: null }] : held,
})

function seen(before: ScanState, event: Extract<ScanEvent, { type: 'seen' }>): ScanState {
  const { text, at } = event
  const state = holding(before, lookedAt(before.held, event))
  if (state.type !== 'aiming' || state.held.some((held) => held.text === text)) return state
  const tooSoon = isWithin(at, state.scannedAt, Math.max(SCAN_DUPLICATE_GUARD_MS, SCAN_INTERVAL_MS))
  return tooSoon ? state : judge(state, { type: 'code', text }, event)
}

const NONE: readonly HeldCode[] = []

function lookedAt(held: readonly HeldCode[], { text, at }: { text: string | null; at: number }): readonly HeldCode[] {
  const after = held.map((one): HeldCode => {
    if (one.text === text) return one.goneSince === null ? one : { text, goneSince: null }
    // If the device's clock was set back meanwhile, the time starts over.
    return one.goneSince !== null && one.goneSince <= at ? one : { ...one, goneSince: at }
  })
  const left = after.filter(({ goneSince }) => goneSince === null || at - goneSince < LEFT_MS)
  return left.length === held.length && left.every((one, index) => one === held[index]) ? held : left
}

const holding = (state: ScanState, held: readonly HeldCode[]): ScanState =>
  state.held === held ? state : { ...state, held }
