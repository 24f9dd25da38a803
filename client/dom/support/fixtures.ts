import { test as base } from 'vitest'
import { type ServerOptions, TestServer } from '../../e2e/support/server.ts'
import { Browser, type BrowserOptions, type Page } from './page.ts'

export { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
export type { TestServer } from '../../e2e/support/server.ts'
export { expect } from './expect.ts'
export type { Locator } from './locator.ts'
export type { Page } from './page.ts'

interface Fixtures {
  /** For `test.override({ serverOptions: { ... } })`, inside a `describe`: files share a worker, and so this `test`. */
  serverOptions: ServerOptions
  browserOptions: BrowserOptions
  /** A real server of this test's own, in this process. */
  server: TestServer
  context: Browser
  /** The first tab; relative addresses are the server's. */
  page: Page
}

export const test = base.extend<Fixtures>({
  serverOptions: {},
  browserOptions: {},
  server: async ({ serverOptions }, use) => {
    const server = await TestServer.create(serverOptions)
    await use(server)
    await server.dispose()
  },
  context: async ({ server, browserOptions }, use) => {
    const context = new Browser(server.url, browserOptions)
    await use(context)
    context.close()
  },
  page: async ({ context, task }, use) => {
    const page = context.newPage()
    await use(page)
    if (task.result?.state === 'fail') console.error(page.said.join('\n'))
  },
})
