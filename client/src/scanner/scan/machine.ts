import { SCAN_DUPLICATE_GUARD_MS, SCAN_SUCCESS_TOAST_MS } from '@garba/shared/constants'
import type { ScanText } from '@garba/shared/messages/codes'
import { isGroupText } from '@garba/shared/rules/groupQr'
import { create } from 'zustand'
import { SELF_TEST_TEXT } from '../../platform/keys/readKeys.ts'
import type { ScannerInput } from '../../platform/keys/scannerKeys.ts'
import type { Member, ScanAttempt, ShownScan } from '../core/scan.ts'
import { stationNow } from '../store/device.ts'
import { MODES } from '../texts/movement.ts'
import { FRAME } from '../texts/phone.ts'
import { SCAN, SCAN_NOTES } from '../texts/scanner.ts'
import { asBefore, askToSwap, scanIdOfSwap } from './askServer.ts'
import { decideScan, failedHere, outcomeOfSwap } from './decide.ts'
import { buildShownScan, finishScan } from './finish.ts'
import { admitMembers, lookAtGroup } from './group.ts'
import { letMembersOut, lookAtLeavers, recordLeaving } from './leave.ts'
import { useMode } from './mode.ts'
import { findOtherDay, practiseScan, usePractice, withDay } from './practice.ts'
import { signalVerdict } from './sounds.ts'
import { AIMING, type ScanEvent, type ScanState, stepScan } from './step.ts'

/**
 * The page's only scan, which continues when its screen is left. `verdict` fills the screen, instead of a toast, for
 * 3 s or until the next scan; a refusal stays until it is tapped or the next scan. Scanning resumes after 2 s.
 */
export const useScan = create<{ state: ScanState; verdict: ShownScan | null }>(() => ({ state: AIMING, verdict: null }))

let pause: ReturnType<typeof setTimeout> | undefined
let leaving: ReturnType<typeof setTimeout> | undefined

function send(event: ScanEvent): void {
  const { state } = useScan.getState()
  const next = stepScan(state, event)
  if (next === state) return
  useScan.setState({ state: next })
  if (next.type === 'judging' && state.type !== 'judging') {
    hideVerdict()
    void judge(next)
  }
  if (next.type === 'shown' && state.type !== 'shown') show(next.shown, next.until)
  if (next.type === 'aiming') judgeTyped()
}

export const seeCode = (text: string): void => send({ type: 'seen', text, scanId: crypto.randomUUID(), at: Date.now() })

/** Waiting codes of a hardware scanner. None is dropped, because its beep told the checker that it was read. */
const typed: string[] = []
let lastTyped = { text: '', at: Number.NEGATIVE_INFINITY }
/** A verdict stays at least this long before the next code of a hardware scanner is judged. */
const TYPED_PAUSE_MS = 1_000
let pausing: ReturnType<typeof setTimeout> | undefined
const OTHER_LAYOUT = 'OTHER-KEYBOARD-LAYOUT'
const NO_CODE = 'NO-CODE'
const NOTES: Readonly<Record<string, ScanText>> = {
  [SELF_TEST_TEXT]: SCAN_NOTES.selfTest,
  [OTHER_LAYOUT]: SCAN_NOTES.otherLayout,
  [NO_CODE]: SCAN_NOTES.noCode,
}

export function seeTyped(input: ScannerInput): void {
  const text = input.type === 'code' ? input.text : input.type === 'otherLayout' ? OTHER_LAYOUT : NO_CODE
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

export const seeNothing = (): void => send({ type: 'nothing', at: Date.now() })

/** The checker asked, or restarted the scanner: the code in view may be judged again although it never left. */
export const scanAgain = (): void => send({ type: 'again' })

export const chooseTicket = (ticketId: string): void =>
  send({ type: 'chosen', ticketId, scanId: crypto.randomUUID(), at: Date.now() })

export const chooseParty = (party: readonly string[]): void =>
  send({ type: 'partyChosen', party, scanId: crypto.randomUUID(), at: Date.now() })

export function lookAgain(): void {
  const { state } = useScan.getState()
  dismissVerdict()
  if (state.type === 'choosing' && state.scan.subject.type === 'hand')
    chooseParty(state.members.map(({ ticketId }) => ticketId))
  else scanAgain()
}

export const letIn = (members: readonly Member[]): void =>
  send({ type: 'letIn', members, scanId: crypto.randomUUID(), at: Date.now() })

export const swapIn = (ticketId: string): void =>
  send({ type: 'swapped', ticketId, scanId: scanIdOfSwap(ticketId), at: Date.now() })

export const dismissVerdict = (): void => {
  clearTimeout(pause)
  clearTimeout(pausing)
  pausing = undefined
  hideVerdict()
  send({ type: 'dismissed', at: Date.now() })
}

type JudgingState = Extract<ScanState, { type: 'judging' }>

async function judge(judging: JudgingState): Promise<void> {
  const { scanId } = judging.scan
  const found = await buildVerdict(judging)
  if ('members' in found) send({ type: 'grouped', scanId, members: found.members })
  else send({ type: 'judged', scanId, shown: withDay(found), at: Date.now() })
}

async function buildVerdict({
  scan,
  party,
  chosen,
  swap,
}: JudgingState): Promise<ShownScan | { members: readonly Member[] }> {
  const station = await stationNow()
  if (station === null) return buildShownScan(failedHere(SCAN.failed(FRAME.signInFirst)), scan)
  const note = scan.subject.type === 'code' ? NOTES[scan.subject.text] : undefined
  if (note !== undefined) return buildShownScan(failedHere(note), scan)
  try {
    if (usePractice.getState().isOn && findOtherDay() !== null) return await practiseScan({ scan, station }, party)
    if (swap) return await finishScan(outcomeOfSwap(await askToSwap(scan, station)), { scan, station })
    const { mode } = useMode.getState()
    if (mode === 'exit' && scan.subject.type === 'code') return await letOut({ scan, station }, chosen)
    if (mode === 'count' && scan.subject.type === 'code') return buildShownScan(failedHere(MODES.counting), scan)
    const made = { scan: asBefore(scan), station }
    const { subject } = scan
    if (chosen !== undefined) return await admitMembers(chosen, made)
    const isOfMany = party !== undefined || (subject.type === 'code' && isGroupText(subject.text.trim()))
    if (!isOfMany) return await finishScan(await decideScan(made), made)
    const found = await lookAtGroup(made, { party })
    return 'members' in found ? found : await finishScan(found, made)
  } catch (error) {
    // A programming error must neither stop the queue nor show green.
    console.error('The scan could not be judged', error)
    return buildShownScan(failedHere(SCAN.failed(FRAME.unexpected)), scan)
  }
}

async function letOut(made: ScanAttempt, chosen?: readonly Member[]) {
  const { subject } = made.scan
  if (chosen !== undefined) return letMembersOut(chosen, made)
  if (subject.type !== 'code' || !isGroupText(subject.text.trim())) return recordLeaving(made)
  const found = await lookAtLeavers(made)
  return 'members' in found ? found : finishScan(found, made)
}

function show(shown: ShownScan, until: number): void {
  signalVerdict(shown.look)
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
