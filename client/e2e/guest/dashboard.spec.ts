import type { Ticket } from '@garba/shared/contracts/ticket'
import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  buyButton,
  codes,
  entryPass,
  GUEST,
  inDetails,
  inMenu,
  openDashboard,
  openLine,
  readShown,
  ticketCards,
  total,
} from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test('a new guest sees who is signed in, what the event is, when and for how much, and that there is no ticket yet; Refresh Data shows what is new, or says why it failed', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Garima Guest!')
  await expect(page.getByText('You are logged in as Guest')).toBeVisible()
  await expect(page.getByText('guest@garba.test')).toBeHidden()
  await openLine(page, 'Your details')
  await expect(page.getByText('guest@garba.test')).toBeVisible()
  const main = page.getByRole('main')
  for (const text of ['Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad', '6:30 PM - 10:30 PM', '₹249'])
    await expect(main.getByText(text).first()).toBeVisible()
  await expect(main.getByText('1,200 tickets remaining')).toBeVisible()
  await expect(page.getByRole('button', { name: /My Tickets\s*0 tickets/ })).toBeVisible()
  for (const word of ['Total', 'Active', 'Used', 'Cancelled'] as const) await expect(total(page, word)).toHaveText('0')
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Buy Your First Ticket' }).click()
  await expect(page.getByRole('dialog', { name: 'Get Your Tickets' })).toBeVisible()
  await page.keyboard.press('Escape')

  await (await server.api('guest')).buy(2)
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(toastOf(page, 'Data refreshed successfully!')).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(2)
  await page.route('**/api/tickets/my-tickets', (route) =>
    route.fulfill({ status: 429, json: { success: false, code: 'RATE_LIMITED', message: 'x', retryAfterSeconds: 7 } }),
  )
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(toastOf(page, 'Failed to load data: Too many attempts. Please wait 7 s and try again.')).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(2)
})

test('tickets are grouped and counted by status, each with its own words, and only active ones can be cancelled', async ({
  page,
  server,
}) => {
  const [guest, checker, admin] = [await server.api('guest'), await server.api('checker'), await server.api('admin')]
  const [used, done, failed, pending, active] = await guest.buy(5)
  await checker.call('markUsed', { body: { qrCode: used.qrCode } })
  for (const ticket of [done, failed, pending])
    await guest.call('cancelTicket', { params: { id: ticket._id }, body: { reason: 'Ill' } })
  await admin.call('refund', { params: { id: done._id }, body: { isRefundDone: true } })
  await admin.call('refund', { params: { id: failed._id }, body: { isRefundDone: false } })
  await openDashboard(page)

  for (const heading of ['Active (1)', 'Used (1)', 'Cancelled (3)'])
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect(total(page, 'Total')).toHaveText('5')
  await expect(total(page, 'Cancelled')).toHaveText('3')
  const card = (ticket: Ticket) => ticketCards(page).filter({ hasText: ticket._id.slice(-8) })
  await expect(card(active)).toContainText('Ready for Entry')
  await expect(card(used)).toContainText('Entry Completed')
  await expect(card(pending)).toContainText('Refund Pending')
  await expect(card(pending)).toContainText(/Refund\s*Pending/)
  await expect(card(done)).toContainText(/Refund\s*Done/)
  await expect(card(failed)).toContainText(/Refund\s*Failed/)
  for (const [ticket, look] of [
    [done, 'used'],
    [pending, 'cancelled'],
    [failed, 'cancelled'],
  ] as const)
    await expect(card(ticket)).toHaveAttribute('data-status', look)
  for (const ticket of [used, done, failed, pending, active]) {
    await expect(await inMenu(page, card(ticket), 'Cancel')).toHaveCount(ticket === active ? 1 : 0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(1)

  await (await inMenu(page, card(used), 'Details')).click()
  await expect(card(used)).toContainText('Chetan Checker')
  await expect(card(used)).toContainText(used._id)
  await (await inMenu(page, card(used), 'Hide details')).click()
  await expect(card(used)).not.toContainText('Chetan Checker')
})

test('the code of a ticket is drawn black on white with the quiet zone of the standard, can be hidden and shown; a closed dialog gives the focus back', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  expect(await readShown(codes(page))).toBe(ticket.qrCode)
  const drawn = await codes(page).evaluate((svg) => ({
    fills: [...svg.querySelectorAll('path')].map((path) => path.getAttribute('fill')),
    box: svg.getAttribute('viewBox'),
    firstModule: svg.querySelectorAll('path')[1]?.getAttribute('d')?.slice(0, 4),
  }))
  // Version 5 has 37 modules a side; four are left free on each.
  expect(drawn).toEqual({ fills: ['#ffffff', '#000000'], box: '0 0 45 45', firstModule: 'M4 4' })
  const card = ticketCards(page)
  await (await inDetails(page, card, 'Hide QR Code')).click()
  await expect(codes(page)).toBeHidden()
  await (await inDetails(page, card, 'Show QR Code')).click()
  await expect(codes(page)).toBeVisible()

  const buy = buyButton(page)
  await buy.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(buy).toBeFocused()
  await (await inMenu(page, card, 'Cancel')).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^More for ticket/ })).toBeFocused()
})

