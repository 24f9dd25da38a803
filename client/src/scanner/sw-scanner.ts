/// <reference lib="webworker" />
import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { keepUsedFonts } from '../platform/pwa/fontCache.ts'
import { SCANNER_PAGES } from '../platform/pwa/scopes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

/** The scanner's worker, scope `/dashboard/qrchecker`: its own shell with decoder and wasm, and nothing of the API. */
precacheAndRoute(self.__WB_MANIFEST)
keepUsedFonts(self, 'garba-scanner-fonts')
registerRoute(new NavigationRoute(createHandlerBoundToURL('/scanner.html'), { allowlist: [SCANNER_PAGES] }))

/** The page sends this only while nobody is being scanned and the outbox is empty. */
self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
