import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { openDashboard } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

test('a guest waits for returned tickets, is offered them, takes them up or stops waiting, and the desk sees the line', async ({
  page,
  server,
}) => {
  const [checker, admin] = [await server.api('checker'), await server.api('admin')]
  const bought = await checker.buy(2)
  await changeEvent(admin, { totalTickets: 2 })
  await openDashboard(page)
  await page.getByRole('button', { name: 'One ticket more' }).click()
  await page.getByRole('button', { name: 'Wait for Tickets' }).click()
  await expect(page.getByText('You are waiting for 2 tickets.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop Waiting' }).click()
  await page.getByRole('button', { name: 'Wait for Tickets' }).click()
  await expect(page.getByText('You are first in line.')).toBeVisible()

  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByText('1 person waits for 2 tickets, first in line first.')).toBeVisible()
  await expect(page.getByText('Garima Guest: 2 tickets')).toBeVisible()
  for (const { _id: id } of bought) await checker.call('cancelTicket', { params: { id }, body: { reason: 'Away' } })
  await page.reload()
  await expect(page.getByText(/On offer to Garima Guest: 2 tickets until/)).toBeVisible()

  await openDashboard(page)
  await expect(page.getByText(/2 tickets held for you until/)).toBeVisible()
  await page.getByRole('button', { name: 'Get 2 tickets' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('held for you')).toHaveCount(0)
})

test.describe('without a waiting list', () => {
  test.use({ serverOptions: { env: { WAITING_LIST: 'off' } } })

  test('a sold-out event offers none', async ({ page, server }) => {
    await (await server.api('checker')).buy(2)
    await changeEvent(await server.api('admin'), { totalTickets: 2 })
    await openDashboard(page)
    await expect(page.getByRole('button', { name: 'Event Sold Out' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Wait for Tickets' })).toHaveCount(0)
  })
})
