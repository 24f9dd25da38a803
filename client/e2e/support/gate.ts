import type { Locator, Page } from '@playwright/test'
import { type CameraOptions, type FakeCamera, fakeCamera } from './camera.ts'
import { GateScreen, recordVerdicts } from './gateScreen.ts'
import { enterByHand, restoreSession } from './session.ts'

export class Gate extends GateScreen<Locator, Page, FakeCamera> {
  /** A scanner's page with camera and clock in the hand of the test, not yet opened. */
  static async on(page: Page, setup: CameraOptions = {}): Promise<Gate> {
    const gate = new Gate(page, await fakeCamera(page, setup))
    await page.clock.install()
    await page.addInitScript(recordVerdicts)
    return gate
  }

  /**
   * Signs in as the demo checker and waits until the list of tickets is on the device, as `listed` says in an earlier version.
   * Time can be made to pass in the page, as `scan` and `says` do.
   */
  static async open(
    page: Page,
    setup: CameraOptions = {},
    { listed, origin = '', byHand = false }: { listed?: RegExp; origin?: string; byHand?: boolean } = {},
  ): Promise<Gate> {
    const gate = await Gate.on(page, setup)
    await (byHand ? enterByHand(page, 'checker') : restoreSession(page, 'checker', origin))
    await page.goto(`${origin}/dashboard/qrchecker`)
    await gate.listed(listed)
    return gate
  }
}
