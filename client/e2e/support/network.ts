import type { BrowserContext, Page } from '@playwright/test'

/** Takes the network from every page and worker of a context, as a basement does; the server keeps running. */
export const goOffline = (context: BrowserContext): Promise<void> => context.setOffline(true)

export const goOnline = (context: BrowserContext): Promise<void> => context.setOffline(false)

/** Waits until the service worker of the page's scope is active, so that a reload without network can be answered. */
export const workerReady = (page: Page): Promise<void> => page.evaluate(activeWorker)

/** Runs in the page and must be whole in itself. */
export async function activeWorker(): Promise<void> {
  const worker = (await navigator.serviceWorker.ready).active
  if (worker === null || worker.state === 'activated') return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
    })
  })
}

/** Addresses that the page asks for from now on, those that a route answers too. */
export function recordRequests(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => void addresses.push(request.url()))
  return addresses
}

/** Delays each answer of the API by so many milliseconds, from now on. */
export async function slowApi(page: Page, milliseconds: number): Promise<() => Promise<void>> {
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    // A page that has gone in the meantime wants no answer any more.
    await route.continue().catch(() => undefined)
  })
  return () => page.unroute('**/api/**')
}
