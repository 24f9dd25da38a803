import { gu } from '../../src/scanner/texts/gu.ts'
import { hi } from '../../src/scanner/texts/hi.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { restoreSession } from '../support/session.ts'

test.use({ isMobile: true, hasTouch: true, viewport: { width: 360, height: 640 } })

/** Lines of the verdict that its screen, its own box or its button cuts off. */
const cutLines = (page: Page) =>
  page.locator('[data-look]').evaluate((verdict) => {
    const button = verdict.querySelector('button span')?.getBoundingClientRect()
    return Array.from(verdict.querySelectorAll('p'))
      .filter((line) => {
        const { left, right, top, bottom } = line.getBoundingClientRect()
        const isCut = getComputedStyle(line).overflowY === 'hidden' && line.scrollHeight > line.clientHeight + 2
        const isWide = left < 0 || right > innerWidth || line.scrollWidth > line.clientWidth + 1
        return isCut || isWide || top < 0 || bottom > (button?.top ?? 0)
      })
      .map((line) => line.textContent)
  })

for (const [language, texts] of Object.entries({ gu, hi }))
  for (const size of [100, 200])
    test(`on the smallest phone every verdict in ${language} is whole with text at ${size} %`, async ({
      server,
      page,
      context,
    }) => {
      await page.addInitScript((kept) => localStorage.setItem('garba.language', kept), language)
      const [first, second] = await (await server.api('guest')).buy(2)
      const gate = await Gate.on(page)
      await restoreSession(page, 'checker')
      await page.goto('/dashboard/qrchecker')
      const settings = await context.newCDPSession(page)
      await settings.send('Page.setFontSizes', { fontSizes: { standard: (16 * size) / 100 } })
      await page.getByRole('button', { name: texts.SCANNER.start }).click()
      await page.locator('[data-camera="scanning"]').waitFor()
      const see = async (code: string | null, look: string, title: string) => {
        await gate.camera.showCode(code)
        await expect(page.locator(`[data-look="${look}"]`)).toContainText(title)
        await page.evaluate(() => document.fonts.ready)
        expect(await cutLines(page), title).toEqual([])
        await gate.takeAway()
      }
      await see(first.qrCode, 'allowed', texts.SCAN.entryAllowed)
      await see(first.qrCode, 'refused', texts.SCAN.used({}).title)
      await see('https://example.org', 'refused', texts.SCAN.unreadable.title)
      await cutBefore(page, EVERYTHING)
      await see(second.qrCode, 'pending', texts.SCAN_NOTES.letIn)
    })
