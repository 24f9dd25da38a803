import { rows } from '../support/desk.ts'
import { must, UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { accountMenu, enterAs, restoreSession } from '../support/session.ts'

const denied = (page: Page) => page.getByRole('heading', { name: 'Access Denied' })

test("a manager is offered nothing that is an admin's", async ({ page, server }) => {
  await (await server.api('admin')).call('saveGates', { body: { gates: [{ name: 'North', kinds: [] }] } })
  await restoreSession(page, 'manager')
  const seen = await watchRequests(page)
  for (const foreign of ['admin', 'admin/tickets', 'admin/audit', 'manager/tickets', 'manager/event']) {
    await page.goto(`/dashboard/${foreign}`)
    await expect(page).toHaveURL(/\/dashboard\/manager$/)
  }
  // The address of the admin's dashboard makes no attempt at the role.
  expect(seen.asked).toBe(0)
  await expect(page.getByText('Avg. Ticket Value')).toBeVisible()
  await page.getByRole('link', { name: 'See all users' }).click()
  await expect(page.getByText(/Manager Access: You can view all users but cannot change user roles/)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Last login' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Caution' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Change role|Delete user/ })).toHaveCount(0)
  await follow(page, '/dashboard/manager/gate')
  await expect(rows(page, 'Gates')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Edit gates' })).toHaveCount(0)
})

