import { join } from 'node:path'
import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { expect, type Page, test } from './support/fixtures.ts'
import { violations } from './support/screen.ts'

const FOLDER = process.env.SCREENS ?? ''
const SIZES = [
  [360, 640],
  [390, 844],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const
/** The widths that axe looks at too. */
const CHECKED: readonly number[] = [390, 1280]

test.use({ serviceWorkers: 'block' })

/** Scrolls through the page, so that what waits to come into view is there. */
async function lookThrough(page: Page) {
  const screens = await page.evaluate(() => Math.ceil(document.documentElement.scrollHeight / innerHeight))
  for (let at = 0; at <= screens; at++) {
    await page.evaluate((to) => scrollTo({ top: to * innerHeight, behavior: 'instant' }), at)
    await page.waitForTimeout(120)
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** Scrolls down a window at a time and calls `look` with the number of the one in view, from 1. */
async function eachScreen(page: Page, look: (at: number) => Promise<unknown>) {
  for (let at = 2; ; at++) {
    const before = await page.evaluate(() => scrollY)
    await page.evaluate(() => scrollBy({ top: innerHeight * 0.9, behavior: 'instant' }))
    await page.waitForTimeout(200)
    if ((await page.evaluate(() => scrollY)) === before) break
    await look(at)
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

for (const [name, shot] of Object.entries(SHOTS))
  test(name, async ({ browser }) => {
    const { whole = false, text = 100 } = shot
    const found: string[] = []
    await inShot(browser, shot, async ({ page, context }) => {
      const settings = await context.newCDPSession(page)
      if (whole) await lookThrough(page)
      const take = (as: string, fullPage: boolean) =>
        page.screenshot({ path: join(FOLDER, `${as}.png`), fullPage, animations: 'disabled' })
      const file = name.replaceAll(/\W+/g, '-')
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        await settings.send('Page.setFontSizes', { fontSizes: { standard: (16 * text) / 100 } })
        // What loads when it comes into view, and what fades in.
        await page.waitForTimeout(700)
        await take(`${file}-${width}`, false)
        if (CHECKED.includes(width)) found.push(...(await violations(page)).map((one) => `${width} px: ${one}`))
        if (whole && text === 100) await take(`${file}-${width}-whole`, true)
        // Chromium forgets the size of letters when it draws more than the window.
        else if (whole) await eachScreen(page, (at) => take(`${file}-${width}-${at}`, false))
      }
    })
    // After the last picture: a finding takes none of them away.
    expect(found, 'what axe found').toEqual([])
  })
