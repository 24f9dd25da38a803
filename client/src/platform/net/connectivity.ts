import { create } from 'zustand'

/**
 * Whether our server answers (navigator.onLine is true behind a captive portal). Learned from each call's outcome and, while
 * offline, from probing /healthz every 1 s, slowing to 30 s.
 */
export interface Connectivity {
  state: 'unknown' | 'online' | 'offline'
  /** Device time in ms of the last change of state. */
  since: number
  /** Device time in ms of the last answer; null before the first. */
  lastAnswerAt: number | null
}

export const useConnectivity = create<Connectivity>(() => ({ state: 'unknown', since: Date.now(), lastAnswerAt: null }))
/** True unless the last attempt got no answer. */
export const isOnline = () => useConnectivity.getState().state !== 'offline'
export const useOnline = () => useConnectivity((is) => is.state !== 'offline')

const PROBE_FIRST_MS = 1_000
const PROBE_LAST_MS = 30_000
const PROBE_TIMEOUT_MS = 3_000
let wait = PROBE_FIRST_MS
let timer: ReturnType<typeof setTimeout> | undefined
let probing: Promise<boolean> | null = null

/** Call it when our server has answered, whatever the status. */
export function markOnline(): void {
  clearTimeout(timer)
  timer = undefined
  wait = PROBE_FIRST_MS
  const { state } = useConnectivity.getState()
  const now = Date.now()
  useConnectivity.setState(
    state === 'online' ? { lastAnswerAt: now } : { state: 'online', since: now, lastAnswerAt: now },
  )
}

/** Call it when a call got no answer: the state is offline until the next answer. */
export function markOffline(): void {
  if (useConnectivity.getState().state !== 'offline') useConnectivity.setState({ state: 'offline', since: Date.now() })
  schedule()
}

/** A probe that is due stays due: calls that fail meanwhile must not put it off. */
function schedule() {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void probeServer()
  }, wait)
  wait = Math.min(wait * 2, PROBE_LAST_MS)
}

/** Asks /healthz once (one probe at a time); resolves to whether our server answered. Never throws. */
export function probeServer(): Promise<boolean> {
  probing ??= ask().finally(() => {
    probing = null
  })
  return probing
}

async function ask(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    if (!(response.headers.get('content-type') ?? '').includes('json')) throw new TypeError('Not our answer')
    markOnline()
    return true
  } catch {
    // Any failure means the same: our server did not answer.
    markOffline()
    return false
  }
}

/** Tests at once when something may have changed. Call once per page. */
export function watchConnectivity(): void {
  const retest = () => {
    wait = PROBE_FIRST_MS
    if (useConnectivity.getState().state !== 'online') void probeServer()
  }
  window.addEventListener('online', retest)
  window.addEventListener('offline', () => void probeServer())
  window.addEventListener('pageshow', retest)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retest()
  })
}
