import { expect, test } from '../support/fixtures.ts'
import { hero } from '../support/guest.ts'
import {
  accountMenu,
  buildSession,
  enterAs,
  enterByHand,
  REFUSED,
  signIn,
  signInButton,
  signOutByMenu,
} from '../support/session.ts'
import { keepInPage, readKept } from '../support/sessionInPage.ts'

test('signing out and in reach the other tabs, where a purchase that is open closes', async ({ page, context }) => {
  await enterAs(page, 'guest')
  const other = await context.newPage()
  await other.goto('/')
  await expect(accountMenu(other)).toBeVisible()
  await hero(other).getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await expect(other.getByRole('dialog')).toBeVisible()
  await expect(other).toHaveURL(/\/dashboard\/guest$/)
  await signOutByMenu(page)
  await expect(other).toHaveURL(/:\d+\/$/)
  await expect(signInButton(other)).toBeVisible()
  await expect(hero(other)).toBeVisible()
  // Asked for by the user: nothing to explain.
  for (const tab of [page, other]) await expect(tab.getByText('Your session has ended')).toHaveCount(0)
  await signIn(page, 'guest')
  await expect(accountMenu(other)).toHaveAccessibleName(/Garima Guest/)
})

test('a session lost in another tab is reported here too, in the chosen language, until dismissed', async ({
  page,
  context,
}) => {
  await enterAs(page, 'guest')
  await page.evaluate(() => localStorage.setItem('garba.language', 'gu'))
  await page.goto('/dashboard/guest')
  await expect(page.getByRole('heading', { name: 'મારી ટિકિટો', exact: true })).toBeVisible()
  const other = await context.newPage()
  await other.route('**/securetoken.googleapis.com/**', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: 'TOKEN_EXPIRED' } } }),
  )
  await other.route('**/api/**', (route) =>
    route.request().headers().authorization ? route.fulfill({ status: 401, json: REFUSED }) : route.continue(),
  )
  await other.goto('/dashboard/guest')
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByText('તમારું સત્ર સમાપ્ત થયું')).toBeVisible()
  await page.getByRole('button', { name: 'બંધ કરો' }).click()
  await expect(page.getByText('તમારું સત્ર સમાપ્ત થયું')).toBeHidden()
})

test('a tab that was signed out does not end the sign-in that another tab is finishing', async ({ page, context }) => {
  await page.clock.install()
  await enterByHand(page, 'guest')
  await signOutByMenu(page)
  const { kept, user } = await buildSession(page, 'guest')
  const { flags } = kept
  const other = await context.newPage()
  await other.goto('/healthz')
  // The identity provider stores its user first; its SDK in the tab that was signed out looks every 800 ms.
  await other.evaluate(keepInPage, { kept: { ...kept, flags: {} }, user })
  await page.clock.runFor(1_000)
  await other.evaluate((all) => Object.assign(localStorage, all), flags)
  await other.goto('/')
  await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
  await expect(accountMenu(other)).toHaveAccessibleName(/Garima Guest/)
  expect(await other.evaluate(readKept)).toMatchObject({ flags, databases: [{ rows: [{}] }, { rows: [{}] }] })
})
