import { ROSTER_POLL_MS } from '@garba/shared/constants'
import { whenQuiet } from '../../platform/ahead.ts'
import { openEventStream, type SseMessage, type StreamState } from '../../platform/http/stream.ts'
import { refreshUser } from '../../platform/identity/actions.ts'
import { onCheckerLost, onSignOut, runCheckerLostHooks } from '../../platform/identity/hooks.ts'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { forgetGuests, forgetScannerData } from '../../platform/store/scannerData.ts'
import { pairingNow } from '../core/pairing.ts'
import { readDevice } from '../store/device.ts'
import { reportStorageFailure } from '../store/failure.ts'
import { type News, onNews } from '../store/news.ts'
import { readAdmitted } from '../store/record.ts'
import {
  forgetRoster,
  isListBehind,
  loadAdmitted,
  loadRoster,
  markRosterFresh,
  readRoster,
  rosterRevision,
  setListStreaming,
} from '../store/rosterMemory.ts'
import { ALL_NEWS, refreshStored } from '../store/useStored.ts'
import { followSelling } from './blocks.ts'
import { connectionNow, followConnectivity, onForbidden, reportForbidden, useConnection } from './connection.ts'
import { followDevice, refreshDevice } from './pairing.ts'
import { startReplayer, useReplay } from './replayer.ts'
import { checkRoster, syncRoster, takeIn } from './syncRoster.ts'

const NETWORK_AFTER_MS = 1_500

/**
 * Starts the station for a checker or a paired phone. The device's list comes first, so that verdicts need no network; then the
 * server's list, the outbox and other tabs' news. A camera that is opening goes before the network. `ended`: the phone may not
 * scan any more and only sends what it has. Returns a function that stops the station. Never throws.
 */
export async function startStation({ ended }: { ended: boolean }): Promise<() => void> {
  const stops = [
    onNews((news, from) => void receive(news, from)),
    followConnectivity(),
    onForbidden(() => void (pairingNow() === null ? loseRole() : refreshDevice())),
  ]
  await Promise.all([loadList(), refreshStored(ALL_NEWS)])
  await whenQuiet(NETWORK_AFTER_MS)
  if (!ended) stops.push(followRoster())
  if (pairingNow() !== null) stops.push(followDevice(), followSelling())
  stops.push(startReplayer())
  return () => {
    for (const stop of stops) stop()
  }
}

async function loadList(): Promise<void> {
  try {
    loadRoster(await readRoster())
  } catch (error) {
    reportStorageFailure(error)
    forgetRoster()
  }
}

async function receive(news: ReadonlySet<News>, from: 'here' | 'elsewhere') {
  await refreshStored(news)
  if (from === 'here') return
  // This page's admissions are already in memory; another tab's are not.
  if (news.has('outbox')) await readAdmitted().then(loadAdmitted).catch(reportStorageFailure)
  // Another tab updated the list, so this tab need not request it again.
  if (news.has('roster')) await loadList()
}

/**
 * Account data is deleted at sign-out; unsent scans stay. Every page's sign-out empties the store
 * (platform/identity). Here it is emptied first, so that the screens then read what is left.
 */
export const forgetAtSignOut = (): (() => void) =>
  onSignOut(async () => {
    // A paired phone's data do not belong to the account.
    if (pairingNow() !== null) return
    forgetRoster()
    await forgetScannerData()
    await refreshStored(ALL_NEWS)
  })

export const forgetWithRole = (): (() => void) =>
  onCheckerLost(async () => {
    if (pairingNow() !== null) return
    forgetRoster()
    await forgetGuests()
    await refreshStored(ALL_NEWS)
  })

async function loseRole(): Promise<void> {
  await runCheckerLostHooks()
  try {
    await refreshUser()
  } catch (error) {
    console.info('The role could not be refreshed', error)
  }
}

/** A live delta was created shortly before it arrived; an admission settled since is not in it (ms). */
const DELTA_AGE_MS = 5_000
/** The server sends a heartbeat every 15 s; a stream silent for longer than this is dead (ms). */
const SILENCE_MS = 25_000

