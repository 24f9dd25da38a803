import { useEffect, useState } from 'react'

/** Requests that the screen stay on. Resolves to the lock, or null if it is denied. Never throws. */
export async function askWakeLock(): Promise<WakeLockSentinel | null> {
  if (!('wakeLock' in navigator)) return null
  try {
    return await navigator.wakeLock.request('screen')
  } catch (error) {
    // The battery is low, or the page is hidden.
    console.info('The screen may switch off', error)
    return null
  }
}

/**
 * Keeps the screen on while active. The system releases the lock when the page is hidden, so it is requested again whenever
 * the page comes back. Returns whether it is held.
 */
export function useWakeLock(active: boolean): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => (active ? holdWakeLock(setHeld) : undefined), [active])
  return held
}

function holdWakeLock(onHeld: (held: boolean) => void): () => void {
  if (!('wakeLock' in navigator)) return () => undefined
  const end = new AbortController()
  let lock: WakeLockSentinel | null = null
  // A page that comes back fires up to three events: two requests in flight would leave a lock that nobody releases.
  let isAsking = false
  const take = async () => {
    if (isAsking || document.visibilityState !== 'visible' || (lock !== null && !lock.released)) return
    isAsking = true
    const taken = await askWakeLock()
    isAsking = false
    if (end.signal.aborted) return void taken?.release()
    lock = taken
    onHeld(taken !== null)
    taken?.addEventListener('release', () => onHeld(false), { signal: end.signal })
  }
  const again = () => void take()
  again()
  document.addEventListener('visibilitychange', again, { signal: end.signal })
  window.addEventListener('pageshow', again, { signal: end.signal })
  window.addEventListener('focus', again, { signal: end.signal })
  return () => {
    end.abort()
    void lock?.release()
    onHeld(false)
  }
}
