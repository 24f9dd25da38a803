import { EPOCH_HEADER, SERVER_PATIENCE_MS } from '@garba/shared/constants'
import type { CallName } from '@garba/shared/contracts/paths'
import { parseEpoch } from '@garba/shared/rules/phones/versions'
import { create } from 'zustand'
import { type AnswerOf, type CallOptions, callServer } from '../../platform/http/call.ts'
import { useEpoch } from '../../platform/http/epoch.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { tickWhileVisible } from '../../platform/screen/now.ts'

/**
 * Who decides now, known from calls and not from the phone's own online flag. `offline`: our server does not answer.
 * `slow`: it answers, but later than a queue of people can wait.
 */
export type Connection = { type: 'unknown' } | { type: 'server' } | { type: 'device'; why: 'offline' | 'slow' }

type ConnectionNews =
  /** One of the scanner's own calls was answered, after `ms`. */
  | { type: 'answered'; ms: number }
  | { type: 'late' }
  /** The call was refused or cut off, or answered by an HTML page, a server error or a server that has been replaced. */
  | { type: 'noAnswer' }
  /** The probe of /healthz was answered: the server can be reached, at an unknown speed. */
  | { type: 'reached' }

const SLOW: Connection = { type: 'device', why: 'slow' }

/** A slow connection recovers only by a call answered in time; being reached is not enough. */
export function connectionAfter(connection: Connection, news: ConnectionNews): Connection {
  switch (news.type) {
    case 'answered':
      return news.ms < SERVER_PATIENCE_MS ? { type: 'server' } : SLOW
    case 'late':
      return SLOW
    case 'noAnswer':
      return { type: 'device', why: 'offline' }
    case 'reached':
      return connection.type === 'device' && connection.why === 'slow' ? connection : { type: 'server' }
  }
}

/** Whether a scan asks the server first. An unknown connection asks, which costs the first scan at most 1.5 s. */
export const asksServer = (connection: Connection): boolean => connection.type !== 'device'

export const useConnection = create<{ connection: Connection }>(() => ({ connection: { type: 'unknown' } }))

export const connectionNow = (): Connection => useConnection.getState().connection

export function updateConnection(news: ConnectionNews): void {
  const before = connectionNow()
  const connection = connectionAfter(before, news)
  const same =
    connection.type === before.type &&
    (connection.type !== 'device' || (before.type === 'device' && before.why === connection.why))
  if (!same) useConnection.setState({ connection })
}

const onServerBack = (act: () => void): (() => void) =>
  useConnection.subscribe(({ connection }, before) => {
    if (connection.type === 'server' && before.connection.type !== 'server') act()
  })

const REFRESH_MS = 60_000

/**
 * Asks while the page is visible: at once, each minute, when it becomes visible and when the server is back. Returns a
 * function that stops it.
 */
export function askEachMinute(ask: () => void): () => void {
  const ifVisible = () => {
    if (document.visibilityState === 'visible') ask()
  }
  const stopTicking = tickWhileVisible({ everyMs: REFRESH_MS, page: document, onTick: ask })
  const unsubscribe = onServerBack(ifVisible)
  ifVisible()
  return () => {
    stopTicking()
    unsubscribe()
  }
}

/** Takes over connectivity changes seen by the page's other calls. Call once; returns a function that stops it. */
export const followConnectivity = (): (() => void) =>
  useConnectivity.subscribe(({ state, lastAnswerAt }, before) => {
    if (state === 'offline') updateConnection({ type: 'noAnswer' })
    else if (state === 'online' && lastAnswerAt !== before.lastAnswerAt) updateConnection({ type: 'reached' })
  })

/** These calls are large: a quick answer counts for the connection, a slow answer does not count against it. */
const LARGE: ReadonlySet<CallName> = new Set([
  'markUsedBatch',
  'roster',
  'sellAtDesk',
  'doorSales',
  'allotBlock',
  'deviceBlocks',
])

/** Accepts no answer of a server that has been replaced, because its successor never learns of the answer. */
export function unlessReplaced(): (headers: Headers) => boolean {
  const { epoch } = useEpoch.getState()
  return (headers) => (parseEpoch(headers.get(EPOCH_HEADER)) ?? epoch) >= epoch
}

/** Makes a scanner call once, and records from its answer how the network is. Throws ApiFailure. */
export async function scannerCall<N extends CallName>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>> {
  const start = performance.now()
  const answered = () => {
    const ms = performance.now() - start
    if (ms < SERVER_PATIENCE_MS || !LARGE.has(name)) updateConnection({ type: 'answered', ms })
  }
  try {
    const answer = await (callServer as (name: N, options: CallOptions<N>) => Promise<AnswerOf<N>>)(name, {
      retries: 0,
      accepts: unlessReplaced(),
      ...options,
    })
    answered()
    return answer
  } catch (error) {
    reportForbidden(error)
    if (isFailure(error) && error.status > 0 && error.status < 500) answered()
    else updateConnection({ type: 'noAnswer' })
    throw error
  }
}

const forbiddenListeners = new Set<() => void>()

export function onForbidden(listener: () => void): () => void {
  forbiddenListeners.add(listener)
  return () => forbiddenListeners.delete(listener)
}

/** A portal may answer 403 as well; only our server sends the code. */
export function reportForbidden(error: unknown): void {
  if (isFailure(error) && error.code === 'FORBIDDEN') for (const listener of forbiddenListeners) listener()
}

/** These statuses mean too early, too slow or too often: the same call may be answered later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Whether the answer decides nothing: none came (status 0), the server failed, or it wants to be asked later. A scan is
 * then decided by the device, and a replayed row is sent again.
 */
export const isNoAnswer = (status: number): boolean => status === 0 || status >= 500 || LATER.has(status)

/** The same for calls that are not about a ticket, where a 404 means a foreign server, or ours before it is ready. */
export const isNoAnswerToCall = (status: number): boolean => isNoAnswer(status) || status === 404
