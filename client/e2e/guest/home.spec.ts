import { changeEvent, dayAhead, setEventState } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, openDashboard, order, ticketCards } from '../support/guest.ts'
import { readCode } from '../support/readCode.ts'
import { restoreSession } from '../support/session.ts'
import { expectStill, slowReads, watchShifts } from '../support/shifts.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

for (const viewport of [PHONE, DESKTOP])
  test(`nothing moves while the page loads, ${viewport.width} px wide`, async ({ page, server }) => {
    await page.setViewportSize(viewport)
    await restoreSession(page, 'guest')
    const shifts = await watchShifts(page)
    const answers = { tickets: Promise.withResolvers<void>(), event: Promise.withResolvers<void>() }
    const holdBack = async () => {
      for (const which of ['tickets', 'event'] as const) answers[which] = Promise.withResolvers()
      await page.goto(GUEST)
      await expect(page.getByText('Loading Tickets')).toBeVisible()
    }
    await page.route('**/api/tickets/my-tickets', async (route) => {
      await answers.tickets.promise
      await route.continue()
    })
    await page.route('**/api/event', async (route) => {
      await answers.event.promise
      await route.continue()
    })
    const remaining = page.getByText('tickets remaining')

    await holdBack()
    answers.event.resolve()
    await expect(remaining).toBeVisible()
    answers.tickets.resolve()
    await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
    await expectStill(shifts, { atMost: 0.02 })

    await page.evaluate(() => indexedDB.deleteDatabase('garba-wallet'))
    await (await server.api('guest')).buy(12)
    await holdBack()
    answers.tickets.resolve()
    await expect(ticketCards(page)).toHaveCount(12)
    answers.event.resolve()
    await expect(remaining).toBeVisible()
    await expectStill(shifts, { atMost: 0.02 })

    await page.reload()
    await expect(ticketCards(page)).toHaveCount(12)
    await expect(page.getByText('Updated just now')).toBeVisible()
    await expectStill(shifts, { atMost: 0.02 })
  })

