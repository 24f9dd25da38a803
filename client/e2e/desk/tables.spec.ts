import type { Analytics } from '@garba/shared/contracts/desk'
import { choose, rows } from '../support/desk.ts'
import { must, spoil } from '../support/deskMoney.ts'
import { dayAhead } from '../support/event.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

const NAMES = ['Anaïs Joly', 'હેતલ વ્યાસ']

/** What the Tab key stops at: by name on the whole page, and how often in each table and in the rail. */
const countTabStops = (page: Page) =>
  page.evaluate(() => {
    const stops = [...document.querySelectorAll<HTMLElement>('a[href], button, input, summary, [tabindex]')].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(':disabled') &&
        element.closest('[aria-hidden=true]') === null &&
        element.checkVisibility({ visibilityProperty: true }),
    )
    const countIn = (place: Element) => stops.filter((stop) => place.contains(stop)).length
    return {
      page: stops.map((stop) => stop.textContent || stop.ariaLabel),
      tables: [...document.querySelectorAll('table')].map(countIn),
      rail: stops.filter((stop) => stop.closest('nav[aria-label=Dashboard]')).length,
    }
  })

test('search, filter and page live in the address: reload and Back bring the same rows', async ({ page, server }) => {
  for (const [at, name] of NAMES.entries()) {
    const { user } = await server.apiAs({ uid: `named-${at}`, email: `named-${at}@example.test`, name })
    await must((await server.api('admin')).call('setRole', { params: { id: user._id }, body: { role: 'qrchecker' } }))
  }
  addUsers(server, 40)
  const [all] = server.rows<{ users: number; checkers: number }>(
    "select count(*) as users, sum(role = 'qrchecker') as checkers from users",
  )
  if (!all) throw new Error('No users')
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/users')
  await expect(page.getByText(`1-20 of ${all.users}`)).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(page.getByText(`21-40 of ${all.users}`)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`21-40 of ${all.users}`)).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Role' }), 'QR Checker')
  await expect(page).toHaveURL(/\?role=qrchecker$/)
  await expect(rows(page, 'Users')).toHaveCount(all.checkers)
  await expect(rows(page, 'Users').first()).toContainText('QR Checker')
  await page.goBack()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(page.getByText(`21-40 of ${all.users}`)).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Role' }), 'QR Checker')
  await page.reload()
  await expect(rows(page, 'Users')).toHaveCount(all.checkers)

  // People type for accents what their keyboard has; Gujarati is found as it is written.
  await follow(page, '/dashboard/admin/users')
  await page.getByRole('searchbox').fill('anais')
  await expect(page).toHaveURL(/\?search=anais$/)
  await expect(rows(page, 'Users').first()).toContainText('Anaïs')
  await page.getByRole('searchbox').fill('હેતલ')
  await expect(rows(page, 'Users').first()).toContainText('હેતલ')
  await page.getByRole('searchbox').fill('nobody is called so')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filter' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByText(`1-20 of ${all.users}`)).toBeVisible()

  // More than the server takes is searched for as far as it takes it.
  await page.getByRole('searchbox').fill(`nobody ${'x'.repeat(250)}`)
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()

  // A page beyond the last gives way to the last one.
  for (const beyond of ['900', '9'.repeat(16)]) {
    await follow(page, `/dashboard/admin/users?page=${beyond}`)
    await expect(page).toHaveURL(/\?page=3$/)
  }
  await expect(page.getByText(`41-${all.users} of ${all.users}`)).toBeVisible()
})

