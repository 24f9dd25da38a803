import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import { expect, type Locator, type Page } from '@playwright/test'

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

async function openChooser(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /sign in with google/i })
    .first()
    .click()
  return page.getByRole('dialog')
}
