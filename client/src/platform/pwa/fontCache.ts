/// <reference lib="webworker" />
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

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
