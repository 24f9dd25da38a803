import type { Locator, Page } from '@playwright/test'
import { readCode } from './readCode.ts'
import { restoreSession } from './session.ts'

export const GUEST = '/dashboard/guest'

export const hero = (page: Page): Locator => page.locator('section[aria-labelledby="event-name"]')
export const section = (page: Page, id: string): Locator => page.locator(`section#${id}`)

export const ticketCards = (page: Page): Locator => page.getByRole('article')

/** What begins a purchase, with tickets and without. */
export const buyButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^Buy (Tickets|More Tickets|Your First Ticket)$/ }).first()

/** Opens a closed line of the home. */
export const openLine = (page: Page, name: 'Event and map' | 'Prices' | 'Your details'): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).click()

/** The moment after a purchase. */
export const moment = (page: Page, count: number): Locator =>
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

/** The first step of a purchase, filled in. */
export async function choose(page: Page, quantity: number): Promise<Locator> {
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  return dialog
}

/** A purchase up to its second step. */
export async function order(page: Page, quantity: number): Promise<Locator> {
  const dialog = await choose(page, quantity)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('heading', { name: 'Confirm Your Order' }).waitFor()
  return dialog
}

/** Signs in as the demo guest and opens the dashboard, its tickets known. */
export async function openDashboard(page: Page): Promise<void> {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await page.getByRole('heading', { level: 1, name: /Garima Guest/ }).waitFor()
  await total(page, 'Total').filter({ hasText: /\d/ }).waitFor()
}

/** The figure above a word in the totals of My Tickets. */
export const total = (page: Page, word: 'Total' | 'Active' | 'Used' | 'Cancelled'): Locator =>
  page.getByLabel('Your tickets in figures').locator('div', { hasText: word }).locator('dd')

export const codes = (within: Page | Locator): Locator => within.getByRole('img', { name: /QR code of ticket/ })

/** The dialog with the codes for the gate. */
export const entryPass = (page: Page): Locator => page.getByRole('dialog', { name: 'Show at gate' })

/** Opens the details of all tickets, and with them their codes. */
export async function openRows(page: Page): Promise<void> {
  for (const card of await ticketCards(page).all()) await (await inMenu(page, card, 'Details')).click()
}

/** What a camera reads from the tickets on the dashboard, in alphabetical order. */
export async function shownCodes(page: Page): Promise<string[]> {
  const shown: string[] = []
  for (const card of await ticketCards(page).all()) {
    if ((await codes(card).count()) === 0) await (await inMenu(page, card, 'Details')).click()
    shown.push(await readShown(codes(card)))
  }
  return shown.toSorted()
}

/** What a camera reads from the code that is drawn here. */
export async function readShown(code: Locator): Promise<string> {
  await code.scrollIntoViewIfNeeded()
  return readCode(await code.screenshot())
}

/** Counts presses from now on, until the page is loaded again. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { presses: 0 })
    const counts = window as unknown as { presses: number }
    document.addEventListener('pointerdown', () => (counts.presses += 1), true)
  })
  return () => page.evaluate(() => (window as unknown as { presses: number }).presses)
}

/** All rows of this device's wallet, by store. */
export const readWallet = <Row>(page: Page): Promise<Record<string, Row[]>> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('garba-wallet'))
    const stores: Record<string, Row[]> = {}
    for (const name of database.objectStoreNames)
      stores[name] = await done<Row[]>(database.transaction(name).objectStore(name).getAll())
    database.close()
    return stores
  })
