import { expect, type Page, test, workerReady } from '../support/fixtures.ts'
import { GUEST, openDashboard, ticketCards } from '../support/guest.ts'
import { latinIn } from '../support/latin.ts'
import { expectToFit, twiceAsLarge } from '../support/screen.ts'

test.use({ serviceWorkers: 'allow' })

const WORDS = {
  en: {
    welcome: /Welcome/,
    buy: 'Buy More Tickets',
    details: 'Details',
    next: 'Continue',
    confirm: /^Get/,
    sold: /^Your 2 tickets are ready/,
    cancel: 'Cancel',
    cancelNext: 'Continue Cancellation',
    gate: 'Show at gate',
  },
  gu: {
    welcome: /સ્વાગત/,
    buy: 'વધુ ટિકિટ ખરીદો',
    details: 'વિગતો',
    next: 'આગળ વધો',
    confirm: /મેળવો$/,
    sold: /^તમારી 2 ટિકિટો પ્રવેશ/,
    cancel: 'રદ કરો',
    cancelNext: 'રદ કરવા આગળ વધો',
    gate: 'પ્રવેશદ્વાર પર બતાવો',
  },
  hi: {
    welcome: /स्वागत/,
    buy: 'और टिकट ख़रीदें',
    details: 'विवरण',
    next: 'आगे बढ़ें',
    confirm: /लें$/,
    sold: /^आपके 2 टिकट प्रवेश/,
    cancel: 'रद्द करें',
    cancelNext: 'रद्द करने के लिए आगे बढ़ें',
    gate: 'गेट पर दिखाएँ',
  },
} as const

type Language = keyof typeof WORDS

const speak = async (page: Page, language: Language) => {
  await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

const latinWords = (page: Page, selector: string) => page.locator(selector).evaluate(latinIn)

/** In the language the page says it speaks: no word in Latin letters but in English, and all within the screen. */
async function expectSpoken(page: Page, selector: string) {
  if ((await page.locator('html').getAttribute('lang')) !== 'en') expect(await latinWords(page, selector)).toEqual([])
  await expectToFit(page, selector)
}

/** The words of the figures have the height of one line: none is broken. */
async function expectWholeWords(page: Page) {
  const words = page.getByLabel('Your tickets in figures').locator('dt')
  const heights = () => words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().height))
  await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThan(25)
  expect(new Set(await heights()).size).toBe(1)
}

test('dashboard, dialogs, toasts and entry pass speak each language in letters twice as large, after a reload and offline too', async ({
  page,
  server,
}) => {
  test.slow()
  const guest = await server.api('guest')
  const [named, used] = await guest.buy(2)
  await guest.call('nameTicket', { params: { id: named._id }, body: { name: 'ભાનુમતીબેન પુરુષોત્તમદાસ ત્રિવેદી' } })
  await (await server.api('checker')).call('markUsed', { body: { qrCode: used.qrCode } })
  await page.setViewportSize({ width: 390, height: 844 })
  await openDashboard(page)
  await twiceAsLarge(page)
  let bought = 0
  for (const [language, words] of Object.entries(WORDS)) {
    await speak(page, language as Language)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.welcome)
    await expectSpoken(page, 'main')
    if (language === 'en') await expectWholeWords(page)
    if (language === 'gu') {
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      expect(loaded.filter((name) => /\/hi-[^/]*\.js/.test(name))).toEqual([])
    }

    await page.getByRole('button', { name: words.buy, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('2')
    await dialog.getByRole('checkbox').check()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.next }).click()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.confirm }).click()
    await expect(page.getByText(words.sold)).toBeVisible()
    await page.locator('summary').first().click()
    await page.getByRole('form').waitFor()
    bought += 2
    await expect(ticketCards(page)).toHaveCount(2 + bought)
    await expectSpoken(page, 'main')

    const row = ticketCards(page).nth(bought)
    await row.getByRole('button').first().click()
    await page.getByRole('menuitem', { name: words.details, exact: true }).click()
    await expectSpoken(page, 'main')
    await row.getByRole('button').first().click()
    await page.getByRole('menu').waitFor()
    await expectSpoken(page, '[role="menu"]')
    await page.getByRole('menuitem', { name: words.cancel, exact: true }).click()
    await dialog.getByRole('textbox').fill('-')
    await dialog.getByRole('checkbox').check()
    await expectSpoken(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: words.cancelNext }).click()
    await expectSpoken(page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    await page.getByRole('link', { name: words.gate }).first().click()
    await expectSpoken(page, 'dialog[open]')
    await page.locator('dialog[open]').getByRole('button').last().click()
    await expect(page.locator('dialog[open]')).toContainText(/1 (\/|of) \d/)
    await expectSpoken(page, 'dialog[open]')
    await page.keyboard.press('Escape')
  }

  await workerReady(page)
  await server.stop()
  await page.goto(GUEST)
  await expect(ticketCards(page)).toHaveCount(2 + bought)
  const expectHome = async (language: Language) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(WORDS[language].welcome)
    expect(await latinWords(page, 'main')).toEqual([])
  }
  await expectHome('hi')
  await speak(page, 'gu')
  await expectHome('gu')
})
