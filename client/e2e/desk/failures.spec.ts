import { RELOAD_AFTER_EVENT_SAVE_MS, UNDO_MS } from '@garba/shared/constants'
import { choose, fillEvent, rows } from '../support/desk.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

const SERVER_ERROR = 'Server error. Please try again later.'

/** Makes some calls fail, except reads; returns the way back. */
async function breakWrites(page: Page, where: string): Promise<() => Promise<void>> {
  await page.route(where, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'A private detail' } }),
  )
  return () => page.unroute(where)
}

const breakReads = (page: Page, where: string) =>
  page.route(where, (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'A private detail' } }),
  )

test('a change to tickets that fails shows the exact words and is taken back', async ({ page, server }) => {
  await (await server.api('guest')).buy(3)
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/tickets')
  await expect(rows(page, 'Tickets')).toHaveCount(3)
  await breakWrites(page, '**/api/**/tickets/**')
  const status = page.getByRole('combobox', { name: /Status of ticket/ }).first()

  await choose(status, 'Used')
  await expect(toastOf(page, `Failed to update status: ${SERVER_ERROR}`)).toBeVisible()
  await expect(status).toHaveText('Active')

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Bulk update' }).last().click()
  await choose(page.getByRole('dialog').getByRole('combobox'), 'Cancelled')
  await page.getByRole('dialog').getByRole('button', { name: 'Update tickets' }).click()
  await expect(toastOf(page, `Failed to update tickets: ${SERVER_ERROR}`)).toBeVisible()
  // The dialog keeps what was chosen, and the selection stays: one press tries again.
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveText('Cancelled')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('3 tickets selected')).toBeVisible()
  await expect(status).toHaveText('Active')

  await page
    .getByRole('button', { name: /Delete ticket/ })
    .first()
    .click()
  await expect(rows(page, 'Tickets')).toHaveCount(2)
  await page.clock.runFor(UNDO_MS)
  await expect(toastOf(page, `Failed to delete: ${SERVER_ERROR}`)).toBeVisible()
  await expect(rows(page, 'Tickets')).toHaveCount(3)
  expect(server.rows("select 1 from tickets where status = 'active'")).toHaveLength(3)

  await breakReads(page, '**/api/admin/tickets/export*')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(toastOf(page, `Failed to export: ${SERVER_ERROR}`)).toBeVisible()

  await breakReads(page, '**/api/admin/audit/export*')
  await follow(page, '/dashboard/admin/audit')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(toastOf(page, `Failed to export the audit trail: ${SERVER_ERROR}`)).toBeVisible()
})

test('a change to a user that fails shows the exact words and keeps the dialog open', async ({ page, server }) => {
  const { user } = await server.apiAs({ uid: 'failing', email: 'failing@example.test', name: 'Hetal' })
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/users')
  const row = rows(page, 'Users').filter({ hasText: 'failing@example.test' })
  const mend = await breakWrites(page, '**/api/admin/users/**')
  await row.getByRole('button', { name: /Change role/ }).click()
  const dialog = page.getByRole('dialog')
  await choose(dialog.getByRole('combobox'), 'QR Checker')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(toastOf(page, `Failed to update role: ${SERVER_ERROR}`)).toBeVisible()
  await expect(dialog.getByRole('combobox')).toHaveText('QR Checker')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByText('Guest', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /Delete user/ }).click()
  await expect(row).toHaveCount(0)
  await page.clock.runFor(UNDO_MS)
  await expect(toastOf(page, `Failed to delete user: ${SERVER_ERROR}`)).toBeVisible()
  await expect(row).toBeVisible()
  await mend()
  // Somebody else was quicker: the server's own sentence is shown, and the list is up to date.
  await (await server.api('admin')).call('deleteUser', { params: { id: user._id } })
  await row.getByRole('button', { name: /Delete user/ }).click()
  await page.clock.runFor(UNDO_MS)
  await expect(toastOf(page, /^Failed to delete user: (?!Server error)/)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('a view that does not load shows the exact words once, in a panel with Retry', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.route('**/api/admin/gate/live', (route) => route.abort())
  for (const [view, call, words, sign] of [
    ['Analytics', '**/api/admin/analytics/dashboard', 'Failed to load analytics: ', 'Event performance'],
    ['Users', '**/api/admin/users?*', 'Failed to load users: ', 'Users'],
    ['Tickets', '**/api/admin/tickets/management*', 'Failed to load tickets: ', 'No tickets found'],
    ['Audit', '**/api/admin/audit?*', 'Failed to load the audit trail: ', 'Audit trail'],
    ['Evening', '**/api/admin/gate', 'Failed to load the evening: ', 'Left to come'],
  ] as const) {
    await breakReads(page, call)
    if (view === 'Analytics') await page.goto('/dashboard/admin/analytics')
    else await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: view }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(`${words}${SERVER_ERROR}`)
    await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
    await expect(page.getByText(`${words}${SERVER_ERROR}`)).toHaveCount(1)
    await page.unroute(call)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(sign).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(view === 'Evening' ? 0 : 1)
  }
})

