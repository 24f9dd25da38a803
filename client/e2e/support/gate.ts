import type { Locator, Page } from '@playwright/test'
import { type CameraOptions, type FakeCamera, fakeCamera } from './camera.ts'
import { GateScreen, noteVerdicts } from './gateScreen.ts'
import { enterByHand, restoreSession } from './session.ts'

export class Gate extends GateScreen<Locator, Page, FakeCamera> {
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
}
