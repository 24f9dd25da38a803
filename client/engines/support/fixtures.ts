import { writeFileSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import type { DrivenEngine } from '../../../scripts/lib/engines.ts'
import { TestServer } from '../../e2e/support/server.ts'
import { openFirefox } from './firefox.ts'
import { Front } from './front.ts'
import { Tab } from './tab.ts'
import { openWebKit } from './webkit.ts'

export { expect } from '@playwright/test'
export type { TestServer } from '../../e2e/support/server.ts'
export type { Front } from './front.ts'
export type { Locator, Tab } from './tab.ts'

interface Fixtures {
  /** A real server of this test's own. */
  server: TestServer
  front: Front
  /** The one page of a browser of this test's own. */
  tab: Tab
}

const OPEN = { firefox: openFirefox, webkit: openWebKit }

export const test = base.extend<Fixtures & { engine: DrivenEngine }>({
  engine: ['firefox', { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  server: async ({}, use) => {
    const server = await TestServer.create()
    await use(server)
    await server.dispose()
  },
  front: async ({ server }, use) => {
    const front = await Front.open(server)
    await use(front)
    await front.close()
    // Whatever a test does, its pages complain of nothing.
    expect(front.complaints).toEqual([])
  },
  tab: async ({ front, engine }, use, info) => {
    const driver = await OPEN[engine]()
    try {
      await use(new Tab(driver, front.url))
      if (info.status !== info.expectedStatus) writeFileSync(info.outputPath('screen.png'), await driver.screenshot())
    } finally {
      await driver.close()
    }
  },
})
