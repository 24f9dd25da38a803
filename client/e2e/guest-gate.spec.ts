import { devices } from '@playwright/test'
import { expect, type Page, test, workerReady } from './support/fixtures.ts'
import { GUEST, openDashboard, ticketCards } from './support/guest.ts'
import { readCode } from './support/readCode.ts'
import { restoreSession } from './support/session.ts'
import { expectInTime } from './support/time.ts'

const gate = (page: Page) => page.getByRole('dialog', { name: 'Show at gate' })
const atPage = (page: Page, at: number, of: number) => expect(gate(page).getByText(`${at} of ${of}`)).toBeVisible()

/** The code in the middle of the screen, read from a picture of the screen. */
const readScreen = async (page: Page) => readCode(await page.screenshot())

/** A finger that touches the glass, moves to the left and lets go. */
async function swipeLeft(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 320)
  for (let x = 300; x >= 60; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
  await devtools.detach()
}

test('the view for the gate is white, with one code as large as the screen lets, its name and last 8', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(3)
  await page.setViewportSize({ width: 390, height: 844 })
  await openDashboard(page)
  await page.getByRole('link', { name: 'Show at gate' }).first().click()
  await expect(page).toHaveURL(/\/dashboard\/guest\/gate$/)
  await atPage(page, 1, 3)
  const code = gate(page).getByRole('img', { name: /QR code of ticket/ })
  await expect(code).toHaveCount(1)
  expect((await code.boundingBox())?.width).toBe(390)
  const box = await gate(page).boundingBox()
  expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  expect(await gate(page).evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 255, 255)')
  await expect(gate(page)).toContainText('Garima Guest')
  await expect(gate(page)).toContainText(/full brightness/)

  const read: string[] = [await readScreen(page)]
  await gate(page).getByRole('button', { name: 'Next ticket' }).click()
  await atPage(page, 2, 3)
  await expect.poll(() => readScreen(page)).not.toBe(read[0])
  read.push(await readScreen(page))
  await page.keyboard.press('End')
  await atPage(page, 3, 3)
  await expect(gate(page).getByRole('button', { name: 'Next ticket' })).toBeDisabled()
  await expect.poll(() => readScreen(page)).not.toBe(read[1])
  read.push(await readScreen(page))
  expect(read.toSorted()).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
  await page.keyboard.press('ArrowLeft')
  await atPage(page, 2, 3)
})

test('Back, Esc and the cross close it, and the focus returns to where it was opened', async ({ page, server }) => {
  await (await server.api('guest')).buy(2)
  await openDashboard(page)
  const opener = ticketCards(page).nth(1).getByRole('link', { name: 'Show at gate' })
  const last8 = async () => ((await opener.getAttribute('id')) ?? '').slice(-8)
  for (const close of [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    () => gate(page).getByRole('button', { name: 'Close' }).click(),
  ]) {
    await opener.click()
    await expect(gate(page)).toBeVisible()
    await atPage(page, 2, 2)
    await expect(
      gate(page)
        .locator('[aria-hidden="true"]')
        .getByText(await last8()),
    ).toHaveCount(0)
    await close()
    await expect(gate(page)).toBeHidden()
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
    await expect(opener).toBeFocused()
  }
})

test('opened by its address with no server it shows the saved tickets, and closes to the dashboard', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await server.stop()
  await page.goto(`${GUEST}/gate/${ticket._id}`)
  await expect(gate(page)).toContainText('Garima Guest')
  expect(await readScreen(page)).toBe(ticket.qrCode)
  await gate(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(ticketCards(page)).toHaveCount(1)
})

