import { confirmUpi, must, orderByUpi, UPI_AND_DESK } from '../support/deskMoney.ts'
import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoViolations, expectNoViolationsInBothSizes, follow } from '../support/screen.ts'
import { accountMenu, restoreSession, signInButton } from '../support/session.ts'
import { signIn } from '../support/signIn.ts'

const REFUSED = { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' }

// A manager's other screens are parts of an admin's.
test("axe finds nothing on a manager's home, wide or narrow, on Access Denied, or at / where a refused refresh ends the session", async ({
  page,
  server,
}) => {
  await restoreSession(page, 'manager')
  await page.goto('/dashboard/manager')
  await expect(page.getByText('Registered Users')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'manager')
  const { user } = await server.api('manager')
  await (await server.api('admin')).call('setRole', { params: { id: user._id }, body: { role: 'guest' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expectNoViolations(page, 'Access Denied')

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
  await expectNoViolations(page, 'the end of the session')
  await page.unrouteAll()
  await signIn(page, 'admin')
  await expect(accountMenu(page)).toBeVisible()
  await expect(reason).toBeHidden()
})

test("axe finds nothing on an admin's screens, wide or narrow", async ({ page, server }) => {
  // More than a page of what happened.
  const admin = await server.api('admin')
  for (let number = 1; number <= 21; number++)
    await must(admin.call('saveGates', { body: { gates: [{ name: `Gate ${number}`, kinds: [] }] } }))
  await page.route('**/api/admin/system/health', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  for (const [path, sign] of [
    ['', 'Failed to load the system state'],
    ['/users?search=nobody', 'No users found'],
    ['/event', 'Description'],
    ['/analytics', 'Event Performance'],
    ['/gate', 'Left to come'],
    ['/audit', /1-20 of/],
    ['/devices', 'No devices yet'],
    ['/orders/sell', 'Give 1 ticket'],
    ['/money', 'Nothing needs attention.'],
  ] as const) {
    await follow(page, `/dashboard/admin${path}`)
    await expect(page.getByText(sign).first()).toBeVisible()
    await expectNoViolationsInBothSizes(page, `admin${path}`)
    await page.unrouteAll()
  }
  // The system panel with its figures too.
  await follow(page, '/dashboard/admin')
  await page.getByText('Other views and system').click()
  await expect(page.getByText('Accepts writes')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'admin')
})

test('the tables, their dialogs and the palette pass axe; Esc closes a dialog and gives the focus back', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/admin/users')
  await expect(page.getByText('Select all on this page')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'admin/users')
  const change = page.getByRole('button', { name: /Change role/, disabled: false }).first()
  await change.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(change).toBeFocused()

  const find = page.getByRole('button', { name: 'Find' })
  await find.focus()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: /^Find a view/ })
  await expect(palette.getByRole('combobox')).toBeFocused()
  // As a view does that was chosen earlier and has only just loaded.
  await page.evaluate(() => document.querySelector('main')?.focus())
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('chetan')
  await expect(palette.getByRole('option', { name: /Chetan/ }).first()).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'the palette with a person')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Escape')
  await expect(find).toBeFocused()

  await follow(page, '/dashboard/admin/tickets')
  await expect(page.getByText('2 tickets')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'admin/tickets')
  await page
    .getByRole('combobox', { name: /^Status of ticket/ })
    .first()
    .click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await expectNoViolations(page, 'the list of statuses')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await page
    .getByRole('checkbox', { name: /Select ticket/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Bulk update' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'the bulk dialog')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const more = page.getByRole('button', { name: /More about ticket/ }).first()
  await more.click()
  await expect(page.getByRole('menuitem', { name: 'Copy ticket id' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page
    .getByRole('button', { name: /Delete ticket/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expectNoViolations(page, 'Undo')
})

test('a guest list before it is given, and the line of those who wait, pass axe', async ({ page, server }) => {
  const [admin, guest] = [await server.api('admin'), await server.api('guest')]
  const [, given] = await (await server.api('checker')).buy(3)
  await changeEvent(admin, { totalTickets: 3 })
  await must(guest.call('joinWaiting', { body: { quantity: 1 } }))
  await must((await server.api('manager')).call('joinWaiting', { body: { quantity: 2 } }))
  await must(
    (await server.api('checker')).call('cancelTicket', { params: { id: given?._id }, body: { reason: 'Away' } }),
  )
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByText(/On offer to Garima Guest: 1 ticket until/)).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'the waiting list')

  await follow(page, '/dashboard/admin/orders/sell')
  for (const last of ['ધ્રુવ શાહ,1,', ',1,']) {
    await page.getByLabel('Guest list file').setInputFiles({
      name: 'sponsors.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Name,Tickets,Email\nMeera Patel,2,meera@example.org\n${last}`),
    })
    const dialog = page.getByRole('dialog', { name: 'sponsors.csv' })
    await expect(dialog).toBeVisible()
    await expectNoViolationsInBothSizes(page, `the guest list with "${last}"`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test.describe('where guests pay by UPI', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('orders, their dialogs, the bank statement and the page to pay on pass axe', async ({ page, server }) => {
    const admin = await server.api('admin')
    const { code: held } = await orderByUpi(server, { name: 'હેતલ વ્યાસ', utr: '412345678901' })
    const { code: paid } = await orderByUpi(server, { quantity: 2 })
    await confirmUpi(server, paid, '412345678902')
    const { code: cancelled } = await orderByUpi(server)
    await must(admin.call('cancelDeskOrder', { params: { code: cancelled } }))
    const csv = 'Date,Narration,Credit\n08/08/2025,RENT,100.00\n08/08/2025,DONATION,2500.00'
    const { body } = await admin.call('importStatement', {
      body: { csv, mapping: { date: 0, description: 1, amount: 2 } },
    })
    const [line] = body.lines as { id: string }[]
    await must(admin.call('setLineAside', { params: { id: line?.id ?? '' }, body: { aside: 'Rent of the ground' } }))

    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin')
    for (const [path, sign] of [
      ['/orders', '3 orders'],
      [`/orders/${cancelled}`, 'History'],
      ['/money/statement', '1 line set aside'],
      ['/money/payouts', 'No payouts yet'],
    ] as const) {
      await follow(page, `/dashboard/admin${path}`)
      await expect(page.getByText(sign).first()).toBeVisible()
      await expectNoViolationsInBothSizes(page, `admin${path}`)
    }
    for (const [code, button] of [
      [paid, 'Refund'],
      [paid, 'Show codes'],
      [held, 'Confirm payment'],
      [held, 'Cancel order'],
    ] as const) {
      await follow(page, `/dashboard/admin/orders/${code}`)
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
      await expect(dialog).toBeVisible()
      await expectNoViolations(page, button)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }

    const { body: order } = await (await server.api('guest')).call('placeOrder', {
      body: { quantity: 2, provider: 'upi' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    await restoreSession(page, 'guest')
    await page.goto(`/orders/${(order.order as { code: string }).code}`)
    await expect(page.getByRole('button', { name: 'I have paid' })).toBeVisible()
    await expectNoViolationsInBothSizes(page, 'the page to pay on')
  })
})
