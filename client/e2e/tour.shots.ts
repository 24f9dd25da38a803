import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { ROOT } from '../../scripts/setup.mjs'
import { hold, MARK } from './support/faults.ts'
import { expect, type TestServer, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { openDashboard } from './support/guest.ts'

const FILE = join(ROOT, 'shared', 'docs', 'tour.webp')
const PHONE = { width: 360, height: 720 }
/** The shortest time of a frame where something moves. */
const FRAME_MS = 120
/** README is read over slow networks too. */
const BYTES_MAX = 600_000
const QUALITY = '72'

test.use({ serviceWorkers: 'block' })

interface Frame {
  png: Buffer
  /** How long it is shown. */
  ms: number
}

/** An animated WebP that plays for ever, made with img2webp of Debian's package webp. */
function encodeWebp(frames: readonly Frame[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'garba-tour-'))
  try {
    const made = join(folder, 'tour.webp')
    const pictures = frames.flatMap(({ png, ms }, n) => {
      const file = join(folder, `${n}.png`)
      writeFileSync(file, png)
      return ['-d', String(ms), file]
    })
    const args = ['-loop', '0', '-lossy', '-q', QUALITY, ...pictures, '-o', made]
    const { status, stderr, error } = spawnSync('img2webp', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`img2webp of the package webp is needed: ${error?.message ?? stderr}`)
    return readFileSync(made)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Pictures of a page, each with how long it is shown (ms). */
class Film {
  readonly frames: Frame[] = []

  /** One picture for some time. */
  async hold(page: Page, ms: number): Promise<void> {
    this.frames.push({ png: await page.screenshot(), ms })
  }

  /** Picture after picture, a few each second. */
  async roll(page: Page, ms: number): Promise<void> {
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const from = performance.now()
      const [png] = await Promise.all([page.screenshot(), page.waitForTimeout(FRAME_MS)])
      this.frames.push({ png, ms: Math.round(performance.now() - from) })
    }
  }

  /** A finger comes down, shown as a ring of light, and presses. */
  async press(page: Page, target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (box === null) throw new Error('Nothing there to press')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.evaluate(
      ([left, top]) => {
        const finger = document.createElement('div')
        finger.id = 'finger'
        finger.popover = 'manual'
        finger.style.cssText = `inset: auto; left: ${left - 22}px; top: ${top - 22}px; width: 44px; height: 44px; border: 3px solid #fff;
          border-radius: 50%; background: rgb(255 255 255 / 35%); box-shadow: 0 0 0 2px rgb(22 11 46 / 60%); pointer-events: none`
        document.body.append(finger)
        finger.showPopover()
      },
      [x, y] as const,
    )
    await this.hold(page, 380)
    await page.evaluate(() => document.querySelector('#finger')?.remove())
    await target.click()
  }

  get seconds(): number {
    return this.frames.reduce((sum, { ms }) => sum + ms, 0) / 1_000
  }
}

async function phone(browser: Browser, server: TestServer): Promise<Page> {
  const context = await browser.newContext({
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    baseURL: server.url,
    serviceWorkers: 'block',
    // For the style below.
    bypassCSP: true,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'no-preference',
  })
  return context.newPage()
}

/** Toasts would lie over what is to be seen. */
const withoutToasts = (page: Page) => page.addStyleTag({ content: '[data-sonner-toaster] { display: none }' })

async function showsVerdict(film: Film, gate: Gate, look: string): Promise<void> {
  await expect(gate.verdict).toHaveAttribute('data-look', look, { timeout: 30_000 })
  // It has arrived.
  await gate.verdict.evaluate((verdict) => Promise.all(verdict.getAnimations().map(({ finished }) => finished)))
  await film.hold(gate.page, 1_700)
  await gate.camera.showPicture(null)
  await gate.takeAway()
}

test('one silent tour: four tickets are bought, one is shown, and the gate lets it in once', async ({
  browser,
  server,
}) => {
  const film = new Film()
  const guest = await phone(browser, server)
  await openDashboard(guest)
  await withoutToasts(guest)
  await film.hold(guest, 900)
  await film.press(guest, guest.getByRole('button', { name: 'Buy Your First Ticket' }))
  const dialog = guest.getByRole('dialog')
  await dialog.waitFor()
  await film.roll(guest, 700)
  await film.press(guest, dialog.getByRole('button', { name: /Group/ }))
  await film.hold(guest, 600)
  await film.press(guest, dialog.getByRole('checkbox'))
  await film.press(guest, dialog.getByRole('button', { name: 'Continue' }))
  await dialog.getByRole('heading', { name: 'Confirm Your Order' }).waitFor()
  await film.hold(guest, 900)
  await film.press(guest, dialog.getByRole('button', { name: /^(Get|Pay) / }))
  await guest.getByText('You’re all going!').waitFor()
  await film.roll(guest, 1_500)
  await film.hold(guest, 900)
  await film.press(guest, guest.getByRole('link', { name: /^Show at gate, / }).first())
  await guest.getByRole('dialog').locator('svg[role=img]').first().waitFor()
  await guest.waitForTimeout(400)
  await film.hold(guest, 1_100)

  const checker = await phone(browser, server)
  const gate = await Gate.open(checker, { decodes: true, everyMs: 50 })
  await gate.start()
  await film.hold(checker, 700)
  // So that the code is in the picture for a while: it is read in no time.
  const held = await hold(checker, MARK)
  const phoneHeldUp = await guest.screenshot()
  await gate.camera.showPicture(phoneHeldUp)
  await expect.poll(held.met, { intervals: [20] }).toBe(1)
  await film.hold(checker, 700)
  await held.end()
  await showsVerdict(film, gate, 'allowed')
  await film.hold(checker, 900)
  await gate.camera.showPicture(phoneHeldUp)
  await showsVerdict(film, gate, 'refused')

  const animation = encodeWebp(film.frames)
  expect(animation.length).toBeLessThan(BYTES_MAX)
  expect(await played(checker, animation)).toMatchObject({ ...PHONE, seconds: film.seconds })
  writeFileSync(FILE, animation)
  console.log(`${FILE}: ${film.seconds.toFixed(1)} s, ${Math.round(animation.length / 1_000)} kB`)
})

/** As the browser's own decoder plays it. */
const played = (page: Page, animation: Buffer) =>
  page.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    const decoder = new ImageDecoder({ data, type: 'image/webp' })
    await decoder.tracks.ready
    let [seconds, width, height] = [0, 0, 0]
    for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
      const { image } = await decoder.decode({ frameIndex })
      seconds += (image.duration ?? 0) / 1_000_000
      width = image.displayWidth
      height = image.displayHeight
      image.close()
    }
    return { width, height, seconds: Math.round(seconds * 1_000) / 1_000 }
  }, animation.toString('base64'))
