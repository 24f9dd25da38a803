import type { Page } from '@playwright/test'
import type { CameraOptions } from './camera.ts'
import { prepareDevice } from './devices.ts'
import { Gate } from './gate.ts'
import type { TestServer } from './server.ts'

/** A volunteer's phone, paired by the link in the QR, with the list of tickets on it. */
export async function openPaired(
  page: Page,
  server: TestServer,
  { device = {}, name = 'Ravi', camera: setup = {} }: { device?: object; name?: string; camera?: CameraOptions } = {},
): Promise<Gate & { id: string }> {
  const { id, code } = await prepareDevice(server, device)
  const gate = await Gate.on(page, setup)
  await gate.pair(code, name)
  return Object.assign(gate, { id })
}
