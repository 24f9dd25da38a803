import type { Locator } from '@playwright/test'
import { holdClock } from '../shots/scene.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { putRows, queued } from '../support/scannerStore.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from '../support/screen.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

const LONG_NAME = 'Venkatanarasimharajuvaripeta Subrahmanyam Lakshminarayanan Chandrasekharendra Iy'
const buyAsLongName = async (server: TestServer) =>
  (await server.apiAs({ uid: 'long-name', email: 'long@garba.test', name: LONG_NAME })).buy(2)

/** The parts of a page that lie outside the screen, or that a finger of 44 px cannot hit. */
const misfits = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    for (const control of document.querySelectorAll<HTMLElement>('button, input')) {
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      const isSeen =
        width > 0 && bottom > 22 && top < innerHeight - 22 && control.checkVisibility({ visibilityProperty: true })
      if (!isSeen) continue
      const name = control.getAttribute('aria-label') ?? control.textContent ?? ''
      if (left < 0 || right > innerWidth) found.push(`${name} is beside the screen`)
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      const reach = [0, -21, 21].flatMap((d) => [
        [x + d, y],
        [x, y + d],
      ])
      const hit = (at: number[]) => document.elementFromPoint(at[0] ?? 0, at[1] ?? 0)?.closest('button, input, label')
      if (hit([x, y]) === control && !reach.every((at) => hit(at) === control)) found.push(`${name} is too small`)
    }
    return found
  })

/** Polled until the device's status has settled, because a growing chip moves its neighbours for a frame. */
const fits = async (page: Page) => {
  await expect.poll(() => misfits(page)).toEqual([])
  await expectNoViolations(page)
}

/** Every part of the running scanner is whole on the screen, and none lies over another. */
async function expectApart(page: Page, gate: Gate) {
  const parts: readonly Locator[] = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('button', { name: 'Scanner menu' }),
    gate.status,
    page.getByText('Scanning', { exact: true }),
    ...['Recent Scans', 'Find by name or code', 'Switch camera', 'Turn the torch on', 'Stop Scanner'].map((name) =>
      page.getByRole('button', { name }),
    ),
  ]
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      if (a && b)
        expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
          true,
        )
}

test('a name of 80 letters and a long state push nothing off the screen, nor does finding somebody by name; on its side nothing lies over anything else', async ({
  server,
  page,
}) => {
  const [first, second] = await buyAsLongName(server)
  if (!first || !second) throw new Error('Two tickets were bought')
  const gate = await Gate.open(page, { torch: true })
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('textbox').fill('venka')
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await fits(page)
  await dialog.getByRole('listitem').first().getByRole('button').click()
  await expect(dialog).toContainText('Not yet in')
  await fits(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await gate.start()
  const upright = page.viewportSize()
  await page.setViewportSize({ width: 844, height: 390 })
  await expectApart(page, gate)
  await fits(page)
  if (upright) await page.setViewportSize(upright)
  // What is well is an icon, and the tiles wait, until the line is opened.
  const tiles = page.getByText('Total Scanned')
  await expect(tiles).not.toBeInViewport()
  await page.getByRole('button', { name: 'Online', expanded: false }).click()
  await expect(tiles).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Online', expanded: true }).click()
  expect((await gate.scan(first.qrCode ?? '')).words).toContain(LONG_NAME)
  await expect(page.getByRole('button', { name: /Undo the admission of Venkata/ })).toBeInViewport({ ratio: 1 })
  await fits(page)
  await gate.camera.showCode(first.qrCode)
  await expect(gate.scanAgain).toBeInViewport({ ratio: 1, timeout: 20_000 })
  await fits(page)
  await gate.camera.showCode(null)

  await cutBefore(page, EVERYTHING)
  const parked = { code: 'VALIDATION', message: 'Not a scan', at: new Date().toISOString() }
  const scannedAt = new Date(Date.now() - 47 * 60_000).toISOString()
  await putRows(page, 'outbox', [queued(second, { scannedAt, name: LONG_NAME, parked })])
  await page.reload()
  await expect(gate.status).toContainText('1 unsent, oldest 47 min: 1 needs attention')
  await fits(page)
  await page.getByRole('button', { name: /1 unsent/ }).click()
  await expect(dialog).toContainText('The server rejected this scan')
  await fits(page)
})

/** In the page: how far the letters of the verdict's name reach beyond its box, in px; null while there is none. */
function cutOff(): { px: number } | null {
  const name = [...document.querySelectorAll('[data-look] p')].find((line) =>
    /\p{Script=Gujarati}/u.test(line.textContent),
  )
  const pen = document.createElement('canvas').getContext('2d')
  if (name === undefined || pen === null || document.fonts.status !== 'loaded') return null
  const { fontWeight, fontSize, fontFamily, lineHeight, paddingTop, paddingBottom } = getComputedStyle(name)
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
  const ink = pen.measureText(name.textContent ?? '')
  const air = (Number.parseFloat(lineHeight) - ink.fontBoundingBoxAscent - ink.fontBoundingBoxDescent) / 2
  const px = Math.max(
    ink.actualBoundingBoxAscent - ink.fontBoundingBoxAscent - air - Number.parseFloat(paddingTop),
    ink.actualBoundingBoxDescent - ink.fontBoundingBoxDescent - air - Number.parseFloat(paddingBottom),
  )
  return { px }
}

test('a verdict lies over open lists and over messages, and the tall and deep letters of a Gujarati name are whole', async ({
  server,
  page,
}) => {
  const guest = await server.apiAs({ uid: 'gujarati', email: 'guj@garba.test', name: 'ધ્રુવીબેન ત્રિવેદી' })
  const [first, second] = await guest.buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  await gate.camera.showCode(first.qrCode)
  // Asked in the page at each frame: a verdict is there for two seconds only.
  const cut = await page.waitForFunction(cutOff, undefined, { polling: 'raf', timeout: 20_000 })
  expect((await cut.jsonValue())?.px).toBeLessThanOrEqual(0)
  await gate.takeAway()
  await page.getByRole('button', { name: 'Recent Scans' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await gate.camera.showCode(second.qrCode)
  const isCovered = () => {
    const places = [0.02, 0.25, 0.5, 0.75, 0.98]
    return places.every((x) =>
      places.every((y) => document.elementFromPoint(x * innerWidth, y * innerHeight)?.closest('[data-look]') != null),
    )
  }
  await page.waitForFunction(isCovered, undefined, { polling: 'raf', timeout: 20_000 })
})

test('green comes with the verdict and blooms from where the code was, and stands still under reduced motion', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const gate = await Gate.open(page, { decodes: true })
  await gate.start()
  await gate.camera.showCode(ticket.qrCode)
  await expect(gate.verdict).toBeVisible()
  const light = () =>
    gate.verdict.evaluate((verdict: HTMLElement) => {
      const { animationName, display } = getComputedStyle(verdict, '::before')
      const [x, y] = ['--x', '--y'].map((name) => Number.parseFloat(verdict.style.getPropertyValue(name)))
      return {
        moves: animationName.includes('bloom'),
        display,
        x,
        y,
        ground: getComputedStyle(verdict).backgroundColor,
      }
    })
  const { moves, x, y, ground } = await light()
  expect({ moves, ground }).toEqual({ moves: true, ground: 'rgb(13, 107, 56)' })
  expect(x).toBeGreaterThan(0)
  expect(x).toBeLessThan(360)
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(740)
  await holdClock(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await light()).toMatchObject({ display: 'none', ground: 'rgb(13, 107, 56)' })
  await expectNoViolationsInBothSizes(page, 'the verdict')
})
