import { BOOK_RULES } from '@garba/shared/contracts/names'
import { describe } from 'vitest'
import { confirmUpi, leaveOpen, orderByUpi, spoil, UPI_AND_DESK } from '../e2e/support/deskMoney.ts'
import { expect, test } from './support/fixtures.ts'
import { toastOf } from './support/screen.ts'
import { restoreSession } from './support/session.ts'

describe('where tickets are paid for', () => {
  test.override({ serverOptions: { env: UPI_AND_DESK } })

  test('a red line of the Books shows the orders that break it, and leads to them', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    spoil(server, 'update payments set amount_paise = 100')
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    const line = page.locator('li', { hasText: 'Every ticket was paid for' })
    await expect(line).toContainText('1 problem')
    await expect(line).toContainText(`${code}: has its tickets for ₹299, and ₹1 was received`)
    await expect(page.getByText('Balanced')).toHaveCount(BOOK_RULES.length - 1)
    await line.getByRole('link', { name: code }).click()
    await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
  })

  test('money that needs a person leaves the list with a note', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    leaveOpen(server, { code, detail: 'pay_4711' })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    const row = page.locator('li', { hasText: 'Less money than asked' })
    await expect(row).toContainText(/₹100.*pay_4711/)
    await expect(row.getByRole('link', { name: code })).toBeVisible()
    await row.getByRole('button', { name: 'Resolve: Less money than asked, ₹100' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    const save = dialog.getByRole('button', { name: 'Resolve' })
    await expect(save).toBeDisabled()
    await dialog.getByRole('textbox').fill('Paid back by bank transfer 12')
    await save.click()
    await expect(toastOf(page, 'Resolved')).toBeVisible()
    await expect(page.getByText('Nothing needs attention.')).toBeVisible()
    expect(server.rows('select resolution, resolved_by_name as by from attention')).toEqual([
      { resolution: 'Paid back by bank transfer 12', by: 'Asha Admin' },
    ])
  })

  test('a refund made at the provider leads to the order whose ticket is to be cancelled', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    leaveOpen(server, { code, detail: 'rfnd_4711', kind: 'refundedElsewhere' })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    const row = page.locator('li', { hasText: 'Refunded at the provider, ticket still valid' })
    await expect(row).toContainText(/₹100.*rfnd_4711/)
    await row.getByRole('link', { name: code }).click()
    await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
  })

  test('a manager sees Books and totals, and nothing else of orders', async ({ page, server }) => {
    const { code } = await orderByUpi(server)
    await confirmUpi(server, code, '412345678901')
    await restoreSession(page, 'manager')
    await page.goto('/dashboard/manager')
    const rail = page.getByRole('navigation', { name: 'Dashboard' })
    await expect(rail.getByRole('link')).toHaveText(['Home', 'Evening', 'Users', 'Analytics', 'Money'])
    await rail.getByRole('link', { name: 'Money' }).click()
    await expect(page.getByText('Balanced')).toHaveCount(BOOK_RULES.length)
    await expect(page.getByRole('table', { name: 'Totals by day' })).toContainText(/Web.*UPI.*₹299/)
    await expect(page.getByRole('heading', { name: 'Money that needs a person' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Cash sessions' })).toHaveCount(0)
    expect(page.network.asked.filter((url) => /attention|cash-sessions|admin\/orders(\?|$)/.test(url))).toEqual([])
    await page.goto('/dashboard/manager/orders')
    await expect(page).toHaveURL(/\/dashboard\/manager$/)
  })
})
