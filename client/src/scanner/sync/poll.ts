import { ROSTER_POLL_MS } from '@garba/shared/constants'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { rosterRevision } from '../store/rosterMemory.ts'
import { checkRoster, syncRoster } from './syncRoster.ts'
import { lineNow } from './useLine.ts'

/** Without the live stream a change must still be here within two seconds (ms). */
const WITHOUT_STREAM_MS = 1_500
/** A line that was too slow or in trouble is tried by something small before a scan waits for it again (ms). */
const IN_TROUBLE_MS = 3_000
/** Every so many askings the whole list is compared by hash. */
const CHECK_EVERY = 10

export interface Poll {
  /** Asks now, unless an asking is under way. Never throws. */
  ask(): Promise<void>
  /** Sets the time of the next asking anew. */
  later(): void
  stop(): void
}

/** Asks for the list again and again while the page is visible, as often as the line and the stream make it necessary. */
export function makePoll({ isLive }: { isLive: () => boolean }): Poll {
  let stopped = false
  let asking = false
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const later = () => {
    clearTimeout(timer)
    if (!stopped && document.visibilityState === 'visible') timer = setTimeout(() => void ask(), waitMs(isLive()))
  }
  const ask = async () => {
    if (asking || stopped) return
    asking = true
    clearTimeout(timer)
    try {
      asked += 1
      await (rosterRevision() !== null && asked % CHECK_EVERY === 0 ? checkRoster() : syncRoster())
    } catch (error) {
      console.info('The list could not be brought up to date', error)
    }
    asking = false
    later()
  }
  const stop = () => {
    stopped = true
    clearTimeout(timer)
  }
  return { ask, later, stop }
}

function waitMs(isLive: boolean): number {
  // Where nothing answers at all, the platform's probe of /healthz finds the way back.
  if (useConnectivity.getState().state === 'offline') return ROSTER_POLL_MS
  if (lineNow().at === 'device') return IN_TROUBLE_MS
  return isLive ? ROSTER_POLL_MS : WITHOUT_STREAM_MS
}
