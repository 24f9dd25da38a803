import { create } from 'zustand'

interface Update {
  /** A new version is installed and waits for the user's consent. */
  ready: boolean
  /** Activates the new version and then reloads the page. */
  apply: () => void
}
export const useUpdate = create<Update>(() => ({ ready: false, apply: () => {} }))

const CHECK_EVERY_MS = 60 * 60_000

/**
 * Registers a shell's worker after the page has loaded. A new version waits until the user consents by `apply`
 * of `useUpdate`. On failure the page still works online.
 */
export async function registerWorker(options: { url: string; scope: string }): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  try {
    const { Workbox } = await import('workbox-window')
    const worker = new Workbox(options.url, { scope: options.scope })
    worker.addEventListener('waiting', () => useUpdate.setState({ ready: true, apply: () => applyUpdate(worker) }))
    await worker.register()
    const check = () => worker.update().catch((error: unknown) => console.info('Could not check for updates', error))
    setInterval(() => void check(), CHECK_EVERY_MS)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void check()
    })
  } catch (error) {
    console.warn('This page will not open offline', error)
  }
}

function applyUpdate(worker: {
  addEventListener(type: 'controlling', fn: () => void): void
  messageSkipWaiting(): void
}) {
  worker.addEventListener('controlling', () => location.reload())
  worker.messageSkipWaiting()
}
