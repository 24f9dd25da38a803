import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'

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
export function recordVerdicts(): void {
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

/** A place on a page in Chromium or in jsdom (client/dom). */
interface Place {
  click(): Promise<void>
  fill(text: string): Promise<void>
  filter(options: { hasText: string | RegExp }): Pick<Place, 'waitFor'>
  waitFor(): Promise<void>
  isVisible(): Promise<boolean>
  textContent(): Promise<string | null>
  allTextContents(): Promise<string[]>
}
interface Screen<L extends Place> {
  getByRole(role: 'button' | 'region' | 'textbox', options: { name: string }): L & { first(): L }
  getByText(text: string, options: { exact: boolean }): L
  locator(css: string): L
  evaluate<R>(look: () => R): Promise<R>
  goto(address: string): Promise<unknown>
  readonly clock: { fastForward(ms: number): Promise<void> | void }
}

interface Camera {
  showCode(text: string | null): Promise<void>
}

/** From a frame without a code to the next that proves it gone (ms). */
const LOOK_MS = 1_600
const PATIENCE_MS = 20_000
/** Longer than a busy machine takes to write a scan (ms). */
const WRITE_MS = 5_000
/** A queue that backs off takes longer. */
const STATE_PATIENCE_MS = 60_000

/** Resolves to the first answer of `look` that is neither undefined nor false. */
export async function pollUntil<T>(
  look: () => Promise<T | undefined | false>,
  what: string,
  { everyMs = 10, patienceMs = PATIENCE_MS } = {},
): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, everyMs))) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > end) throw new Error(`Timed out waiting for ${what}`)
  }
}

/** The words and places of the scanner's screen, as a checker finds them. Its page has a clock that can be moved. */
export class GateScreen<L extends Place, P extends Screen<L>, C extends Camera> {
  readonly page: P
  readonly camera: C
  constructor(page: P, camera: C) {
    this.page = page
    this.camera = camera
  }

  get status(): L {
    // By its mark: a role is not found behind an open dialog.
    return this.page.locator('section[aria-label="State of this device"]')
  }
  get verdict(): L {
    return this.page.locator('[data-look]')
  }
  get recent(): L {
    return this.page.getByRole('region', { name: 'Recent Scans' }).first()
  }

  /** Waits until the list of tickets is on the device, or until the state says something else. */
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

  /** Holds a code before the camera until a verdict has been on the screen, then takes both away. */
  async scan(text: string): Promise<SeenVerdict> {
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
  get scanAgain(): L {
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

/** Says who scans with a phone that was just paired, or from now on. */
export async function startShift(page: Pick<Screen<Place>, 'getByRole'>, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'First name' }).fill(name)
  await page.getByRole('button', { name: 'Start the shift' }).click()
}