test('the page says when it loads and, once, when that fails, with dashes for figures, and Try Again tries again', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await restoreSession(page, 'guest')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/tickets/my-tickets', async (route) => {
    await held.promise
    await route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'secret' } })
  })
  await page.route('**/api/event', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(GUEST)
  await openLine(page, 'Event and map')
  for (const part of ['Loading Tickets', 'Loading Event Details'])
    await expect(page.getByRole('status').filter({ hasText: part })).toBeAttached()
  await expect(page.getByText('Loading Tickets')).toBeVisible()
  held.resolve()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Error Loading Tickets')
  await expect(page.getByText('Server error. Please try again later.', { exact: true })).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await expect(total(page, 'Total')).toHaveText('–')
  await page.unroute('**/api/tickets/my-tickets')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(ticketCards(page)).toHaveCount(1)
  await expect(total(page, 'Total')).toHaveText('1')
})

test('an event that cannot be loaded is not called missing, and is read again by itself', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await page.route('**/api/event', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'x' } }),
  )
  await page.clock.install()
  await openDashboard(page)
  await expect(page.getByText('The event could not be loaded', { exact: true })).toBeVisible()
  await expect(page.getByText('There is no event yet.')).toHaveCount(0)
  await expect(ticketCards(page)).toContainText('Ready for Entry')
  const buy = buyButton(page)
  await expect(buy).toBeDisabled()
  await expect(buy).toHaveAccessibleDescription('The event could not be loaded')
  const cancel = await inMenu(page, ticketCards(page), 'Cancel')
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await expect(cancel).toHaveAccessibleDescription('The event could not be loaded')
  await page.unroute('**/api/event')
  await page.clock.runFor(15_000)
  await expect(cancel).not.toHaveAttribute('aria-disabled', 'true')
})

test('what changed without the guest is listed: a new time, an entry, a new code; not what the guest did', async ({
  page,
  server,
}) => {
  const [guest, checker, admin] = [await server.api('guest'), await server.api('checker'), await server.api('admin')]
  const [used, copied] = await guest.buy(2)
  await openDashboard(page)
  await changeEvent(admin, { startTime: '19:15' })
  await checker.call('markUsed', { body: { qrCode: used.qrCode } })
  await (await inMenu(page, ticketCards(page), 'Cancel')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByText('What changed')).toHaveCount(0)
  const { body } = await admin.call('newCode', { params: { id: copied?._id ?? '' } })
  const renewed = body.ticket as { _id: string }
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const news = page.getByRole('status').filter({ hasText: 'What changed' })
  await expect(news.getByRole('listitem')).toHaveText([
    'New time: 7:15 PM - 10:30 PM',
    `Ticket ${used._id.slice(-8)}: Entry Completed`,
    `Ticket ${renewed._id.slice(-8)}: New code. The old one no longer lets anybody in.`,
  ])

  // When the event is sold out, the page shows it and offers no way to buy.
  await changeEvent(admin, { totalTickets: 2 })
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByText('Sold Out!', { exact: true })).toBeVisible()
  await openLine(page, 'Prices')
  await expect(page.getByRole('button', { name: 'Event Sold Out' })).toBeDisabled()
  await expect(page.getByRole('button', { name: /Buy/ })).toHaveCount(0)
})

test('an invitation is shared where the device can share, else copied; installing is offered until it is declined', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    const share = async (data: unknown) => {
      shared.push(data)
    }
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  })
  await openDashboard(page)
  await openLine(page, 'Event and map')
  await page.getByRole('button', { name: 'Share' }).click()
  const shared = () => page.evaluate(() => (window as unknown as { shared: { title: string; text: string }[] }).shared)
  await expect
    .poll(shared)
    .toEqual([
      { title: 'Garba Rass 2025', text: expect.stringMatching(/6:30 PM - 10:30 PM.*Ahmedabad/), url: server.url },
    ])
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(toastOf(page, 'Invitation copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/Garba Rass 2025[\s\S]*http:\/\/localhost/)

  // Installing is offered quietly until it is declined, and the browser asks only when the guest wants it.
  const offer = page.getByRole('complementary', { name: 'Keep your tickets one tap away' })
  const browserOffers = () =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt'), {
        prompt: async () => {
          document.title = 'asked'
          return { outcome: 'dismissed' }
        },
      })
      window.dispatchEvent(event)
    })
  await expect(offer).toBeHidden()
  await browserOffers()
  await offer.getByRole('button', { name: 'Install' }).click()
  await expect(page).toHaveTitle('asked')
  await expect(offer).toBeHidden()
  await browserOffers()
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await browserOffers()
  await expect(offer).toBeHidden()
})

test('of many tickets the page shows some, and more when asked; the entry pass shows any of them', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  for (const quantity of [100, 50]) await guest.buy<number>(quantity)
  await openDashboard(page)
  await expect(total(page, 'Active')).toHaveText('150')
  await expect(ticketCards(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Show 100 more tickets' }).click()
  await expect(ticketCards(page)).toHaveCount(120)
  await ticketCards(page).first().getByRole('link', { name: 'Show at gate' }).click()
  await expect(entryPass(page).getByText('1 of 150')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(entryPass(page).getByText('2 of 150')).toBeVisible()
  await expect(codes(entryPass(page))).toBeVisible()
})
