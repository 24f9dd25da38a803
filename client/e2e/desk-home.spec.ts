import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { expectNoViolations } from './support/screen.ts'
import { restoreSession } from './support/session.ts'

test.use({ serviceWorkers: 'block' })

const HEALTH = '**/api/admin/system/health'
const system = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'System', exact: true }) })

test('the system panel tells database, disk, backup, uptime and versions', async ({ page, server }) => {
  const { body } = await (await server.api('admin')).call('health')
  const { versions } = body.data as { versions: Record<'app' | 'node' | 'sqlite', string> }
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const panel = system(page)
  await expect(panel.getByText('Accepts writes')).toBeVisible()
  await expect(panel.getByText(/^[\d.,]+ (MB|GB|TB) free$/)).toBeVisible()
  await expect(panel.getByText('Never')).toBeVisible()
  await expect(panel.getByText(`Node ${versions.node}, SQLite ${versions.sqlite}`)).toBeVisible()
  await expect(panel.getByText(versions.app, { exact: true })).toBeVisible()
  await expect(panel.getByText(/^(Less than a minute|\d+ min)$/)).toBeVisible()
})

test('the system panel tells the version of the page too where the server has another', async ({ page }) => {
  await page.route(HEALTH, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.data.versions.app = '9.9.9+abcdef0'
    await route.fulfill({ response, json: body })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(system(page).getByText('9.9.9+abcdef0')).toBeVisible()
  await expect(system(page).getByText(/^This page is \d+\.\d+\.\d+\S*$/)).toBeVisible()
})

test('the system panel says what it waits for, and offers Retry when it fails', async ({ page }) => {
  const answer = Promise.withResolvers<void>()
  await page.route(HEALTH, async (route) => {
    await answer.promise
    await route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(system(page).getByText('Loading the system state')).toBeAttached()
  answer.resolve()
  await expect(
    system(page).getByText('Failed to load the system state: Server error. Please try again later.'),
  ).toBeVisible()
  await expectNoViolations(page)
  await page.unroute(HEALTH)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(system(page).getByText('Accepts writes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
})

test('a short page fills the window and does not scroll', async ({ page }) => {
  await restoreSession(page, 'admin')
  for (const [width, height, path, sign] of [
    [1280, 1200, 'tickets', 'No tickets found'],
    [390, 1400, 'tickets', 'No tickets found'],
    [1280, 1400, 'gate', 'Recent refusals'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/dashboard/admin/${path}`)
    await expect(page.getByRole('heading', { name: sign })).toBeVisible()
    const look = () =>
      page.evaluate(() => ({
        over: document.documentElement.scrollHeight - window.innerHeight,
        foot: document
          .elementFromPoint(window.innerWidth / 2, window.innerHeight - 2)
          ?.closest('[data-surface]')
          ?.getAttribute('data-surface'),
      }))
    expect(await look(), `${path} at ${width} px`).toEqual({ over: 0, foot: 'paper' })
  }
})
