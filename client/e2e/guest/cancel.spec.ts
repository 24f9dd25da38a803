import { changeEvent, dayAhead } from '../support/event.ts'
import { cutAfter, hold } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { countPresses, inMenu, openDashboard, ticketCards, total } from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { expectInTime } from '../support/time.ts'

const cancelled = 'select status, cancellation_reason as reason from tickets'
const cancelledOnes = "select cancellation_reason as reason from tickets where status = 'cancelled'"

async function openCancelling(page: Page) {
  await (await inMenu(page, ticketCards(page).first(), 'Cancel')).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Cancel Ticket' })).toBeVisible()
  return dialog
}

async function toSecondStep(page: Page, reason: string) {
  const dialog = await openCancelling(page)
  await dialog.getByRole('textbox', { name: 'Reason for cancellation' }).fill(reason)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  await expect(dialog.getByRole('heading', { name: 'Confirm Cancellation' })).toBeVisible()
  return dialog
}

test('a phone whose clock is known to be days ahead still cancels in time', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await changeEvent(await server.api('admin'), { date: dayAhead(12) })
  const ahead = 4 * 86_400_000
  await page.goto('/healthz')
  await page.evaluate((offset) => localStorage.setItem('garba.clockOffset', offset), String(-ahead))
  await page.clock.install({ time: Date.now() + ahead })
  await openDashboard(page)
  const dialog = await toSecondStep(page, 'Ill')
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(toastOf(page, '🚫 Ticket cancelled successfully!')).toBeVisible()
  expect(server.rows(cancelled)).toEqual([{ status: 'cancelled', reason: 'Ill' }])
})

test('a ticket is cancelled in two steps that show the rule, the refund as a sum, and what is final', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(4)
  await changeEvent(await server.api('admin'), { date: dayAhead(45) })
  await openDashboard(page)
  const id = (await ticketCards(page).first().getByRole('heading').textContent())?.slice(-8) ?? ''
  const dialog = await openCancelling(page)
  for (const text of [
    `Ticket ID${id}`,
    'Garima Guest',
    'Garba Rass 2025',
    '₹249',
    'Active',
    '5-7 business days',
    '0/500',
  ])
    await expect(dialog).toContainText(text)
  await expect(dialog).toContainText('45 days remaining until the event. You can cancel this ticket.')
  await expect(dialog).toContainText(/Ticket price₹249Payment gateway−₹25Platform−₹15Refund amount₹209/)

  const next = dialog.getByRole('button', { name: 'Continue Cancellation' })
  const reason = dialog.getByRole('textbox', { name: 'Reason for cancellation' })
  const agree = dialog.getByRole('checkbox')
  await expect(next).toBeDisabled()
  await expect(next).toHaveAccessibleDescription('Write a reason to continue.')
  await agree.check()
  await expect(next).toBeDisabled()
  await reason.fill('   ')
  await reason.blur()
  await expect(dialog.getByText('Reason is required')).toBeVisible()
  await expect(next).toBeDisabled()
  await reason.fill('x'.repeat(501))
  await expect(dialog).toContainText('501/500')
  await expect(dialog.getByText('Reason must be at most 500 characters')).toBeVisible()
  await expect(next).toBeDisabled()
  // An emoji is one character, as the server counts.
  await reason.fill(`${'x'.repeat(498)}💃🪔`)
  await expect(dialog).toContainText('500/500')
  await expect(next).toBeEnabled()
  await reason.fill('x'.repeat(500))
  await expect(next).toBeEnabled()
  await agree.uncheck()
  await expect(next).toBeDisabled()
  await agree.check()
  await reason.fill('  A family function that evening ')
  await next.click()

  await expect(dialog.getByRole('heading', { name: 'Confirm Cancellation' })).toBeVisible()
  const chosen = await dialog
    .locator('dt', { hasText: 'Ticket ID' })
    .evaluate((term) => term.parentElement?.querySelector('dd')?.textContent)
  for (const text of ['This action cannot be undone', 'Garba Rass 2025', '₹209', 'A family function that evening'])
    await expect(dialog).toContainText(text)
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(reason).toHaveValue('  A family function that evening ')
  await expect(agree).toBeChecked()
  await next.click()
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()

  await expect(toastOf(page, '🚫 Ticket cancelled successfully!')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Cancelled (1)' })).toBeVisible()
  await expect(ticketCards(page).filter({ hasText: 'Refund Pending' })).toBeFocused()
  await expect(total(page, 'Active')).toHaveText('3')
  await expect(page.getByText('1,197 tickets remaining')).toBeVisible()
  expect(ticket._id).toHaveLength(26)
  const rows = server.rows<{ id: string; status: string; reason: string }>(
    "select id, status, cancellation_reason as reason from tickets where status = 'cancelled'",
  )
  expect(rows).toEqual([
    {
      id: expect.stringMatching(new RegExp(`${chosen}$`)),
      status: 'cancelled',
      reason: 'A family function that evening',
    },
  ])
})

test('four tickets are cancelled with five taps and one reason, and the refund is the sum of all', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(4)
  await openDashboard(page)
  const dialog = page.getByRole('dialog')
  const taps = await countPresses(page)
  await page.getByRole('button', { name: 'All 4 tickets' }).click()
  await page.getByRole('menuitem', { name: 'Cancel all 4 tickets' }).click()
  await expect(dialog).toContainText(/Ticket price₹996Payment gateway−₹100Platform−₹60Refund amount₹836/)
  await dialog.getByRole('textbox', { name: 'Reason for cancellation' }).fill('Ill')
  await dialog.getByRole('checkbox').click()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  await expect(dialog).toContainText('₹836')
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(toastOf(page, '🚫 Ticket cancelled successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Cancelled (4)' })).toBeVisible()
  expect(await taps()).toBe(5)
  expect(server.rows(cancelled)).toEqual(Array(4).fill({ status: 'cancelled', reason: 'Ill' }))
})

