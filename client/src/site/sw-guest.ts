/// <reference lib="webworker" />
import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { keepUsedFonts } from '../platform/pwa/fontCache.ts'
import { NOT_THE_SITES } from '../platform/pwa/scopes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

/**
 * The site's worker, scope `/`. It keeps the shell alone: no answer of the API is ever put into a cache (DECISIONS 4), and
 * the scanner's pages are the scanner's worker's.
 *
 * It does not call Workbox's cleanupOutdatedCaches: that deletes every precache whose name ends like an older Workbox's
 * and holds this scope, `/`, which the scanner's name does too. Workbox's own activation already drops the entries that
 * are no longer in this worker's list from this worker's one cache; there is nothing else of ours to clean.
 */
precacheAndRoute(self.__WB_MANIFEST)
keepUsedFonts(self, 'garba-guest-fonts')

registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_SITES }))

/** A new version waits until the person agrees (DECISIONS 4). */
self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
