import { heartbeatSchema, rosterAnswerSchema } from '@garba/shared/contracts/scan'
import type { SseMessage } from '../../platform/http/sseParser.ts'
import { type StreamState, stream } from '../../platform/http/stream.ts'
import { readDevice } from '../store/device.ts'
import { noteRosterFresh, rosterRevision } from '../store/rosterMemory.ts'
import { noteRefusal } from './forbidden.ts'
import { makePoll } from './poll.ts'
import { takeIn } from './syncRoster.ts'
import { useLine } from './useLine.ts'

/** A live delta was put together shortly before it came; an admission settled since is not in it (ms). */
const DELTA_AGE_MS = 5_000
/** The server beats every 15 s; a stream silent for longer than this is dead (ms). */
const SILENCE_MS = 25_000

/**
 * Keeps the list fresh while the page is visible: at once, every 30 s, by live deltas, and by quick askings where there is
 * no stream. Returns the way to stop.
 */
export function followRoster(): () => void {
  let live: StreamState = 'connecting'
  const poll = makePoll({ isLive: () => live === 'open' })
  const line = makeLive({
    onBehind: () => void poll.ask(),
    onState: (state, failure) => {
      noteRefusal(failure)
      live = state
      poll.later()
    },
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') void poll.ask().then(line.connect)
    else line.disconnect()
  }
  document.addEventListener('visibilitychange', onVisible)
  const unsubscribe = useLine.subscribe((now, before) => {
    if (now.line.at === 'server' && before.line.at !== 'server') void poll.ask()
    else poll.later()
  })
  onVisible()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    unsubscribe()
    line.disconnect()
    poll.stop()
  }
}

interface LiveEvents {
  /** The server is at a revision that the deltas have not told. */
  onBehind: () => void
  onState: (state: StreamState, failure: unknown) => void
}

function makeLive({ onBehind, onState }: LiveEvents) {
  let end: (() => void) | null = null
  let wanted = false
  const onMessage = (message: SseMessage) => {
    if (hear(message) === 'behind') onBehind()
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

function hear({ event, data }: SseMessage): 'heard' | 'behind' {
  const message = parsed(data)
  const delta = event === 'roster' ? rosterAnswerSchema.safeParse(message) : null
  if (delta?.success) void takeIn(delta.data, Date.now() - DELTA_AGE_MS)
  const beat = event === 'heartbeat' ? heartbeatSchema.safeParse(message) : null
  if (!beat?.success) return 'heard'
  if (beat.data.revision !== rosterRevision()) return 'behind'
  noteRosterFresh(Date.now())
  return 'heard'
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    console.warn('A live message was not JSON', error)
    return null
  }
}
