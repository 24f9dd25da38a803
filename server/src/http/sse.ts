import { setTimeout as sleep } from 'node:timers/promises'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { type Entry, stillHasAccess } from '../flows/authenticate.ts'
import type { AnyCaller, Change, Deps } from '../flows/deps.ts'
import type { Ctx } from './context.ts'

export const HEARTBEAT_MS = 15_000
/** Changes within this time are sent together, so a rush at the gate is one delta, not hundreds. */
const GATHER_MS = 100

/**
 * Open live views per user: ten phones on one account, each with an unnoticed dead connection, and one or two desks.
 * Above the limit the oldest view ends, which is most likely dead; a live phone reconnects.
 */
export const STREAMS_PER_USER = 25

interface Message {
  event: string
  data: unknown
}
export interface LiveView {
  deps: Deps
  user: AnyCaller
  entry: Entry
  changes: readonly Change[]
  /**
   * The message to send at the start, after changes and instead of a heartbeat; null when there is nothing new.
   */
  findMessage: () => Promise<Message | null>
  heartbeat: () => Message
  paceMs?: number
}

/**
 * A live view as server-sent events. It ends when the client disconnects, the server stops, the caller loses access or
 * the token expires. It calls `look` at each heartbeat too, to find what other processes wrote.
 */
export function liveView(c: Ctx, view: LiveView): Response {
  // A HEAD request has no body, so its stream would never end.
  if (c.req.method === 'HEAD') return c.body(null)
  const { until, requestId, call } = c.var
  const answer = streamSSE(c, async (stream) => {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      // A client that has stopped reading would hold up the message to it for ever.
      stream.abort()
    }
    stream.onAbort(end)
    view.deps.stopping.addEventListener('abort', end)
    const leave = enter(view, end)
    const signal = watchChanges(view)
    try {
      if (!view.deps.stopping.aborted) await sendChanges(stream, { view, signal, ended: ended.signal, until })
    } catch (error) {
      // The response has started, so the failure can only be logged. The client sees the stream end and reconnects.
      view.deps.log.error({ requestId, call, err: error }, 'live view failed')
    } finally {
      signal.stop()
      leave()
      view.deps.stopping.removeEventListener('abort', end)
    }
  })
  // After streamSSE, because it sets this header too.
  answer.headers.set('Cache-Control', 'no-store, no-transform')
  answer.headers.set('X-Accel-Buffering', 'no')
  return answer
}

interface Open {
  userId: string
  end: () => void
}
const open = new WeakMap<Deps, Set<Open>>()

function enter({ deps, user }: LiveView, end: () => void): () => void {
  const all = open.get(deps) ?? new Set()
  open.set(deps, all)
  const here = { userId: user.id, end }
  all.add(here)
  const mine = [...all].filter(({ userId }) => userId === user.id)
  const oldest = mine.length > STREAMS_PER_USER ? mine[0] : undefined
  if (oldest) {
    all.delete(oldest)
    oldest.end()
  }
  return () => all.delete(here)
}
interface ChangeSignal {
  /** Resolves at the next change, or at once if there was one since the last call. */
  next: () => Promise<void>
  stop: () => void
}

function watchChanges({ deps, changes }: LiveView): ChangeSignal {
  let pending = Promise.withResolvers<void>()
  const stop = deps.store.changes.subscribe((change) => {
    if (change === 'access' || changes.includes(change)) pending.resolve()
  })
  return {
    next: async () => {
      await pending.promise
      pending = Promise.withResolvers()
    },
    stop,
  }
}

async function sendChanges(
  stream: SSEStreamingApi,
  { view, signal, ended, until }: { view: LiveView; signal: ChangeSignal; ended: AbortSignal; until: Date },
): Promise<void> {
  const send = ({ event, data }: Message) => stream.writeSSE({ event, data: JSON.stringify(data) })
  const over = new Promise<'over'>((resolve) => ended.addEventListener('abort', () => resolve('over')))
  let changed = signal.next()
  // The first message comes at once, even if there is nothing new: a silent stream looks broken.
  let heartbeatAt = performance.now()
  let isDue = true
  const { deps, user, entry } = view
  while (!ended.aborted && deps.now() < until && (await stillHasAccess(deps, user, entry))) {
    const news = await view.findMessage()
    if (news || isDue) await send(news ?? view.heartbeat())
    const sentAt = performance.now()
    // Only a message puts the heartbeat off: proxies and clients end a stream that stays silent.
    if (news || isDue) heartbeatAt = sentAt + HEARTBEAT_MS
    const heartbeat = Promise.withResolvers<'heartbeat'>()
    const timer = setTimeout(heartbeat.resolve, heartbeatAt - sentAt, 'heartbeat')
    const why = await Promise.race([over, heartbeat.promise, changed.then(() => 'change' as const)])
    clearTimeout(timer)
    if (why === 'change') {
      changed = signal.next()
      const pause = Math.max(GATHER_MS, (view.paceMs ?? 0) - (performance.now() - sentAt))
      await Promise.race([over, sleep(pause)])
    }
    isDue = why === 'heartbeat' || performance.now() >= heartbeatAt
  }
}
