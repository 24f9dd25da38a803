import { useEffect } from 'react'
import { create } from 'zustand'

/** Whether the screen is kept on at this moment; `none` where the browser cannot. */
export const useWakeState = create<{ at: 'off' | 'on' | 'none' | 'refused' }>(() => ({
  at: 'wakeLock' in navigator ? 'off' : 'none',
}))

/** Asks for the screen to stay on. Resolves to the lock, or null where it is not given. Never throws. */
export async function askWakeLock(): Promise<WakeLockSentinel | null> {
  if (!('wakeLock' in navigator)) return null
  try {
    return await navigator.wakeLock.request('screen')
  } catch (error) {
    // Low battery, or a page that is not in sight.
    console.info('The screen may switch off', error)
    return null
  }
}

/** Keeps the screen on while active; taken again whenever the page comes back, for the system drops it when it goes. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    const end = new AbortController()
    let lock: WakeLockSentinel | null = null
    const take = async () => {
      if (document.visibilityState !== 'visible' || (lock !== null && !lock.released)) return
      const taken = await askWakeLock()
      if (end.signal.aborted) return void taken?.release()
      lock = taken
      useWakeState.setState({ at: taken ? 'on' : 'refused' })
      taken?.addEventListener('release', () => useWakeState.setState({ at: 'off' }), { signal: end.signal })
    }
    void take()
    document.addEventListener('visibilitychange', () => void take(), { signal: end.signal })
    window.addEventListener('pageshow', () => void take(), { signal: end.signal })
    window.addEventListener('focus', () => void take(), { signal: end.signal })
    return () => {
      end.abort()
      void lock?.release()
      useWakeState.setState({ at: 'off' })
    }
  }, [active])
}
