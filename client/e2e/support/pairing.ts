import { PAIR_PAGE } from '@garba/shared/contracts/pages'
import type { Page } from '@playwright/test'
import type { CameraOptions } from './camera.ts'
import { fakeCamera } from './camera.ts'
import { Gate, noteVerdicts } from './gate.ts'
import type { TestServer } from './server.ts'

export interface Prepared {
  id: string
  /** As people read it: 7K3M-Q9XT. */
  code: string
  url: string
}

/** Prepares a device at the desk, named Gate A. */
export async function prepareDevice(server: TestServer, device: object = {}): Promise<Prepared> {
  const admin = await server.api('admin')
  const { status, body } = await admin.call('createDevice', { body: { name: 'Gate A', ...device } })
  if (status !== 201) throw new Error(`No device: ${JSON.stringify(body)}`)
  const made = body as { device: { id: string }; pairing: { code: string; url: string } }
  return { id: made.device.id, code: made.pairing.code, url: made.pairing.url }
}

/** What the desk changes about a device. */
export async function changeDevice(server: TestServer, id: string, body: object): Promise<void> {
  const { status } = await (await server.api('admin')).call('changeDevice', { params: { id }, body })
  if (status !== 200) throw new Error(`The device was not changed: ${status}`)
}

export async function startShift(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'First name' }).fill(name)
  await page.getByRole('button', { name: 'Start the shift' }).click()
}

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
