import { probe } from '../net/connectivity.ts'

const KEY = 'garba.reloadedForCode'
/** A second failure this soon, in ms, is no matter of versions. */
const SOON_MS = 60_000

/**
 * A tab left open over a deployment asks for code that the server no longer has: the page is loaded anew, once. With no
 * network nothing is done; the screen that lacks its code says so.
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
