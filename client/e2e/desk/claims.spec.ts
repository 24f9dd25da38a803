import { must, UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const sellByCard = async (server: TestServer, reference: string, quantity = 1) =>
  must(
    (await server.api('admin')).call('sellAtDesk', {
      body: { method: 'card', quantity, name: 'Meera', reference },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }),
  )

test.describe('where cards are taken', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('card sales are ticked off against the terminal’s total, and not against another one', async ({
    page,
    server,
  }) => {
    await sellByCard(server, '4711')
    await sellByCard(server, '4712', 2)
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    const line = page.locator('li', { hasText: '2 sales' })
    await expect(line).toContainText(/Card.*₹897.*Asha Admin/)
    // The matters of single sales are on their orders.
    await expect(page.getByText('Nothing needs attention.')).toBeVisible()
    await line.getByRole('button', { name: /^Tick off: Card terminal, Asha Admin/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Tick off against the terminal' })
    await dialog.getByRole('textbox').fill('598')
    await dialog.getByRole('button', { name: 'Tick off' }).click()
    await expect(toastOf(page, /Not ticked off: These card sales are for ₹897/)).toBeVisible()
    await dialog.getByRole('textbox').fill('897')
    await dialog.getByRole('button', { name: 'Tick off' }).click()
    await expect(toastOf(page, 'Ticked off')).toBeVisible()
    await expect(page.getByText('Sales to prove')).toBeHidden()
    expect(server.rows('select count(*) as n from attention where resolved_at is null')).toEqual([{ n: 0 }])
  })
})
