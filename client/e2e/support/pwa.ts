import { join } from 'node:path'
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  type PlaywrightWorkerArgs,
  type TestInfo,
} from '@playwright/test'
import { findChromium } from '../../../scripts/lib/chromium.ts'

/** Paths in each Cache of the page's origin, by the cache's name. */
export const cachedPaths = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const found: Record<string, string[]> = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      found[name] = requests.map(({ url }) => new URL(url).pathname)
    }
    return found
  })

/** What Chromium holds against installing the page, and the id it would install it under. */
async function installability(page: Page): Promise<{ errors: string[]; appId: string }> {
  const devtools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  const { appId = '' } = await devtools.send('Page.getAppId')
  await devtools.detach()
  return { errors: installabilityErrors.map(({ errorId }) => errorId), appId: new URL(appId).pathname }
}

/** Opens an app at its home, and shows that it can be installed under an id of its own. */
export async function expectInstalls(page: Page, home: string): Promise<void> {
  await page.goto(home)
  expect(await installability(page)).toEqual({ errors: [], appId: home })
}

/**
 * The whole browser with a profile on disk: what is asked of an ordinary window, such as installing and notifications, is
 * refused in a private one and in a browser without windows.
 */
export function ordinaryWindow(
  playwright: PlaywrightWorkerArgs['playwright'],
  info: TestInfo,
  baseURL: string,
  // Chromium asks for no worker to install an app, and fetching what both keep takes seconds.
  options: BrowserContextOptions = { serviceWorkers: 'block' },
): Promise<BrowserContext> {
  const executablePath = findChromium()
  // Not the test's own folder, which bears its title: without a locale Chromium opens no database below a ’ in the path.
  const profile = join(info.project.outputDir, `profile-${info.testId}-${info.retry}`)
  return playwright.chromium.launchPersistentContext(profile, {
    ...info.project.use.launchOptions,
    ...(executablePath === undefined ? {} : { executablePath }),
    ...info.project.use.contextOptions,
    ...options,
    baseURL,
  })
}

/** Makes the page believe that it runs as an installed app, from its next load on. */
export async function asInstalledApp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ask = window.matchMedia.bind(window)
    window.matchMedia = (query) => {
      const answer = ask(query)
      if (query.includes('display-mode: standalone')) Object.defineProperty(answer, 'matches', { value: true })
      return answer
    }
  })
}
