import { choose, fillEvent, rows } from '../support/desk.ts'
import { closeEvent, endEvent } from '../support/event.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

/** The demo's evening was yesterday; three tickets were sold, one of them was cancelled in time. */
async function openAfterwards({ page, server }: { page: Page; server: TestServer }, view = 'event') {
  const guest = await server.api('guest')
  const tickets = await guest.buy(3)
  await guest.call('cancelTicket', { params: { id: tickets[0]?.id ?? '' }, body: { reason: 'Away' } })
  endEvent(server)
  await restoreSession(page, 'admin')
  await page.goto(`/dashboard/admin/${view}`)
  return { guest, tickets }
}

const chooser = (page: Page) => page.getByRole('combobox', { name: 'Event', exact: true })

test('an event can be closed once it has ended, not before, on a laptop whose clock is months behind too', async ({
  page,
  server,
}) => {
  await page.clock.install({ time: Date.now() - 90 * 86_400_000 })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  const button = page.getByRole('button', { name: 'Close Event' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription('You can close the event once it has ended.')
  await expect(chooser(page)).toHaveCount(0)
  endEvent(server)
  await page.reload()
  await expect(button).toBeEnabled()
})

test('an event that is over takes new texts; closing asks first, and then the next event can be created', async ({
  page,
  server,
}) => {
  await openAfterwards({ page, server })
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Description', { exact: true }).fill('What a night it was.')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, 'Event updated successfully!')).toBeVisible()
  expect(server.rows('select description from events')).toEqual([{ description: 'What a night it was.' }])

  await page.getByRole('button', { name: 'Close Event' }).click()
  const question = page.getByRole('alertdialog', { name: 'Close Garba Rass 2025?' })
  await expect(question).toContainText('A closed event cannot be opened again.')
  await question.getByRole('button', { name: 'Keep it open' }).click()
  await expect(question).toBeHidden()
  expect(server.rows('select closed_at from events')).toEqual([{ closed_at: null }])

  await page.getByRole('button', { name: 'Close Event' }).click()
  await question.getByRole('button', { name: 'Close Event' }).click()
  await expect(toastOf(page, 'Event closed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
  await fillEvent(page)
  await page.getByLabel('Event name').fill('Garba Rass 2026')
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, 'Event created successfully!')).toBeVisible()
  expect(server.rows('select name from events where closed_at is null')).toEqual([{ name: 'Garba Rass 2026' }])
})

test('a closed event is chosen on each view, can be read and exported, and only its refunds change', async ({
  page,
  server,
}) => {
  const { tickets } = await openAfterwards({ page, server }, 'tickets')
  const id = await closeEvent(server)
  await page.reload()
  await expect(chooser(page)).toContainText('No current event')
  await expect(rows(page, 'Tickets')).toHaveCount(tickets.length)
  await expect(page.getByText(/^Garba Rass 2025 was closed on .* Only refunds can still be recorded\.$/)).toBeVisible()

  await choose(chooser(page), `Garba Rass 2025, ${dayText(server)}`)
  await expect(page).toHaveURL(new RegExp(`\\?event=${id}$`))
  // The rows are the same, so only the chooser tells that the view has changed.
  await expect(chooser(page)).toContainText('Garba Rass 2025')
  await expect(rows(page, 'Tickets')).toHaveCount(tickets.length)
  await expect(page.getByText(/^Garba Rass 2025 was closed on .* Only refunds can still be recorded\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Delete ticket/ })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: /^Status of ticket/ })).toHaveCount(0)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await expect(page.getByText('3 tickets selected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Bulk update' })).toHaveCount(0)
  await choose(page.getByRole('combobox', { name: /^Refund of ticket/ }), 'Done')
  await expect(toastOf(page, 'Refund state updated successfully')).toBeVisible()

  const asked = Promise.withResolvers<string>()
  await page.route('**/api/admin/tickets/export*', async (route) => {
    asked.resolve(new URL(route.request().url()).search)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect(await asked.promise).toContain(`event=${id}`)

  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  await rail.getByRole('link', { name: 'Analytics' }).click()
  await expect(page).toHaveURL(new RegExp(`/analytics\\?event=${id}$`))
  await expect(page.getByText(/^2 sold, /)).toBeVisible()
  await rail.getByRole('link', { name: 'Evening' }).click()
  await expect(page.getByText('Tickets not used', { exact: true })).toBeVisible()
  await rail.getByRole('link', { name: 'Audit' }).click()
  await expect(rows(page, 'Audit trail').first()).toContainText('Refund recorded')
  await rail.getByRole('link', { name: 'Orders' }).click()
  const [{ code } = { code: '' }] = server.rows<{ code: string }>('select code from orders')
  await page.getByRole('link', { name: code, exact: true }).click()
  await expect(page.getByRole('link', { name: `Ticket ${tickets[0]?.id.slice(-8)}` })).toBeVisible()
  await page.getByRole('link', { name: 'All orders' }).click()
  await expect(page).toHaveURL(new RegExp(`/orders\\?event=${id}$`))
  await page.getByRole('link', { name: code, exact: true }).click()
  await page.getByRole('link', { name: `Ticket ${tickets[0]?.id.slice(-8)}` }).click()
  await expect(rows(page, 'Tickets')).toHaveCount(1)
  await rail.getByRole('link', { name: 'Event', exact: true }).click()
  await expect(page.getByText(/^Rangmanch Grounds/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toHaveCount(0)
  // A link with a character missing shows no other event, nor the form for a new one.
  await page.goto(`/dashboard/admin/event?event=${id.slice(1)}`)
  await expect(page.getByRole('alert')).toContainText('This event was not found.')
  await expect(page.getByRole('button', { name: 'Create Event' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Close Event' })).toHaveCount(0)

  await choose(chooser(page), 'No current event')
  await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
})

const dayText = (server: TestServer) => {
  const [{ date } = { date: '' }] = server.rows<{ date: string }>('select date from events')
  return new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  )
}
