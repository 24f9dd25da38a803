import { SYNC_MESSAGE, SYNC_TAG } from '../core/syncTag.ts'

interface SyncManager {
  register(tag: string): Promise<void>
}

/** Asks the browser to wake us when the network is back, where it can (Chromium). Never throws. */
export function askForSync(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .getRegistration()
    .then((registration) =>
      registration && 'sync' in registration ? (registration.sync as SyncManager).register(SYNC_TAG) : undefined,
    )
    .catch((error: unknown) => console.info('No background sync here; the other ways remain', error))
}

/** The worker was woken. Returns the way to stop listening. */
export function onSyncCall(act: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {}
  const hear = ({ data }: MessageEvent<{ type?: string } | null>) => {
    if (data?.type === SYNC_MESSAGE) act()
  }
  navigator.serviceWorker.addEventListener('message', hear)
  return () => navigator.serviceWorker.removeEventListener('message', hear)
}
