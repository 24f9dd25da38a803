import { type BrowserContext, test as base, expect } from '@playwright/test'
import { type ServerOptions, TestServer } from './server.ts'

export { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
export { expect, type Locator, type Page } from '@playwright/test'
export { Api, callApi } from './api.ts'
export { type FakeCamera, fakeCamera } from './camera.ts'
export { goOffline, goOnline, slowApi, workerReady } from './network.ts'
export { type ServerOptions, TestServer } from './server.ts'
export { signIn } from './signIn.ts'

// Playwright reads a stack at each step, and looks for source maps in it. Node runs these files as they are written.
Reflect.deleteProperty(Error, 'prepareStackTrace')

interface Fixtures {
  /** For `test.use({ serverOptions: { ... } })`. */
  serverOptions: ServerOptions
  /** A real server of this test's own; pages of the test go to it with relative addresses. */
  server: TestServer
}

/** Those of the test that have not been closed. */
const open = new Set<BrowserContext>()

export const test = base.extend<Fixtures, object>({
  browser: [
    async ({ browser }, use) => {
      browser.on('context', (context) => {
        open.add(context)
        context.on('close', () => void open.delete(context))
      })
      await use(browser)
    },
    { scope: 'worker' },
  ],
  serverOptions: [{}, { option: true }],
  server: async ({ serverOptions }, use, info) => {
    const server = await TestServer.create(serverOptions)
    await use(server)
    if (info.status !== info.expectedStatus && server.logs.length > 0) {
      await info.attach('server log', { body: server.logs.join('\n'), contentType: 'text/plain' })
    }
    // A scanner that nobody looks at any more would read its camera until the last test of the worker.
    for (const context of open) {
      await ignoreRoutes(context)
      await context.close()
    }
    await server.dispose()
  },
  // Whatever a test does, its pages keep to the server's content security policy: the browser writes each breach to the console.
  context: async ({ context }, use) => {
    const breaches: string[] = []
    context.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) breaches.push(message.text())
    })
    await use(context)
    await ignoreRoutes(context)
    expect(breaches).toEqual([])
  },
  baseURL: async ({ server }, use) => use(server.url),
})

/** A page that polls has a call on its way when its test ends: what a route would do with it is no failure. */
async function ignoreRoutes(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
}
