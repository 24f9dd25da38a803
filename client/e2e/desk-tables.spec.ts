import { choose, rows } from './support/desk.ts'
import { expect, test } from './support/fixtures.ts'
import { expectNoViolations, expectNoViolationsInBothSizes, toastOf } from './support/screen.ts'
import { restoreSession } from './support/session.ts'
import { expectInTime } from './support/time.ts'

// Making the big seed counts into the first test's time.
test.describe.configure({ timeout: 180_000 })
test.use({ serviceWorkers: 'block', serverOptions: { data: 'big' } })

test('search, filter and page live in the URL: reload and Back bring the same rows', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/users')
  await expect(page.getByText('1-20 of 5,000')).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(page.getByText('21-40 of 5,000')).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Role' }), 'QR Checker')
  await expect(page).toHaveURL(/\?role=qrchecker$/)
  await expect(rows(page, 'Users').first()).toContainText('QR Checker')
  const checkers = await rows(page, 'Users').count()
  await page.reload()
  await expect(rows(page, 'Users')).toHaveCount(checkers)
  await page.goBack()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(page.getByText('21-40 of 5,000')).toBeVisible()

  // People type for accents what their keyboard has; Gujarati is found as it is written.
  await page.getByRole('searchbox').fill('anais')
  await expect(page).toHaveURL(/\?search=anais$/)
  await expect(rows(page, 'Users').first()).toContainText('Anaïs')
  await page.getByRole('searchbox').fill('હેતલ')
  await expect(rows(page, 'Users').first()).toContainText('હેતલ')
  await page.getByRole('searchbox').fill('nobody is called so')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Clear search and filter' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByText('1-20 of 5,000')).toBeVisible()
})

test('a page that is no more gives way to the last one', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/users?page=900')
  await expect(page).toHaveURL(/\?page=250$/)
  await expect(page.getByText('4,981-5,000 of 5,000')).toBeVisible()
})

