import { expect, test } from './support/fixtures.ts'
import { expectNoViolations } from './support/screen.ts'
import { accountMenu, enterAs, restoreSession, signInButton, signOutByMenu } from './support/session.ts'
import { signIn } from './support/signIn.ts'

const REFUSED = { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' }

test('a refused refresh ends the session at /', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await page.route('**/securetoken.googleapis.com/**', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: 'TOKEN_EXPIRED' } } }),
  )
  await page.route('**/api/**', (route) =>
    route.request().headers().authorization ? route.fulfill({ status: 401, json: REFUSED }) : route.continue(),
  )
  await page.reload()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(signInButton(page)).toBeVisible()
  const reason = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
  await expect(reason).toContainText('You were signed out. Please sign in again.')
  await expect(page.getByText('Authentication Error')).toHaveCount(0)
  await expectNoViolations(page)
  await page.unrouteAll()
  await signIn(page, 'admin')
  await expect(accountMenu(page)).toBeVisible()
  await expect(reason).toBeHidden()
})

test('signing out and in reach the other tabs', async ({ page, context }) => {
  await enterAs(page, 'guest')
  const other = await context.newPage()
  await other.goto('/dashboard/guest')
  await expect(accountMenu(other)).toBeVisible()
  await signOutByMenu(page)
  await expect(other).toHaveURL(/:\d+\/$/)
  await expect(signInButton(other)).toBeVisible()
  // Asked for by the user: nothing to explain.
  for (const tab of [page, other]) await expect(tab.getByText('Your session has ended')).toHaveCount(0)
  await signIn(page, 'guest')
  await expect(accountMenu(other)).toHaveAccessibleName(/Garima Guest/)
})

test("a checker who opens the scanner's link signed out comes back to it after signing in", async ({ page }) => {
  for (const address of ['/dashboard/qrchecker', '/dashboard/qrchecker/readiness']) {
    await page.goto(address)
    await expect(page).toHaveURL(/localhost:\d+\/$/)
    await signIn(page, 'checker')
    await expect(page).toHaveURL(new RegExp(`${address}$`))
    await expect(page.getByRole('button', { name: /Start Scanner|Run all checks/ })).toBeVisible()
    await page.goto('/')
    // Once: the landing page is theirs to read.
    await signOutByMenu(page)
  }
})
