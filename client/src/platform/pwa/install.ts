import { create } from 'zustand'

/** Chromium's event; not in the DOM library. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface Install {
  /**
   * How this app can be installed: `prompt` (the browser's prompt), `ios` (by hand through the share sheet), `installed` (it
   * runs as an app, or was just installed), `none`.
   */
  way: 'prompt' | 'ios' | 'installed' | 'none'
}
export const useInstall = create<Install>(() => ({ way: 'none' }))

let offer: InstallPromptEvent | null = null

export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone), (display-mode: fullscreen), (display-mode: minimal-ui)').matches ||
  ('standalone' in navigator && navigator.standalone === true)

/** iPhone, iPod or iPad, even if an iPad claims to be a Mac. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Call before the first render: the browser makes its offer once, early. */
export function watchInstall(): void {
  useInstall.setState({ way: isInstalled() ? 'installed' : isIos() ? 'ios' : 'none' })
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer = event as InstallPromptEvent
    useInstall.setState({ way: 'prompt' })
  })
  window.addEventListener('appinstalled', () => {
    offer = null
    useInstall.setState({ way: 'installed' })
  })
}

/** Shows the browser's install prompt; resolves to whether it was accepted. Works once per offer. */
export async function askInstall(): Promise<boolean> {
  const event = offer
  if (!event) return false
  offer = null
  useInstall.setState({ way: 'none' })
  const { outcome } = await event.prompt()
  if (outcome === 'accepted') useInstall.setState({ way: 'installed' })
  return outcome === 'accepted'
}

interface Update {
  ready: boolean
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
    // Another tab has activated it, and nothing waits any more.
    worker.addEventListener('controlling', () => useUpdate.setState({ apply: () => location.reload() }))
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
