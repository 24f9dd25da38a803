import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import { expect, type Page } from '@playwright/test'

/** Signs in through the demo's account chooser, from whatever page shows a Sign In with Google button. */
export async function signIn(page: Page, role: DemoRole): Promise<void> {
  const { name, email } = DEMO_ACCOUNTS[role]
  await page
    .getByRole('button', { name: /sign in with google/i })
    .first()
    .click()
  const chooser = page.getByRole('dialog')
  await chooser.getByRole('button', { name: new RegExp(`${name}|${email}`, 'i') }).click()
  await expect(chooser).toBeHidden()
}
