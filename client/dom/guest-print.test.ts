import { expect, test } from './support/fixtures.ts'
import { inDetails, openDashboard, ticketCards } from './support/guest.ts'

test('Print on a ticket prints that ticket alone; the browser prints all of them', async ({ page, server }) => {
  await (await server.api('guest')).buy(3)
  await openDashboard(page)
  // The printer's window is the system's: what it would be given is looked at in its place.
  await page.evaluate(() => {
    const printed: string[][] = []
    Object.assign(window, { printed })
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'))
      printed.push(Array.from(document.querySelectorAll('body > div > article'), (sheet) => sheet.textContent ?? ''))
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  const card = ticketCards(page).nth(1)
  const name = (await card.getByRole('heading').textContent()) ?? ''
  await (await inDetails(page, card, 'Print')).click()
  await page.evaluate(() => window.print())
  const [one, all] = await page.evaluate(() => (window as unknown as { printed: string[][] }).printed)
  expect(one).toHaveLength(1)
  expect(one?.[0]).toContain(name.slice(-8))
  expect(all).toHaveLength(3)
})
