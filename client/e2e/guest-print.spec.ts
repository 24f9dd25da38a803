import { expect, type Page, test } from './support/fixtures.ts'
import { openDashboard, ticketCards } from './support/guest.ts'
import { readCode } from './support/readCode.ts'

test.use({ serviceWorkers: 'block' })

/** How many pages a printed file has. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

const sheets = (page: Page) => page.locator('body > div > article')

test('printing gives one clean ticket to a page, active ones only, and nothing of the screen', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [gone, ...active] = await guest.buy(4)
  await guest.call('cancelTicket', { params: { id: gone._id }, body: { reason: 'Ill' } })
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(4)
  await expect.poll(async () => pagesOf(await page.pdf({ format: 'A4' }))).toBe(3)

  await page.emulateMedia({ media: 'print' })
  await expect(sheets(page)).toHaveCount(3)
  await expect(page.locator('#root')).toBeHidden()
  const printed = []
  for (const sheet of await sheets(page).all()) {
    await expect(sheet).toContainText('Garba Rass 2025')
    await expect(sheet).toContainText('Garima Guest')
    await expect(sheet.getByRole('button')).toHaveCount(0)
    printed.push(await readCode(await sheet.screenshot()))
  }
  expect(printed.toSorted()).toEqual(active.map(({ qrCode }) => qrCode).toSorted())
  await page.emulateMedia({ media: 'screen' })
  await expect(sheets(page)).toHaveCount(0)
  await expect(ticketCards(page)).toHaveCount(4)
})

test('Print on a ticket prints that ticket alone', async ({ page, server }) => {
  await (await server.api('guest')).buy(3)
  await openDashboard(page)
  // The printer's window is the system's: what it would be given is looked at in its place.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'))
      for (const sheet of document.querySelectorAll('body > div > article')) seen.push(sheet.textContent ?? '')
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  const card = ticketCards(page).nth(1)
  const name = (await card.getByRole('heading').textContent()) ?? ''
  await card.getByRole('button', { name: 'Print' }).click()
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toContain(name.slice(-8))
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(3)
})

test('with no active ticket the page prints as it is', async ({ page }) => {
  await openDashboard(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
})
