import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { openDashboard, ticketCards } from '../support/guest.ts'
import { linkOf, placed, wayBack } from '../support/paying.ts'
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

test.describe('where tickets are paid for', () => {
  test.use({ serverOptions: { paid: true } })

  test('an offer waits as an order, and becomes a ticket with the payment', async ({ page, server }) => {
    const checker = await server.api('checker')
    server.double.pay(linkOf(server, await placed(checker, 2)).id)
    const tickets = () => server.rows<{ id: string }>('select id from tickets order by id')
    await expect.poll(tickets).toHaveLength(2)
    await changeEvent(await server.api('admin'), { totalTickets: 2 })
    await openDashboard(page)
    await page.getByRole('button', { name: 'Wait for Tickets' }).click()
    await expect(page.getByText('You are first in line.')).toBeVisible()
    await checker.call('cancelTicket', { params: { id: tickets()[0]?.id ?? '' }, body: { reason: 'Away' } })

    await page.reload()
    await expect(page.getByText(/1 ticket held for you until/)).toBeVisible()
    await expect(page.getByText('You have an order waiting')).toBeVisible()
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await expect.poll(() => page.url()).toContain(`${server.double.url}/pay/`)
    server.double.pay(page.url().split('/pay/')[1] ?? '')
    await page.goto(wayBack(server))
    await expect(ticketCards(page)).toHaveCount(1)
  })
})
