import { create } from 'zustand'
import { epochNow, useEpoch } from '../../platform/http/epoch.ts'
import { userNow } from '../../platform/identity/session.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { isOnline, useConnectivity } from '../../platform/net/connectivity.ts'
import { pairingNow } from '../core/pairing.ts'
import { SYNC_MESSAGE, SYNC_TAG } from '../core/scan.ts'
import { queueAgain, tidyJournal } from '../store/journal.ts'
import { eventTimes } from '../store/rosterMemory.ts'
import { queueSalesAgain } from '../store/sales.ts'
import { type RunEnd, replayOutbox } from './replay.ts'

/** The replay's state; `signIn`: rows wait for a checker or a pairing that the server accepts. */
export const useReplay = create<{ status: 'idle' | 'sending' | 'waiting' | 'signIn' }>(() => ({ status: 'idle' }))

const TIMER_MS = 30_000
/** While another tab is sending, the next look comes soon, because that tab may close (ms). */
const BUSY_MS = 5_000

let running = false
let again = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends what is waiting; during a run, sends once more after it. Never throws. */
export async function sendOutbox(): Promise<void> {
  if (running) {
    again = true
    return
  }
  running = true
  clearTimeout(timer)
  useReplay.setState({ status: 'sending' })
  do {
    again = false
    scheduleNextRun(await runOnce())
  } while (again)
  running = false
}

/**
 * Call when something new waits. Offline it waits for the network or the timer: each failed try costs a write of the rows, and an
 * undo of a scan that was tried must be sent to the server.
 */
export function sendSoon(): void {
  if (isOnline()) void sendOutbox()
}

async function runOnce(): Promise<RunEnd> {
  if (userNow() === null && pairingNow() === null) return 'signIn'
  try {
    // First what a server restored from a backup may have lost.
    await queueSalesAgain(epochNow())
    await queueAgain(epochNow())
    const end = await replayOutbox()
    if (end === 'empty') await tidyJournal(serverNow().getTime(), eventTimes())
    return end
  } catch (error) {
    console.warn('The outbox could not be read; trying again', error)
    return 'retry'
  }
}

function scheduleNextRun(end: RunEnd) {
  tries = end === 'retry' ? tries + 1 : 0
  if (end === 'retry') askForSync()
  useReplay.setState({ status: end === 'empty' || end === 'busy' ? 'idle' : end === 'signIn' ? 'signIn' : 'waiting' })
  const wait = end === 'retry' ? backoffMs({ tries, chance: Math.random() }) : end === 'busy' ? BUSY_MS : TIMER_MS
  clearTimeout(timer)
  timer = setTimeout(() => void sendOutbox(), wait)
}

/**
 * Sends at the start and whenever there is a reason to: the network, the page or the server is back, a worker's sync, a
 * timer. Returns a function that stops it.
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
    useEpoch.subscribe(now),
  ]
  now()
  return () => {
    end.abort()
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

const FIRST_MS = 2_000
const LAST_MS = 60_000

/** The wait before try number `tries` (from 1), in ms. It doubles, and varies by a quarter at random to spread out the phones. */
export function backoffMs({ tries, chance }: { tries: number; chance: number }): number {
  const plain = Math.min(FIRST_MS * 2 ** Math.max(tries - 1, 0), LAST_MS)
  return Math.round(plain * (0.75 + chance / 2))
}

interface SyncManager {
  register(tag: string): Promise<void>
}

function askForSync(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .getRegistration()
    .then((registration) =>
      registration && 'sync' in registration ? (registration.sync as SyncManager).register(SYNC_TAG) : undefined,
    )
    .catch((error: unknown) => console.info('No background sync in this browser', error))
}

function onSyncCall(act: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {}
  const receive = ({ data }: MessageEvent<{ type?: string } | null>) => {
    if (data?.type === SYNC_MESSAGE) act()
  }
  navigator.serviceWorker.addEventListener('message', receive)
  return () => navigator.serviceWorker.removeEventListener('message', receive)
}
