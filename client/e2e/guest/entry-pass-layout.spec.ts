import { devices, type Locator } from '@playwright/test'
import { expect, type Page, test, workerReady } from '../support/fixtures.ts'
import { GUEST, openDashboard, ticketCards } from '../support/guest.ts'
import { readCode } from '../support/readCode.ts'
import { restoreSession } from '../support/session.ts'

const entryPass = (page: Page) => page.getByRole('dialog', { name: 'Show at gate' })
const atPage = (page: Page, at: number, of: number) => expect(entryPass(page).getByText(`${at} of ${of}`)).toBeVisible()

/** The code in the middle of the screen, read from a picture of the screen. */
const readScreen = async (page: Page) => readCode(await page.screenshot())

/** A finger touches the glass, moves to the left and is lifted. */
async function swipeLeft(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 320)
  for (let x = 300; x >= 60; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
  await devtools.detach()
}

test('the entry pass is white, with one code as large as the screen allows, the name and the last 8 characters', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(3)
  await page.setViewportSize({ width: 390, height: 844 })
  await openDashboard(page)
  await page.getByRole('link', { name: 'Show at gate' }).first().click()
  await expect(page).toHaveURL(/\/dashboard\/guest\/gate\/all$/)
  await entryPass(page).getByRole('button', { name: 'One by one' }).click()
  await atPage(page, 1, 3)
  const code = entryPass(page).getByRole('img', { name: /QR code of ticket/ })
  await expect(code).toHaveCount(1)
  expect((await code.boundingBox())?.width).toBe(390)
  const box = await entryPass(page).boundingBox()
  expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  const colour = await entryPass(page).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(colour).toBe('rgb(255, 255, 255)')
  await expect(entryPass(page)).toContainText('Garima Guest')
  await expect(entryPass(page)).toContainText(/full brightness/)

  const read: string[] = [await readScreen(page)]
  await entryPass(page).getByRole('button', { name: 'Next ticket' }).click()
  await atPage(page, 2, 3)
  await expect.poll(() => readScreen(page)).not.toBe(read[0])
  read.push(await readScreen(page))
  await page.keyboard.press('End')
  await atPage(page, 3, 3)
  await expect(entryPass(page).getByRole('button', { name: 'Next ticket' })).toBeDisabled()
  await expect.poll(() => readScreen(page)).not.toBe(read[1])
  read.push(await readScreen(page))
  expect(read.toSorted()).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
  await page.keyboard.press('ArrowLeft')
  await atPage(page, 2, 3)
})

/** Phones in split screen, small windows and watches, and screens of usual sizes. */
const SIZES = [
  [360, 300],
  [360, 358],
  [412, 358],
  [412, 410],
  [320, 256],
  [240, 320],
  [240, 240],
  [640, 360],
  [844, 390],
  [390, 844],
  [1280, 800],
] as const

test('the whole code with its quiet zone is in the window at every size, for one ticket and for all of them', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(3)
  await restoreSession(page, 'guest')
  const isWhole = async (code: Locator, size: string) => {
    await expect(code, size).toBeInViewport({ ratio: 1 })
    const { width = 0 } = (await code.boundingBox()) ?? {}
    const window = page.viewportSize()
    expect(width, size).toBeGreaterThanOrEqual(0.4 * Math.min(window?.width ?? 0, window?.height ?? 0))
  }
  await page.goto(`${GUEST}/gate/all`)
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await isWhole(entryPass(page).getByRole('img', { name: /QR code of 3/ }), `all at ${width}x${height}`)
  }
  await entryPass(page).getByRole('button', { name: 'One by one' }).click()
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await isWhole(entryPass(page).getByRole('img', { name: /QR code of ticket/ }), `one at ${width}x${height}`)
    expect(tickets.map(({ qrCode }) => qrCode)).toContain(await readScreen(page))
  }
})

test('in text of twice the size the code comes first, at least 240 px wide, and the keyboard scrolls to the rest', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(3)
  await page.setViewportSize({ width: 360, height: 640 })
  await restoreSession(page, 'guest')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  for (const path of ['gate/all', 'gate']) {
    await page.goto(`${GUEST}/${path}`)
    const code = entryPass(page).getByRole('img', { name: /QR code of/ })
    await expect(code).toBeInViewport({ ratio: 1 })
    await expect.poll(async () => (await code.boundingBox())?.width ?? 0).toBeGreaterThanOrEqual(240)
    for (let press = 0; press < 20; press++) await page.keyboard.press('PageDown')
    await expect(entryPass(page).getByText(/full brightness/)).toBeInViewport({ ratio: 0.9 })
  }
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('Back, Esc and the cross close it and return the focus; with the server off its address still opens it', async ({
    page,
    server,
  }) => {
    const tickets = await (await server.api('guest')).buy(2)
    await openDashboard(page)
    const opener = ticketCards(page).nth(1).getByRole('link', { name: 'Show at gate' })
    const last8 = async () => ((await opener.getAttribute('id')) ?? '').slice(-8)
    for (const close of [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => entryPass(page).getByRole('button', { name: 'Close' }).click(),
    ]) {
      await opener.click()
      await expect(entryPass(page)).toBeVisible()
      await atPage(page, 2, 2)
      await expect(
        entryPass(page)
          .locator('[aria-hidden="true"]')
          .getByText(await last8()),
      ).toHaveCount(0)
      await close()
      await expect(entryPass(page)).toBeHidden()
      await expect(page).toHaveURL(/\/dashboard\/guest$/)
      await expect(opener).toBeFocused()
    }

    await workerReady(page)
    await server.stop()
    await page.goto(`${GUEST}/gate/${tickets[1]._id}`)
    await expect(entryPass(page)).toContainText('Garima Guest')
    expect(await readScreen(page)).toBe(tickets[1].qrCode)
    await entryPass(page).getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
    await expect(ticketCards(page)).toHaveCount(2)
  })
})

test.describe('on an iPhone', () => {
  const { defaultBrowserType: _, ...iphone } = devices['iPhone 13']
  test.use(iphone)

  test('installing is explained, nothing is wider than the screen, codes read from the glass, and a finger swipes to the next', async ({
    page,
    server,
  }) => {
    const tickets = await (await server.api('guest')).buy(2)
    await restoreSession(page, 'guest')
    await page.goto(GUEST)
    await expect(ticketCards(page)).toHaveCount(2)
    const steps = page.getByRole('complementary', { name: 'Keep your tickets one tap away' })
    await expect(steps.getByRole('listitem')).toHaveText([/Tap the share button/, /Add to Home Screen/, /home screen/])
    await expect(steps.getByRole('button', { name: 'Install' })).toHaveCount(0)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBe(0)
    await page.getByRole('link', { name: 'Show at gate' }).first().tap()
    await entryPass(page).getByRole('button', { name: 'One by one' }).tap()
    await atPage(page, 1, 2)
    const first = await readScreen(page)
    await swipeLeft(page)
    await atPage(page, 2, 2)
    await expect.poll(() => readScreen(page)).not.toBe(first)
    const second = await readScreen(page)
    expect([first, second].toSorted()).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => readScreen(page)).toBe(second)
  })
})
