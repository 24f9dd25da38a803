import { expect, test } from './support/fixtures.ts'
import { expectNoViolations } from './support/screen.ts'
import { accountMenu, restoreSession, signInButton } from './support/session.ts'
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
