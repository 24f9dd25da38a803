import { ROSTER_POLL_MS } from '@garba/shared/constants'
import type { SseMessage } from '../../platform/http/stream.ts'
import { type StreamState, stream } from '../../platform/http/stream.ts'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { readDevice } from '../store/device.ts'
import { isListBehind, noteRosterFresh, rosterRevision } from '../store/rosterMemory.ts'
import { connectionNow, noteRefusal, useConnection } from './connection.ts'
import { useReplay } from './replayer.ts'
import { checkRoster, syncRoster, takeIn } from './syncRoster.ts'

/** A live delta was created shortly before it arrived; an admission settled since is not in it (ms). */
const DELTA_AGE_MS = 5_000
/** The server sends a heartbeat every 15 s; a stream silent for longer than this is dead (ms). */
const SILENCE_MS = 25_000

/**
 * Keeps the list fresh while the page is visible: at once, every 30 s, by live deltas, and by frequent requests where there is
 * no stream. Returns the way to stop.
 */
export function followRoster(): () => void {
  let state: StreamState = 'connecting'
  const poll = makePoll({ isLive: () => state === 'open' })
  const live = makeLive({
    onBehind: () => void poll.ask(),
    onState: (next, failure) => {
      noteRefusal(failure)
      state = next
      poll.later()
    },
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') void poll.ask().then(live.connect)
    else live.disconnect()
  }
  document.addEventListener('visibilitychange', onVisible)
  const unsubscribe = useConnection.subscribe((now, before) => {
    if (now.connection.type === 'server' && before.connection.type !== 'server') void poll.ask()
    else poll.later()
  })
  const unsubscribeReplay = useReplay.subscribe(({ status }, before) => {
    if (status === 'idle' && before.status !== 'idle' && isListBehind()) void poll.ask()
  })
  onVisible()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    unsubscribe()
    unsubscribeReplay()
    live.disconnect()
    poll.stop()
  }
}

interface LiveEvents {
  /** The server has a revision that no delta has delivered. */
  onBehind: () => void
  onState: (state: StreamState, failure: unknown) => void
}

function makeLive({ onBehind, onState }: LiveEvents) {
  let end: (() => void) | null = null
  let wanted = false
  const onMessage = async (message: SseMessage) => {
    try {
      if ((await receive(message)) === 'behind') onBehind()
    } catch (error) {
      console.warn('A live message could not be read', error)
    }
  }
  return {
    async connect() {
      wanted = true
      const { id, name } = await readDevice()
      if (end !== null || !wanted) return
      const query = () => ({ deviceId: id, deviceName: name, since: rosterRevision() })
      end = stream('scannerLive', { query, onMessage, onState, silenceMs: SILENCE_MS })
    },
    disconnect() {
      wanted = false
      end?.()
      end = null
      onState('broken', null)
    },
  }
}

async function receive({ event, data }: SseMessage): Promise<'received' | 'behind'> {
  const receivedAt = Date.now()
  // Not part of the scanner's start, like the contracts in askServer.ts.
  const { heartbeatSchema, rosterAnswerSchema } = await import('@garba/shared/contracts/scan')
  const message: unknown = JSON.parse(data)
  const delta = event === 'roster' ? rosterAnswerSchema.safeParse(message) : null
  if (delta?.success) void takeIn(delta.data, receivedAt - DELTA_AGE_MS)
  const beat = event === 'heartbeat' ? heartbeatSchema.safeParse(message) : null
  if (!beat?.success) return 'received'
  if (beat.data.revision !== rosterRevision() || isListBehind()) return 'behind'
  noteRosterFresh(receivedAt)
  return 'received'
}

/** Without the live stream a change must still arrive within two seconds (ms). */
const WITHOUT_STREAM_MS = 1_500
/** A connection that was slow or down is tested with a small request before a scan waits for it again (ms). */
const IN_TROUBLE_MS = 3_000
/** After this many requests the whole list is compared by hash. */
const CHECK_EVERY = 10

interface Poll {
  /** Asks now, unless a request is under way. Never throws. */
  ask(): Promise<void>
  /** Reschedules the next request. */
  later(): void
  stop(): void
}

/** Keeps requesting the list while the page is visible, as often as connection and stream require. */
function makePoll({ isLive }: { isLive: () => boolean }): Poll {
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
      const check = rosterRevision() !== null && !isListBehind() && asked % CHECK_EVERY === 0
      await (check ? checkRoster() : syncRoster())
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
  // If nothing answers at all, the platform's probe of /healthz notices when the server is back.
  if (useConnectivity.getState().state === 'offline') return ROSTER_POLL_MS
  if (connectionNow().type === 'device') return IN_TROUBLE_MS
  return isLive ? ROSTER_POLL_MS : WITHOUT_STREAM_MS
}