test('losing the role in mid-session shows Access Denied, which leads to the guest dashboard', async ({
  page,
  server,
}) => {
  await server.api('manager')
  await restoreSession(page, 'manager')
  const confirmed = nextProfile(page)
  await page.goto('/dashboard/manager')
  await expect(page.getByRole('heading', { name: /Welcome, Manav/ })).toBeVisible()
  await confirmed
  const admin = await server.api('admin')
  const { user } = await server.api('manager')
  await admin.call('setRole', { params: { id: user._id }, body: { role: 'guest' } })
  const seen = await watchRequests(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(denied(page)).toBeVisible()
  await expect(page.getByText('Admin Access Required')).toBeVisible()
  // The page asks for the role by itself, once.
  await expect.poll(() => seen.asked).toBe(1)
  await page.getByRole('button', { name: 'Request Admin Access' }).click()
  await expect(toastOf(page, 'This account is not on the list of administrators.')).toBeVisible()
  await expect(denied(page)).toBeVisible()
  await page.getByRole('button', { name: 'Go to Guest Dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

test('an admin who becomes a manager in mid-session is taken to the manager dashboard', async ({ page, server }) => {
  await restoreSession(page, 'admin')
  const confirmed = nextProfile(page)
  await page.goto('/dashboard/admin/tickets')
  await expect(page.getByRole('heading', { name: 'Manage Tickets' })).toBeVisible()
  await confirmed
  const admin = await server.api('admin')
  const second = await server.api('manager')
  await admin.call('setRole', { params: { id: second.user._id }, body: { role: 'admin' } })
  await second.call('setRole', { params: { id: admin.user._id }, body: { role: 'manager' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL(/\/dashboard\/manager/)
  await expect(denied(page)).toBeHidden()
})

test.describe('with the email in ADMIN_EMAILS', () => {
  test.use({ serverOptions: { env: { ADMIN_EMAILS: 'manager@garba.test' } } })
  test('the automatic attempt gives the role back, and the dashboard goes on working', async ({ page, server }) => {
    await restoreSession(page, 'manager')
    // A sync after the role was taken away would give it back by itself.
    const confirmed = nextProfile(page)
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard\/admin$/)
    await confirmed
    const { user } = await server.api('manager')
    await (await server.api('admin')).call('setRole', { params: { id: user._id }, body: { role: 'guest' } })
    await page.getByText('Other views and system').click()
    await page.getByRole('link', { name: /Manage Users/ }).click()
    await expect(toastOf(page, 'Admin role assigned successfully!')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  })
})

/**
 * Resolves once the server has told the page who is signed in. A role that changes earlier does not change during a
 * session.
 */
async function nextProfile(page: Page): Promise<void> {
  await page.waitForResponse('**/api/auth/profile')
}

/** How often the page asks for the admin role, and what of the admin's figures it asks for. */
async function watchRequests(page: Page) {
  const seen = { asked: 0, figures: 0 }
  await page.route('**/api/auth/assign-admin', (route) => {
    seen.asked += 1
    return route.continue()
  })
  await page.route('**/api/admin/**', (route) => {
    seen.figures += 1
    return route.continue()
  })
  return seen
}

test.describe("with a guest's email in ADMIN_EMAILS", () => {
  test.use({ serverOptions: { env: { ADMIN_EMAILS: 'guest@garba.test' } } })
  test('opening the admin dashboard as a guest gives the role without signing out', async ({ page, server }) => {
    // Signing in gives the role, and so does each sync. Taken away again, and without a sync, the account is like one that was
    // listed later.
    await enterAs(page, 'guest')
    const { user } = await server.api('guest')
    await (await server.api('admin')).call('setRole', { params: { id: user._id }, body: { role: 'guest' } })
    const seen = await watchRequests(page)
    await page.route('**/api/auth/profile', (route) =>
      route.fulfill({ json: { success: true, user: { ...user, role: seen.asked === 0 ? 'guest' : 'admin' } } }),
    )
    await page.reload()
    await accountMenu(page).click()
    await expect(page.getByRole('menuitem', { name: 'My Tickets' })).toBeVisible()
    await page.goto('/dashboard/admin/users')
    await expect(toastOf(page, 'Admin role assigned successfully!')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/admin\/users$/)
    expect(seen.asked).toBe(1)
  })
})

test('a guest on no list of admins is led to the guest dashboard after one attempt, and sees nothing of the desk', async ({
  page,
}) => {
  await enterAs(page, 'guest')
  const seen = await watchRequests(page)
  await page.goto('/dashboard/admin')
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goto('/dashboard/manager')
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  expect(seen).toEqual({ asked: 1, figures: 0 })
})

/** Text that only the desk's code holds: words of its screens, which a minifier leaves alone. */
const DESK_ONLY = /Create one to open the landing page and ticket sales|Either all tickets change or none do/

test("guests and scanners never load the desk's code", async ({ browser }) => {
  const loaded = async (role: 'guest' | 'checker' | 'admin', { path, sign }: { path: string; sign: string }) => {
    // A browser for each, because what one account still stores as its page closes must not reach the next.
    const page = await (await browser.newContext()).newPage()
    let found = 0
    await page.route('**/*.js', async (route) => {
      const response = await route.fetch()
      if (DESK_ONLY.test(await response.text())) found += 1
      await route.fulfill({ response })
    })
    await restoreSession(page, role)
    await page.goto(path)
    // A control that works only once everything of the screen is there.
    await expect(page.getByRole('button', { name: sign }).first()).toBeEnabled()
    return found
  }
  expect(await loaded('admin', { path: '/dashboard/admin/tickets', sign: 'Export CSV' })).toBeGreaterThan(0)
  expect(await loaded('guest', { path: '/dashboard/guest', sign: 'Buy Your First Ticket' })).toBe(0)
  expect(await loaded('checker', { path: '/dashboard/qrchecker', sign: 'Start Scanner' })).toBe(0)
})

test.describe('where the desk takes money', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test("refusing an admin another's drawer gives the reason and keeps the desk", async ({ page, server }) => {
    const admin = await server.api('admin')
    const other = await server.apiAs({ uid: 'other', email: 'other@example.test', name: 'Bina' })
    const role = (to: string) => must(admin.call('setRole', { params: { id: other.user._id }, body: { role: to } }))
    await role('admin')
    await must(other.call('openCashSession', { body: { float: 500 } }))
    await role('guest')
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    await page.getByRole('button', { name: /^Count.*Bina/ }).click()
    await role('admin')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Counted (₹)' }).fill('500')
    // The page asks for the role; a server that cannot tell now has not taken it away.
    for (const isBroken of [false, true]) {
      const answered = Promise.withResolvers<void>()
      await page.route('**/api/auth/me', async (route) => {
        if (isBroken) await route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'x' } })
        else await route.continue()
        answered.resolve()
      })
      await dialog.getByRole('button', { name: 'Close session' }).click()
      await answered.promise
      await expect(toastOf(page, /: Only Bina can count this drawer\.$/).first()).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Close session' })).toBeEnabled()
      await expect(denied(page)).toHaveCount(0)
      await page.unroute('**/api/auth/me')
    }
  })
})
