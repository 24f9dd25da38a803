import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import type { Locator, Page } from '@playwright/test'
import { type CameraOptions, type FakeCamera, fakeCamera } from './camera.ts'
import { prepareDevice } from './devices.ts'
import { pollUntil } from './poll.ts'
import type { TestServer } from './server.ts'
import { enterByHand, restoreSession } from './session.ts'
import { recordVerdicts, type SeenVerdict } from './verdicts.ts'

/** From a frame without a code to the next that proves it gone (ms). */
const LOOK_MS = 1_600
/** Longer than a busy machine takes to write a scan (ms). */
const WRITE_MS = 5_000
/** A queue that backs off takes longer. */
const STATE_PATIENCE_MS = 120_000
/** Longer than a server takes to answer on a busy machine (ms). */
const CUT_MS = 4_000

/** The words and places of the scanner's screen, as a checker finds them. Its page has a clock that can be moved. */
export class Gate {
  readonly page: Page
  readonly camera: FakeCamera
  /** Codes are read at once, without pictures that need time to come. */
  private isQuick = false

  private constructor(page: Page, camera: FakeCamera) {
    this.page = page
    this.camera = camera
  }

  /** A scanner's page with camera and clock in the hand of the test, not yet opened. */
  static async on(page: Page, setup: CameraOptions = {}, time = Date.now()): Promise<Gate> {
    const gate = new Gate(page, await fakeCamera(page, setup))
    gate.isQuick = setup.decodes !== true
    await page.clock.install({ time })
    await page.addInitScript(recordVerdicts)
    return gate
  }

  /** Signs in as the demo checker and waits until the list of tickets is on the device, or with `list: false` until none is. */
  static async open(
    page: Page,
    setup: CameraOptions = {},
    { origin = '', byHand = false, list = true, time = Date.now() } = {},
  ): Promise<Gate> {
    const gate = await Gate.on(page, setup, time)
    await (byHand ? enterByHand(page, 'checker') : restoreSession(page, 'checker', origin))
    await page.goto(`${origin}/dashboard/qrchecker`)
    await gate.listed(list ? undefined : 'No ticket list yet')
    return gate
  }

  /** Holds a code before the camera until a verdict has been on the screen, then takes both away. */
  scan(text: string): Promise<SeenVerdict> {
    return this.isQuick ? this.holdTime(() => this.showUntilVerdict(text)) : this.showUntilVerdict(text)
  }

  /**
   * Time stands in the page until the verdict that this leads to, because a busy machine is no slow network. Where that is
   * cut it goes on after a while.
   */
  async holdTime<T>(act: () => Promise<T>): Promise<T> {
    const before = (await this.verdicts()).length
    const end = Date.now() + CUT_MS
    await this.stopTime()
    const isOver = async () => (await this.verdicts()).length > before || Date.now() > end
    const goOn = pollUntil(isOver, 'a verdict').then(() => this.page.clock.resume())
    const [result] = await Promise.all([act(), goOn])
    return result
  }

  private async stopTime(): Promise<void> {
    const now = await this.page.evaluate(() => Date.now())
    // The clock can only be paused at a future time, and runs on until the page hears of it.
    for (const ahead of [200, 1_000, 10_000])
      try {
        return await this.page.clock.pauseAt(now + ahead)
      } catch (error) {
        if (ahead === 10_000) throw error
      }
  }

  get status(): Locator {
    // By its mark: a role is not found behind an open dialog.
    return this.page.locator('section[aria-label="State of this device"]')
  }
  get verdict(): Locator {
    return this.page.locator('[data-look]')
  }
  get recent(): Locator {
    return this.page.getByRole('region', { name: 'Recent Scans' }).first()
  }

  /** Waits for these words in the device's state, or for a fresh list of tickets. */
  async listed(words: string | RegExp = /Updated \d+ s ago/): Promise<void> {
    await this.status.filter({ hasText: words }).waitFor()
  }

