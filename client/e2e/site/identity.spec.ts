import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { hold } from '../support/faults.ts'
import { DEMO_ACCOUNTS, expect, type Page, test } from '../support/fixtures.ts'
import { buyButton, hero, openLine } from '../support/guest.ts'
import { asInstalledApp } from '../support/pwa.ts'
import {
  accountMenu,
  enterAs,
  REFUSED,
  restoreSession,
  signIn,
  signInAsOther,
  signInButton,
  signOutByMenu,
} from '../support/session.ts'

/** The server no longer accepts the tokens that were given out so far; those of a refresh it accepts. */
async function refuseOldTokens(page: Page) {
  const old = new Set<string>()
  let refreshed = false
  const seen = { refused: 0, refreshes: 0, repeated: [] as string[] }
  await page.route('**/securetoken.googleapis.com/**', async (route) => {
    seen.refreshes += 1
    refreshed = true
    await route.continue()
  })
  await page.route('**/api/**', async (route) => {
    const token = route.request().headers().authorization
    if (token === undefined) return route.continue()
    if (!refreshed) old.add(token)
    if (old.has(token)) {
      seen.refused += 1
      return route.fulfill({ status: 401, json: REFUSED })
    }
    seen.repeated.push(new URL(route.request().url()).pathname)
    return route.continue()
  })
  return seen
}

test('each demo account comes to the dashboard of its role', async ({ page }) => {
  await page.goto('/')
  for (const [role, home] of [
    ['guest', '/dashboard/guest'],
    ['manager', '/dashboard/manager'],
    ['admin', '/dashboard/admin'],
  ] as const) {
    await signIn(page, role)
    await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS[role].name))
    await page.goto('/dashboard')
    await expect(page).toHaveURL(new RegExp(`${home}$`))
    await expect(page.getByRole('heading').first()).toBeVisible()
    await signOutByMenu(page)
  }
  await signIn(page, 'checker')
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS.checker.name))
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/dashboard\/qrchecker$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/QR Checker Dashboard/)
})

