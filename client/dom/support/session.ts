import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import type { User } from '@garba/shared/contracts/people/user'
import { keptSession, readWhenKept } from '../../e2e/support/keptSession.ts'
import { type Kept, keepInPage, readKept } from '../../e2e/support/sessionInPage.ts'
import { expect } from './expect.ts'
import { Browser, type Page } from './page.ts'

/** The server's answer to a token that it does not accept. */
export const REFUSED = { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' }

export const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu/i })
/** The hero's on the landing page, until that is out of sight; else the header's. */
export const signInButton = (page: Page) => page.getByRole('button', { name: /sign in with google/i }).first()

const openChooser = async (page: Page) => {
  const buttons = page.getByRole('button', { name: /sign in with google/i })
  await buttons.first().click()
  return page.getByRole('dialog')
}

/** Signs in through the demo's account chooser, from whatever page shows a Sign In with Google button. */
export async function signIn(page: Page, role: DemoRole): Promise<void> {
  const { name, email } = DEMO_ACCOUNTS[role]
  const chooser = await openChooser(page)
  await chooser.getByRole('button', { name: new RegExp(`${name}|${email}`, 'i') }).click()
  await expect(chooser).toBeHidden()
}

/** Signs in as somebody who is not on the chooser's list. */
export async function signInAsOther(page: Page, account: { name: string; email: string }): Promise<void> {
  const chooser = await openChooser(page)
  await chooser.getByRole('button', { name: 'Another account' }).click()
  await chooser.getByRole('textbox', { name: 'Name' }).fill(account.name)
  await chooser.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await chooser.getByRole('button', { name: 'Continue' }).click()
  await expect(chooser).toBeHidden()
}

/** By the account chooser, as a person does. */
export async function enterByHand(page: Page, role: DemoRole): Promise<void> {
  await page.goto('/')
  await signIn(page, role)
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS[role].name))
}

/** Opens the landing page, signed in. */
export async function enterAs(page: Page, role: DemoRole): Promise<void> {
  await restoreSession(page, role)
  await page.goto('/')
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS[role].name))
}

/** Makes the browser one in which this account has signed in, without the clicks. */
export async function restoreSession({ context }: Page, role: DemoRole): Promise<void> {
  await keepInPage(await storedSession(context, role), context)
}

/** What a browser stores of this account once it has signed in. */
export const storedSession = ({ baseURL: url }: Browser, role: DemoRole): Promise<{ kept: Kept; user: User }> =>
  keptSession({ role, url, signInByHand })

async function signInByHand(url: string): Promise<Kept> {
  const browser = new Browser(url)
  await enterByHand(browser.newPage(), 'guest')
  const kept = await readWhenKept(() => readKept(browser))
  browser.close()
  return kept
}

export async function signOutByMenu(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInButton(page)).toBeVisible()
}
