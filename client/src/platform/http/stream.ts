import { PATHS } from '@garba/shared/contracts/paths'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { markOffline } from '../net/connectivity.ts'
import { buildApiUrl, handleRefusal, type QueryOf } from './call.ts'
import { type ApiFailure, networkFailure } from './failure.ts'
import { sendRequest } from './request.ts'

type StreamName = 'scannerLive' | 'gateLive'
export type SseMessage = EventSourceMessage

/** `connecting`: first try; `open`: connected; `broken`: lost, reconnecting; `refused`: reconnecting would not help. */
export type StreamState = 'connecting' | 'open' | 'broken' | 'refused'

interface StreamOptions<N extends StreamName> {
  /** Called for each connection, because the revision to continue from changes. */
  query?: () => QueryOf<N>
  onMessage: (message: SseMessage) => void
  onState?: (state: StreamState, failure: ApiFailure | null) => void
  /** Silence, in ms, after which a connection counts as dead; heartbeats must come more often. */
  silenceMs?: number
}

const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 30_000
/** The server sends a heartbeat every 15 s. */
const SILENCE_MS = 35_000
const CONNECT_MS = 15_000

/**
 * Server-sent events over fetch, so that the token travels in a header. Reconnects after 1 s doubling to
 * 30 s, and at once when the page or the network comes back. A connection that is silent for too long counts as dead.
 * Returns a function that ends it.
 */
export function openEventStream<N extends StreamName>(name: N, options: StreamOptions<N>): () => void {
  const end = new AbortController()
  const wake = new EventTarget()
  const wakeUp = () => wake.dispatchEvent(new Event('wake'))
  const onVisible = () => document.visibilityState === 'visible' && wakeUp()
  window.addEventListener('online', wakeUp, { signal: end.signal })
  document.addEventListener('visibilitychange', onVisible, { signal: end.signal })
  void run({ name, options, end: end.signal, wake })
  return () => end.abort()
}

interface Run<N extends StreamName> {
  name: N
  options: StreamOptions<N>
  end: AbortSignal
  wake: EventTarget
}

async function run<N extends StreamName>({ name, options, end, wake }: Run<N>): Promise<void> {
  let wait = FIRST_WAIT_MS
  options.onState?.('connecting', null)
  while (!end.aborted) {
    const failure = await connect({ name, options, end }, () => (wait = FIRST_WAIT_MS))
    if (end.aborted) return
    // Refused for good: the role was removed, or the session is over.
    if (failure.status >= 400 && failure.status < 500 && failure.status !== 429)
      return options.onState?.('refused', failure)
    options.onState?.('broken', failure)
    await sleep(wait, { end, wake })
    wait = Math.min(wait * 2, LAST_WAIT_MS)
  }
}

const sleep = (ms: number, { end, wake }: { end: AbortSignal; wake: EventTarget }) =>
  new Promise<void>((resolve) => {
    const over = new AbortController()
    const now = () => {
      clearTimeout(timer)
      // A connection that is down all evening must not leave a listener behind at each attempt.
      over.abort()
      resolve()
    }
    const timer = setTimeout(now, ms)
    wake.addEventListener('wake', now, { signal: over.signal })
    end.addEventListener('abort', now, { signal: over.signal })
  })

async function connect<N extends StreamName>(
  { name, options, end }: Omit<Run<N>, 'wake'>,
  onOpen: () => void,
): Promise<ApiFailure> {
  const connection = new AbortController()
  const stop = () => connection.abort()
  end.addEventListener('abort', stop, { once: true })
  const silence = watchdog(options.silenceMs ?? SILENCE_MS, stop)
  try {
    silence.feed(CONNECT_MS)
    const answer = await sendRequest(buildApiUrl(PATHS[name].path, {}, options.query?.() ?? {}), {
      ...{ method: 'GET', wants: 'stream', timeoutMs: false, retries: 0, signal: connection.signal },
    })
    const { response, token } = answer
    if (!response.ok || response.body === null) return handleRefusal(answer, token)
    onOpen()
    options.onState?.('open', null)
    await readMessages(response.body, { onPiece: () => silence.feed(), onMessage: options.onMessage })
    return networkFailure('The server ended the stream')
  } catch (error) {
    if (!end.aborted) markOffline()
    return networkFailure(error)
  } finally {
    silence.stop()
    end.removeEventListener('abort', stop)
    connection.abort()
  }
}

interface StreamHandlers {
  /** Called for anything received, comments too, because it shows that the connection is alive. */
  onPiece: () => void
  onMessage: (message: SseMessage) => void
}

export async function readMessages(
  body: ReadableStream<Uint8Array>,
  { onPiece, onMessage }: StreamHandlers,
): Promise<void> {
  const parser = createParser({ onEvent: onMessage })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    onPiece()
    parser.feed(decoder.decode(piece.value, { stream: true }))
  }
}

function watchdog(ms: number, bite: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    feed(patience = ms) {
      clearTimeout(timer)
      timer = setTimeout(bite, patience)
    },
    stop: () => clearTimeout(timer),
  }
}
