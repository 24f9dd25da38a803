import { expect, type Page, test } from '../support/fixtures.ts'
import { inDetails, openDashboard, ticketCards } from '../support/guest.ts'
import { readCode } from '../support/readCode.ts'

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

/** How many pages a printed file has. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

const sheets = (page: Page) => page.locator('body > div > article')

test('the page prints as it is without active tickets, else three tickets to a page and nothing of the screen', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await page.emulateMedia({ media: null })

  const guest = await server.api('guest')
  const [gone, ...active] = await guest.buy(4)
  await guest.call('cancelTicket', { params: { id: gone._id }, body: { reason: 'Ill' } })
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(4)
  for (const format of ['A4', 'Letter']) await expect.poll(async () => pagesOf(await page.pdf({ format }))).toBe(1)

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
