/// <reference lib="webworker" />
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

/**
 * The Gujarati and Devanagari letters weigh 600 kB and most phones never need them: a worker does not fetch them ahead, but
 * keeps those that a page has used. With a new version the cache begins anew, for the names change with the contents.
 */
export function keepUsedFonts(worker: ServiceWorkerGlobalScope, cacheName: string): void {
  registerRoute(
    ({ request, sameOrigin }) => sameOrigin && request.destination === 'font',
    new CacheFirst({ cacheName }),
  )
  worker.addEventListener('activate', (event) => event.waitUntil(worker.caches.delete(cacheName)))
}
