import { SCAN_DUPLICATE_GUARD_MS, SCAN_SUCCESS_TOAST_MS } from '@garba/shared/constants'
import { messageFor, SCAN } from '@garba/shared/messages/codes'
import { TRANSPORT } from '@garba/shared/messages/common'
import { isGroupText } from '@garba/shared/rules/groupQr'
import { create } from 'zustand'
import { type Member, SELF_TEST_TEXT, type ShownScan } from '../core/scan.ts'
import { stationNow } from '../store/device.ts'
import { SCAN_NOTES } from '../texts/scanner.ts'
import { asBefore, askToSwap, scanIdOfSwap } from './askServer.ts'
import { decide, failedHere, outcomeOfSwap } from './decide.ts'
import { finish, shownOf } from './finish.ts'
import { admitMembers, lookAtGroup } from './group.ts'
import type { Scanned } from './keyboardScanner.ts'
import { signal } from './sounds.ts'
import { AIMING, type ScanEvent, type ScanState, step } from './step.ts'

/**
 * The page's only scan, which continues when its screen is left. `verdict` fills the screen, instead of a toast, for
 * 3 s or until the next scan; a refusal stays until it is tapped or the next scan. Scanning resumes after 2 s.
 */
export const useScan = create<{ state: ScanState; verdict: ShownScan | null }>(() => ({ state: AIMING, verdict: null }))

let pause: ReturnType<typeof setTimeout> | undefined
let leaving: ReturnType<typeof setTimeout> | undefined

function send(event: ScanEvent): void {
  const { state } = useScan.getState()
  const next = step(state, event)
  if (next === state) return
  useScan.setState({ state: next })
  if (next.type === 'judging' && state.type !== 'judging') {
    hideVerdict()
    void judge(next)
  }
  if (next.type === 'shown' && state.type !== 'shown') show(next.shown, next.until)
  if (next.type === 'aiming') judgeTyped()
}

/** A code was read. It is ignored while another is being judged, or while it stays in view after its verdict. */
export const seeCode = (text: string): void => send({ type: 'seen', text, scanId: crypto.randomUUID(), at: Date.now() })

/** Waiting codes of a hardware scanner. None is dropped, because its beep told the checker that it was read. */
const typed: string[] = []
let lastTyped = { text: '', at: Number.NEGATIVE_INFINITY }
/** A verdict stays at least this long before the next code of a hardware scanner is judged. */
const TYPED_PAUSE_MS = 1_000
let pausing: ReturnType<typeof setTimeout> | undefined
/** Stands for a code whose characters another keyboard layout has changed. */
const OTHER_LAYOUT = 'OTHER-KEYBOARD-LAYOUT'

/** A hardware scanner read something. It waits while another scan is judged; a trigger pulled twice counts once. */
export function seeTyped(scanned: Scanned): void {
  const text = scanned.type === 'code' ? scanned.text : OTHER_LAYOUT
  const at = Date.now()
  const since = at - lastTyped.at
  if (text === lastTyped.text && since >= 0 && since < SCAN_DUPLICATE_GUARD_MS) return
  lastTyped = { text, at }
  typed.push(text)
  judgeTyped()
}

function judgeTyped(): void {
  const { state } = useScan.getState()
  const busy = pausing !== undefined || state.type === 'judging' || state.type === 'choosing'
  const text = busy ? undefined : typed.shift()
  if (text !== undefined) send({ type: 'typed', text, scanId: crypto.randomUUID(), at: Date.now() })
}

/** A frame had no code in it. */
export const seeNothing = (): void => send({ type: 'nothing', at: Date.now() })

/** The checker asked, or restarted the scanner: the code in view may be judged again although it never left. */
export const scanAgain = (): void => send({ type: 'again' })

export const chooseTicket = (ticketId: string): void =>
  send({ type: 'chosen', ticketId, scanId: crypto.randomUUID(), at: Date.now() })

/** The checker chose which members of the group in view to let in. */
export const letIn = (members: readonly Member[]): void =>
  send({ type: 'letIn', members, scanId: crypto.randomUUID(), at: Date.now() })

/** Lets in the holder of a ticket that somebody else came in with. */
export const swapIn = (ticketId: string): void =>
  send({ type: 'swapped', ticketId, scanId: scanIdOfSwap(ticketId), at: Date.now() })

/** A tap ends the pause early and removes the verdict, or puts the group in view aside. */
export const dismissVerdict = (): void => {
  clearTimeout(pause)
  clearTimeout(pausing)
  pausing = undefined
  hideVerdict()
  send({ type: 'dismissed', at: Date.now() })
}

type Judging = Extract<ScanState, { type: 'judging' }>

async function judge(judging: Judging): Promise<void> {
  const { scanId } = judging.scan
  const found = await verdictOf(judging)
  if ('members' in found) send({ type: 'grouped', scanId, members: found.members })
  else send({ type: 'judged', scanId, shown: found, at: Date.now() })
}

/** Gives a verdict, or the members of a group for the checker to choose from. */
async function verdictOf({ scan, chosen, swap }: Judging): Promise<ShownScan | { members: readonly Member[] }> {
  const station = await stationNow()
  if (station === null) return shownOf(failedHere(SCAN.failed(messageFor('UNAUTHENTICATED'))), scan)
  if (scan.subject.type === 'code' && scan.subject.text === SELF_TEST_TEXT)
    return shownOf(failedHere(SCAN_NOTES.selfTest), scan)
  if (scan.subject.type === 'code' && scan.subject.text === OTHER_LAYOUT)
    return shownOf(failedHere(SCAN_NOTES.otherLayout), scan)
  try {
    if (swap) return await finish(outcomeOfSwap(await askToSwap(scan, station)), { scan, station })
    const made = { scan: asBefore(scan), station }
    const { subject } = scan
    if (subject.type !== 'code' || !isGroupText(subject.text.trim())) return await finish(await decide(made), made)
    if (chosen !== undefined) return await admitMembers(chosen, made)
    const found = await lookAtGroup(made)
    return 'members' in found ? found : await finish(found, made)
  } catch (error) {
    // A programming error must neither stop the queue nor show green.
    console.error('The scan could not be judged', error)
    return shownOf(failedHere(SCAN.failed(TRANSPORT.unexpected)), scan)
  }
}

function show(shown: ShownScan, until: number): void {
  signal(shown.look)
  useScan.setState({ verdict: shown })
  clearTimeout(pausing)
  pausing = setTimeout(() => {
    pausing = undefined
    judgeTyped()
  }, TYPED_PAUSE_MS)
  clearTimeout(pause)
  // The event carries `until` and not the time: the clock may be a millisecond behind, and no other timer follows.
  pause = setTimeout(() => send({ type: 'clock', at: until }), Math.max(0, until - Date.now()))
  clearTimeout(leaving)
  if (shown.look !== 'refused') leaving = setTimeout(hideVerdict, SCAN_SUCCESS_TOAST_MS)
}

function hideVerdict(): void {
  clearTimeout(leaving)
  useScan.setState({ verdict: null })
}
