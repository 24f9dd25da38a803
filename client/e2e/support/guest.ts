import { expect, type Locator, type Page } from '@playwright/test'
import { readCode } from './readCode.ts'
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

/** What begins a purchase, with tickets and without. */
export const buyButton = (page: Page) =>
  page.getByRole('button', { name: /^Buy (Tickets|More Tickets|Your First Ticket)$/ }).first()

/** Opens a closed line of the home. */
export const openLine = (page: Page, name: 'Event and map' | 'Prices' | 'Your details') =>
  page.getByRole('heading', { name, exact: true }).click()

/** The moment after a purchase. */
export const moment = (page: Page, count: number) =>
  page.getByText(count === 1 ? 'Your ticket is ready for the gate.' : `Your ${count} tickets are ready for the gate.`)

/** The item of a ticket's menu, which is opened. */
export async function inMenu(page: Page, card: Locator, name: string): Promise<Locator> {
  await card
    .getByRole('button', { name: /^More for ticket/ })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  return page.getByRole('menuitem', { name, exact: true })
}

/** A button of a ticket's details, which are opened. */
export async function inDetails(page: Page, card: Locator, name: string): Promise<Locator> {
  const button = card.getByRole('button', { name, exact: true })
  if (!(await button.isVisible())) await (await inMenu(page, card, 'Details')).click()
  return button
}

/** What a camera reads from the tickets on the dashboard, in alphabetical order. */
export async function shownCodes(page: Page): Promise<string[]> {
  const shown: string[] = []
  for (const card of await ticketCards(page).all()) {
    const code = card.getByRole('img', { name: /QR code of ticket/ })
    if ((await code.count()) === 0) await (await inMenu(page, card, 'Details')).click()
    await code.scrollIntoViewIfNeeded()
    shown.push(await readCode(await code.screenshot()))
  }
  return shown.toSorted()
}

/** A purchase up to its second step. */
export async function order(page: Page, quantity: number): Promise<Locator> {
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('heading', { name: 'Confirm Your Order' })).toBeVisible()
  return dialog
}
