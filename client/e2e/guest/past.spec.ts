import { changeEvent, closeEvent, runningNow } from '../support/event.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { inMenu, openDashboard } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

test('tickets of a closed event are past ones: seen, without a code, and nothing about them can be changed', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [unused, cancelled] = await guest.buy(2)
  await guest.call('cancelTicket', { params: { id: cancelled?.id ?? '' }, body: { reason: 'Away' } })
  await closeEvent(server)

  await restoreSession(page, 'guest')
  await page.goto('/dashboard/guest')
  const past = page.getByRole('region', { name: 'Past (2)' })
  await expect(past.getByRole('article')).toHaveCount(2)
  const first = past.getByRole('article', { name: new RegExp(unused?.id.slice(-8) ?? '') })
  await expect(first).toContainText('Garba Rass 2025')
  await expect(first).toContainText('Not used')
  await expect(first).toContainText('The event is over')
  await expect(past).toContainText('Refund Pending')
  await expect(past.getByRole('button', { name: /^Name on ticket/ })).toHaveCount(0)
  await expect(past.getByRole('link')).toHaveCount(0)
  await expect(await inMenu(page, first, 'Details')).toBeVisible()
  for (const name of ['Cancel', 'Show QR Code', 'Print'])
    await expect(page.getByRole('menuitem', { name })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toHaveCount(0)
  await expect(page.getByText('There is no event yet.')).toHaveCount(0)
  await expect(page.getByText('Total', { exact: true })).toHaveCount(0)
  await expect(page.getByText('No event is on sale right now.')).toBeVisible()
  await expect(page.getByRole('region', { name: /^Active/ })).toHaveCount(0)
})

test('on the evening the page stamps a ticket by itself when the gate lets its holder in, and asks no more afterwards', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await changeEvent(await server.api('admin'), runningNow())
  await page.clock.install()
  await openDashboard(page)
  await expect(page.getByRole('article')).toContainText('Doors open at')
  await (await server.api('checker')).call('markUsed', { body: { qrCode: ticket.qrCode } })
  let asked = 0
  await page.route('**/api/tickets/my-tickets', (route) => {
    asked += 1
    return route.continue()
  })
  await page.clock.runFor(30_000)
  await expect(page.getByRole('article')).toContainText('Entry Completed')
  await expect(page.getByRole('article').locator('svg[data-fresh]')).toHaveText('Entered')
  const keepsake = page.getByRole('heading', { name: /^\d+:\d\d [AP]M, light 1 of the circle$/ })
  await expect(keepsake).toBeVisible()
  await expect(page.getByText('Thank you for dancing with us.')).toHaveCount(0)
  expect(asked).toBe(1)
  await page.clock.runFor(120_000)
  expect(asked).toBe(1)
})

test('the morning after, the entry stays on the page as a keepsake, with thanks, and an unused ticket says that the event is over, by the clock of the device and without a server', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  await changeEvent(await server.api('admin'), runningNow())
  await (await server.api('checker')).call('markUsed', { body: { qrCode: ticket.qrCode } })
  await openDashboard(page)
  const keepsake = page.getByText(/^\d+:\d\d [AP]M, light 1 of the circle$/)
  await expect(keepsake).toBeVisible()
  const unused = page.getByRole('article').filter({ hasNotText: 'Entry Completed' })
  await expect(unused).toContainText('Ready for Entry')
  await expect(page.getByText('Updated just now')).toBeVisible()
  await cutBefore(page, EVERYTHING)
  await page.clock.setFixedTime(Date.now() + 2 * 86_400_000)
  await page.goto('/dashboard/guest')
  await expect(keepsake).toBeVisible()
  await expect(page.getByText('Thank you for dancing with us.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Share on WhatsApp' })).toHaveAttribute('href', /light%201%20of/)
  await expect(unused).toContainText('The event is over')
  await expect(unused).not.toContainText('Ready for Entry')
})

test('on other days nothing is asked without reason, and an entry of before is stamped already', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [used] = await guest.buy(2)
  await (await server.api('checker')).call('markUsed', { body: { qrCode: used.qrCode } })
  await page.clock.install()
  await openDashboard(page)
  let asked = 0
  await page.route('**/api/tickets/my-tickets', (route) => {
    asked += 1
    return route.continue()
  })
  await page.clock.runFor(120_000)
  expect(asked).toBe(0)
  const row = page.getByRole('article').filter({ hasText: 'Entry Completed' })
  await expect(row).toContainText('Entered')
  await expect(row.locator('[data-fresh]')).toHaveCount(0)
})