test('the dashboard of another role leads to the own one, and Back does not return to it', async ({ page, server }) => {
  await restoreSession(page, 'guest')
  await page.goto('/privacy-policy')
  for (const foreign of ['/dashboard/admin/users', '/dashboard/manager', '/dashboard/qrchecker', '/dashboard/nobody']) {
    await page.goto(foreign)
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/privacy-policy$/)
  }

  // A role that was changed leads to the new dashboard at the next visit, an unknown one to a message about it.
  await page.goto('/dashboard/guest')
  const [admin, guest] = [await server.api('admin'), await server.api('guest')]
  await admin.call('setRole', { params: { id: guest.user._id }, body: { role: 'manager' } })
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard\/manager$/)
  await page.route('**/api/auth/profile', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { user: object }
    await route.fulfill({ response: answer, json: { ...body, user: { ...body.user, role: 'ringmaster' } } })
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Invalid Role' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test("a visitor is led from any dashboard to /; a checker comes back to the scanner's link after signing in", async ({
  page,
}) => {
  for (const address of ['/dashboard', '/dashboard/guest', '/dashboard/admin/tickets']) {
    await page.goto(address)
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(signInButton(page)).toBeVisible()
  }
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

test('Book and Sign In answer at once; a chooser that is closed leaves one neutral line where it was opened, and another account becomes a guest', async ({
  page,
  server,
}) => {
  // However long their code takes to arrive.
  const slow = await hold(page, '**/assets/lifecycle*.js')
  await page.clock.install()
  await page.goto('/')
  await hero(page).getByRole('button', { name: 'Book Your Tickets Now' }).click()
  for (const place of [hero(page), page.locator('header')]) {
    const signingIn = place.getByRole('button', { name: 'Signing in...' })
    await expect(signingIn).toHaveAttribute('aria-disabled', 'true')
  }
  await expect(hero(page).getByRole('button', { name: 'Book' })).toHaveAttribute('aria-disabled', 'true')
  await slow.end()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(hero(page).getByRole('button', { name: 'Sign In with Google' })).toBeVisible()
  await expect(hero(page).getByRole('button', { name: 'Book' })).not.toHaveAttribute('aria-disabled', 'true')
  const [atFoot, atButton] = [
    page.getByText('Sign-in was cancelled.'),
    page.getByText('Sign-in cancelled. Please try again.'),
  ]
  await expect(atFoot).toHaveAttribute('role', 'status')
  await expect(page.getByText('Authentication Error')).toHaveCount(0)
  await expect(atButton).toHaveCount(0)

  await page.reload()
  await signInButton(page).click()
  await page.getByRole('button', { name: 'Another account' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Please enter a name')).toBeVisible()
  await expect(page.getByText('Please enter an email address')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('button', { name: /Garima Guest/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(atButton).toBeVisible()
  await expect(atButton).toHaveAttribute('role', 'status')
  await expect(page.getByText('Authentication Error')).toHaveCount(0)
  await expect(atFoot).toHaveCount(0)
  await page.clock.fastForward(AUTH_ERROR_SHOWN_MS - 1_000)
  await expect(atButton).toBeVisible()
  await page.clock.fastForward(1_000)
  await expect(atButton).toBeHidden()

  const enter = async (name: string, email: string) => {
    await signInAsOther(page, { name, email })
    await expect(accountMenu(page)).toHaveAccessibleName(/Kavya Patel/)
  }
  await enter('Kavya Patel', 'kavya@example.test')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await signOutByMenu(page)
  await enter('Kavya', ' KAVYA@example.test ')
  expect(server.rows("select role from users where email = 'kavya@example.test'")).toEqual([{ role: 'guest' }])
})

test('calls refused at the same time share one refresh and are made again', async ({ page }) => {
  await restoreSession(page, 'admin')
  // The emulator's tokens of one second are the same.
  const second = () => Math.floor(Date.now() / 1000)
  const before = second()
  await expect.poll(second).toBeGreaterThan(before)
  const seen = await refuseOldTokens(page)
  await page.goto('/')
  await expect
    .poll(() => seen.repeated)
    .toEqual(
      expect.arrayContaining([
        '/api/auth/profile',
        '/api/admin/analytics/dashboard',
        '/api/tickets/admin/stats',
        '/api/admin/users/count',
      ]),
    )
  expect(seen.refused).toBeGreaterThanOrEqual(4)
  expect(seen.refreshes).toBe(1)
  await expect(accountMenu(page)).toBeVisible()
})

test('neither a provider out of reach nor a 401 of a portal ends a session', async ({ page }) => {
  await restoreSession(page, 'guest')
  const refuse = (json: object) => page.route('**/api/auth/**', (route) => route.fulfill({ status: 401, json }))
  await page.route('**/*googleapis.com/**', (route) => route.abort())
  await refuse(REFUSED)
  await page.goto('/dashboard/guest')
  await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
  await page.unrouteAll()
  await refuse({ error: 'Log in to the Wi-Fi' })
  await page.reload()
  await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
  await page.unrouteAll()
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
})

test('signing out works when the server cannot be reached, and leaves nothing of the user', async ({ page }) => {
  await enterAs(page, 'guest')
  await page.route('**/api/auth/logout', (route) => route.abort())
  await signOutByMenu(page)
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  const left = await page.evaluate(async () => {
    const text = async (name: string) => {
      const open = indexedDB.open(name)
      await new Promise((resolve) => {
        open.onsuccess = resolve
      })
      const rows = await Promise.all(
        [...open.result.objectStoreNames].map(
          (store) =>
            new Promise((resolve) => {
              const all = open.result.transaction(store).objectStore(store).getAll()
              all.onsuccess = () => resolve(all.result)
            }),
        ),
      )
      open.result.close()
      return JSON.stringify(rows)
    }
    const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
    // The settings name the demo's accounts to everyone.
    localStorage.removeItem('garba.config')
    return (await Promise.all(names.map(text))).join() + JSON.stringify({ ...localStorage })
  })
  expect(left).not.toMatch(/Garima|guest@garba/)
})

test('a failed sign-in is an error in the banner and at the button; while our server is away the identity alone is signed in, as a guest, until it is back', async ({
  page,
}) => {
  const answer = (status: number, json: object) =>
    page.route('**/api/auth/google-signin', (route) => route.fulfill({ status, json }))
  await answer(403, { success: false, code: 'EMAIL_UNVERIFIED', message: '' })
  await page.goto('/')
  await signIn(page, 'guest')
  await expect(page.getByText('Authentication Error')).toBeVisible()
  await expect(
    page.getByText('Your email address is not verified. Verify it with Google, then sign in again.'),
  ).toHaveCount(2)

  // Out of order, asked too often, behind a portal.
  for (const [status, json] of [
    [503, {}],
    [429, { success: false, code: 'RATE_LIMITED', message: 'Too many requests.' }],
    [403, {}],
  ] as const) {
    await page.unrouteAll()
    await answer(status, json)
    await signIn(page, 'manager')
    await expect(signInButton(page), String(status)).toBeVisible()
    await page.unrouteAll()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard\/manager$/)
    await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS.manager.name))
    await signOutByMenu(page)
  }
})

test('a guest whom our server cannot register yet sees the event and the reason, and gets in by itself', async ({
  page,
}) => {
  await page.clock.install()
  await page.route('**/api/auth/google-signin', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/')
  await signIn(page, 'guest')
  await expect(page.getByText('Authentication Error')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Book Your Tickets Now' }).click()
  const main = page.getByRole('main')
  await expect(main.getByText('Server error. Please try again later.', { exact: true })).toBeVisible()
  await openLine(page, 'Event and map')
  await expect(main.getByText('Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad')).toBeVisible()
  await openLine(page, 'Prices')
  await expect(buyButton(page)).toBeDisabled()
  await page.unrouteAll()
  await page.clock.runFor(15_000)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect(buyButton(page)).toBeEnabled()
})

test('unknown addresses show the not-found page', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle(/Page not found/)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.locator('main')).toBeFocused()
})

test.describe('in an installed app', () => {
  test('a visitor signs in inside its scope', async ({ page }) => {
    await asInstalledApp(page)
    for (const address of ['/dashboard/guest', '/dashboard/qrchecker']) {
      await page.goto(address)
      await expect(page.getByRole('main').getByRole('button', { name: 'Sign In with Google' })).toBeVisible()
      await expect(page).toHaveURL(address)
    }
  })
})
