import { changeEvent, runningNow } from '../support/event.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { putRows, queued, storeRows } from '../support/scannerStore.ts'
import { expectNoViolations } from '../support/screen.ts'
import { expectStill, slowReads, watchShifts } from '../support/shifts.ts'

test.use({ isMobile: true, hasTouch: true })

/** Where the frame is on each screen: left, top, side. */
const SCREENS = [
  { width: 320, height: 568, frame: [62, 156, 196] },
  { width: 360, height: 640, frame: [46, 156, 268] },
  { width: 390, height: 844, frame: [12, 212, 366] },
  { width: 768, height: 1024, frame: [154, 255, 460] },
  { width: 568, height: 320, frame: [15, 12, 236] },
  { width: 844, height: 390, frame: [89, 12, 306] },
  { width: 1280, height: 800, frame: [200, 94, 460] },
] as const

type Screen = (typeof SCREENS)[number]

/** The narrowest, a usual phone, and one on its side. */
const FEW: readonly Screen[] = [SCREENS[0], SCREENS[2], SCREENS[4]]

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height].map(Math.round)
  })

/**
 * At each size the picture fills the screen, the frame is in its place, and what floats over it stays on the screen. Polled:
 * the page's styles take on a new size some time after the window has it.
 */
async function framesStay(
  page: Page,
  floating: readonly string[],
  { on = FEW, also = async () => {} }: { on?: readonly Screen[]; also?: (name: string) => Promise<void> } = {},
) {
  for (const { width, height, frame } of on) {
    await page.setViewportSize({ width, height })
    const name = `${width}x${height}`
    await expect.poll(() => boxOf(page, '[data-frame]'), name).toEqual([...frame, frame[2]])
    await expect.poll(() => boxOf(page, 'video'), name).toEqual([0, 0, width, height])
    for (const selector of floating) await expect(page.locator(selector), name).toBeInViewport({ ratio: 1 })
    await also(name)
  }
}

const STATUS = 'section[aria-label="State of this device"]'
const LAST = 'section[aria-label="Last scan"]'
const SCANNING = '[data-frame] [role=status]'
const STOP = 'button:has-text("Stop Scanner")'

