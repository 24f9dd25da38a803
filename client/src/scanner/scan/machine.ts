import { SCAN_SUCCESS_TOAST_MS, TOAST_MS } from '@garba/shared/constants'
import { GATE } from '@garba/shared/messages/scanner'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { toast } from 'sonner'
import { create } from 'zustand'
import { type Scan, SELF_TEST_TEXT, type Shown } from '../core/scan.ts'
import { stationNow } from '../store/device.ts'
import { decide } from './decide.ts'
import { notSignedInWords, showFailed, unexpectedWords } from './show.ts'
import { signal } from './sounds.ts'
import { AIMING, type ScanEvent, type ScanState, step } from './step.ts'

/** The one scan of this page; it goes on when a screen is left in the middle of it. */
export const useScan = create<{ state: ScanState }>(() => ({ state: AIMING }))

let pause: ReturnType<typeof setTimeout> | undefined

function send(event: ScanEvent): void {
  const { state } = useScan.getState()
  const next = step(state, event)
  if (next === state) return
  useScan.setState({ state: next })
  if (next.at === 'judging' && state.at !== 'judging') void judge(next.scan)
  if (next.at === 'shown' && state.at !== 'shown') tell(next.shown, next.until)
}

/** A code was read. Most are ignored: one is being judged, or it was judged and is still in view (SPEC 4). */
export const seeCode = (text: string): void => send({ is: 'seen', text, scanId: crypto.randomUUID(), at: Date.now() })

/** A frame had no code in it. */
export const seeNothing = (): void => send({ is: 'nothing', at: Date.now() })

/** The code in view may be judged again though it never left: the checker asks, or starts the scanner again. */
export const scanAgain = (): void => send({ is: 'again' })

/** A ticket was chosen by hand. */
export const chooseTicket = (ticketId: string): void =>
  send({ is: 'chosen', ticketId, scanId: crypto.randomUUID(), at: Date.now() })

/** A tap ends the pause early. */
export const dismissVerdict = (): void => {
  clearTimeout(pause)
  send({ is: 'dismissed', at: Date.now() })
}

async function judge(scan: Scan): Promise<void> {
  const shown = await verdictOf(scan)
  send({ is: 'judged', scanId: scan.scanId, shown, at: Date.now() })
}

async function verdictOf(scan: Scan): Promise<Shown> {
  const nothing = { scan, ticketId: null, name: null, by: 'device', valid: false } as const
  const station = await stationNow()
  if (station === null) return showFailed({ ...nothing, words: notSignedInWords })
  if (scan.subject.by === 'code' && scan.subject.text === SELF_TEST_TEXT)
    return showFailed({ ...nothing, words: GATE.selfTest })
  try {
    return await decide(scan, station)
  } catch (error) {
    // A fault of ours must stop neither the line nor show green.
    console.error('The scan could not be judged', error)
    return showFailed({ ...nothing, words: unexpectedWords })
  }
}

function tell(shown: Shown, until: number): void {
  signal(shown.look)
  if (shown.look === 'allowed')
    toast.success(SUCCESS_TOASTS.entryAllowed(shown.name ?? ''), { duration: SCAN_SUCCESS_TOAST_MS })
  if (shown.look === 'refused') toast.error(shown.title, { description: shown.detail, duration: TOAST_MS })
  clearTimeout(pause)
  pause = setTimeout(() => send({ is: 'clock', at: Date.now() }), Math.max(0, until - Date.now()))
}
