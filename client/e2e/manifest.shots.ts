import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { ROOT } from '../../scripts/setup.mjs'
import { expect, TestServer, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { enterAs, restoreSession } from './support/session.ts'

const SIZES = {
  narrow: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  wide: { viewport: { width: 1280, height: 800 } },
} as const

type Size = keyof typeof SIZES

async function openPage(browser: Browser, server: TestServer, size: Size): Promise<Page> {
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: server.url,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

/** With all fonts and pictures in, and nothing said over the page. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(600)
  await page.screenshot({
    path: join(ROOT, 'manifest', 'screenshots', `${name}.jpg`),
    type: 'jpeg',
    quality: 82,
    animations: 'disabled',
  })
}

for (const size of ['narrow', 'wide'] as const) {
  test(`landing page and guest dashboard, ${size}`, async ({ browser, server }) => {
    const guest = await server.api('guest')
    await guest.buy(4)
    const page = await openPage(browser, server, size)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await take(page, `landing-${size}`)
    await restoreSession(page, 'guest')
    await page.goto('/dashboard/guest')
    await expect(page.getByText('Ready for Entry').first()).toBeVisible()
    await take(page, `guest-${size}`)
    await page.goto('/dashboard/guest/gate')
    await expect(page.getByRole('dialog').locator('svg[role=img]').first()).toBeVisible()
    if (size === 'narrow') await take(page, 'gate-code-narrow')
  })
}

test('the scanner, ready and at a verdict', async ({ browser, server }) => {
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(4)
  const phone = await openPage(browser, server, 'narrow')
  await restoreSession(phone, 'guest')
  await phone.goto('/dashboard/guest/gate')
  await expect(phone.getByRole('dialog').locator('svg[role=img]').first()).toBeVisible()
  const page = await openPage(browser, server, 'narrow')
  const gate = await Gate.open(page)
  await gate.start()
  await gate.camera.showPicture(await phone.screenshot())
  await take(page, 'scanner-narrow')
  await gate.camera.showCode(ticket.qrCode)
  await expect(gate.verdict).toBeVisible()
  await page.screenshot({
    path: join(ROOT, 'manifest', 'screenshots', 'scanner-verdict-narrow.jpg'),
    type: 'jpeg',
    quality: 82,
  })
})

test('the desk on a full evening', async ({ browser }) => {
  const server = await TestServer.create({ data: 'big' })
  const page = await openPage(browser, server, 'wide')
  await enterAs(page, 'admin')
  for (const [view, name] of [
    ['', 'desk'],
    ['/analytics', 'desk-analytics'],
    ['/gate', 'desk-gate'],
  ]) {
    await page.goto(`/dashboard/admin${view}`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await page.waitForLoadState('load')
    await page.waitForTimeout(1_500)
    await take(page, `${name}-wide`)
  }
  await server.dispose()
})
