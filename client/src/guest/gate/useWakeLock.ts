import { useEffect, useState } from 'react'

/**
 * Keeps the screen awake while the calling view is shown, and takes the lock again when the page comes back into sight
 * (the browser drops it with the page). Returns whether it holds.
 */
export function useWakeLock(): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!('wakeLock' in navigator)) return
    let gone = false
    let lock: WakeLockSentinel | null = null
    const take = async () => {
      if (gone || document.visibilityState !== 'visible' || (lock !== null && !lock.released)) return
      try {
        const taken = await navigator.wakeLock.request('screen')
        // The view may have closed while the browser was thinking.
        if (gone) return void taken.release()
        lock = taken
        setHeld(true)
        taken.addEventListener('release', () => setHeld(false))
      } catch (error) {
        console.info('The screen may go dark', error)
      }
    }
    const again = () => void take()
    again()
    document.addEventListener('visibilitychange', again)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
  return held
}