test('a table is sorted by its headings, opened at a page, and one stop of the Tab key; a row’s menu is about its own ticket, gives the focus back, and goes with its row', async ({
  page,
  server,
}) => {
  const ids = (await (await server.api('guest')).buy<number>(43)).map(({ _id }) => _id)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(page.getByRole('status').filter({ hasText: /^43 tickets, with cancelled ones$/ })).toBeVisible()
  const more = page.getByRole('button', { name: /More about ticket/ })
  const audit = page.getByRole('menuitem', { name: 'Show in the audit trail' })
  await expect(more).toHaveCount(20)
  for (const row of [more.first(), more.last()]) {
    const shortId = (await row.getAttribute('aria-label'))?.slice(-8) ?? ''
    await row.click()
    await expect(audit).toHaveAttribute(
      'href',
      `/dashboard/admin/audit?search=${ids.find((id) => id.endsWith(shortId))}`,
    )
    await expect(page.getByRole('menu')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(more.last()).toBeFocused()
  await more.last().click()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('21-40 of 43')).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)

  const table = page.getByRole('table', { name: 'Tickets' })
  const heading = (name: string) => table.getByRole('columnheader', { name })
  await expect(heading('Bought')).toHaveAttribute('aria-sort', 'descending')
  for (const [address, order] of [
    [/sort=holder$/, 'ascending'],
    [/sort=-holder$/, 'descending'],
  ] as const) {
    await heading('Holder').getByRole('button').click()
    await expect(page).toHaveURL(address)
    await expect(heading('Holder')).toHaveAttribute('aria-sort', order)
  }
  await page.getByRole('textbox', { name: 'Go to page' }).fill('3')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=-holder&page=3$/)
  await expect(page.getByText('41-43 of 43')).toBeVisible()

  // Shift+Tab from the pages reaches the control used last; the arrows move on from there.
  const stops = await countTabStops(page)
  expect(stops.page.length).toBeLessThanOrEqual(24)
  expect(stops.tables).toEqual([1])
  const focused = page.locator(':focus')
  await table.locator('[tabindex="0"], button:not([tabindex="-1"]), a:not([tabindex="-1"])').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(focused).toHaveAccessibleName(/^More about ticket/)
  await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAccessibleName(/^Delete ticket/)
  await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAttribute('aria-label', /^Status of ticket/)
  // The arrows move on over a status too, which Enter opens.
  await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAttribute('aria-label', /^Status of ticket/)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  expect((await countTabStops(page)).tables).toEqual([1])
  expect(await focused.evaluate((element: HTMLElement) => element.tabIndex)).toBe(0)
})

