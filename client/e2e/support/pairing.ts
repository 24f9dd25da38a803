import { PAIR_PAGE } from '@garba/shared/contracts/pages'
import type { Page } from '@playwright/test'
import type { CameraOptions } from './camera.ts'
import { fakeCamera } from './camera.ts'
import { prepareDevice } from './devices.ts'
import { Gate } from './gate.ts'
import { noteVerdicts, startShift } from './gateScreen.ts'
import type { TestServer } from './server.ts'

/** A volunteer's phone, paired by the link in the QR, with the list of tickets on it. */
export async function openPaired(
  page: Page,
  server: TestServer,
  { device = {}, name = 'Ravi', camera: setup = {} }: { device?: object; name?: string; camera?: CameraOptions } = {},
): Promise<Gate & { id: string }> {
  const { id, code } = await prepareDevice(server, device)
  const camera = await fakeCamera(page, setup)
  await page.clock.install()
  await page.addInitScript(noteVerdicts)
  await page.goto(`${PAIR_PAGE}#${code}`)
  await startShift(page, name)
  const gate = new Gate(page, camera)
  await gate.status.filter({ hasText: /tickets?, \d+ s old/ }).waitFor()
  return Object.assign(gate, { id })
}
