import { changeEvent } from '../support/event.ts'
import { expect, type Locator, type Page, type TestServer, test } from '../support/fixtures.ts'
import {
  buyButton,
  choose,
  codes,
  hero,
  moment,
  openDashboard,
  openLine,
  openRows,
  order,
  readShown,
  section,
  ticketCards,
  total,
} from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

const sold = 'select count(*) as n, min(price_paise) as price from tickets'
const other = { uid: 'kavya', email: 'kavya@example.test', name: 'Kavya Patel' }

/** The codes of all tickets in the order of buying. */
const issued = (server: TestServer) =>
  server.rows<{ code: string }>('select qr_code as code from tickets order by number').map(({ code }) => code)

/** The answers to sales are lost on their way back, until the test ends it; the server still makes the sale. */
async function loseAnswers(page: Page) {
  const seen = { keys: new Set<string | undefined>(), sent: 0 }
  await page.route('**/api/tickets', async (route) => {
    seen.keys.add(route.request().headers()['idempotency-key'])
    seen.sent += 1
    await route.fetch()
    await route.abort()
  })
  return { seen, heal: () => page.unroute('**/api/tickets') }
}

test('four tickets cost the group price: the sum follows the quantity, and the tickets show at once in the order of buying, also before the list is read again', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
  const more = dialog.getByRole('button', { name: 'One ticket more' })
  await expect(dialog).toContainText('₹299')
  await more.click()
  await more.click()
  await expect(dialog).toContainText('3 × ₹299')
  await expect(dialog).toContainText('₹897')
  await expect(dialog).toContainText('One more ticket and each costs ₹249')
  await more.click()
  await expect(dialog).toContainText('₹249 each')
  await expect(dialog).toContainText('4 × ₹249, you save ₹200₹996')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()

  const confirm = page.getByRole('dialog', { name: 'Confirm Your Order' })
  for (const text of ['Step 2 of 2', 'Garba Rass 2025', 'Group', '₹249', '4 × ₹249, you save ₹200Total₹996'])
    await expect(confirm).toContainText(text)
  await page.route('**/api/tickets/my-tickets', (route) => route.abort())
  await confirm.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, 4)).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await expect(confirm).toBeHidden()
  await expect(ticketCards(page)).toHaveCount(4)
  await expect(page.getByText('1,196 tickets remaining')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My Tickets', exact: true })).toBeFocused()
  expect(server.rows(sold)).toEqual([{ n: 4, price: 24_900 }])

  await openRows(page)
  await expect(codes(page)).toHaveCount(4)
  const texts = []
  for (const code of await codes(page).all()) texts.push(await readShown(code))
  expect(texts).toEqual(issued(server))
})

test('four tickets take four taps from the landing page to the order, and one to buy it', async ({ page, server }) => {
  await restoreSession(page, 'guest')
  await page.goto('/')
  await expect(page.getByRole('group', { name: 'How many tickets?' })).toBeVisible()
  const taps = [
    page.getByRole('button', { name: '4 tickets for ₹996, you save ₹200' }),
    page.getByRole('button', { name: 'Book Your Tickets Now' }),
    page.getByRole('dialog').getByRole('checkbox'),
    page.getByRole('dialog').getByRole('button', { name: 'Continue' }),
    page.getByRole('dialog').getByRole('button', { name: 'Get 4 tickets' }),
  ]
  for (const tap of taps) await tap.click()
  await expect(moment(page, 4)).toBeVisible()
  expect(server.rows(sold)).toEqual([{ n: 4, price: 24_900 }])
})