for (const viewport of [PHONE, DESKTOP])
  test(`nothing moves when the event’s date changes or after buying tickets with names, ${viewport.width} px wide`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport)
    await slowReads(page)
    const shifts = await watchShifts(page)
    await openDashboard(page)
    const dialog = await order(page, 3)
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    await expect(page.getByText('You’re all going!')).toBeVisible()
    await page.getByText('Who is coming with you?').click()
    const names = page.getByRole('form', { name: 'Who is coming with you?' })
    await expect(names.getByRole('button', { name: 'Save names' })).toBeInViewport({ ratio: 1 })
    for (const [at, name] of ['Hetal', 'Jignesh'].entries()) await names.getByRole('textbox').nth(at).fill(name)
    await names.getByRole('button', { name: 'Save names' }).click()
    await expect(page.getByRole('button', { name: 'Send Jignesh the ticket by WhatsApp' })).toBeVisible()
    await expectStill(shifts, { where: 'after buying' })

    await setEventState(await server.api('admin'), { state: 'moved', date: dayAhead(60), now: true })
    await page.evaluate(() => localStorage.removeItem('garba.event'))
    await page.goto(GUEST)
    await expect(page.getByRole('status').filter({ hasText: 'New date' })).toBeVisible()
    await expect(ticketCards(page)).toHaveCount(3)
    await expectStill(shifts, { where: 'the home of a moved event' })
  })

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

  test('of twelve tickets the first are on the first screen with name and number, each opens its code, and the code of all is at the foot', async ({
    page,
    server,
  }) => {
    const tickets = await (await server.api('guest')).buy(12)
    await openDashboard(page)
    await expect(page.getByRole('heading', { name: 'My Tickets', exact: true })).toBeInViewport()
    for (const [index, card] of (await ticketCards(page).all()).slice(0, 3).entries()) {
      const name = index === 0 ? 'Garima Guest' : `Ticket ${index + 1}`
      await expect(card.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(card.getByText(tickets[index]?._id.slice(-8) ?? '-', { exact: true })).toBeInViewport({
        ratio: 1,
      })
      await expect(card.getByRole('link', { name: /^Show at gate/ })).toBeInViewport({ ratio: 1 })
      await expect(card.getByRole('button', { name: /^More for ticket/ })).toBeInViewport({ ratio: 1 })
    }
    const button = page.locator('#entry-pass-all')
    const box = await button.boundingBox()
    expect(box?.y).toBeGreaterThan(PHONE.height - 100)

    await expect(button).toHaveText('Show at gate 2 codes for all 12')
    await button.tap()
    await expect(page.getByRole('dialog').getByRole('img', { name: /^QR code of \d+ tickets$/ })).toBeInViewport({
      ratio: 1,
    })
  })

  test('on its evening the ticket is the first thing below the header, and says tonight, when, and where', async ({
    page,
    server,
  }) => {
    await (await server.api('guest')).buy(2)
    const evening = { date: dayAhead(0), startTime: '18:30', endTime: '03:00', endsNextDay: true }
    await changeEvent(await server.api('admin'), evening)
    await openDashboard(page)
    const card = page.getByText('Tonight').locator('xpath=ancestor::*[@data-today][last()]')
    await expect(ticketCards(page).first()).toBeInViewport({ ratio: 1 })
    await expect(card).toContainText('Tonight')
    await expect(card).toContainText('Doors open at 6:30 PM')
    await expect(card.getByRole('link', { name: 'Open in Maps' })).toHaveAttribute('href', /Rangmanch%20Grounds/)
    const header = await page.getByRole('banner').boundingBox()
    const ticket = await card.boundingBox()
    expect((ticket?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0)).toBeLessThan(32)
  })

  test('the purchase dialog opens without a keyboard over it; a double tap on a dialog’s first step neither buys nor cancels by the button that comes under the finger', async ({
    page,
    server,
  }) => {
    await openDashboard(page)
    const dialog = page.getByRole('dialog')
    await buyButton(page).tap()
    await expect(dialog.getByRole('heading', { name: 'Get Your Tickets' })).toBeFocused()
    const quantity = dialog.getByRole('textbox', { name: 'How many tickets?' })
    await quantity.fill('10000')
    expect(await quantity.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0)
    await quantity.fill('1')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Continue' }).dblclick()
    const buy = dialog.getByRole('button', { name: 'Get 1 ticket' })
    await expect(buy).toBeEnabled()
    expect(server.rows('select id from tickets')).toEqual([])
    await buy.click()
    await expect(dialog).toBeHidden()

    await (await inMenu(page, ticketCards(page), 'Cancel')).click()
    await dialog.getByRole('textbox').fill('Ill')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Continue Cancellation' }).dblclick()
    await dialog.getByRole('button', { name: 'Back' }).click()
    expect(server.rows('select status from tickets')).toEqual([{ status: 'active' }])
  })
})

test('after buying the lamp lights over the new tickets, which are shared as pictures that a scanner can read', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const shared: File[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files = [] }: { files?: File[] }) => void shared.push(...files),
    })
  })
  await openDashboard(page)
  await (await order(page, 2)).getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(page.getByText('You’re all going!')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'My Tickets', exact: true })).toBeFocused()
  await expect(page.getByText('Your 2 tickets are ready for the gate.')).toBeInViewport()
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  const shared = () => page.evaluate(() => (window as unknown as { shared: File[] }).shared.map(({ name }) => name))
  const rows = server.rows<{ id: string; code: string }>('select id, qr_code as code from tickets order by number')
  await expect.poll(shared).toEqual(rows.map(({ id }) => `garba-ticket-${id}-qr.png`))
  for (const [index, { code }] of rows.entries()) {
    const png = await page.evaluate(async (at) => {
      const bytes = await (window as unknown as { shared: File[] }).shared[at]?.bytes()
      return btoa(Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join(''))
    }, index)
    expect(await readCode(Buffer.from(png, 'base64'))).toBe(code)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByText('You’re all going!')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'My Tickets', exact: true })).toBeFocused()
})