test('a status is shown at once and taken back when the server refuses or is gone', async ({ page, server }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets?status=active')
  const first = page.getByRole('combobox', { name: /Status of ticket/ }).first()
  await expect(first).toHaveText('Active')
  const label = (await first.getAttribute('aria-label')) ?? ''
  const row = page.getByRole('combobox', { name: label })

  const answer = Promise.withResolvers<void>()
  await page.route('**/api/tickets/admin/*/status', async (route) => {
    await answer.promise
    await route.fulfill({ status: 409, json: { success: false, code: 'SOLD_OUT', message: 'No seat is left.' } })
  })
  await choose(row, 'Used')
  await expect(row).toHaveText('Used')
  answer.resolve()
  await expect(toastOf(page, 'Failed to update status: No seat is left.')).toBeVisible()
  await expect(row).toHaveText('Active')
  await page.unroute('**/api/tickets/admin/*/status')

  await server.stop()
  await choose(row, 'Cancelled')
  await expect(toastOf(page, 'Failed to update status: Network error. Please check your connection')).toBeVisible()
  await expect(row).toHaveText('Active')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await server.start()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  // What the server takes stays, and the row leaves the filter it no longer fits.
  await choose(row, 'Used')
  await expect(toastOf(page, 'Ticket status updated successfully')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('more tickets than can be changed at once are refused before anything is sent', async ({ page }) => {
  await restoreSession(page, 'admin')
  // Pages of 100, so that the selection grows past the limit with eleven of them.
  await page.route('**/api/admin/tickets/management?*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '100')
    return route.continue({ url: url.href })
  })
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('bulk-update') && sent.push(request.url()))
  await page.goto('/dashboard/admin/tickets?status=used')
  const select = page.getByRole('checkbox', { name: 'Select all on this page' })
  for (let number = 1; number <= 11; number += 1) {
    await expect(page.getByText(`Page ${number} of`)).toBeVisible()
    await select.check()
    if (number === 10) await expect(page.getByText('1,000 tickets selected')).toBeVisible()
    if (number < 11) await page.getByRole('button', { name: 'Next', exact: true }).click()
  }
  await page.getByRole('button', { name: 'Bulk update' }).last().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toHaveText('At most 1,000 tickets can be changed at once. Deselect 100.')
  await expect(dialog.getByRole('button', { name: 'Update tickets' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await rows(page, 'Tickets').first().getByRole('checkbox').uncheck()
  await select.check()
  await select.uncheck()
  await page.getByRole('button', { name: 'Bulk update' }).last().click()
  await choose(dialog.getByRole('combobox'), 'Used')
  await dialog.getByRole('button', { name: 'Update tickets' }).click()
  await expect(toastOf(page, 'Updated 1000 tickets successfully')).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('the dashboard shows zeros when its figures fail, without a word; analytics offers Retry', async ({ page }) => {
  await page.route('**/api/admin/analytics/dashboard', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByText('₹0 today')).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await page.getByRole('link', { name: /Analytics/ }).click()
  const panel = page.getByRole('main').getByRole('alert')
  await expect(panel).toContainText('Failed to load analytics: Server error. Please try again later.')
  await page.unroute('**/api/admin/analytics/dashboard')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(/[\d,]+ sold, [\d,]+ available/)).toBeVisible()
  // The range filters what is shown: a longer one shows each of its days.
  const byDay = page.getByRole('heading', { name: 'Sales by Day' })
  await expect(byDay).toBeHidden()
  await page.getByRole('button', { name: '30 Days' }).click()
  await expect(byDay).toBeVisible()
  await page.getByRole('button', { name: '7 Days' }).click()
  await expect(byDay).toBeHidden()
})

test('the gate follows a scan within seconds, raises an alarm, says when the connection is lost, and keeps who saw to a conflict', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  const inside = page.getByTestId('admitted')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const before = Number(((await inside.textContent()) ?? '').replaceAll(',', ''))
  const [ticket] = server.rows<{ id: string }>("select id from tickets where status = 'active' limit 1")
  const body = { ticketId: ticket?.id, manual: true, scanId: crypto.randomUUID(), deviceId: 'test-device' }
  expect((await (await server.api('checker')).call('markUsed', { body })).status).toBe(200)
  await expect(inside).toHaveText((before + 1).toLocaleString('en-IN'))

  const [other] = server.rows<{ id: string }>("select id from tickets where status = 'active' limit 1")
  const scannedAt = new Date(Date.now() - 20 * 3_600_000).toISOString()
  const late = { ...body, ticketId: other?.id, scanId: crypto.randomUUID(), scannedAt, admittedOffline: true }
  await (await server.api('checker')).call('markUsed', { body: { ...late, deviceName: 'Gate Z' } })
  await expect(page.getByRole('alert').filter({ hasText: 'Gate Z sent 1 back-dated scan' })).toBeVisible()

  await page
    .getByRole('button', { name: /Acknowledge the double admission/ })
    .first()
    .click()
  await expect(toastOf(page, 'Conflict acknowledged')).toBeVisible()

  await server.stop()
  await expect(page.getByText(/Connection lost: these figures are not live/)).toBeVisible()
  await expect(inside).toHaveText((before + 2).toLocaleString('en-IN'))
  await server.start()
  await expectInTime(page.getByText('Live', { exact: true }))
})

test('axe finds nothing on any screen of the desk, wide or narrow', async ({ page }) => {
  await restoreSession(page, 'admin')
  for (const [path, sign] of [
    ['', 'Event Status'],
    ['/users', '1-20 of 5,000'],
    ['/tickets', '1-20 of 12,000'],
    ['/event', 'Description'],
    ['/analytics', 'Event Performance'],
    ['/gate', 'Left to come'],
    ['/audit', /1-20 of/],
  ] as const) {
    await page.goto(`/dashboard/admin${path}`)
    await expect(page.getByText(sign).first()).toBeVisible()
    await expectNoViolationsInBothSizes(page, path)
  }
})

test('the dialogs pass axe, close at Esc and give the focus back', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/users?role=guest')
  const change = page.getByRole('button', { name: /Change role/ }).first()
  await change.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(change).toBeFocused()
  await page.goto('/dashboard/admin/tickets')
  for (const name of [/Bulk update/, /Delete ticket/]) {
    await page.getByRole('button', { name }).first().click()
    const window = page.getByRole(name.source === 'Bulk update' ? 'dialog' : 'alertdialog')
    await expect(window).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Escape')
    await expect(window).toBeHidden()
  }
})
