import { readFile } from 'node:fs/promises'
import type { Download, Locator } from '@playwright/test'
import { changeEvent, closeEvent } from '../support/event.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { GUEST, inDetails, openDashboard, openLine, ticketCards } from '../support/guest.ts'
import { readCode } from '../support/readCode.ts'
import { toastOf } from '../support/screen.ts'
import { accountMenu, restoreSession } from '../support/session.ts'

async function save(page: Page, button: Locator): Promise<Download> {
  const saving = page.waitForEvent('download')
  await button.click()
  return saving
}

test('code and calendar entry are saved as files under their names, and the ticket ID is copied', async ({
  page,
  server,
  context,
}) => {
  const name = 'Garba, Raas; and a very long night under the lamps of the old city with friends'
  await changeEvent(await server.api('admin'), { name, date: '2027-03-14', startTime: '18:30', endTime: '22:30' })
  const [ticket] = await (await server.api('guest')).buy(1)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openDashboard(page)

  const picture = await save(page, await inDetails(page, ticketCards(page), 'Download'))
  expect(picture.suggestedFilename()).toBe(`garba-ticket-${ticket.ticketId}-qr.png`)
  expect(await readCode(await readFile(await picture.path()))).toBe(ticket.qrCode)
  await expect(toastOf(page, 'QR Code downloaded successfully!')).toBeVisible()

  await (await inDetails(page, ticketCards(page), 'Copy ID')).click()
  await expect(toastOf(page, 'Ticket ID copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ticket.ticketId)

  await openLine(page, 'Event and map')
  const calendar = await save(page, page.getByRole('button', { name: 'Add to calendar' }))
  expect(calendar.suggestedFilename()).toMatch(/^garba-raas-and-a-very-long-night.*\.ics$/)
  const text = await readFile(await calendar.path(), 'utf8')
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  // 18:30 and 22:30 in Kolkata.
  expect(lines).toContain('DTSTART:20270314T130000Z')
  expect(lines).toContain('DTEND:20270314T170000Z')
  expect(lines).toContain(
    String.raw`SUMMARY:Garba\, Raas\; and a very long night under the lamps of the old city with friends`,
  )
  expect(lines).toContain(String.raw`LOCATION:Rangmanch Grounds\, Sindhu Bhavan Road\, Ahmedabad`)
})

test('the page says without scrolling that loading failed; tile and menu lead to the tickets; past ones have room for their words in the narrow column', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await page.route('**/api/tickets/my-tickets', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'secret' } }),
  )
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await expect(page.getByText('Error Loading Tickets')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(1)
  await page.unroute('**/api/tickets/my-tickets')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(ticketCards(page)).toHaveCount(1)

  await page.setViewportSize({ width: 390, height: 844 })
  const heading = page.getByRole('heading', { name: 'My Tickets', exact: true })
  await openLine(page, 'Your details')
  await page.getByRole('button', { name: 'My Tickets 1 ticket' }).click()
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await page.goto('/')
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'My Tickets' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest\?view=tickets$/)
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()

  await (await server.api('guest')).buy(1)
  await closeEvent(server)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const past = page.getByRole('region', { name: 'Past (2)' })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const name = past.getByText('Garba Rass 2025').first()
    // On one line.
    await expect.poll(async () => (await name.boundingBox())?.height, `${width} px`).toBeLessThan(30)
    const words = past.getByText('Not used. The event is over').first()
    await expect.poll(async () => (await words.boundingBox())?.height, `${width} px`).toBeLessThan(60)
  }
})
