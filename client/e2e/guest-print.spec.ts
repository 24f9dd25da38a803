import { expect, type Page, test } from './support/fixtures.ts'
import { openDashboard, ticketCards } from './support/guest.ts'
import { readCode } from './support/readCode.ts'

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
