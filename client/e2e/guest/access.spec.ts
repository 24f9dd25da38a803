import { changeEvent, dayAhead } from '../support/event.ts'
import { expect, goOffline, type Page, test } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, moment, openDashboard, openLine, order, ticketCards } from '../support/guest.ts'
import { expectNoViolations, expectNoViolationsInBothSizes, follow, toastOf } from '../support/screen.ts'
import { accountMenu, restoreSession } from '../support/session.ts'

const cancel = async (page: Page) => (await inMenu(page, ticketCards(page).first(), 'Cancel')).click()

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing on any guest screen or dialog, wide or narrow', async ({ page, context, server }) => {
  test.slow()
  const [guest, checker, admin] = [await server.api('guest'), await server.api('checker'), await server.api('admin')]
  await openDashboard(page)
  await expectNoViolationsInBothSizes(page, 'no tickets')
  await accountMenu(page).click()
  await page.getByRole('menu').waitFor()
  await expectNoViolations(page, 'account menu')
  await page.keyboard.press('Escape')
  const [used, gone, named] = await guest.buy(4)
  await checker.call('markUsed', { body: { qrCode: used.qrCode } })
  await guest.call('cancelTicket', { params: { id: gone._id }, body: { reason: 'Ill' } })
  await guest.call('nameTicket', { params: { id: named._id }, body: { name: 'ધ્રુવીબેન રમેશચંદ્ર ત્રિવેદી' } })
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true })
  await refresh.click()
  await expect(ticketCards(page)).toHaveCount(4)
  for (const card of await ticketCards(page).all()) await (await inMenu(page, card, 'Details')).click()
  for (const line of ['Event and map', 'Prices', 'Your details'] as const) await openLine(page, line)
  await expectNoViolationsInBothSizes(page, 'tickets of each status with their details')

  const buying = await order(page, 4)
  await expectNoViolations(page, 'purchase, second step')
  await buying.getByRole('button', { name: 'Back' }).click()
  await buying.getByRole('textbox', { name: 'How many tickets?' }).fill('5000')
  await expectNoViolationsInBothSizes(page, 'purchase, first step, too many')
  await page.keyboard.press('Escape')
  await expect(buying).toBeHidden()

  const toCancel = await inMenu(page, ticketCards(page).first(), 'Cancel')
  await expectNoViolations(page, 'menu of a ticket')
  await toCancel.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('x'.repeat(501))
  await expectNoViolationsInBothSizes(page, 'cancellation, first step, reason too long')
  await dialog.getByRole('textbox').fill('Ill')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  await expectNoViolations(page, 'cancellation, second step')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await changeEvent(admin, { date: dayAhead(5) })
  const known = page.waitForResponse('**/api/event')
  await refresh.click()
  await known
  await cancel(page)
  await expect(dialog.getByRole('button', { name: 'Cannot Cancel' })).toBeVisible()
  await expectNoViolations(page, 'cancellation not allowed')
  await page.keyboard.press('Escape')

  await follow(page, `${GUEST}/gate`)
  const pass = page.getByRole('dialog', { name: 'Show at gate' })
  await expect(pass.getByText(/^\d of \d$/)).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'entry pass')
  await page.keyboard.press('Escape')
  await expect(pass).toBeHidden()
  await follow(page, `${GUEST}/gate/all`)
  await expect(page.getByRole('img', { name: 'QR code of 2 tickets' })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'entry pass of a group')
  await page.keyboard.press('Escape')
  await expect(pass).toBeHidden()
  await goOffline(context)
  await expect(page.getByText('You are offline')).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'offline')
})

/** Tab until the element has the focus, as a keyboard user does. */
async function tabTo(page: Page, name: RegExp) {
  for (let presses = 0; presses < 80; presses += 1) {
    const label = await page.evaluate(() => {
      const one = document.activeElement
      return `${one?.getAttribute('aria-label') ?? ''} ${one?.closest('label')?.textContent ?? one?.textContent}`
    })
    if (name.test(label)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${name}`)
}

test('tickets are bought, and one is cancelled, with the keyboard alone', async ({ page, server }) => {
  await openDashboard(page)
  await tabTo(page, /^\s*Buy Your First Ticket/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const quantity = dialog.getByRole('textbox', { name: 'How many tickets?' })
  await expect(quantity).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(quantity).toHaveValue('4')
  await tabTo(page, /non-transferable/)
  await page.keyboard.press('Space')
  await tabTo(page, /Continue/)
  await page.keyboard.press('Enter')
  // The step's own beginning has the focus: a held Enter buys nothing.
  await expect(dialog.getByRole('group', { name: 'Confirm Your Order' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, /^\s*(Get|Pay) /)
  await page.keyboard.press('Enter')
  await expect(moment(page, 4)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My Tickets', exact: true })).toBeFocused()
  expect(server.rows('select id from tickets')).toHaveLength(4)
  await expect(ticketCards(page)).toHaveCount(4)

  await tabTo(page, /^More for ticket/)
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Cancel', exact: true })
  await expect(item).toBeVisible()
  // A key that comes before the menu has the focus goes to the button.
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(item).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Ill')
  await tabTo(page, /I understand the deduction/)
  await page.keyboard.press('Space')
  await tabTo(page, /Continue Cancellation/)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('group', { name: 'Confirm Cancellation' })).toBeFocused()
  await tabTo(page, /Confirm Cancellation\s*$/)
  await page.keyboard.press('Tab')
  await tabTo(page, /^\s*Confirm Cancellation\s*$/)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, '🚫 Ticket cancelled successfully!')).toBeVisible()
  const stamped = ticketCards(page).filter({ hasText: 'Refund Pending' })
  await expect(stamped).toBeFocused()
  await expect(stamped).toBeInViewport({ ratio: 0.6 })
  expect(server.rows("select id from tickets where status = 'cancelled'")).toHaveLength(1)
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('every button and link is at least 44 px tall, nothing is wider than the screen, or moves under reduced motion', async ({
    page,
    server,
  }) => {
    const [used] = await (await server.api('guest')).buy(2)
    await (await server.api('checker')).call('markUsed', { body: { qrCode: used.qrCode } })
    await restoreSession(page, 'guest')
    await page.goto(GUEST)
    await expect(ticketCards(page)).toHaveCount(2)
    const small = () =>
      page.evaluate(() => {
        const scope = document.querySelector('[role="dialog"], dialog[open]') ?? document.querySelector('main')
        return (
          [...(scope?.querySelectorAll('button, a, [role="button"]') ?? [])]
            // A link within a sentence is as high as its line (WCAG 2.5.8).
            .filter((one) => getComputedStyle(one).display !== 'inline')
            .map((one) => ({
              text: one.textContent || one.getAttribute('aria-label'),
              box: one.getBoundingClientRect(),
            }))
            .filter(({ box }) => box.width > 0 && (box.height < 43.9 || box.width < 43.9))
            .map(({ text, box }) => `${text}: ${box.width} x ${box.height}`)
        )
      })
    expect(await small()).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await buyButton(page).tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    const moving = await page.evaluate(() => ({
      animations: document
        .getAnimations()
        .filter((one) => one.playState === 'running' && Number(one.effect?.getComputedTiming().duration) > 20).length,
      scroll: getComputedStyle(document.documentElement).scrollBehavior,
    }))
    expect(moving).toEqual({ animations: 0, scroll: 'auto' })
    expect(await small()).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('link', { name: 'Show at gate' }).first().tap()
    await expect(page.getByRole('dialog', { name: 'Show at gate' })).toBeVisible()
    expect(await small()).toEqual([])
  })
})