test('of several tickets, those that could not be cancelled are left for the next attempt, without one that was cancelled elsewhere', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const bought = await guest.buy(4)
  await openDashboard(page)
  const dialog = await openCancelling(page)
  await dialog.getByRole('button', { name: 'Cancel all 4 tickets' }).click()
  await dialog.getByRole('textbox', { name: 'Reason for cancellation' }).fill('Ill')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  const id = bought[0]._id
  await expect(dialog).toContainText('₹836')
  await guest.call('cancelTicket', { params: { id }, body: { reason: 'On my other phone' } })
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(dialog.getByText('Only an active ticket can be cancelled.')).toBeVisible()
  await expect(dialog).toContainText('₹627')
  await expect(dialog).not.toContainText(id.slice(-8))
  let asked = 0
  await page.route('**/api/tickets/cancel/**', (route) => {
    asked += 1
    return asked === 2
      ? route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'x' } })
      : route.continue()
  })
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(dialog.getByText(/it counts once/)).toBeVisible()
  const done = server.rows<{ id: string }>("select id from tickets where status = 'cancelled' and id <> ?", id)
  expect(done).toHaveLength(1)
  // The cancelled ticket is neither asked about again nor listed as news.
  await expect(dialog).toContainText('₹418')
  await expect(dialog).not.toContainText(done[0]?.id.slice(-8) ?? '')
  await expect(page.getByText('What changed')).toBeVisible()
  await expect(page.getByText(/: Refund Pending$/)).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog).toContainText('You can cancel this ticket.')
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(page.getByRole('heading', { name: 'Cancelled (4)' })).toBeVisible()
  expect(asked).toBe(4)
})

test('ten days before the event a ticket can be cancelled, nine days before it cannot', async ({ page, server }) => {
  const [guest, admin] = [await server.api('guest'), await server.api('admin')]
  await guest.buy(1)
  await changeEvent(admin, { date: dayAhead(10) })
  await openDashboard(page)
  const allowed = await openCancelling(page)
  await expect(allowed).toContainText('10 days remaining until the event. You can cancel this ticket.')
  await allowed.getByRole('button', { name: 'Close' }).first().click()
  await changeEvent(admin, { date: dayAhead(9) })
  await page.reload()
  const refused = await openCancelling(page)
  await expect(refused).toContainText(
    'Tickets can only be cancelled at least 10 days before the event. Only 9 days remaining until the event.',
  )
  await expect(refused.getByRole('button', { name: 'Cannot Cancel' })).toBeDisabled()
  await expect(refused.getByRole('textbox')).toHaveCount(0)
  await refused.getByRole('button', { name: 'Close' }).first().click()
  await expect(refused).toBeHidden()
})

test('without a server the dialog keeps what was typed, and the retry cancels; a cancellation whose answer is lost or an error counts once', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(3)
  await openDashboard(page)
  const dialog = await toSecondStep(page, 'Ill')
  const retry = async (cancelled: number) => {
    await dialog.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { name: `Cancelled (${cancelled})` })).toBeVisible()
    await expect(toastOf(page, '🚫 Ticket cancelled successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(server.rows(`${cancelledOnes} order by id`)).toEqual(Array(cancelled).fill({ reason: 'Ill' }))
  }
  await page.clock.install()
  await server.stop()
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expectInTime(
    toastOf(page, 'Failed to cancel ticket: Network error. Please check your connection and try again.'),
  )
  await expect(dialog).toContainText('Ill')
  await server.start()
  await retry(1)

  await toSecondStep(page, 'Ill')
  const cut = await cutAfter(page, '**/api/tickets/cancel/**')
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expectInTime(dialog.getByText(/it counts once/))
  await cut.end()
  await retry(2)

  await toSecondStep(page, 'Ill')
  await page.route('**/api/tickets/cancel/**', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'x' } })
  })
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Server error. Please try again later.')
  await expect(dialog.getByRole('alert')).toContainText(/it counts once/)
  await page.unrouteAll()
  await retry(3)
})

test('a ticket used while the dialog is open is not cancelled, and the dialog says why', async ({ page, server }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  const dialog = await toSecondStep(page, 'Ill')
  await (await server.api('checker')).call('markUsed', { body: { qrCode: ticket.qrCode } })
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(toastOf(page, 'Failed to cancel ticket: Only an active ticket can be cancelled.')).toBeVisible()
  await expect(dialog.getByText('The ticket was not cancelled')).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByRole('button', { name: 'Cannot Cancel' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(ticketCards(page)).toContainText('Entry Completed')
  expect(server.rows(cancelled)).toEqual([{ status: 'used', reason: null }])
})

test('a dialog that was left in its second step opens with the first and keeps the reason; a read-only server refuses in words of its own; while cancelling, the dialog cannot be closed', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await toSecondStep(page, 'Ill')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const dialog = await openCancelling(page)
  await expect(dialog.getByRole('textbox', { name: 'Reason for cancellation' })).toHaveValue('Ill')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()

  const refusal = { success: false, code: 'READ_ONLY', message: 'x' }
  await page.route('**/api/tickets/cancel/**', (route) => route.fulfill({ status: 503, json: refusal }))
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  const said = dialog.getByRole('alert')
  await expect(said).toContainText('The ticket was not cancelled')
  await expect(said).toContainText('Tickets can’t be bought or changed at the moment.')
  await page.unrouteAll()

  const held = await hold(page, '**/api/tickets/cancel/**')
  await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancelling...' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Back' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await held.end()
  await expect(dialog).toBeHidden()
})
