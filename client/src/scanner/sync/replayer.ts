import { create } from 'zustand'
import { userNow } from '../../platform/identity/session.ts'
import { isOnline, useConnectivity } from '../../platform/net/connectivity.ts'
import { askForSync, onSyncCall } from './backgroundSync.ts'
import { backoffMs } from './backoff.ts'
import { type RunEnd, replay } from './replay.ts'

/** What the sending of the outbox is doing; `signIn`: rows wait for a checker whom the server accepts. */
export const useReplay = create<{ at: 'idle' | 'sending' | 'waiting' | 'signIn' }>(() => ({ at: 'idle' }))

const TIMER_MS = 30_000
/** Another tab is sending: look again soon, it may close. */
const BUSY_MS = 5_000

let running = false
let again = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends what waits now; while a run is under way, once more after it. Never throws. */
export async function sendOutbox(): Promise<void> {
  if (running) {
    again = true
    return
  }
  running = true
  clearTimeout(timer)
  useReplay.setState({ at: 'sending' })
  do {
    again = false
    settleDown(await runOnce())
  } while (again)
  running = false
}

/**
 * Something new waits. Where nothing answers it waits for the network's return or the timer: each try in vain would turn an
 * undo of a scan that never left into one that the server must hear of, and costs a write of the rows.
 */
export function sendSoon(): void {
  if (isOnline()) void sendOutbox()
}

async function runOnce(): Promise<RunEnd> {
  if (userNow() === null) return 'signIn'
  try {
    return await replay()
  } catch (error) {
    console.warn('The outbox could not be read; it is tried again', error)
    return 'retry'
  }
}

function settleDown(end: RunEnd) {
  tries = end === 'retry' ? tries + 1 : 0
  if (end === 'retry') askForSync()
  useReplay.setState({ at: end === 'empty' || end === 'busy' ? 'idle' : end === 'signIn' ? 'signIn' : 'waiting' })
  const wait = end === 'retry' ? backoffMs({ tries, chance: Math.random() }) : end === 'busy' ? BUSY_MS : TIMER_MS
  clearTimeout(timer)
  timer = setTimeout(() => void sendOutbox(), wait)
}

/**
 * Sends at the start and whenever there is a reason to: the network, the page or the server is back, a worker's sync, a
 * timer (DECISIONS 3). Returns the way to stop.
 */
export function startReplayer(): () => void {
  const end = new AbortController()
  const { signal } = end
  const now = () => {
    tries = 0
    void sendOutbox()
  }
  window.addEventListener('online', now, { signal })
  window.addEventListener('pageshow', now, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && now(), { signal })
  const stops = [
    onSyncCall(now),
    useConnectivity.subscribe(({ state }, before) => {
      if (state === 'online' && before.state !== 'online') now()
    }),
  ]
  now()
  return () => {
    end.abort()
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
