import { rows } from '../e2e/support/desk.ts'
import { expect, test } from './support/fixtures.ts'
import { toastOf } from './support/screen.ts'
import { restoreSession } from './support/session.ts'

test('deleting a ticket asks first; deleting a user takes one press and keeps the tickets', async ({
  page,
  server,
}) => {
  const buyer = await server.apiAs({ uid: 'hetal', email: 'hetal@example.test', name: 'હેતલ વ્યાસ' })
  await buyer.buy(4)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await page
    .getByRole('button', { name: /Delete ticket/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click()
  await expect(rows(page, 'Tickets')).toHaveCount(4)
  await page
    .getByRole('button', { name: /Delete ticket/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete ticket' }).click()
  await expect(toastOf(page, 'Ticket deleted successfully')).toBeVisible()
  await expect(rows(page, 'Tickets')).toHaveCount(3)

  await page.goto('/dashboard/admin/users')
  const row = rows(page, 'Users').filter({ hasText: 'hetal@example.test' })
  await row.getByRole('button', { name: /Delete user/ }).click()
  await expect(toastOf(page, 'User deleted successfully')).toBeVisible()
  await expect(row).toHaveCount(0)
  // The tickets stay, with the buyer's name and email on them.
  expect(
    server.rows("select 1 from tickets where buyer_email = 'hetal@example.test' and status = 'active'"),
  ).toHaveLength(3)
})
