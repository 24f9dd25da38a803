import { eventOf } from '../e2e/support/event.ts'
import { expect, type Tab, test } from './support/fixtures.ts'
import { enter, expectToFit } from './support/people.ts'

const TICKETS = '/dashboard/admin/tickets'

const ticketRows = (tab: Tab) =>
  tab
    .getByRole('table', { name: 'Tickets' })
    .getByRole('row')
    .filter({ has: tab.getByRole('cell') })

test('tickets are listed, filtered, searched and exported', async ({ tab, server, front }) => {
  const tickets = await (await server.api('guest')).buy(3)
  await (await server.api('admin')).call('setTicketStatus', { params: { id: tickets[0].id }, body: { status: 'used' } })
  await enter(tab, 'admin')
  await tab.goto(TICKETS)
  await expect.poll(() => ticketRows(tab).count()).toBe(3)
  await expectToFit(tab)
  await tab.getByRole('combobox', { name: 'Status', exact: true }).click()
  await tab.getByRole('option', { name: 'Active', exact: true }).click()
  await expect.poll(() => ticketRows(tab).count()).toBe(2)
  await tab.getByRole('searchbox').fill(tickets[1].id)
  await expect.poll(() => ticketRows(tab).count()).toBe(1)
  expect(await tab.path()).toBe(`${TICKETS}?status=active&search=${tickets[1].id}`)
  await tab.getByRole('button', { name: 'Export CSV' }).click()
  await tab.locator('[data-sonner-toast]').filter({ hasText: 'Tickets exported successfully' }).waitFor()
  expect(front.asked.filter((one) => one.includes('/export'))).toEqual([
    expect.stringContaining(`search=${tickets[1].id}`),
  ])
})

test('the palette leads to the event, whose new text reaches the landing page', async ({ tab, server }) => {
  await enter(tab, 'admin')
  await tab.goto('/dashboard/admin')
  await tab.getByRole('heading', { level: 1 }).waitFor()
  await tab.keyboard.press('Control+k')
  const palette = tab.getByRole('dialog', { name: /^Find a view/ })
  await palette.getByRole('combobox').waitFor()
  await tab.keyboard.type('even')
  await expect.poll(() => palette.getByRole('option').allTextContents()).toEqual(['Evening', 'Event'])
  await tab.keyboard.press('ArrowDown')
  await tab.keyboard.press('Enter')
  await expect.poll(() => tab.path()).toBe('/dashboard/admin/event')

  await tab.getByRole('button', { name: 'Edit Event Details' }).click()
  await tab.getByLabel('Venue', { exact: true }).fill('Rangmanch Garden, Ahmedabad')
  await expectToFit(tab)
  await tab.getByRole('button', { name: 'Save Changes' }).click()
  await tab.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect.poll(async () => (await eventOf(server)).venue).toBe('Rangmanch Garden, Ahmedabad')
  await tab.goto('/')
  await tab.locator('section#venue').getByText('Rangmanch Garden').first().waitFor()
})

test('every view of the desk fits a small phone and a desk', async ({ tab, server }) => {
  await (await server.api('guest')).buy(3)
  await enter(tab, 'admin')
  for (const view of ['', '/gate', '/users', '/analytics', '/audit']) {
    await tab.goto(`/dashboard/admin${view}`)
    await tab.getByRole('heading', { level: 1 }).waitFor()
    await expectToFit(tab)
  }
})
