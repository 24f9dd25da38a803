import { type Browser, devices, type Page } from '@playwright/test'
import { expect, type TestServer, test, workerReady } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { moment } from '../support/guest.ts'
import { enterByHand } from '../support/session.ts'

test.use({ serviceWorkers: 'allow', serverOptions: { ownProcess: true } })

const phone = { ...devices['Pixel 7'], locale: 'en-IN', timezoneId: 'Asia/Kolkata' }

/** A phone of its own: nothing is shared with the other phones but the server. */
async function newPhone(browser: Browser, server: TestServer): Promise<Page> {
  const context = await browser.newContext({ ...phone, baseURL: server.url, reducedMotion: 'reduce' })
  return context.newPage()
}

/** Buys through the dialog, as a guest with a thumb. */
async function buy(page: Page, quantity: number): Promise<void> {
  await page.goto('/dashboard/guest')
  // The last view gives way to the app, and the app to its data.
  await expect(page.getByText('tickets remaining')).toBeVisible()
  await page.getByRole('button', { name: 'Buy Your First Ticket' }).click()
  const dialog = page.getByRole('dialog')
  for (let chosen = 1; chosen < quantity; chosen++)
    await dialog.getByRole('button', { name: 'One ticket more' }).click()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, quantity)).toBeVisible()
}

/** Photographs of the phone as it shows one code after the other at the gate. */
async function photographCodes(page: Page, count: number): Promise<Buffer[]> {
  await page.goto('/dashboard/guest/gate')
  const shown = page.getByRole('dialog').locator('svg[role=img]')
  await expect(shown).toHaveCount(count)
  const pictures: Buffer[] = []
  for (let at = 0; at < count; at++) {
    await expect(shown.nth(at)).toBeInViewport({ ratio: 0.99 })
    pictures.push(await page.screenshot())
    await page.keyboard.press('ArrowRight')
  }
  return pictures
}

test('a guest buys four at the group price; the door admits each code from the screen once, also with the server dead and the scanner started again', async ({
  browser,
  server,
}) => {
  const guest = await newPhone(browser, server)
  await enterByHand(guest, 'guest')
  await buy(guest, 4)
  expect(server.rows('SELECT price_paise, status FROM tickets')).toEqual(
    Array.from({ length: 4 }, () => ({ price_paise: 24_900, status: 'active' })),
  )
  const [first, ...others] = await photographCodes(guest, 4)
  expect(others.every((other) => !first?.equals(other))).toBe(true)
  const [second] = others
  if (!first || !second) throw new Error('No code was on the screen')

  const checker = await newPhone(browser, server)
  const gate = await Gate.open(checker, { decodes: true })
  await gate.start()
  await gate.camera.showPicture(first)
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/Entry Allowed! .*Welcome Garima Guest/i),
  })
  await gate.camera.showPicture(null)
  await gate.takeAway()
  await gate.camera.showPicture(first)
  expect(await gate.nextVerdict(1)).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Ticket Already Used .*\d{1,2}:\d{2}/i),
  })
  expect(server.rows("SELECT count(*) AS used FROM tickets WHERE status = 'used'")).toEqual([{ used: 1 }])
  await gate.camera.showPicture(null)
  await gate.takeAway()

  // The server dies, and the scanner is opened again: the person goes in, and the scan is sent when the server is back.
  await workerReady(checker)
  await server.kill()
  await checker.reload()
  await gate.start()
  await gate.camera.showPicture(second)
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'pending',
    by: 'device',
    words: expect.stringMatching(/Valid \(Pending\)/i),
  })
  await gate.camera.showPicture(null)
  await expect(gate.status).toContainText(/1 unsent/i)
  await server.start()
  await gate.says('All sent')
  expect(server.rows("SELECT count(*) AS used FROM tickets WHERE status = 'used'")).toEqual([{ used: 2 }])
  expect(server.rows("SELECT count(*) AS n FROM scans WHERE outcome = 'admitted' AND admitted_offline = 1")).toEqual([
    { n: 1 },
  ])
  // Until then the row says that the scan is still to be sent.
  await checker.getByRole('button', { name: 'Recent Scans' }).click()
  await expect(gate.recent.locator('[data-ending="admitted"]')).toHaveCount(2)
})