test('a new status shows at once and is taken back when the server refuses or is gone', async ({ page, server }) => {
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.clock.install()
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
  for (const status of ['Used', 'Cancelled']) await choose(row, status)
  await expectInTime(toastOf(page, 'Failed to update status: Network error. Please check your connection').first())
  await expectInTime(page.getByRole('button', { name: 'Retry' }))
  await expect(row).toHaveText('Active')
  await server.start()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  // What the server takes stays, and the row leaves the filter it no longer fits.
  await choose(row, 'Used')
  await expect(toastOf(page, 'Ticket status updated successfully')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('used tickets among the chosen ones are cancelled only after a question', async ({ page, server }) => {
  const [used] = await (await server.api('guest')).buy(3)
  const params = { id: used?.id ?? '' }
  await (await server.api('admin')).call('setTicketStatus', { params, body: { status: 'used' } })
  const states = () => server.rows('select status, count(*) as n from tickets group by status order by status')
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(rows(page, 'Tickets')).toHaveCount(3)
  for (const at of ['first', 'last'] as const)
    await page
      .getByRole('checkbox', { name: /^Select ticket/ })
      [at]()
      .check()
  await page.getByRole('checkbox', { name: new RegExp(`^Select ticket .*${params.id.slice(-8)}`) }).check()
  await page.getByRole('button', { name: 'Bulk update' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bulk update' })
  await choose(dialog.getByRole('combobox', { name: 'New status' }), 'Cancelled')
  await dialog.getByRole('button', { name: 'Update tickets' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel used tickets?' })
  await expect(question).toContainText('They stay in the count of people')
  await question.getByRole('button', { name: 'Keep the tickets' }).click()
  expect(states()).toContainEqual({ status: 'used', n: 1 })
  expect(states()).not.toContainEqual(expect.objectContaining({ status: 'cancelled' }))
  await dialog.getByRole('button', { name: 'Update tickets' }).click()
  await question.getByRole('button', { name: 'Cancel anyway' }).click()
  await expect(toastOf(page, /^Updated \d tickets successfully/)).toBeVisible()
  expect(states().map(({ status }) => status)).not.toContain('used')
})

test('the dashboard shows zeros and no toast when its figures fail; analytics offers Retry', async ({ page }) => {
  await page.route('**/api/admin/analytics/dashboard', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByText('₹0 today')).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await page.getByText('Other views and system').click()
  await page.getByRole('link', { name: /Sales by day and hour/ }).click()
  const panel = page.getByRole('main').getByRole('alert')
  await expect(panel).toContainText('Failed to load analytics: Server error. Please try again later.')
  await page.unroute('**/api/admin/analytics/dashboard')
  // Ten days with sales: more than the daily list shows.
  await page.route('**/api/admin/analytics/dashboard', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: Analytics }
    const salesChart = Array.from({ length: 10 }, (_, at) => ({
      _id: dayAhead(at - 9),
      count: 1,
      revenue: 299,
      prices: 299,
    }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, salesChart } } })
  })
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

test.describe('where guests pay by UPI and at the provider', () => {
  test.use({ serverOptions: { env: { PAYMENTS: 'demo,upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' } } })

  test('a page with 25 rows has at most 24 tab stops, one of them in each table, and the arrows reach the rest', async ({
    page,
    server,
  }) => {
    await fillTables(server)
    await restoreSession(page, 'admin')
    const rail = page.getByRole('navigation', { name: 'Dashboard' })
    for (const [path, table, count] of [
      ['money/statement', 'Bank statement', 25],
      ['money/payouts', 'Differences', 25],
      ['Users', 'Users', 20],
      ['Evening', 'Devices', 25],
      ['Tickets', 'Tickets', 20],
      ['Orders', 'Orders', 20],
      ['Audit', 'Audit trail', 20],
      ['Money', 'Cash sessions', 25],
      ['Devices', 'Devices', 25],
    ] as const) {
      if (path.startsWith('money/')) await page.goto(`/dashboard/admin/${path}`)
      else await rail.getByRole('link', { name: path }).click()
      await expect.poll(() => rows(page, table).count(), { message: path }).toBeGreaterThanOrEqual(count)
      const stops = await countTabStops(page)
      expect(stops.page.length, `${path}: ${stops.page}`).toBeLessThanOrEqual(24)
      await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(path === 'Evening' ? 0 : 1)
      expect(Math.max(...stops.tables), `${path}: a table`).toBeLessThanOrEqual(1)
      expect(stops.rail, `${path}: the rail`).toBe(2)
    }

    const last = page.getByRole('button', { name: /^More about/ }).last()
    await page
      .getByRole('button', { name: /^More about/ })
      .first()
      .focus()
    await page.keyboard.press('ArrowDown')
    for (let row = 2; row < 25; row += 1) await page.keyboard.press('ArrowDown')
    await expect(last).toBeFocused()
    await rail.getByRole('link', { name: 'Devices' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(rail.getByRole('link', { name: 'Event' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(rail.getByRole('link', { name: 'Home' })).toBeFocused()
  })
})

/** As if so many guests had signed in. */
const addUsers = (server: TestServer, count: number): void =>
  spoil(
    server,
    `insert into users (id, firebase_uid, email, email_verified, name, role, was_checker, created_at, search_text)
     with recursive people(at) as (select 1 union all select at + 1 from people where at < ?)
     select printf('01J%023d', at), 'uid ' || at, 'guest-' || at || '@example.test', 1, 'Guest ' || at, 'guest', 0, 0,
       'guest ' || at || ' guest-' || at || '@example.test' from people`,
    count,
  )

/** A page of rows in every table of the desk. */
async function fillTables(server: TestServer): Promise<void> {
  const admin = await server.api('admin')
  addUsers(server, 20)
  for (let at = 0; at < 25; at += 1) {
    const name = `Gate ${at}`
    const sale = { quantity: 1, method: 'complimentary', name: `Guest ${at}`, reason: 'They play' }
    await must(admin.call('sellAtDesk', { body: sale, headers: { 'idempotency-key': crypto.randomUUID() } }))
    const { body } = await admin.call('createDevice', { body: { name } })
    const { id } = (body as { device: { id: string } }).device
    spoil(
      server,
      `insert into devices (id, name, checker_name, last_seen, unsent, roster_revision, app_version)
       values (?, ?, 'Ravi', ?, 1, 1, null)`,
      id,
      name,
      Date.now(),
    )
    spoil(
      server,
      'insert into cash_sessions (id, person_id, person_name, opened_at, float_paise) values (?, ?, ?, ?, 100)',
      `01J0000000000000000000${String(at).padStart(4, '0')}`,
      `person ${at}`,
      name,
      Date.now(),
    )
    spoil(
      server,
      `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
       values (?, 'demo', 'payment', ?, '2025-08-09', 29900, 706, 0)`,
      `pay_${at}`,
      `setl_${at}`,
    )
  }
  const lines = Array.from({ length: 25 }, (_, at) => `08/08/2025,UPI/${412_345_000_000 + at}/Shah,${at + 1}`)
  const csv = ['Date,Narration,Credit', ...lines].join('\n')
  await must(admin.call('importStatement', { body: { csv, mapping: { date: 0, description: 1, amount: 2 } } }))
}
