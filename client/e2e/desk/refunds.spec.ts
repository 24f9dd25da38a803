import { choose, rows } from '../support/desk.ts'
import { must } from '../support/deskMoney.ts'
import { expect, test } from '../support/fixtures.ts'
import { linkOf, placed } from '../support/paying.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test('refunds: what is due with its sum, many recorded with one note, and the list exported', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const tickets = await guest.buy(5)
  for (const { id } of tickets.slice(0, 4))
    await guest.call('cancelTicket', { params: { id }, body: { reason: 'My mother is ill' } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await choose(page.getByRole('combobox', { name: 'Status', exact: true }), 'Refund due')
  await expect(page).toHaveURL(/\?status=refund-due$/)
  // 249 rupees at the group price, less 40.
  await expect(page.getByText('₹836 to pay back.')).toBeVisible()
  // The number of tickets is shown once.
  await expect(page.getByText(/4 tickets|of 4/)).toHaveCount(1)
  await expect(rows(page, 'Tickets')).toHaveCount(4)
  await expect(rows(page, 'Tickets').first()).toContainText('₹209 · My mother is ill')

  const asked = Promise.withResolvers<string>()
  await page.route('**/api/admin/tickets/export*', async (route) => {
    asked.resolve(route.request().url())
    await route.continue()
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect(new URL(await asked.promise).search).toBe('?refund=due&format=csv')

  await page
    .getByRole('checkbox', { name: /^Select ticket/ })
    .first()
    .check()
  await page
    .getByRole('checkbox', { name: /^Select ticket/ })
    .last()
    .check()
  await page.getByRole('button', { name: 'Record refunds' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record refunds' })
  await expect(dialog).toContainText('₹418 for 2 tickets.')
  const save = dialog.getByRole('button', { name: 'Record refunds' })
  await expect(save).toBeDisabled()
  await choose(dialog.getByRole('combobox', { name: 'New refund state' }), 'Done')
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Transfer 4711')
  await save.click()
  await expect(toastOf(page, '2 refunds recorded')).toBeVisible()
  await expect(rows(page, 'Tickets')).toHaveCount(2)
  await expect(page.getByText('₹418 to pay back.')).toBeVisible()
  expect(server.rows("select detail from audit where action = 'ticket.refund'")).toEqual([
    { detail: 'Refund Pending -> Done; Transfer 4711' },
    { detail: 'Refund Pending -> Done; Transfer 4711' },
  ])
  await choose(page.getByRole('combobox', { name: 'Status', exact: true }), 'Refund done')
  await expect(page.getByText('₹418 paid back.')).toBeVisible()

  // Refunds are for cancelled tickets only.
  await choose(page.getByRole('combobox', { name: 'Status', exact: true }), 'Active')
  await expect(rows(page, 'Tickets')).toHaveCount(1)
  await page
    .getByRole('checkbox', { name: /^Select ticket/ })
    .first()
    .check()
  await expect(page.getByRole('button', { name: 'Bulk update' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Record refunds' })).toHaveCount(0)
})

test('what a selection offers follows its tickets when they change in the list', async ({ page, server }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await page.getByRole('checkbox', { name: /^Select ticket/ }).check()
  await expect(page.getByRole('button', { name: 'Bulk update' })).toBeVisible()
  const admin = await server.api('admin')
  await admin.call('setTicketStatus', { params: { id: ticket?.id ?? '' }, body: { status: 'cancelled' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('button', { name: 'Record refunds' }).click()
  await expect(page.getByRole('dialog', { name: 'Record refunds' })).toContainText('₹259 for 1 ticket.')
})

test.describe('where guests pay through the provider', () => {
  test.use({ serverOptions: { paid: true } })

  test('a refund whose answer was lost is waited for in view, and cannot be changed until the provider answers', async ({
    page,
    server,
  }) => {
    const guest = await server.api('guest')
    const code = await placed(guest, 1)
    server.double.pay(linkOf(server, code).id)
    await expect.poll(() => server.rows('select id from tickets').length).toBe(1)
    const [{ id } = { id: '' }] = server.rows('select id from tickets') as { id: string }[]
    server.double.setFaults({ lostRefundAnswer: 1, lostEvent: 1 })
    await must(guest.call('cancelTicket', { params: { id }, body: { reason: 'Away' } }))
    await expect
      .poll(() => server.rows('select state, attempts from refunds'))
      .toEqual([{ state: 'asking', attempts: 1 }])
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/tickets?status=refund-due')
    await expect(page.getByText('Waiting for the provider')).toBeVisible()
    await expect(page.getByRole('combobox', { name: /^Refund of ticket/ })).toHaveCount(0)
    await page.goto(`/dashboard/admin/orders/${code}`)
    await expect(page.getByText(/^Waiting for the provider since .* nobody can change it yet/)).toBeVisible()
    await expect(page.getByText('Refund of ₹259: waiting for the provider’s answer')).toBeVisible()
  })
})
