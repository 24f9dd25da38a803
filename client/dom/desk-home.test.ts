import { expect, type Page, test } from './support/fixtures.ts'
import { restoreSession } from './support/session.ts'

const HEALTH = '**/api/admin/system/health'
const system = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'System', exact: true }) })

test('the system panel shows database, disk, backup, uptime and versions', async ({ page, server }) => {
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

test("the system panel shows the page's version too if the server has another", async ({ page }) => {
  page.route(HEALTH, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { versions: { app: string } } }
    body.data.versions.app = '9.9.9+abcdef0'
    await route.fulfill({ response, json: body })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(system(page).getByText('9.9.9+abcdef0')).toBeVisible()
  await expect(system(page).getByText(/^This page is \d+\.\d+\.\d+\S*$/)).toBeVisible()
})

test('the system panel says that it is loading, and offers Retry when that fails', async ({ page }) => {
  const answer = Promise.withResolvers<void>()
  page.route(HEALTH, async (route) => {
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
  page.unroute(HEALTH)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(system(page).getByText('Accepts writes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
})
