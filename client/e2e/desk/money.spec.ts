import { BOOK_RULES } from '@garba/shared/contracts/names'
import { choose } from '../support/desk.ts'
import { confirmUpi, leaveOpen, must, orderByUpi, spoil, UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, test } from '../support/fixtures.ts'
import { recordRequests } from '../support/network.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test.describe('where tickets are paid for', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('money that needs a person leaves the list with a note; a red line of the Books shows the orders that break it, and leads to them', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    spoil(server, 'update payments set amount_paise = 100')
    leaveOpen(server, { code, detail: 'pay_4711' })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    const line = page.locator('li', { hasText: 'Every ticket was paid for' })
    await expect(line).toContainText('1 problem')
    await expect(line).toContainText(`${code}: has its tickets for ₹299, and ₹1 was received`)
    await expect(page.getByText('Balanced')).toHaveCount(BOOK_RULES.length - 1)

    const row = page.locator('li', { hasText: 'Less than the order costs' })
    await expect(row).toContainText(/₹100.*pay_4711/)
    await expect(row.getByRole('link', { name: code })).toBeVisible()
    await row.getByRole('button', { name: 'Resolve: Less than the order costs, ₹100' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    const resolve = dialog.getByRole('button', { name: 'Resolve' })
    await expect(resolve).toBeDisabled()
    await dialog.getByRole('textbox').fill('Paid back by bank transfer 12')
    await resolve.click()
    await expect(toastOf(page, 'Resolved')).toBeVisible()
    await expect(page.getByText('Nothing needs attention.')).toBeVisible()
    expect(server.rows('select resolution, resolved_by_name as by from attention')).toEqual([
      { resolution: 'Paid back by bank transfer 12', by: 'Asha Admin' },
    ])
    await line.getByRole('link', { name: code }).click()
    await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
  })

  test('a note about a matter that somebody else settles meanwhile stays, on both pages', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    const admin = await server.api('admin')
    leaveOpen(server, { code, detail: 'pay_4711' })
    await restoreSession(page, 'admin')
    for (const path of ['money', `orders/${code}`]) {
      spoil(server, 'update attention set resolved_at = null, resolved_by_name = null, resolution = null')
      await page.goto(`/dashboard/admin/${path}`)
      await page.getByRole('button', { name: 'Resolve: Less than the order costs, ₹100' }).click()
      const dialog = page.getByRole('dialog', { name: 'Resolve' })
      await dialog.getByRole('textbox').fill('Paid back by bank transfer 12')
      const { body } = await admin.call('attention')
      const [matter] = body.attention as { id: string }[]
      const params = { id: matter?.id ?? '' }
      await must(admin.call('resolveAttention', { params, body: { resolution: 'The rest came' } }))
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      await expect(page.locator('li', { hasText: 'Less than the order costs' })).toHaveCount(0)
      await dialog.getByRole('button', { name: 'Resolve' }).click()
      await expect(toastOf(page, /Already settled by Asha Admin: The rest came/)).toBeVisible()
      await expect(dialog.getByRole('textbox')).toHaveValue('Paid back by bank transfer 12')
    }
  })

  test('a manager sees Books and totals, and nothing else of orders', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    await restoreSession(page, 'manager')
    const requests = recordRequests(page)
    await page.goto('/dashboard/manager')
    const rail = page.getByRole('navigation', { name: 'Dashboard' })
    await expect(rail.getByRole('link')).toHaveText(['Home', 'Evening', 'Users', 'Analytics', 'Money'])
    await rail.getByRole('link', { name: 'Money' }).click()
    await expect(page.getByText('Balanced')).toHaveCount(BOOK_RULES.length)
    await expect(page.getByRole('table', { name: 'Totals by day' })).toContainText(/Web.*UPI.*₹299/)
    const file = Promise.withResolvers<string>()
    await page.route('**/api/admin/orders/totals/export*', async (route) => {
      const answer = await route.fetch()
      file.resolve(await answer.text())
      await route.fulfill({ response: answer })
    })
    await page.getByRole('button', { name: 'Export CSV of the totals' }).click()
    expect(await file.promise).toContain('web,upi,1,299,0,299,0,0,299')
    await expect(page.getByRole('button', { name: /Export CSV/ })).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Money that needs a person' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Cash sessions' })).toHaveCount(0)
    expect(requests.filter((url) => /attention|cash-sessions|admin\/orders(\?|$)/.test(url))).toEqual([])
    await page.goto('/dashboard/manager/orders')
    await expect(page).toHaveURL(/\/dashboard\/manager$/)
  })

  test('what needs a person comes first, with the checks, then the totals, which explain themselves; days narrow the lists, their exports and no matter', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    spoil(server, "update payments set fee_paise = 706, captured_at = captured_at - 864000000 where state = 'captured'")
    spoil(server, 'update orders set settled_at = settled_at - 864000000')
    leaveOpen(server, { code, detail: 'rfnd_4711', kind: 'refundedElsewhere' })
    await restoreSession(page, 'admin')
    const requests = recordRequests(page)
    await page.goto('/dashboard/admin/money')
    await expect(page.getByText('₹291.94').first()).toBeVisible()
    await expect(page.getByRole('main').getByRole('heading')).toHaveText([
      'Money',
      'Money that needs a person',
      'Self-checks',
      'Totals',
      'Cash sessions',
    ])
    await expect(page.locator('dl').first()).toHaveText('Received₹299Fees− ₹7.06Net= ₹291.94')
    await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(1)

    await choose(page.getByRole('combobox', { name: 'Days' }), 'Last 7 days')
    await expect(page.getByText('No money came in or went out on these days.')).toBeVisible()
    await expect(page.getByText('Nobody opened a cash session on these days.')).toBeVisible()
    const elsewhere = page.locator('li', { hasText: 'Refunded at the provider, ticket still valid' })
    await expect(elsewhere).toContainText(/₹100.*rfnd_4711/)
    for (const [name, path] of [
      ['Export CSV of the totals', 'orders/totals/export'],
      ['Export CSV of all cash sessions', 'cash-sessions/export'],
      ['Export CSV of all money that needed a person', 'attention/export'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      const asked = () => requests.filter((url) => url.includes(`/api/admin/${path}?`))
      await expect.poll(asked).toEqual([expect.stringMatching(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)])
    }
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Days' })).toHaveText('Last 7 days')

    await choose(page.getByRole('combobox', { name: 'Days' }), 'Choose days...')
    const dialog = page.getByRole('dialog', { name: 'Choose days' })
    await dialog.getByLabel('First day', { exact: true }).fill('2025-10-02')
    await dialog.getByLabel('Last day', { exact: true }).fill('2025-10-01')
    await expect(dialog.getByText('The last day is before the first')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Show these days' })).toBeDisabled()
    await dialog.getByLabel('Last day', { exact: true }).fill('2025-10-03')
    await dialog.getByRole('button', { name: 'Show these days' }).click()
    await expect(page).toHaveURL(/from=2025-10-02&to=2025-10-03/)
    await expect(page.getByRole('combobox', { name: 'Days' })).toHaveText('2 Oct to 3 Oct 2025')
    // A refund made at the provider leads to the order whose ticket is to be cancelled.
    await elsewhere.getByRole('link', { name: code }).click()
    await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
  })

  test('when everything fails there is one banner, and its Retry loads all of it', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    await restoreSession(page, 'admin')
    const broken = ['orders/totals', 'attention', 'cash-sessions', 'books'].map((path) => `**/api/admin/${path}*`)
    for (const path of broken)
      await page.route(path, (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'A private detail' } }),
      )
    await page.goto('/dashboard/admin/money')
    const banner = page.getByRole('main').getByRole('alert')
    await expect(banner).toContainText('Failed to load data: Server error. Please try again later.')
    await expect(banner).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1)
    await expect(page.getByText('Not loaded.')).toHaveCount(4)
    await page.unroute(broken[0] ?? '')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('table', { name: 'Totals by day' })).toBeVisible()
    for (const path of broken) await page.unroute(path)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('checks passed')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  })
})

test('where payments are off, the totals are no sum of nothing, but say why', async ({ page, server }) => {
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/money')
  await expect(page.getByRole('table', { name: 'Totals by day' })).toBeVisible()
  await expect(
    page.getByText('1 order needed no payment. Payments are off: Home and Analytics show what the tickets cost.'),
  ).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('₹0')
})

test.describe('where the day begins half a day before the world’s', () => {
  const TIMEZONE = 'Pacific/Tongatapu'
  test.use({ serverOptions: { env: { ...UPI_AND_DESK, EVENT_TIMEZONE: TIMEZONE } } })

  test('days of the calendar are shown as they are, in the totals and in the chosen range', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    const captured = Date.UTC(2025, 9, 2, 9)
    spoil(server, `update payments set captured_at = ${captured} where state = 'captured'`)
    spoil(server, `update orders set settled_at = ${captured}`)
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money?from=2025-09-30&to=2025-10-02')
    await expect(page.getByRole('table', { name: 'Totals by day' })).toContainText(/2 Oct 2025.*Web.*UPI.*₹299/)
    await expect(page.getByRole('combobox', { name: 'Days' })).toContainText(/30 Sept? to 2 Oct 2025/)
  })
})
