/// <reference lib="webworker" />
import { HOMES } from '@garba/shared/contracts/site/pages'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

/** Workbox tests these against path and query together. */
const below = (path: string) => new RegExp(`^${path}(?:[/?]|$)`)

export const SCANNER_PAGES = below(HOMES.qrchecker)

/** Navigations that the site's worker leaves to the network or the scanner's worker. */
export const NOT_THE_SITES = [
  below('/api'),
  SCANNER_PAGES,
  below('/identitytoolkit\\.googleapis\\.com'),
  below('/securetoken\\.googleapis\\.com'),
  below('/emulator'),
  below('/healthz'),
  below('/__'),
  // A file, not a page.
  /^[^?]*\.[a-z0-9]+(?:\?|$)/i,
]

/**
 * The Gujarati and Devanagari fonts weigh 600 kB and most phones never need them, so a worker does not precache them but keeps
 * those a page has used. A new version starts with an empty cache, because the names change with the contents.
 */
export function keepUsedFonts(worker: ServiceWorkerGlobalScope, cacheName: string): void {
  registerRoute(
    ({ request, sameOrigin }) => sameOrigin && request.destination === 'font',
    new CacheFirst({ cacheName }),
  )
  worker.addEventListener('activate', (event) => event.waitUntil(worker.caches.delete(cacheName)))
}