test("the manager's user list that does not load shows a panel, and keeps the link to all users", async ({ page }) => {
  await restoreSession(page, 'manager')
  await breakReads(page, '**/api/admin/users?*')
  await page.goto('/dashboard/manager')
  const sentence = `Failed to load users: ${SERVER_ERROR}`
  await expect(page.getByText(sentence)).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'See all users' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
  await page.unroute('**/api/admin/users?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('manager@garba.test').last()).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
})

test('an event that cannot be saved keeps what was typed and says why, at the field if there is one', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(3)
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await fillEvent(page, { 'Event name': 'One more night', 'Total tickets': '2' })
  const save = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  }
  await save()
  // A rule that only the server can check is shown at its field, as every other.
  const total = page.getByLabel('Total tickets', { exact: true })
  await expect(total).toHaveAccessibleDescription(
    'Total tickets cannot be less than the 3 tickets already sold or held',
  )
  await expect(total).toBeFocused()
  await expect(toastOf(page, /^Failed to update event: Please fix the validation errors/)).toBeVisible()
  await total.fill('300')
  await expect(total).toHaveAccessibleDescription('')

  const mend = await breakWrites(page, '**/api/event')
  await save()
  await expect(toastOf(page, `Failed to update event: ${SERVER_ERROR}`)).toBeVisible()
  await mend()
  await server.stop()
  await save()
  await expectInTime(
    toastOf(page, 'Failed to update event: Network error. Please check your connection and try again.'),
  )
  await expect(page.getByLabel('Event name')).toHaveValue('One more night')
  await server.start()
  await save()
  await expect(toastOf(page, 'Event updated successfully! ✨')).toBeVisible()
  await page.clock.runFor(RELOAD_AFTER_EVENT_SAVE_MS)
  await expect(page.getByRole('heading', { name: 'One more night' })).toBeVisible()
})

test('an event that does not load shows a toast and the create form; the dashboard shows the error too, and does not offer to create one', async ({
  page,
}) => {
  await restoreSession(page, 'admin')
  await breakReads(page, '**/api/event')
  await breakReads(page, '**/api/admin/events')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
  await page.getByLabel('Event name').fill('Stays')
  await expect(page.getByText(`Failed to load event information: ${SERVER_ERROR}`)).toHaveCount(1)
  await expect(page.getByLabel('Event name')).toHaveValue('Stays')
  await page.unroute('**/api/admin/events')
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Home' }).click()
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Event Status' }) })
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `Failed to load event information: ${SERVER_ERROR}`,
  )
  await expect(card.getByText('Not Loaded')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Create Event' })).toHaveCount(0)
})

test('a home where nothing loads has one banner and one Retry, which brings all of it', async ({ page }) => {
  for (const role of ['admin', 'manager'] as const) {
    await restoreSession(page, role)
    await breakReads(page, '**/api/admin/**')
    await breakReads(page, '**/api/event')
    await page.goto(`/dashboard/${role}`)
    const banner = page.getByRole('main').getByRole('alert')
    await expect(banner).toContainText(SERVER_ERROR)
    await expect(page.getByText('Not up to date')).toBeVisible()
    await expect(banner).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1)
    await page.unroute('**/api/admin/**')
    await page.unroute('**/api/event')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Not up to date')).toHaveCount(0)
    await expect(banner).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await expect(page.getByText('Not loaded.')).toHaveCount(0)
  }
})
