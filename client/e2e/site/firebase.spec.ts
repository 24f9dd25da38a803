import { expect, type Page, test } from '../support/fixtures.ts'
import { GOOGLE_SIGNS_IN, pretendGoogle } from '../support/google.ts'
import { expectNoViolations } from '../support/screen.ts'
import { accountMenu, signInButton } from '../support/session.ts'

test.use({ serverOptions: { env: GOOGLE_SIGNS_IN } })

const USER = { email: 'meera@example.test', displayName: 'Meera Joshi' }

async function openPopup(page: Page) {
  await page.goto('/')
  const popup = page.waitForEvent('popup')
  await signInButton(page).click()
  return popup
}

test('Sign In with Google opens the popup with the account chooser forced; closing it cancels; one that stays blank for 8 s is closed and other ways are offered, one that shows Google is left alone', async ({
  page,
  context,
}) => {
  await pretendGoogle(context, USER)
  await page.clock.install()
  const popup = await openPopup(page)
  await popup.waitForURL(/__\/auth\/handler/)
  const asked = new URL(popup.url())
  expect(asked.host).toBe('garba-live.firebaseapp.com')
  expect(asked.searchParams.get('providerId')).toBe('google.com')
  expect(asked.searchParams.get('scopes')?.split(',')).toEqual(expect.arrayContaining(['profile', 'email']))
  expect(JSON.parse(asked.searchParams.get('customParameters') ?? '{}')).toEqual({ prompt: 'select_account' })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('This is a demo')).toHaveCount(0)
  await popup.close()
  // The SDK looks for the popup now and then, and gives the page of a closed one some seconds to report.
  const isToldSoon = async () => {
    await page.clock.runFor(500)
    return page.getByText('Sign-in cancelled. Please try again.').isVisible()
  }
  await expect.poll(isToldSoon, { intervals: [20] }).toBe(true)
  await expect(page.getByText('Authentication Error')).toHaveCount(0)

  await context.route('https://*.firebaseapp.com/**', () => new Promise(() => undefined))
  const opening = page.waitForEvent('popup')
  await signInButton(page).click()
  const blank = await opening
  const sheet = page.getByRole('dialog', { name: 'Google’s window did not open' })
  await page.clock.runFor(8_000)
  await expect(sheet).toBeVisible()
  await expect.poll(() => blank.isClosed()).toBe(true)

  await context.unroute('https://*.firebaseapp.com/**')
  await pretendGoogle(context, USER)
  const openingAgain = page.waitForEvent('popup')
  await sheet.getByRole('button', { name: 'Try again' }).click()
  const shown = await openingAgain
  await shown.waitForURL(/__\/auth\/handler/)
  await page.clock.runFor(20_000)
  expect(shown.isClosed()).toBe(false)
  await expect(sheet).toHaveCount(0)
})

test('a blocked popup is reported in both places, and other ways are offered, of which none opens by itself', async ({
  page,
  context,
}) => {
  await pretendGoogle(context, USER)
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto('/')
  await signInButton(page).click()
  await expect(page.getByText('Pop-up was blocked. Please allow pop-ups for this site.')).toBeVisible()
  await expect(page.getByText('Pop-up blocked. Please allow pop-ups and try again.')).toBeVisible()
  const sheet = page.getByRole('dialog', { name: 'Google’s window did not open' })
  await expect(sheet.getByRole('textbox', { name: 'Email' })).toBeVisible()
  await expect(sheet.getByRole('link')).toHaveCount(0)
  await expectNoViolations(page)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await page.evaluate(() => Object.assign(window, { open: Window.prototype.open }))
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  await expect(sheet).toHaveCount(0)
})

test('an account whose token our server refuses is not signed in, here or at the next visit', async ({
  page,
  context,
}) => {
  await pretendGoogle(context, USER)
  const popup = await openPopup(page)
  await popup.waitForURL(/__\/auth\/handler/)
  const answered = page.waitForResponse('**/api/auth/google-signin')
  await page.evaluate((eventId) => {
    const { googleAnswers } = window as unknown as { googleAnswers: (answer: unknown) => void }
    const urlResponse = `${location.origin}/__/auth/handler?code=1`
    googleAnswers({ authEvent: { type: 'signInViaPopup', eventId, urlResponse, sessionId: 's', postBody: null } })
  }, new URL(popup.url()).searchParams.get('eventId'))
  // The pretended Google cannot sign a token, and the server takes nothing that Google did not sign.
  expect((await answered).status()).toBe(401)
  await expect(page.getByText('Sign-in failed. Please try again.')).toBeVisible()
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  await expect(accountMenu(page)).toHaveCount(0)
})
