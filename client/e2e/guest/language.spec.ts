import { expect, type Page, test } from '../support/fixtures.ts'
import { GUEST, openDashboard } from '../support/guest.ts'
import { latinIn } from '../support/latin.ts'
import { toastOf } from '../support/screen.ts'

const speak = async (page: Page, language: 'gu' | 'hi') => {
  await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

const latinWords = (page: Page) => page.locator('main').evaluate(latinIn)

test('a refusal, a page that crashes and a page that does not exist speak the chosen language', async ({
  page,
  server,
}) => {
  await page.goto('/')
  await expect(page.getByRole('complementary')).toHaveText(/^This is a demo/)
  await openDashboard(page)
  await speak(page, 'gu')
  await page
    .getByRole('button', { name: /ટિકિટ ખરીદો$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'આગળ વધો' }).click()
  await page.route('**/api/tickets', (route) =>
    route.fulfill({ status: 409, json: { success: false, code: 'SOLD_OUT', remaining: 3, message: 'Only 3 left' } }),
  )
  await dialog.getByRole('button', { name: /મેળવો$/ }).click()
  const refusal = toastOf(page, 'ટિકિટો ખરીદી શકાઈ નહીં: હવે માત્ર 3 ટિકિટો બાકી છે.')
  await expect(refusal).toBeVisible()
  await expect(refusal.getByRole('button')).toHaveAccessibleName('બંધ કરો')
  expect(server.rows('select id from tickets')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await speak(page, 'hi')
  await page.route('**/assets/GuestDashboard*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export default () => { throw new Error("Broken") }' }),
  )
  await page.goto(GUEST)
  await expect(page.getByRole('button', { name: 'पेज फिर लोड करें' })).toBeVisible()
  expect(await latinWords(page)).toEqual([])

  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'यह पेज नहीं मिला' })).toBeVisible()
  expect(await latinWords(page)).toEqual([])
})

test('a closed sign-in chooser is confirmed, and a failed sign-in explained, in the chosen language', async ({
  page,
}) => {
  await page.goto('/')
  await speak(page, 'gu')
  const signIn = page.getByRole('button', { name: 'Google વડે સાઇન ઇન કરો' }).first()
  await signIn.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('સાઇન ઇન રદ થયું. કૃપા કરીને ફરી પ્રયાસ કરો.')).toBeVisible()
  await expect(page.getByText('સાઇન ઇનમાં ભૂલ')).toHaveCount(0)

  await page.route('**/api/auth/google-signin', (route) =>
    route.fulfill({ status: 403, json: { success: false, code: 'EMAIL_UNVERIFIED', message: '' } }),
  )
  await signIn.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  const reason = 'તમારું ઇમેઇલ સરનામું ચકાસાયેલું નથી.'
  await expect(page.getByRole('alert').filter({ hasText: 'સાઇન ઇનમાં ભૂલ' })).toContainText(reason)
  await expect(page.getByText(reason)).toHaveCount(2)
})
