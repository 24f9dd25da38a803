import { useEffect, useEffectEvent } from 'react'

/** Missing in TypeScript's own types of the browser, and in some browsers. */
interface Watcher extends EventTarget {
  destroy(): void
}
declare const window: { CloseWatcher?: new () => Watcher }

/**
 * The phone's own Back closes what is open instead of leaving the page, where the browser offers that (Chromium and Firefox
 * on Android). Elsewhere the same request is Escape, which Base UI answers.
 */
export function useBackCloses(open: boolean, close: () => void, busy = false): void {
  const ask = useEffectEvent((event: Event) => busy && event.preventDefault())
  const leave = useEffectEvent(() => busy || close())
  useEffect(() => {
    if (!open || !window.CloseWatcher || !navigator.userAgent.includes('Android')) return
    const watcher = new window.CloseWatcher()
    watcher.addEventListener('cancel', (event) => ask(event))
    watcher.addEventListener('close', () => leave())
    return () => watcher.destroy()
  }, [open])
}
