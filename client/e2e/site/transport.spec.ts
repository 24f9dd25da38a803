import { REQUEST_RETRY_DELAY_MS } from '@garba/shared/constants'
import { brokenDesk } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { accountMenu, enterAs, signIn, signInButton } from '../support/session.ts'

test('a read that had no answer is tried again, a page of HTML counting as none', async ({ page }) => {
  let asked = 0
  await page.route('**/api/event', async (route) => {
    asked += 1
    if (asked === 1) return route.abort()
    if (asked === 2) return route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Hotel Wi-Fi</h1>' })
    return route.continue()
  })
  await page.clock.install()
  await page.goto('/')
  await expect
    .poll(async () => {
      await page.clock.fastForward(REQUEST_RETRY_DELAY_MS)
      return asked
    })
    .toBe(3)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
})

test('a write without a key is not repeated, and the failure is shown in the words of the button', async ({ page }) => {
  let asked = 0
  await page.goto('/')
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => {
    asked += 1
    return route.abort()
  })
  await signIn(page, 'guest')
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible()
  await expect(signInButton(page)).toBeVisible()
  expect(asked).toBe(1)
})

test('a crash of the page is reported and can be reloaded', async ({ page }) => {
  let report: unknown
  await page.route('**/api/log-error', async (route) => {
    report = route.request().postDataJSON()
    await route.continue()
  })
  await enterAs(page, 'admin')
  const broken = await brokenDesk(page)
  await page.goto('/dashboard/admin')
  await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible()
  await expect.poll(() => report).toMatchObject({ error: { message: 'The test broke it' } })
  await broken.end()
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeHidden()
  await expect(accountMenu(page)).toBeVisible()
})
