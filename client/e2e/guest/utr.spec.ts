import { expect, type Page, test } from '../support/fixtures.ts'
import { GUEST } from '../support/guest.ts'
import { placed } from '../support/paying.ts'
import { restoreSession } from '../support/session.ts'

const WORDS = {
  en: {
    title: 'Have you paid?',
    why: /^The organiser’s bank does not pass on the order code/,
    notPaid: 'I have not paid yet',
    close: 'Close',
    app: 'Open your UPI app',
    orders: 'Your orders',
    utr: 'UTR number',
    paid: 'I have paid',
    given: /We are checking your payment/,
  },
  gu: {
    title: 'તમે ચૂકવી દીધું છે?',
    why: /^આયોજકની બૅન્ક ઑર્ડર કોડ આગળ મોકલતી નથી/,
    notPaid: 'મેં હજી ચૂકવ્યું નથી',
    close: 'બંધ કરો',
    app: 'તમારી UPI ઍપ ખોલો',
    orders: 'તમારા ઑર્ડર',
    utr: 'UTR નંબર',
    paid: 'મેં ચૂકવી દીધું છે',
    given: /અમે તમારી ચુકવણી તપાસી રહ્યા છીએ/,
  },
  hi: {
    title: 'क्या आपने भुगतान कर दिया है?',
    why: /^आयोजक का बैंक ऑर्डर कोड आगे नहीं भेजता/,
    notPaid: 'मैंने अभी भुगतान नहीं किया है',
    close: 'बंद करें',
    app: 'अपना UPI ऐप खोलें',
    orders: 'आपके ऑर्डर',
    utr: 'UTR नंबर',
    paid: 'मैंने भुगतान कर दिया है',
    given: /हम आपका भुगतान जाँच रहे हैं/,
  },
} as const
type Language = keyof typeof WORDS

const UPI = { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Committee' }

async function openOrder(page: Page, code: string, language: Language) {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  if (language !== 'en') await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await page.locator(`main a[href$="/orders/${code}"]`).click()
  const words = WORDS[language]
  await expect(page.getByRole('link', { name: words.app })).toBeVisible()
  return words
}

test.describe('where the organiser’s bank cuts off the order’s code', () => {
  test.use({ serverOptions: { paid: true, env: { ...UPI, UPI_BANK: 'sbi' } } })

  for (const language of ['gu', 'hi'] as const)
    test(`the payment page asks for the UTR before it lets the guest go (${language})`, async ({ page, server }) => {
      const code = await placed(await server.api('guest'), 1, 'upi')
      const words = await openOrder(page, code, language)
      const dialog = page.getByRole('dialog', { name: words.title })
      const typed = page.getByRole('textbox', { name: words.utr })

      // A link of the site.
      await typed.fill('4123 4567')
      await page.getByRole('link', { name: words.orders }).click()
      await expect(dialog).toBeVisible()
      await expect(dialog.getByText(words.why)).toBeVisible()
      await expect(dialog.getByRole('textbox', { name: words.utr })).toHaveValue('4123 4567')
      await dialog.getByRole('button', { name: words.close }).click()
      await expect(dialog).toHaveCount(0)
      expect(page.url()).toContain(`/orders/${code}`)

      // Back.
      await page.goBack()
      await expect(dialog).toBeVisible()
      await expect(dialog.getByRole('textbox', { name: words.utr })).toHaveValue('4123 4567')
      await dialog.getByRole('button', { name: words.close }).click()
      await expect(dialog).toHaveCount(0)
      await expect.poll(() => page.url()).toContain(`/orders/${code}`)
      await page.goBack()
      await dialog.getByRole('button', { name: words.notPaid }).click()
      await expect.poll(() => page.url()).toMatch(/\/dashboard\/guest$/)
      await page.locator(`main a[href$="/orders/${code}"]`).click()
      await expect(page.getByRole('link', { name: words.app })).toBeVisible()

      // Who has not paid goes on.
      await page.getByRole('link', { name: words.orders }).click()
      await dialog.getByRole('button', { name: words.notPaid }).click()
      await expect(page.getByRole('heading', { level: 1, name: words.orders })).toBeVisible()

      // The payment app: the page asks when the guest is back from it.
      await page.locator(`main a[href$="/orders/${code}"]`).click()
      await page.getByRole('link', { name: words.app }).click()
      await dialog.getByRole('textbox', { name: words.utr }).fill('412345678901')
      // The dialog ends with the answer itself, even if the order cannot be read again.
      await page.route(`**/api/orders/${code}`, (route) => route.abort())
      await dialog.getByRole('button', { name: words.paid }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText(words.given)).toBeVisible()
      expect(server.rows('select utr from payments')).toEqual([{ utr: '412345678901' }])

      // Nothing is left to ask.
      await page.unroute(`**/api/orders/${code}`)
      await page.getByRole('link', { name: words.orders }).click()
      await expect(page.getByRole('heading', { level: 1, name: words.orders })).toBeVisible()
      await expect(dialog).toHaveCount(0)
    })
})

test.describe('where the bank keeps the order’s code', () => {
  test.use({ serverOptions: { paid: true, env: { ...UPI, UPI_BANK: 'hdfc' } } })

  test('the payment page lets the guest go without a question', async ({ page, server }) => {
    const code = await placed(await server.api('guest'), 1, 'upi')
    const words = await openOrder(page, code, 'en')
    await page.getByRole('link', { name: words.app }).click()
    await page.getByRole('link', { name: words.orders }).click()
    await expect(page.getByRole('heading', { level: 1, name: words.orders })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