  /** Pairs a volunteer's phone by the link in its QR, and begins a shift. */
  async pair(code: string, name: string): Promise<void> {
    await this.page.goto(`${PAIR_PAGE}#${code}`)
    await startShift(this.page, name)
    await this.listed()
  }

  async start(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start Scanner' }).click()
    await this.page.getByText('Scanning', { exact: true }).waitFor()
  }

  private async showUntilVerdict(text: string): Promise<SeenVerdict> {
    const before = (await this.verdicts()).length
    const [scanned] = await this.tiles()
    await this.camera.showCode(text)
    const verdict = await this.nextVerdict(before)
    await this.counted(scanned)
    await this.takeAway()
    return verdict
  }

  /**
   * Waits until the tile counts one scan more, so that its write has ended before the page's clock is moved past the
   * device's patience with it. Where nothing can be written the tile stays.
   */
  private async counted(before: number | undefined): Promise<void> {
    const end = Date.now() + WRITE_MS
    const isCounted = async () => (await this.tiles())[0] !== before || Date.now() > end
    await pollUntil(isCounted, 'the scan to be counted', { everyMs: 50 })
  }

  /** Every verdict that was on the screen, oldest first, as it was drawn. */
  verdicts(): Promise<SeenVerdict[]> {
    return this.page.evaluate(() => window.garbaVerdicts)
  }

  /** The verdict after so many. */
  nextVerdict(before: number): Promise<SeenVerdict> {
    return pollUntil(async () => (await this.verdicts())[before], 'a verdict')
  }

  /** The code that was judged last is still before the camera, and not judged again unless the checker asks. */
  get scanAgain(): Locator {
    return this.page.getByRole('button', { name: 'Scan again' })
  }

  /** Takes the code and its verdict away, and lets enough time pass for the same code to be judged again. */
  async takeAway(): Promise<void> {
    await this.camera.showCode(null)
    await this.page.evaluate(() => document.querySelector<HTMLElement>('[data-look] button')?.click())
    await pollUntil(async () => !(await this.verdict.isVisible()), 'the verdict to go')
    await pollUntil(() => this.isAimingAtNothing(), 'the code to be gone', { everyMs: 20 })
  }

  /** This many seconds pass in the page, and the camera looks at least once in each. */
  async watch(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      const before = await this.looks()
      await this.page.clock.fastForward(1_000)
      await pollUntil(async () => (await this.looks()) > before, 'the camera to look')
    }
  }

  looks(): Promise<number> {
    return this.page.evaluate(() => window.garbaLooks)
  }

  private async isAimingAtNothing(): Promise<boolean> {
    await this.page.clock.fastForward(LOOK_MS)
    await this.camera.showCode(null)
    return !(await this.scanAgain.isVisible())
  }

  /** Waits until the device's state matches. The page's clock runs on meanwhile, and with it back-offs and probes. */
  async says(words: string | RegExp): Promise<void> {
    const fits = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text))
    const said = async () => {
      const text = (await this.status.textContent()) ?? ''
      await this.page.clock.fastForward(1_000)
      return fits(text)
    }
    await pollUntil(said, `the state to say ${words}`, { everyMs: 100, patienceMs: STATE_PATIENCE_MS })
  }

  /** Figures of the tiles: scanned, valid, rejected. */
  async tiles(): Promise<number[]> {
    const texts = await this.page.locator('dl dd').allTextContents()
    return texts.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
  }
}

/** A volunteer's phone, paired by the link in the QR, with the list of tickets on it. */
export async function openPaired(
  page: Page,
  server: TestServer,
  device: object = {},
  { name = 'Ravi', camera = {}, time }: { name?: string; camera?: CameraOptions; time?: number } = {},
): Promise<Gate & { id: string }> {
  const { id, code } = await prepareDevice(server, device)
  const gate = await Gate.on(page, camera, time)
  await gate.pair(code, name)
  return Object.assign(gate, { id })
}

/** Says who scans with a phone that was just paired, or from now on. */
export async function startShift(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'First name' }).fill(name)
  await page.getByRole('button', { name: 'Start the shift' }).click()
}
