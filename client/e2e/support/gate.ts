import { expect, type Page } from '@playwright/test'
import { type FakeCamera, fakeCamera } from './camera.ts'
import { restoreSession } from './session.ts'

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

function noteVerdicts(): void {
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

/** The words and places of the scanner's screen, as a checker finds them. */
export class Gate {
  readonly page: Page
  readonly camera: FakeCamera
  /** When the same code would be judged again, by performance.now(); 0 before the first verdict. */
  private readsAgainAt = 0

  constructor(page: Page, camera: FakeCamera) {
    this.page = page
    this.camera = camera
  }

  /** Signs in as the demo checker and waits until the list of tickets is on the device. */
  static async open(
    page: Page,
    setup: Parameters<typeof fakeCamera>[1] = {},
    { list = true, origin = '' } = {},
  ): Promise<Gate> {
    const camera = await fakeCamera(page, setup)
    await page.addInitScript(noteVerdicts)
    await restoreSession(page, 'checker', origin)
    await page.goto(`${origin}/dashboard/qrchecker`)
    const gate = new Gate(page, camera)
    await expect(gate.status).toContainText(list ? /tickets?, \d+ s old/ : 'No ticket list yet')
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
    await expect(this.page.getByText('Scanning', { exact: true })).toBeVisible()
  }

  /** Holds a code before the camera until a verdict has been on the screen, then takes both away. */
  async scan(text: string): Promise<SeenVerdict> {
    await this.rested()
    const before = (await this.verdicts()).length
    await this.camera.showCode(text)
    const verdict = await this.nextVerdict(before)
    await this.camera.showCode(null)
    await this.tapAway()
    return verdict
  }

  /** Every verdict that was on the screen, oldest first, as it was drawn. */
  verdicts(): Promise<SeenVerdict[]> {
    return this.page.evaluate(() => window.garbaVerdicts)
  }

  /** The verdict after so many. */
  async nextVerdict(before: number): Promise<SeenVerdict> {
    await expect.poll(async () => (await this.verdicts()).length, { timeout: 20_000 }).toBeGreaterThan(before)
    const verdict = (await this.verdicts())[before]
    if (!verdict) throw new Error('The verdict went away')
    return verdict
  }

  /** The code that was judged last is still before the camera, and not judged again unless the checker asks. */
  get scanAgain() {
    return this.page.getByRole('button', { name: 'Scan again' })
  }

  /** Goes on before the two seconds are over, and waits until the same code would be judged again. */
  async dismiss(): Promise<void> {
    await this.tapAway()
    await this.rested()
  }

  /** Since the last verdict so much time has passed that the same code would be judged again. */
  async rested(): Promise<void> {
    if (this.readsAgainAt === 0) return
    await this.page.waitForTimeout(Math.max(0, this.readsAgainAt - performance.now()))
    await expect(this.scanAgain).toBeHidden()
  }

  private async tapAway(): Promise<void> {
    await this.page.evaluate(() => document.querySelector<HTMLElement>('[data-look] button')?.click())
    await expect(this.verdict).toBeHidden()
    this.readsAgainAt = performance.now() + 1_050
  }

  /** Figures of the tiles: scanned, valid, rejected. */
  async tiles(): Promise<number[]> {
    const texts = await this.page.locator('dl dd').allInnerTexts()
    return texts.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
  }
}
