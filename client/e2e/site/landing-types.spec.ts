import type { TicketTypeInput } from '@garba/shared/contracts/types/ticketType'
import { changeEvent } from '../support/event.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { openDashboard } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

const one = (price: number, more = {}) => ({ price, groupPrice: price, ...more })
const until = '2031-01-05T18:30:00.000Z'
const TYPES: readonly TicketTypeInput[] = [
  { name: { en: 'General', gu: 'સામાન્ય' }, phases: [one(300, { until, sold: 38 }), one(400)] },
  { name: { en: 'Couple', gu: 'યુગલ' }, note: 'Dinner for two', admits: 2, seats: 8, phases: [one(500)] },
  { name: { en: 'VIP' }, paused: true, phases: [one(200)] },
  { name: { en: 'Student' }, hidden: true, phases: [one(100)] },
]

const offer = async (server: TestServer, types: readonly TicketTypeInput[]) =>
  changeEvent(await server.api('admin'), { types })
const details = (page: Page) => page.getByRole('region', { name: 'Event details' })
const rows = (page: Page) => details(page).getByRole('listitem')

test('the landing page lists the types with their prices and how long these count, as the server first painted it', async ({
  page,
  server,
}) => {
  await offer(server, TYPES)
  const painted = await (await fetch(server.url)).text()
  expect(painted).toMatch(/from ₹300<!-- --> /)
  expect(painted).toContain('Tickets from ₹300.')
  await page.goto('/')
  await expect(page.getByRole('main')).toContainText('from ₹300 per ticket')
  await expect(rows(page)).toHaveText([
    /^Book: General₹300this price until 6 Jan 2031, 12:00 AM, or for 38 more$/,
    /^Book: Couple₹500for 2 people · 4 leftDinner for two$/,
    /^VIP₹200Paused$/,
  ])
  await expect(page.getByRole('link', { name: 'See all tickets and prices' })).toHaveAttribute('href', '#details')
  await page.getByLabel('Language').selectOption('gu')
  await expect(page.getByRole('main')).toContainText('યુગલ')
})

test('a type leads into its purchase, from the landing page and from the prices at home', async ({ page, server }) => {
  await offer(server, TYPES)
  await restoreSession(page, 'guest')
  await page.goto('/')
  await details(page)
    .getByRole('button', { name: /Couple/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
  await expect(dialog.locator('dl')).toHaveText('Couple1 × ₹500Total₹500')
  await expect(dialog).toContainText('this price until 6 Jan 2031, 12:00 AM, or for 38 more')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Book: General/ }).click()
  await expect(dialog.locator('dl')).toHaveText('General1 × ₹300Total₹300')
})

test('an event with one type shows its prices as before, on the landing page and at home', async ({ page, server }) => {
  await offer(server, [{ name: { en: 'General' }, phases: [{ price: 300, groupPrice: 250 }] }, ...TYPES.slice(3)])
  await page.goto('/')
  await expect(page.getByRole('main')).toContainText('₹300 per ticket')
  await expect(page.getByRole('group', { name: 'How many tickets?' })).toBeVisible()
  await expect(details(page)).toContainText('1 to 3 tickets')
  await expect(rows(page)).toHaveCount(0)
  await openDashboard(page)
  await expect(page.getByRole('button', { name: /^Individual/ })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('General')
})
