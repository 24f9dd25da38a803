import { keepInPage, readKept } from '../e2e/support/sessionInPage.ts'
import { expect, test } from './support/fixtures.ts'
import {
  accountMenu,
  enterAs,
  enterByHand,
  REFUSED,
  signIn,
  signInButton,
  signOutByMenu,
  storedSession,
} from './support/session.ts'

test('signing out and in reach the other tabs', async ({ page, context }) => {
  await enterAs(page, 'guest')
  const other = context.newPage()
  await other.goto('/dashboard/guest')
  await expect(accountMenu(other)).toBeVisible()
  await signOutByMenu(page)
  await expect(other).toHaveURL(/:\d+\/$/)
  await expect(signInButton(other)).toBeVisible()
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
  page.context.localStorage.setItem('garba.language', 'gu')
  await page.goto('/dashboard/guest')
  await expect(page.getByRole('heading', { name: 'મારી ટિકિટો', exact: true })).toBeVisible()
  const other = context.newPage()
  other.route('**/securetoken.googleapis.com/**', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: 'TOKEN_EXPIRED' } } }),
  )
  other.route('**/api/**', (route) =>
    route.request().headers().authorization ? route.fulfill({ status: 401, json: REFUSED }) : route.continue(),
  )
  await other.goto('/dashboard/guest')
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByText('તમારું સત્ર સમાપ્ત થયું')).toBeVisible()
  await page.getByRole('button', { name: 'બંધ કરો' }).click()
  await expect(page.getByText('તમારું સત્ર સમાપ્ત થયું')).toBeHidden()
})

test('a tab that was signed out does not end the sign-in that another tab is finishing', async ({ page, context }) => {
  await enterByHand(page, 'guest')
  await signOutByMenu(page)
  const { kept, user } = await storedSession(context, 'guest')
  const { flags } = kept
  // The identity provider stores its user first; its SDK in the tab that was signed out looks every 800 ms.
  await keepInPage({ kept: { ...kept, flags: {} }, user }, context)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  for (const [key, value] of Object.entries(flags)) context.localStorage.setItem(key, value)
  const other = context.newPage()
  await other.goto('/')
  await expect(accountMenu(page)).toHaveAccessibleName(/Garima Guest/)
  await expect(accountMenu(other)).toHaveAccessibleName(/Garima Guest/)
  expect(await readKept(context)).toMatchObject({ flags, databases: [{ rows: [{}] }, { rows: [{}] }] })
})
