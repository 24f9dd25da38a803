import { expect, type Locator, type Page } from '@playwright/test'
import { readCode } from './readCode.ts'
import { restoreSession } from './session.ts'

export const GUEST = '/dashboard/guest'

/** Signs in as the demo guest and opens the dashboard, its tickets known. */
export async function openDashboard(page: Page): Promise<void> {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await expect(page.getByRole('heading', { level: 1, name: /Garima Guest/ })).toBeVisible()
  await expect(total(page, 'Total')).toHaveText(/\d/)
}

/** The figure above a word in the totals of My Tickets. */
export const total = (page: Page, word: 'Total' | 'Active' | 'Used' | 'Cancelled') =>
  page.getByLabel('Your tickets in figures').locator('div', { hasText: word }).locator('dd')

export const ticketCards = (page: Page) => page.getByRole('article')

/** The first step of a purchase, filled in. */
export async function choose(page: Page, quantity: number): Promise<Locator> {
  await page.getByRole('button', { name: 'Buy Tickets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  return dialog
}

/** A purchase up to its second step. */
export async function order(page: Page, quantity: number): Promise<Locator> {
  const dialog = await choose(page, quantity)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('heading', { name: 'Confirm Your Order' })).toBeVisible()
  return dialog
}

/** The text of the code that is drawn here. */
export const readShown = async (picture: Locator): Promise<string> => readCode(await picture.screenshot())
