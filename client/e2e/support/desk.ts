import { dayAhead } from './event.ts'

/** What pages and locators of Chromium and of jsdom (client/dom) have in common; L is a locator as they have it. */
interface Finder<L> {
  getByRole(role: 'cell' | 'option' | 'row' | 'table', options?: { name: string; exact?: boolean }): L
  getByLabel(label: string, options: { exact: boolean }): L
}
interface Locator<L> extends Finder<L> {
  click(): Promise<void>
  fill(value: string): Promise<void>
  filter(options: { has: L }): L
  page(): Finder<L>
}

/** Chooses an option in any select of the kit. */
export async function choose<L extends Locator<L>>(select: L, option: string): Promise<void> {
  await select.click()
  await select.page().getByRole('option', { name: option, exact: true }).click()
}

/** Rows of the view's table, without its head. */
export const rows = <L extends Locator<L>>(page: Finder<L>, table: string): L =>
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

export async function fillEvent<L extends Locator<L>>(
  page: Finder<L>,
  values: Readonly<Record<string, string>> = EVENT,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Date', { exact: true }).fill(dayAhead(30))
}
