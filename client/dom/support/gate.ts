import type { CameraSetup } from '../../e2e/support/cameraInPage.ts'
import { prepareDevice } from '../../e2e/support/devices.ts'
import { GateScreen, recordVerdicts } from '../../e2e/support/gateScreen.ts'
import { type FakeCamera, fakeCamera } from './camera.ts'
import type { TestServer } from './fixtures.ts'
import type { Locator } from './locator.ts'
import type { Page } from './page.ts'
import { restoreSession } from './session.ts'

export class Gate extends GateScreen<Locator, Page, FakeCamera> {
  /** A scanner's page with camera and clock in the hand of the test, not yet opened. */
  static on(page: Page, camera: Partial<CameraSetup> = {}, time = Date.now()): Gate {
    const gate = new Gate(page, fakeCamera(page, camera))
    page.clock.install({ time })
    page.addInitScript(recordVerdicts)
    return gate
  }

  /** Signs in as the demo checker and waits until the list of tickets is on the device. */
  static async open(
    page: Page,
    camera: Partial<CameraSetup> = {},
    { list = true, time = Date.now() } = {},
  ): Promise<Gate> {
    const gate = Gate.on(page, camera, time)
    await restoreSession(page, 'checker')
    await page.goto('/dashboard/qrchecker')
    await gate.listed(list ? undefined : 'No ticket list yet')
    return gate
  }
}

/** A volunteer's phone, paired by the link in the QR, with the list of tickets on it. */
export async function openPaired(
  page: Page,
  server: TestServer,
  device: object = {},
  { time = Date.now() } = {},
): Promise<Gate & { id: string }> {
  const { id, code } = await prepareDevice(server, device)
  const gate = Gate.on(page, {}, time)
  await gate.pair(code, 'Ravi')
  return Object.assign(gate, { id })
}
