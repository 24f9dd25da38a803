/// <reference lib="webworker" />
import { HOMES } from '@garba/shared/contracts/site/pages'
import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { keepUsedFonts } from '../platform/pwa/fontCache.ts'
import { showPushedNotifications } from '../platform/pwa/notifications.ts'
import { NOT_THE_SITES } from '../platform/pwa/scopes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

/**
 * The site's worker, scope `/`. It caches only the shell: API answers never go into a cache, and the scanner has its own worker.
 *
 * It does not call Workbox's cleanupOutdatedCaches, which deletes every precache whose name ends like an older Workbox's
 * and contains this scope, `/`; the scanner's name does too. On activation Workbox already drops the entries that are no
 * longer in this worker's list from its one cache, and there is nothing else to clean up.
 */
precacheAndRoute(self.__WB_MANIFEST)
keepUsedFonts(self, 'garba-guest-fonts')
showPushedNotifications(self, HOMES.guest)

registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_SITES }))

self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
