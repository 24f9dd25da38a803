import { probe } from '../net/connectivity.ts'

const KEY = 'garba.reloadedForCode'
/** A second failure this soon, in ms, has another cause than an old version. */
const SOON_MS = 60_000

/**
 * A tab left open across a deployment requests code that the server no longer has: reloads the page, once. Offline it does
 * nothing; the screen whose code is missing says so.
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