/**
 * Keeps the list fresh while the page is visible: at once, every 30 s, by live deltas, and by frequent requests if there is no
 * stream. Returns a function that stops it.
 */
function followRoster(): () => void {
  let state: StreamState = 'connecting'
  const poll = makePoll({ isLive: () => state === 'open' })
  const live = makeLive({
    onBehind: () => void poll.ask(),
    onState: (next, failure) => {
      reportForbidden(failure)
      state = next
      setListStreaming(next === 'open')
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
  onBehind: () => void
  onState: (state: StreamState, failure: unknown) => void
}

function makeLive({ onBehind, onState }: LiveEvents) {
  let end: (() => void) | null = null
  let shouldConnect = false
  const onMessage = async (message: SseMessage) => {
    try {
      if ((await receiveMessage(message)) === 'behind') onBehind()
    } catch (error) {
      console.warn('A live message could not be read', error)
    }
  }
  return {
    async connect() {
      shouldConnect = true
      const { id, name } = await readDevice()
      if (end !== null || !shouldConnect) return
      const query = () => ({ deviceId: id, deviceName: name, since: rosterRevision() })
      end = openEventStream('scannerLive', { query, onMessage, onState, silenceMs: SILENCE_MS })
    },
    disconnect() {
      shouldConnect = false
      end?.()
      end = null
      onState('broken', null)
    },
  }
}

async function receiveMessage({ event, data }: SseMessage): Promise<'received' | 'behind'> {
  const receivedAt = Date.now()
  // Not part of the scanner's start, like the contracts in askServer.ts.
  const { heartbeatSchema, rosterAnswerSchema } = await import('@garba/shared/contracts/phones/scan')
  const message: unknown = JSON.parse(data)
  const delta = event === 'roster' ? rosterAnswerSchema.safeParse(message) : null
  if (delta?.success) void takeIn(delta.data, receivedAt - DELTA_AGE_MS)
  const beat = event === 'heartbeat' ? heartbeatSchema.safeParse(message) : null
  if (!beat?.success) return 'received'
  if (beat.data.revision !== rosterRevision() || isListBehind()) return 'behind'
  markRosterFresh(receivedAt)
  return 'received'
}

/** Without the live stream a change must still arrive within two seconds (ms). */
const WITHOUT_STREAM_MS = 1_500
/** A connection that was slow or down is tested with a small request before a scan waits for it again (ms). */
const IN_TROUBLE_MS = 3_000
const CHECK_EVERY = 10

function makePoll({ isLive }: { isLive: () => boolean }) {
  let stopped = false
  let asking = false
  let rounds = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY

  const cancel = () => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }
  /** Brings the next request forward. It is never put off: a stream that ends and opens again and again would keep it away. */
  const later = () => {
    if (stopped || document.visibilityState !== 'visible') return cancel()
    const due = performance.now() + waitMs(isLive())
    if (due >= dueAt) return
    clearTimeout(timer)
    dueAt = due
    timer = setTimeout(() => {
      cancel()
      void ask()
    }, waitMs(isLive()))
  }
  const ask = async () => {
    if (asking || stopped) return
    asking = true
    cancel()
    try {
      rounds += 1
      const check = rosterRevision() !== null && !isListBehind() && rounds % CHECK_EVERY === 0
      await (check ? checkRoster() : syncRoster())
    } catch (error) {
      console.info('The list could not be brought up to date', error)
    }
    asking = false
    later()
  }
  const stop = () => {
    stopped = true
    cancel()
  }
  return { ask, later, stop }
}

function waitMs(isLive: boolean): number {
  // If nothing answers at all, the platform's probe of /healthz notices when the server is back.
  if (useConnectivity.getState().state === 'offline') return ROSTER_POLL_MS
  if (connectionNow().type === 'device') return IN_TROUBLE_MS
  return isLive ? ROSTER_POLL_MS : WITHOUT_STREAM_MS
}