test('the screen is kept awake while it shows, again after the page was away, and let go at the end', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const locks: string[] = []
    Object.assign(window, { locks })
    const request = async () => {
      locks.push('taken')
      const lock = Object.assign(new EventTarget(), {
        released: false,
        type: 'screen',
        onrelease: null,
        release: async () => {
          if (lock.released) return
          lock.released = true
          locks.push('released')
          lock.dispatchEvent(new Event('release'))
        },
      })
      Object.assign(window, { lock })
      return lock
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  })
  const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks)
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await page.getByRole('link', { name: 'Show at gate' }).first().click()
  await expect(gate(page)).toContainText('It stays awake here.')
  expect(await locks()).toEqual(['taken'])
  // What a browser does when the phone is locked and unlocked: it tells of it three times, and one lock is enough.
  await page.evaluate(async () => {
    await (window as unknown as { lock: { release(): Promise<void> } }).lock.release()
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('pageshow'))
    window.dispatchEvent(new Event('focus'))
  })
  await expect.poll(locks).toEqual(['taken', 'released', 'taken'])
  await page.keyboard.press('Escape')
  await expect.poll(locks).toEqual(['taken', 'released', 'taken', 'released'])
})

test('a ticket scanned while it is shown says so, and the next one is there', async ({ page, server }) => {
  const [guest, checker] = [await server.api('guest'), await server.api('checker')]
  const tickets = await guest.buy(2)
  await page.clock.install()
  await openDashboard(page)
  await page.goto(`${GUEST}/gate`)
  await atPage(page, 1, 2)
  const shown = await readScreen(page)
  await checker.call('markUsed', { body: { qrCode: shown } })
  await expectInTime(
    gate(page)
      .getByRole('status')
      .filter({ hasText: /^Entry Completed$/ }),
  )
  await gate(page).getByRole('button', { name: 'Next ticket' }).click()
  const other = tickets.find(({ qrCode }) => qrCode !== shown)?.qrCode
  await expect.poll(() => readScreen(page)).toBe(other)
})

test('tickets bought on another phone meanwhile come to the view, and the page in sight stays', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  await page.clock.install()
  await openDashboard(page)
  await page.goto(`${GUEST}/gate`)
  await expect(page.getByRole('heading', { name: 'No active tickets' })).toBeVisible()
  const [first] = await guest.buy(1)
  await expectInTime(gate(page).getByText('Garima Guest').first())
  const [second] = await guest.buy(1)
  await expectInTime(gate(page).getByText('1 of 2'))
  expect(await readScreen(page)).toBe(first?.qrCode)
  await page.keyboard.press('ArrowRight')
  await atPage(page, 2, 2)
  await expect.poll(() => readScreen(page)).toBe(second?.qrCode)
})

test('with no active ticket the view says so and leads back', async ({ page }) => {
  await openDashboard(page)
  await page.goto(`${GUEST}/gate`)
  await expect(page.getByRole('heading', { name: 'No active tickets' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to my tickets' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

test.describe('on an iPhone', () => {
  const { defaultBrowserType: _, ...iphone } = devices['iPhone 13']
  test.use(iphone)

  test('a finger swipes from ticket to ticket', async ({ page, server }) => {
    await (await server.api('guest')).buy(2)
    await openDashboard(page)
    await page.goto(`${GUEST}/gate`)
    await atPage(page, 1, 2)
    await swipeLeft(page)
    await atPage(page, 2, 2)
  })

  test('nothing is wider than the screen, the code reads from the glass, and installing is explained', async ({
    page,
    server,
  }) => {
    const [ticket] = await (await server.api('guest')).buy(1)
    await restoreSession(page, 'guest')
    await page.goto(GUEST)
    await expect(ticketCards(page)).toHaveCount(1)
    const steps = page.getByRole('complementary', { name: 'Keep your tickets one tap away' })
    await expect(steps.getByRole('listitem')).toHaveText([/Tap the share button/, /Add to Home Screen/, /home screen/])
    await expect(steps.getByRole('button', { name: 'Install' })).toHaveCount(0)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBe(0)
    await page.getByRole('link', { name: 'Show at gate' }).first().tap()
    await expect(gate(page)).toBeVisible()
    expect(await readScreen(page)).toBe(ticket.qrCode)
    await page.setViewportSize({ width: 844, height: 390 })
    expect(await readScreen(page)).toBe(ticket.qrCode)
  })
})