test('nothing that comes or goes moves the frame, at any size; torch, zoom and the other camera are within reach; the worst evening keeps one status line', async ({
  server,
  page,
}) => {
  const tickets = await (await server.api('guest')).buy(2)
  await changeEvent(await server.api('admin'), runningNow())
  const gate = await Gate.open(page, { torch: true, zoom: true })
  await gate.start()
  await framesStay(page, [STATUS, STOP], { on: SCREENS })

  await gate.scan(tickets[0].qrCode)
  await expect(page.getByText('Let in: Garima Guest')).toBeVisible()
  // The strip has its own place, below the frame and what stands on its edge.
  const stripBelow = async (name: string) => {
    const [[, top = 0, , height = 0], [, stripTop = 0]] = [await boxOf(page, SCANNING), await boxOf(page, LAST)]
    expect(stripTop, name).toBeGreaterThanOrEqual(top + height)
  }
  await framesStay(page, [STATUS, LAST, STOP], { on: SCREENS, also: stripBelow })
  await gate.scan(tickets[0].qrCode)
  await expect(page.getByRole('button', { name: 'Check ID: Garima Guest' })).toBeVisible()
  await framesStay(page, [STATUS, LAST, STOP], { also: stripBelow })

  await gate.camera.showCode(tickets[0].qrCode)
  await expect(gate.scanAgain).toBeVisible({ timeout: 20_000 })
  await framesStay(page, [STATUS, LAST, STOP])
  await gate.takeAway()

  await page.getByRole('button', { name: 'Turn the torch on' }).click()
  await expect(page.getByRole('button', { name: 'Turn the torch off' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await gate.camera.seen()).torch).toBe(true)
  await framesStay(page, [STOP])

  // Zoom waits behind one button, by keyboard too, and floats over the frame.
  const slider = page.getByRole('slider', { name: 'Zoom' })
  await expect(slider).toBeHidden()
  await page.getByRole('button', { name: 'Zoom 1.0×' }).press('Enter')
  await slider.press('ArrowRight')
  await expect.poll(async () => (await gate.camera.seen()).zoom).toBe(1.5)
  await expect(page.getByRole('button', { name: 'Zoom 1.5×', expanded: true })).toBeVisible()
  await framesStay(page, ['input[type=range]', STOP])
  await expectNoViolations(page)
  await slider.press('Escape')
  await expect(slider).toBeHidden()
  await expect(page.getByRole('button', { name: 'Zoom 1.5×', expanded: false })).toBeFocused()

  await cutBefore(page, EVERYTHING)
  expect(await gate.scan(tickets[1].qrCode)).toMatchObject({ look: 'pending' })
  await gate.says(/Offline.*1 unsent/)
  await framesStay(page, [STATUS, LAST, STOP])

  await page.getByRole('button', { name: 'Switch camera' }).click()
  await expect.poll(async () => (await gate.camera.seen()).deviceIds.at(-1)).toBe('camera-1')
  await expect(page.getByText('Scanning', { exact: true })).toBeVisible()

  // The page's clock is ahead, because scans move it.
  const now = await page.evaluate(() => Date.now())
  const at = new Date(now).toISOString()
  const side = { at, checkerName: 'Chetan Checker', deviceId: 'b', deviceName: 'Gate B' }
  const conflict = { id: 'c', ticketId: tickets[0].id, name: 'Garima Guest', over: 'used', first: side, second: side }
  await putRows(page, 'conflicts', [{ ...conflict, heardAt: at, acknowledgedAt: null }])
  const parked = { code: 'VALIDATION', message: 'Not a scan', at }
  const scannedAt = new Date(now - 47 * 60_000).toISOString()
  const unsent = await storeRows(page, 'outbox')
  await putRows(page, 'outbox', [
    ...unsent.map((scan) => ({ ...scan, scannedAt })),
    ...tickets.map((ticket) => queued(ticket, { scannedAt, parked })),
  ])
  await page.reload()
  await gate.start()
  await gate.says(/Offline.*3 unsent, oldest 47 min: 2 need attention.*1 double admission to read/)
  await expect(page.getByRole('dialog', { name: 'Double admissions' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const line = page.locator(`${STATUS} > :first-child`)
  const isCut = () =>
    // What is well is an icon, whose words are a pixel wide, for screen readers.
    line.evaluate((one) =>
      [...one.querySelectorAll('.tabular')].some(
        ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth,
      ),
    )
  await framesStay(page, [STATUS, STOP], {
    on: SCREENS,
    also: async (name) => {
      expect(await isCut(), name).toBe(false)
      expect((await line.boundingBox())?.height, name).toBe(32)
    },
  })
})

test('after two minutes without a code the scanner rests: it dims and reads seldom; a touch or a code wakes it', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await changeEvent(await server.api('admin'), runningNow())
  const gate = await Gate.open(page, { everyMs: 100 })
  await gate.start()
  const resting = page.getByText('Resting: tap, or hold up a code')
  const dimmed = () => page.locator('video').evaluate((video) => Number(getComputedStyle(video).opacity))
  const looksIn = async (ms: number) => {
    const before = await gate.looks()
    await page.waitForTimeout(ms)
    return (await gate.looks()) - before
  }
  const rest = async () => {
    // In steps, between which frames come: a camera without frames is opened again.
    for (let passed = 0; passed <= 120; passed += 2) {
      const before = await gate.looks()
      await page.clock.fastForward(2_000)
      await expect.poll(() => gate.looks()).toBeGreaterThan(before)
    }
    await expect(resting).toBeVisible()
  }
  expect(await looksIn(2_000)).toBeGreaterThan(8)
  await rest()
  await expect.poll(dimmed).toBe(0.25)
  expect(await looksIn(4_000)).toBeLessThanOrEqual(11)
  await expectNoViolations(page)

  await page.mouse.click(20, 400)
  await expect(resting).toBeHidden({ timeout: 1_000 })
  await expect.poll(dimmed).toBe(1)
  expect(await looksIn(2_000)).toBeGreaterThan(8)

  await rest()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'allowed' })
  await expect(resting).toBeHidden()
})

for (const [width, height] of [
  [390, 844],
  [1280, 800],
] as const)
  test(`nothing moves from the start of the scanner to its count, ${width} px wide`, async ({ page, server }) => {
    await page.setViewportSize({ width, height })
    await changeEvent(await server.api('admin'), { ...runningNow(), reentry: 'open', totalTickets: 10, capacity: 10 })
    await slowReads(page)
    const shifts = await watchShifts(page)
    const gate = await Gate.open(page)
    await gate.start()
    await page.getByRole('button', { name: 'Count', exact: true }).click()
    await page.getByRole('button', { name: 'One more: Children under 5' }).click()
    await expect.poll(() => server.rows('select change from movements')).toEqual([{ change: 1 }])
    await expectStill(shifts)
  })
