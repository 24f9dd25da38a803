import { expect, type Page } from '@playwright/test'
import { type CameraOptions, type FakeCamera, fakeCamera } from './camera.ts'
import type { TestServer } from './server.ts'
import { enterByHand, restoreSession } from './session.ts'

export interface SeenVerdict {
  look: string
  /** Who decided: server or device. */
  by: string
  words: string
}

declare global {
  interface Window {
    /** Verdicts as they were drawn: each is on the screen for two seconds only, less than a busy machine may take to look. */
    garbaVerdicts: SeenVerdict[]
  }
}

/** Runs in the page before its own code and must be whole in itself. */
export function noteVerdicts(): void {
  window.garbaVerdicts = []
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement) || node.dataset.look === undefined) continue
        const words = Array.from(node.querySelectorAll('p'), (line) => line.textContent?.trim() ?? '').join(' | ')
        window.garbaVerdicts.push({ look: node.dataset.look, by: node.dataset.by ?? '', words })
      }
    }
  }).observe(document, { childList: true, subtree: true })
}

/** From a frame without a code to the next that proves it gone (ms). */
const LOOK_MS = 1_600

/** The words and places of the scanner's screen, as a checker finds them. */
export class Gate {
  readonly page: Page
  readonly camera: FakeCamera
  constructor(page: Page, camera: FakeCamera) {
    this.page = page
    this.camera = camera
  }

  /**
   * Signs in as the demo checker and waits until the list of tickets is on the device. Time can be made to pass in the page,
   * as `scan` and `says` do.
   */
  static async open(
    page: Page,
    setup: CameraOptions = {},
    { list = true, origin = '', byHand = false } = {},
  ): Promise<Gate> {
    const camera = await fakeCamera(page, setup)
    await page.clock.install()
    await page.addInitScript(noteVerdicts)
    await (byHand ? enterByHand(page, 'checker') : restoreSession(page, 'checker', origin))
    await page.goto(`${origin}/dashboard/qrchecker`)
    const gate = new Gate(page, camera)
    await gate.status.filter({ hasText: list ? /tickets?, \d+ s old/ : 'No ticket list yet' }).waitFor()
    return gate
  }

  get status() {
    // By its mark: a role is not found behind an open dialog.
    return this.page.locator('section[aria-label="State of this device"]')
  }
  get verdict() {
    return this.page.locator('[data-look]')
  }
  get recent() {
    return this.page.getByRole('region', { name: 'Recent Scans' }).first()
  }

  async start(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start Scanner' }).click()
    await this.page.getByText('Scanning', { exact: true }).waitFor()
  }

  /** Holds a code before the camera until a verdict has been on the screen, then takes both away. */
  async scan(text: string): Promise<SeenVerdict> {
    const before = (await this.verdicts()).length
    await this.camera.showCode(text)
    const verdict = await this.nextVerdict(before)
    await this.takeAway()
    return verdict
  }

  /** Every verdict that was on the screen, oldest first, as it was drawn. */
  verdicts(): Promise<SeenVerdict[]> {
    return this.page.evaluate(() => window.garbaVerdicts)
  }

  /** The verdict after so many. */
  async nextVerdict(before: number): Promise<SeenVerdict> {
    const shown = await this.page.waitForFunction((at) => window.garbaVerdicts[at], before, { timeout: 20_000 })
    const verdict = await shown.jsonValue()
    if (!verdict) throw new Error('The verdict went away')
    return verdict
  }

  /** The code that was judged last is still before the camera, and not judged again unless the checker asks. */
  get scanAgain() {
    return this.page.getByRole('button', { name: 'Scan again' })
  }

  /** Takes the code and its verdict away, and lets so much time pass that the same code would be judged again. */
  async takeAway(): Promise<void> {
    await this.camera.showCode(null)
    await this.page.evaluate(() => document.querySelector<HTMLElement>('[data-look] button')?.click())
    await this.verdict.waitFor({ state: 'hidden' })
    await expect.poll(() => this.isAimingAtNothing(), { timeout: 20_000, intervals: [20] }).toBe(true)
  }

  /** So many seconds pass in the page, and the camera looks at least once in each. */
  async watch(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      const looked = await this.page.evaluate(() => window.garbaLooks)
      await this.page.clock.fastForward(1_000)
      await this.page.waitForFunction((before) => window.garbaLooks > before, looked)
    }
  }

  private async isAimingAtNothing(): Promise<boolean> {
    await this.page.clock.fastForward(LOOK_MS)
    await this.camera.showCode(null)
    return this.scanAgain.isHidden()
  }

  /** Waits until the device's state matches. The page's clock runs on meanwhile, and with it back-offs and probes. */
  async says(words: string | RegExp): Promise<void> {
    const said = async () => {
      const text = (await this.status.textContent()) ?? ''
      await this.page.clock.fastForward(1_000)
      return text
    }
    const polled = expect.poll(said, { timeout: 60_000, intervals: [100] })
    await (typeof words === 'string' ? polled.toContain(words) : polled.toMatch(words))
  }

  /** Figures of the tiles: scanned, valid, rejected. */
  async tiles(): Promise<number[]> {
    const texts = await this.page.locator('dl dd').allInnerTexts()
    return texts.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
  }
}

/** Gate B sends the server an admission that it made offline. */
export async function otherGateSends(server: TestServer, qrCode: string): Promise<void> {
  const scan = { qrCode, scanId: crypto.randomUUID(), deviceId: 'gate-b', deviceName: 'Gate B', admittedOffline: true }
  const { status } = await (await server.api('checker')).call('markUsedBatch', { body: { scans: [scan] } })
  expect(status).toBe(200)
}
