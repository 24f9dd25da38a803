import { rows } from '../support/desk.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { recordRequests } from '../support/network.ts'
import { restoreSession } from '../support/session.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: /^Find a view/ })
const field = (page: Page) => palette(page).getByRole('combobox')
/** The field takes what is typed from here on. */
async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}
const options = (page: Page) => palette(page).getByRole('option')

test('the rail leads to every view by keyboard, Ctrl and K to a view, a ticket or a person; the palette says when nothing matches or the search fails, and stays closed over a dialog', async ({
  page,
  server,
}) => {
  const buyer = await server.apiAs({ uid: 'hetal', email: 'hetal@buyers.test', name: 'હેતલ વ્યાસ' })
  const [ticket] = await buyer.buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  const names = [
    'Home',
    'Evening',
    'Tickets',
    'Users',
    'Orders',
    'Money',
    'Analytics',
    'Event',
    'Devices',
    'Audit',
    'Emails',
  ]
  await expect(rail.getByRole('link')).toHaveText(names)
  await expect(rail.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  await rail.getByRole('link', { name: 'Home' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(rail.getByRole('link', { name: 'Tickets' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Manage Tickets' })).toBeVisible()
  await expect(rail.getByRole('link', { name: 'Tickets' })).toHaveAttribute('aria-current', 'page')
  // A new page begins at its content, not at the rail.
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeFocused()

  const find = rail.getByRole('button', { name: 'Find' })
  await find.focus()
  await openPalette(page)
  await expect(options(page)).toHaveText(names)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(find).toBeFocused()

  await openPalette(page)
  await page.keyboard.type('even')
  await expect(options(page)).toHaveText(['Evening', 'Event'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/admin\/event$/)
  await expect(palette(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()

  await openPalette(page)
  await expect(field(page)).toHaveValue('')
  // Pasted, because typed at once and ended with Enter it would be a hardware scanner's.
  await field(page).fill(ticket.id.slice(-8))
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toContainText('હેતલ વ્યાસ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboard/admin/tickets\\?search=${ticket.id}$`))
  await expect(rows(page, 'Tickets')).toHaveCount(1)

  await openPalette(page)
  await page.keyboard.type('hetal@buyers')
  const person = palette(page).getByRole('group', { name: 'People' }).getByRole('option')
  await expect(person).toContainText('hetal@buyers.test')
  await person.click()
  await expect(page).toHaveURL(/\/dashboard\/admin\/users\?search=hetal%40buyers\.test$/)
  await expect(rows(page, 'Users')).toHaveCount(1)

  await openPalette(page)
  await page.keyboard.type('nobody is called so')
  await expect(palette(page).getByText('Nothing matches.')).toBeVisible()
  await page.route('**/api/admin/users?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await field(page).fill('nobody at all')
  await expect(palette(page).getByText('The search didn’t work. Please try again.')).toBeVisible()
  await page.unrouteAll()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await page
    .getByRole('button', { name: /Change role: (?!Asha)/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Change role' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
})

test('a manager finds views and people, and no tickets are asked for', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await restoreSession(page, 'manager')
  const asked = recordRequests(page)
  await page.goto('/dashboard/manager')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(options(page)).toHaveText(['Home', 'Evening', 'Users', 'Analytics', 'Money'])
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('garima')
  await expect(palette(page).getByRole('option')).toContainText('guest@garba.test')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/manager\/users\?search=guest%40garba\.test$/)
  expect(asked.filter((url) => url.includes('/tickets/'))).toEqual([])
})