test('an iPhone explains how to install, that the app has its own sign-in, and once, also after a purchase, that its browser keeps tickets for a week; the evening is shared by WhatsApp; a browser inside an app offers no installing', async ({
  page,
}) => {
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const setUserAgent = (value: string) =>
    page.addInitScript(
      (agent) => Object.defineProperty(navigator, 'userAgent', { value: agent, configurable: true }),
      value,
    )
  await setUserAgent(`${iPhone} Version/17.6 Mobile/15E148 Safari/604.1`)
  await openDashboard(page)
  const offer = page.getByRole('complementary', { name: 'Keep your tickets one tap away' })
  await expect(offer).toContainText('sign in there once')
  await expect(offer).toContainText('This browser removes saved tickets after 7 days without a visit.')
  const dialog = await order(page, 1)
  await dialog.getByRole('button', { name: 'Get 1 ticket' }).click()
  await expect(page.getByText(/this browser removes them after 7 days/)).toBeVisible()
  // The offer to install, on the same page, does not repeat it.
  await expect(page.getByText('Add to Home Screen')).toBeVisible()
  await expect(page.getByText(/after 7 days/)).toHaveCount(1)

  // Where a device cannot share, the tickets of the evening go by WhatsApp.
  expect(await page.evaluate(() => 'share' in navigator)).toBe(false)
  await expect(page.getByText('You’re going!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Share on WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/\?text=We%E2%80%99re%20going%20to%20Garba%20Rass%202025/,
  )

  await setUserAgent(`${iPhone} Mobile/15E148 Instagram 350.0`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(offer).toBeHidden()
})

test('a phone whose clock is months ahead finds the event on sale, buys, and shows its ticket as one to come', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await page.clock.install({ time: Date.now() + 90 * 86_400_000 })
  await page.goto('/')
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  await expect(hero(page)).not.toContainText('The event is over')
  await expect(section(page, 'countdown').getByRole('timer')).toBeVisible()
  await openDashboard(page)
  await expect(page.getByText('The event is over')).toHaveCount(0)
  await expect(buyButton(page)).toBeEnabled()
})

test('a link with a number begins the purchase, through the sign-in if need be; Back closes it and stays', async ({
  page,
}) => {
  await page.goto('/?tickets=4')
  await expect(page.getByText('Total ₹996')).toBeVisible()
  await page.getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
  await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('4')
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await page.goto('/?tickets=2')
  await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('2')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

test('nothing is suggested that the remaining tickets do not allow; when fewer are left than ordered, or none, the dialog explains it and keeps what was typed', async ({
  page,
  server,
}) => {
  const [admin, rival] = [await server.api('admin'), await server.apiAs(other)]
  await changeEvent(admin, { totalTickets: 5 })
  await rival.buy(2)
  await openDashboard(page)
  const dialog = page.getByRole('dialog')
  await buyButton(page).click()
  await expect(dialog).toContainText('1 × ₹299')
  await expect(dialog).not.toContainText('each costs')
  await page.keyboard.press('Escape')
  await order(page, 3)
  await rival.buy(1)
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(toastOf(page, 'Failed to purchase tickets: Only 2 tickets remain.')).toBeVisible()
  const quantity = dialog.getByRole('textbox', { name: 'How many tickets?' })
  await expect(quantity).toHaveValue('3')
  await expect(dialog.getByText('Only 2 tickets remain.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(quantity).toBeFocused()
  await quantity.fill('1')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, 1)).toBeVisible()
  expect(server.rows(sold)).toMatchObject([{ n: 4 }])

  await order(page, 1)
  await rival.buy(1)
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(toastOf(page, 'Failed to purchase tickets: Sold Out! No tickets remain.')).toBeVisible()
  await expect(dialog.getByText('Sold Out! No tickets remain.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(quantity).toBeFocused()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await openLine(page, 'Prices')
  await expect(page.getByRole('button', { name: 'Event Sold Out' })).toBeDisabled()
  expect(server.rows(sold)).toMatchObject([{ n: 5 }])
})

test('when the server stops during a purchase, the dialog stays open and the retry sells once', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  const dialog = await order(page, 4)
  await server.stop()
  await page.clock.install()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(dialog.getByRole('button', { name: 'Purchasing...' })).toBeVisible()
  await expectInTime(
    toastOf(page, 'Failed to purchase tickets: Network error. Please check your connection and try again.'),
  )
  await expect(dialog).toContainText('₹996')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('4')
  await expect(dialog.getByRole('checkbox')).toBeChecked()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await server.start()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, 4)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(4)
  expect(server.rows(sold)).toEqual([{ n: 4, price: 24_900 }])
})

test('a purchase whose answer is lost or an error is sold once, however often it is sent, even after closing the dialog or changing the quantity', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  const pay = (dialog: Locator) => dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  const dialog = await order(page, 2)
  await page.route('**/api/tickets', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'Try again' } })
  })
  await pay(dialog)
  await expect(dialog.getByText(/nothing is bought twice/)).toBeVisible()
  await page.unroute('**/api/tickets')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await pay(await order(page, 2))
  await expect(moment(page, 2)).toBeVisible()
  expect(server.rows(sold)).toMatchObject([{ n: 2 }])

  await page.clock.install()
  await order(page, 4)
  const four = await loseAnswers(page)
  await pay(dialog)
  await expectInTime(dialog.getByText(/nothing is bought twice/))
  expect(four.seen.sent).toBe(4)
  await four.heal()
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect(moment(page, 4)).toBeVisible()
  expect(four.seen.keys.size).toBe(1)
  expect(server.rows(sold)).toMatchObject([{ n: 6 }])
  await expect(total(page, 'Active')).toHaveText('6')

  await order(page, 1)
  const one = await loseAnswers(page)
  await pay(dialog)
  await expectInTime(dialog.getByRole('button', { name: 'Try Again' }))
  await one.heal()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill('5')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await pay(dialog)
  await expect(toastOf(page, '🎉 1 ticket(s) purchased successfully!')).toBeVisible()
  await expect(toastOf(page, /Your first order had arrived: 1 ticket was bought/)).toBeVisible()
  expect(server.rows(sold)).toMatchObject([{ n: 7 }])
})

