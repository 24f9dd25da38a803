import { HOMES } from '@garba/shared/contracts/site/pages'
import { expect, goOffline, type Page, test, workerReady } from '../support/fixtures.ts'
import { openGateway } from '../support/gateway.ts'
import { cachedPaths, expectInstalls, ordinaryWindow } from '../support/pwa.ts'
import { restoreSession } from '../support/session.ts'

test.use({ serviceWorkers: 'allow' })

const SITE_CACHE = /^workbox-precache-v2-http:\/\/localhost:\d+\/$/
const SCANNER_CACHE = /^workbox-precache-v2-http:\/\/localhost:\d+\/dashboard\/qrchecker$/

/** Opens the scanner as the checker and the site as a guest, so that both workers are in place. */
async function bothWorkers(page: Page) {
  for (const [role, home] of [
    ['checker', HOMES.qrchecker],
    ['guest', HOMES.guest],
  ] as const) {
    await restoreSession(page, role)
    await page.goto(home)
    await workerReady(page)
  }
}

async function caches(page: Page) {
  const all = await cachedPaths(page)
  const of = (pattern: RegExp) => Object.entries(all).find(([name]) => pattern.test(name))?.[1] ?? []
  return { site: of(SITE_CACHE), scanner: of(SCANNER_CACHE), everything: Object.values(all).flat() }
}

test('both apps can be installed, each under its own id', async ({ playwright, server }, info) => {
  const context = await ordinaryWindow(playwright, info, server.url)
  const page = context.pages()[0] ?? (await context.newPage())
  await restoreSession(page, 'guest')
  await expectInstalls(page, HOMES.guest)
  await restoreSession(page, 'checker')
  await expectInstalls(page, HOMES.qrchecker)
  await context.close()
})

test('each worker keeps its own shell and no answer of the API; a new version waits for consent; both open with the server switched off', async ({
  server,
  browser,
}) => {
  const gateway = await openGateway(server.url)
  const context = await browser.newContext({ baseURL: gateway.url })
  const page = await context.newPage()
  await bothWorkers(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const before = await caches(page)
  const { site, scanner, everything } = before
  const names = (paths: string[]) => paths.join(' ')
  expect(site).toContain('/index.html')
  expect(names(site)).toMatch(/guestApp/)
  expect(names(site)).not.toMatch(/DeskDashboard|deskApp|Scanner|scannerApp|scanner\.html/)
  expect(names(site)).not.toMatch(/\.wasm/)
  expect(scanner).toContain('/scanner.html')
  expect(names(scanner)).toMatch(/scannerApp/)
  for (const file of [/decode\.worker-.*\.js$/, /zxing_reader-.*\.wasm$/, /libraryRung-.*\.js$/])
    expect(scanner.some((path) => file.test(path))).toBe(true)
  expect(names(scanner)).not.toMatch(/GuestDashboard|guestApp|DeskDashboard|deskApp|dashboards|page-|index\.html/)
  expect(everything.length).toBeGreaterThan(20)
  expect(everything.filter((path) => /^\/api|googleapis|healthz/.test(path))).toEqual([])

  gateway.deployNextVersion()
  await page.goto('/')
  const notice = page.getByRole('button', { name: 'Update now' })
  await expect(notice).toBeVisible()
  const workers = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/')
      return { waits: registration?.waiting !== null, works: registration?.active?.state }
    })
  expect(await workers()).toEqual({ waits: true, works: 'activated' })
  const other = await context.newPage()
  await other.goto('/')
  const others = other.getByRole('button', { name: 'Update now' })
  await expect(others).toBeVisible()
  // Chromium replaces a worker that still answers requests only after its idle time, and never with a debugger attached.
  await other.waitForLoadState('networkidle')
  const reloaded = page.waitForEvent('load')
  await notice.click()
  await reloaded
  await expect(notice).toBeHidden()
  // A tab that may have something typed is not reloaded by another one.
  await others.click()
  await expect(others).toBeHidden()
  await other.close()
  await expect.poll(workers).toEqual({ waits: false, works: 'activated' })
  const after = await caches(page)
  expect(after.scanner).toEqual(before.scanner)
  expect(after.site.toSorted()).toEqual(before.site.toSorted())

  await server.stop()
  await page.goto(HOMES.guest)
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Privacy Policy/)
  await server.start()
  await restoreSession(page, 'checker')
  await server.stop()
  await page.goto(HOMES.qrchecker)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/QR Checker Dashboard/)
  await context.close()
  await gateway.close()
})

test('a visitor loads neither Firebase nor a dashboard nor the scanner', async ({ page, context }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await workerReady(page)
  // The page's own requests; the worker fetches the guest's shell ahead.
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname),
  )
  expect(loaded.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0)
  expect(loaded.filter((path) => /firebase|dashboard|App-|later|UserMenu/i.test(path))).toEqual([])
  await goOffline(context)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
