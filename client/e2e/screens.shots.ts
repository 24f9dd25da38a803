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
/** The widths that axe looks at too; of large text it looks at all. */
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

/** Texts that a box cuts off without an ellipsis, and a page that is wider than its window. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SHOW_TEXT = 4
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
    const cut: string[] = []
    const texts = document.createTreeWalker(document.body, SHOW_TEXT)
    while (texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      const text = range.getBoundingClientRect()
      // What is folded away has a size too.
      if (text.width === 0 || range.toString().trim() === '' || !texts.currentNode.parentElement?.checkVisibility())
        continue
      for (
        let box: HTMLElement | null = texts.currentNode.parentElement;
        box && box !== document.body;
        box = box.parentElement
      ) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box)
        const { left, right, top, bottom, width } = box.getBoundingClientRect()
        // What only screen readers get is one pixel wide; what scrolls can be reached.
        if (
          width <= 1 ||
          scrolls(overflowX) ||
          scrolls(overflowY) ||
          textOverflow === 'ellipsis' ||
          webkitLineClamp !== 'none'
        )
          break
        const wide = hides(overflowX) && (text.right > right + 1 || text.left < left - 1)
        const high = hides(overflowY) && (text.bottom > bottom + 3 || text.top < top - 3)
        if (wide || high) {
          cut.push(`cut: ${range.toString().slice(0, 60)}, in ${box.tagName} ${box.className}`)
          break
        }
      }
    }
    const wider = document.documentElement.scrollWidth - innerWidth
    return wider > 0 ? [`the page is ${wider} px wider than its window`, ...cut] : cut
  })

for (const [name, shot] of Object.entries(SHOTS))
  test(name, async ({ browser }) => {
    const { whole = false, text = 100, widths, print = false } = shot
    const found: string[] = []
    await inShot(browser, shot, async ({ page, context }) => {
      const file = name.replaceAll(/\W+/g, '-')
      if (print) {
        for (const [as, landscape] of Object.entries({ portrait: false, landscape: true }))
          await page.pdf({ path: join(FOLDER, `${file}-${as}.pdf`), format: 'A4', landscape })
        return
      }
      const settings = await context.newCDPSession(page)
      if (whole) await lookThrough(page)
      const take = (as: string, fullPage: boolean) =>
        page.screenshot({ path: join(FOLDER, `${as}.png`), fullPage, animations: 'disabled' })
      for (const [width, height] of SIZES) {
        if (widths?.includes(width) === false) continue
        await page.setViewportSize({ width, height })
        await settings.send('Page.setFontSizes', { fontSizes: { standard: (16 * text) / 100 } })
        // What loads when it comes into view, and what fades in.
        await page.waitForTimeout(700)
        await take(`${file}-${width}`, false)
        if (CHECKED.includes(width) || text > 100)
          found.push(...(await violations(page)).map((one) => `${width} px: ${one}`))
        if (text > 100) found.push(...(await cutTexts(page)).map((one) => `${width} px: ${one}`))
        if (whole && text === 100) await take(`${file}-${width}-whole`, true)
        // Chromium forgets the size of letters when it draws more than the window.
        else if (whole) await eachScreen(page, (at) => take(`${file}-${width}-${at}`, false))
      }
    })
    // After the last picture: a finding takes none of them away.
    expect(found, 'what axe found').toEqual([])
  })
