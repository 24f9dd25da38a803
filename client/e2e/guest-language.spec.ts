import { expect, type Page, test, workerReady } from './support/fixtures.ts'
import { GUEST, openDashboard, ticketCards } from './support/guest.ts'
import { expectNoViolations, toastOf } from './support/screen.ts'
import { enterAs } from './support/session.ts'

const speak = async (page: Page, language: 'en' | 'gu' | 'hi') => {
  await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Words in Latin letters that a reader of another script meets, names and what has no other name left out. */
const latinWords = (page: Page, selector: string) =>
  page.locator(selector).evaluate((scope) => {
    const NAMES =
      /Garba Rass|Garima Guest|guest@garba\.test|Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad|QR|Add to Home Screen|Google|\b[AP]M\b|\b[0-9A-HJKMNP-TV-Z]{8}\b|\b[0-9A-Z]{26}\b/g
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) {
      const rest = (walker.currentNode.textContent ?? '').replace(NAMES, '')
      if (/[a-z]{2,}/i.test(rest)) found.push(rest.trim())
    }
    return found
  })

/** In the language the page says it speaks: no word in Latin letters there, and nothing for axe to find. */
async function expectSpoken(page: Page, selector: string) {
  expect(await latinWords(page, selector)).toEqual([])
  await expectNoViolations(page)
}

for (const [language, words] of Object.entries({
  gu: {
    welcome: /સ્વાગત/,
    buy: 'ટિકિટ ખરીદો',
    next: 'આગળ વધો',
    confirm: 'ખરીદીની ખાતરી કરો',
    sold: /2 ટિકિટો ખરીદાઈ ગઈ/,
    cancel: 'રદ કરો',
    cancelNext: 'રદ કરવા આગળ વધો',
    gate: 'પ્રવેશદ્વાર પર બતાવો',
  },
  hi: {
    welcome: /स्वागत/,
    buy: 'टिकट ख़रीदें',
    next: 'आगे बढ़ें',
    confirm: 'ख़रीद की पुष्टि करें',
    sold: /2 टिकट ख़रीद लिए गए/,
    cancel: 'रद्द करें',
    cancelNext: 'रद्द करने के लिए आगे बढ़ें',
    gate: 'गेट पर दिखाएँ',
  },
} as const))
  test(`the guest side speaks ${language}: dashboard, dialogs, toasts, gate view; remembered, and offline too`, async ({
    page,
    server,
  }) => {
    test.slow()
    await openDashboard(page)
    await speak(page, language as 'gu' | 'hi')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.welcome)
    await expectSpoken(page, 'main')
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const other = language === 'gu' ? 'hi' : 'gu'
    expect(loaded.filter((name) => new RegExp(`/${other}-[^/]*\\.js`).test(name))).toEqual([])

    await page.getByRole('button', { name: words.buy, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('2')
    await dialog.getByRole('checkbox').check()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.next }).click()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.confirm }).click()
    await expect(toastOf(page, words.sold)).toBeVisible()
    await expect(ticketCards(page)).toHaveCount(2)
    await expectSpoken(page, 'main')

    await page.getByRole('button', { name: words.cancel, exact: true }).first().click()
    await dialog.getByRole('textbox').fill('-')
    await dialog.getByRole('checkbox').check()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.cancelNext }).click()
    await expectSpoken(page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    await page.getByRole('link', { name: words.gate }).first().click()
    await expect(page.locator('dialog[open]')).toContainText('1 / 2')
    await expectSpoken(page, 'dialog[open]')
    await page.keyboard.press('Escape')

    await workerReady(page)
    await server.stop()
    await page.goto(GUEST)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.welcome)
    await expect(ticketCards(page)).toHaveCount(2)
    expect(await latinWords(page, 'main')).toEqual([])
  })

test('a refusal is told in the chosen language', async ({ page, server }) => {
  await openDashboard(page)
  await speak(page, 'gu')
  await page.getByRole('button', { name: 'ટિકિટ ખરીદો', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'આગળ વધો' }).click()
  await page.route('**/api/tickets', (route) =>
    route.fulfill({ status: 409, json: { success: false, code: 'SOLD_OUT', remaining: 3, message: 'Only 3 left' } }),
  )
  await dialog.getByRole('button', { name: 'ખરીદીની ખાતરી કરો' }).click()
  await expect(toastOf(page, 'ટિકિટો ખરીદી શકાઈ નહીં: હવે માત્ર 3 ટિકિટો બાકી છે.')).toBeVisible()
  expect(server.rows('select id from tickets')).toEqual([])
})

test.describe('with a page that cannot be shown', () => {
  // A worker would answer with the unbroken script of its precache.
  test.use({ serviceWorkers: 'block' })

  test('what is said around the pages is said in the chosen language: demo, sign-in failure, not found, crash', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('complementary')).toHaveText(/^This is a demo/)
    await enterAs(page, 'guest')
    await speak(page, 'hi')
    await page.route('**/assets/GuestDashboard*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export default () => { throw new Error("Broken") }' }),
    )
    await page.goto(GUEST)
    await expect(page.getByRole('button', { name: 'पेज फिर लोड करें' })).toBeVisible()
    expect(await latinWords(page, 'main')).toEqual([])

    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: 'यह पेज नहीं मिला' })).toBeVisible()
    expect(await latinWords(page, 'main')).toEqual([])
  })
})

test('a failed sign-in is told in the chosen language', async ({ page }) => {
  await page.goto('/')
  await speak(page, 'gu')
  await page.getByRole('banner').getByRole('button', { name: 'Google વડે સાઇન ઇન કરો' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alert').filter({ hasText: 'સાઇન ઇનમાં ભૂલ' })).toContainText('સાઇન ઇન રદ થયું.')
  await expect(page.getByText('સાઇન ઇન રદ થયું. કૃપા કરીને ફરી પ્રયાસ કરો.')).toBeVisible()
})
