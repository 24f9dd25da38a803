import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

/** A toast with this text. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]').filter({ hasText: text }).first()

/** Chooses in a select of the kit, wherever it stands. */
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

/** A day so many days from now, as the event form takes it. */
export const dayAhead = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date(Date.now() + days * 86_400_000))

export async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
}

export const EVENT = {
  'Event name': 'Garba Rass 2025',
  Description: 'A night of garba.',
  'Start time': '18:30',
  'End time': '22:30',
  Venue: 'Rangmanch Grounds, Ahmedabad',
  'Ticket price (₹)': '299',
  'Group price for 4+ (₹ per ticket)': '249.50',
  'Total tickets': '4',
} as const

export async function fillEvent(page: Page, values: Readonly<Record<string, string>> = EVENT): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Date', { exact: true }).fill(dayAhead(30))
}
