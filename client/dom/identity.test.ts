import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { describe } from 'vitest'
import { hold } from '../e2e/support/faults.ts'
import { DEMO_ACCOUNTS, expect, type Page, test } from './support/fixtures.ts'
import { hero } from './support/landing.ts'
import {
  accountMenu,
  enterAs,
  enterByHand,
  REFUSED,
  restoreSession,
  signIn,
  signInAsOther,
  signInButton,
  signOutByMenu,
} from './support/session.ts'

/** The server no longer accepts the tokens that were given out so far; those of a refresh it accepts. */
function refuseOldTokens(page: Page) {
  const old = new Set<string>()
  let refreshed = false
  const seen = { refused: 0, refreshes: 0, repeated: [] as string[] }
  page.route('**/securetoken.googleapis.com/**', async (route) => {
    seen.refreshes += 1
    refreshed = true
    await route.continue()
  })
  page.route('**/api/**', async (route) => {
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
  for (const [role, home] of [
    ['guest', '/dashboard/guest'],
    ['manager', '/dashboard/manager'],
    ['admin', '/dashboard/admin'],
  ] as const) {
    await enterByHand(page, role)
    await page.goto('/dashboard')
    await expect(page).toHaveURL(new RegExp(`${home}$`))
    await expect(page.getByRole('heading').first()).toBeVisible()
    await signOutByMenu(page)
  }
  await enterByHand(page, 'checker')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/dashboard\/qrchecker$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/QR Checker Dashboard/)
})

test('the dashboard of another role leads to the own one, and Back does not return to it', async ({ page }) => {
  await restoreSession(page, 'guest')
  for (const foreign of ['/dashboard/admin/users', '/dashboard/manager', '/dashboard/qrchecker', '/dashboard/nobody']) {
    await page.goto('/privacy-policy')
    await page.goto(foreign)
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/privacy-policy$/)
  }
})

test('a visitor is led from any dashboard to /', async ({ page }) => {
  for (const address of ['/dashboard', '/dashboard/guest', '/dashboard/admin/tickets', '/dashboard/qrchecker']) {
    await page.goto(address)
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(signInButton(page)).toBeVisible()
  }
})

test('another account becomes a guest and is the same guest at its return', async ({ page, server }) => {
  const enter = async (name: string, email: string) => {
    await signInAsOther(page, { name, email })
    await expect(accountMenu(page)).toHaveAccessibleName(/Kavya Patel/)
  }
  await page.goto('/')
  await enter('Kavya Patel', 'kavya@example.test')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await signOutByMenu(page)
  await enter('Kavya', ' KAVYA@example.test ')
  expect(server.rows("select role from users where email = 'kavya@example.test'")).toEqual([{ role: 'guest' }])
})

