import { probe } from '../net/connectivity.ts'

const KEY = 'garba.reloadedForCode'
/** A second failure within this time (ms) has another cause than an old version. */
const SOON_MS = 60_000

/**
 * A tab left open across a deployment requests code that the server no longer has: the page is then reloaded, once.
 * Nothing happens offline, where the screen that lacks its code shows an error.
 */
export function reloadForStaleCode(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < SOON_MS) return
    void probe().then((answered) => {
      if (!answered) return
      sessionStorage.setItem(KEY, String(Date.now()))
      location.reload()
    })
  })
}
