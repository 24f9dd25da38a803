import type { Page } from '@playwright/test'
import { GUEST, inMenu, ticketCards } from './guestPage.ts'
import { readCode } from './readCode.ts'
import { restoreSession } from './session.ts'

export * from './guestPage.ts'

/** Signs in as the demo guest and opens the dashboard, its tickets known. */
export async function openDashboard(page: Page): Promise<void> {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await page.getByRole('heading', { level: 1, name: /Garima Guest/ }).waitFor()
  const figures = page.getByLabel('Your tickets in figures')
  await figures.locator('div', { hasText: 'Total' }).locator('dd').filter({ hasText: /\d/ }).waitFor()
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
