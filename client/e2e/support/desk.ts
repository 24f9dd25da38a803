import type { Locator, Page } from '@playwright/test'
import { dayAhead } from './event.ts'

/** Chooses an option in any select of the kit. */
export async function choose(select: Locator, option: string): Promise<void> {
  await select.click()
  await select.page().getByRole('option', { name: option, exact: true }).click()
}

/** Rows of the view's table, without its head. */
export const rows = (page: Page, table: string): Locator =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

export const EVENT = {
  'Event name': 'Garba Rass 2025',
  Description: 'A night of garba.',
  'Start time': '18:30',
  'End time': '22:30',
  Venue: 'Rangmanch Grounds, Ahmedabad',
  'Ticket price (₹)': '299',
  'Group price for 4+ (₹ each)': '249.50',
  'Total tickets': '4',
} as const

export async function fillEvent(page: Page, values: Readonly<Record<string, string>> = EVENT): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Date', { exact: true }).fill(dayAhead(30))
}
