import { expect, type Page } from '@playwright/test'
import { DEMO_ACCOUNTS, type DemoRole } from '../../../scripts/demo/accounts.ts'
import { signIn } from './signIn.ts'

export const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu/i })
export const signInButton = (page: Page) => page.locator('header').getByRole('button', { name: /sign in with google/i })

/** Opens the landing page, of the test's server unless told, and signs in there. */
export async function enterAs(page: Page, role: DemoRole, origin = ''): Promise<void> {
  await page.goto(`${origin}/`)
  await signIn(page, role)
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(DEMO_ACCOUNTS[role].name))
}

export async function signOutByMenu(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInButton(page)).toBeVisible()
}
