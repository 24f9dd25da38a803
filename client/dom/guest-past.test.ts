import { closeEvent } from '../e2e/support/event.ts'
import { expect, test } from './support/fixtures.ts'
import { openDashboard } from './support/guest.ts'
import { restoreSession } from './support/session.ts'

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
  for (const name of ['Cancel', 'Show QR', 'Name on ticket', 'Print'])
    await expect(past.getByRole('button', { name: new RegExp(`^${name}`) })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect(page.getByText('There is no event yet.')).toBeVisible()
  await expect(page.getByText('No event is on sale right now.')).toBeVisible()
  await expect(page.getByRole('region', { name: /^Active/ })).toHaveCount(0)
})

test('once the event has ended the tickets say so by the clock of the device, without a server', async ({
  page,
  context,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await expect(page.getByRole('article')).toContainText('Ready for Entry')
  await expect(page.getByText('Updated just now')).toBeVisible()
  context.setOffline(true)
  page.clock.setFixedTime(Date.now() + 60 * 86_400_000)
  await page.goto('/dashboard/guest')
  await expect(page.getByRole('article')).toContainText('The event is over')
  await expect(page.getByRole('article')).not.toContainText('Ready for Entry')
})
