import { expect, type Locator, type Page } from '@playwright/test'
import { restoreSession } from './session.ts'

export const GUEST = '/dashboard/guest'

/** Signs in as the demo guest and opens the dashboard, its tickets known. */
export async function openDashboard(page: Page): Promise<void> {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await page.getByRole('heading', { level: 1, name: /Garima Guest/ }).waitFor()
  const figures = page.getByLabel('Your tickets in figures')
  await figures.locator('div', { hasText: 'Total' }).locator('dd').filter({ hasText: /\d/ }).waitFor()
}

export const ticketCards = (page: Page) => page.getByRole('article')

/** A purchase up to its second step. */
export async function order(page: Page, quantity: number): Promise<Locator> {
  await page.getByRole('button', { name: 'Buy Tickets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('heading', { name: 'Confirm Your Order' })).toBeVisible()
  return dialog
}
