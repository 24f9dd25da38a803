/// <reference lib="webworker" />
import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { keepUsedFonts } from '../platform/pwa/fontCache.ts'
import { SCANNER_PAGES } from '../platform/pwa/scopes.ts'
import { SYNC_MESSAGE, SYNC_TAG } from './core/scan.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

/** The scanner's worker, scope `/dashboard/qrchecker`: its own shell with decoder and wasm, and nothing of the API. */
precacheAndRoute(self.__WB_MANIFEST)
keepUsedFonts(self, 'garba-scanner-fonts')
registerRoute(new NavigationRoute(createHandlerBoundToURL('/scanner.html'), { allowlist: [SCANNER_PAGES] }))

/** The page sends this only while nobody is being scanned and the outbox is empty. */
self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})

/**
 * The network is back (Background Sync). The pages send, because they have the token, and an outbox sent from two places would
 * need two tokens. Without an open page the scans wait for the next start.
 */
self.addEventListener('sync', (event) => {
  const sync = event as ExtendableEvent & { tag: string }
  if (sync.tag === SYNC_TAG) sync.waitUntil(wakePages())
})

async function wakePages(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ type: SYNC_MESSAGE })
}