test('the first purchase, and no later one, asks the browser to keep the tickets; one refused for an old token is sent again with a fresh one and sells once', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    let asked = Number(sessionStorage.getItem('asked') ?? 0)
    const persist = async () => {
      asked += 1
      sessionStorage.setItem('asked', String(asked))
      return true
    }
    Object.defineProperty(navigator, 'storage', { value: { persist } })
  })
  const asked = () => page.evaluate(() => sessionStorage.getItem('asked'))
  await openDashboard(page)
  expect(await asked()).toBeNull()
  for (const n of [1, 2]) {
    const dialog = await choose(page, n)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    await expect(moment(page, n)).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  expect(await asked()).toBe('1')

  const dialog = await order(page, 3)
  const tokens: (string | undefined)[] = []
  let refreshes = 0
  await page.route('**/securetoken.googleapis.com/**', async (route) => {
    refreshes += 1
    await route.continue()
  })
  await page.route('**/api/tickets', async (route) => {
    tokens.push(route.request().headers().authorization)
    if (tokens.length > 1) return route.continue()
    return route.fulfill({ status: 401, json: { success: false, code: 'UNAUTHENTICATED', message: 'x' } })
  })
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, 3)).toBeVisible()
  expect(refreshes).toBe(1)
  expect(new Set(tokens).size).toBe(2)
  expect(server.rows(sold)).toEqual([{ n: 6, price: 29_900 }])
})

test.describe('with at most 3 tickets in an order and 5 for a person', () => {
  test.use({ serverOptions: { env: { MAX_PER_ORDER: '3', MAX_PER_PERSON: '5' } } })

  test('the dialog names the limits before anything is sent, in each language, and the buttons stop there', async ({
    page,
    server,
  }) => {
    const guest = await server.api('guest')
    await guest.buy(1)
    await openDashboard(page)
    for (const [language, buyMore, says] of [
      ['gu', 'વધુ ટિકિટ ખરીદો', 'એક વ્યક્તિ વધુમાં વધુ 5 ટિકિટો રાખી શકે. તમે હજી 4 ટિકિટો ખરીદી શકો છો.'],
      ['hi', 'और टिकट ख़रीदें', 'एक व्यक्ति के लिए टिकटों की अधिकतम संख्या 5 है। आप 4 टिकट और ख़रीद सकते हैं।'],
      ['en', 'Buy More Tickets', 'One person may have at most 5 tickets. You may buy 4 more.'],
    ] as const) {
      await page.getByRole('banner').getByRole('combobox').selectOption(language)
      await page.getByRole('button', { name: buyMore }).click()
      await expect(page.getByRole('dialog')).toContainText(says)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    const dialog = await choose(page, 3)
    await expect(dialog).toContainText('One order can hold at most 3 tickets.')
    await expect(dialog.getByRole('button', { name: 'One ticket more' })).toBeDisabled()
    await guest.buy(3)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    await expect(dialog.getByText('You may buy 1 more.').first()).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toBeFocused()
    await expect(dialog.getByRole('button', { name: 'One ticket more' })).toBeDisabled()
    expect(server.rows(sold)).toMatchObject([{ n: 4 }])
  })
})