test('the form for another account says what is missing', async ({ page }) => {
  await page.goto('/')
  await signInButton(page).click()
  await page.getByRole('button', { name: 'Another account' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Please enter a name')).toBeVisible()
  await expect(page.getByText('Please enter an email address')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('button', { name: /Garima Guest/ })).toBeVisible()
})

test('Book and Sign In answer at once, however long their code takes to arrive', async ({ page }) => {
  const slow = await hold(page, '**/assets/lifecycle*.js')
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
})

test('a cancelled sign-in is one neutral line at the button, no error, and disappears', async ({ page }) => {
  page.clock.install()
  await page.goto('/')
  await signInButton(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  const line = page.getByText('Sign-in cancelled. Please try again.')
  await expect(line).toBeVisible()
  await expect(line).toHaveAttribute('role', 'status')
  await expect(page.getByText('Authentication Error')).toHaveCount(0)
  await expect(page.getByText('Sign-in was cancelled.')).toHaveCount(0)
  page.clock.fastForward(AUTH_ERROR_SHOWN_MS - 1_000)
  await expect(line).toBeVisible()
  page.clock.fastForward(1_000)
  await expect(line).toBeHidden()
  await signIn(page, 'guest')
  await expect(accountMenu(page)).toBeVisible()
})

test('a chooser closed after Book Your Tickets Now is one neutral line at the foot', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Sign-in was cancelled.')).toHaveAttribute('role', 'status')
  await expect(page.getByText('Authentication Error')).toHaveCount(0)
  await expect(page.getByText('Sign-in cancelled. Please try again.')).toHaveCount(0)
})

test('a failed sign-in is an error in the banner and at the button', async ({ page }) => {
  page.route('**/api/auth/google-signin', (route) =>
    route.fulfill({ status: 403, json: { success: false, code: 'EMAIL_UNVERIFIED', message: '' } }),
  )
  await page.goto('/')
  await signIn(page, 'guest')
  await expect(page.getByText('Authentication Error')).toBeVisible()
  await expect(
    page.getByText('Your email address is not verified. Verify it with Google, then sign in again.'),
  ).toHaveCount(2)
})

test('calls refused at the same time share one refresh and are made again', async ({ page }) => {
  await restoreSession(page, 'admin')
  // The emulator's tokens of one second are the same.
  const second = () => Math.floor(Date.now() / 1000)
  const before = second()
  await expect.poll(second).toBeGreaterThan(before)
  const seen = refuseOldTokens(page)
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

for (const [what, provider, refusal] of [
  ['a provider out of reach', 'aborted', REFUSED],
  ['a 401 of a portal', 'answering', { error: 'Log in to the Wi-Fi' }],
] as const)
  test(`${what} ends nothing`, async ({ page }) => {
    await restoreSession(page, 'guest')
    if (provider === 'aborted') page.route('**/*googleapis.com/**', (route) => route.abort())
    page.route('**/api/auth/**', (route) => route.fulfill({ status: 401, json: refusal }))
    await page.goto('/dashboard/guest')
    await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
    page.unrouteAll()
    await page.reload()
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
    await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
  })

test('signing out works when the server cannot be reached, and leaves nothing of the user', async ({ page }) => {
  await enterAs(page, 'guest')
  page.route('**/api/auth/logout', (route) => route.abort())
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

test('a role that was changed leads to the new dashboard at the next visit', async ({ page, server }) => {
  await restoreSession(page, 'guest')
  await page.goto('/dashboard/guest')
  const [admin, guest] = [await server.api('admin'), await server.api('guest')]
  await admin.call('setRole', { params: { id: guest.user._id }, body: { role: 'manager' } })
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard\/manager$/)
})

test('an account with an unknown role sees a message that says so', async ({ page }) => {
  await enterAs(page, 'guest')
  page.route('**/api/auth/profile', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { user: object }
    await route.fulfill({ response: answer, json: { ...body, user: { ...body.user, role: 'ringmaster' } } })
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Invalid Role' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

for (const [what, status, json] of [
  ['out of order', 503, {}],
  ['asked too often', 429, { success: false, code: 'RATE_LIMITED', message: 'Too many requests.' }],
  ['behind a portal', 403, {}],
] as const)
  test(`while our server is ${what} the identity alone is signed in, as a guest, until it is back`, async ({
    page,
  }) => {
    page.route('**/api/auth/google-signin', (route) => route.fulfill({ status, json }))
    await page.goto('/')
    await signIn(page, 'manager')
    await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS.manager.name))
    page.unrouteAll()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard\/manager$/)
  })

test('a guest whom our server cannot register yet sees the event and the reason, and gets in by itself', async ({
  page,
}) => {
  page.clock.install()
  page.route('**/api/auth/google-signin', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/')
  await signIn(page, 'guest')
  await expect(accountMenu(page)).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Book Your Tickets Now' }).click()
  const main = page.getByRole('main')
  await expect(main.getByText('Server error. Please try again later.', { exact: true })).toBeVisible()
  await expect(main.getByText('Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy Tickets' })).toBeDisabled()
  page.unrouteAll()
  await page.clock.runFor(15_000)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy Tickets' })).toBeEnabled()
})

test('unknown addresses show the not-found page', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer.status).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle(/Page not found/)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.locator('main')).toBeFocused()
})

describe('in an installed app', () => {
  test.override({ browserOptions: { installed: true } })

  test('a visitor signs in inside its scope', async ({ page }) => {
    for (const address of ['/dashboard/guest', '/dashboard/qrchecker']) {
      await page.goto(address)
      await expect(page.getByRole('main').getByRole('button', { name: 'Sign In with Google' })).toBeVisible()
      await expect(page).toHaveURL(address)
    }
  })
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
