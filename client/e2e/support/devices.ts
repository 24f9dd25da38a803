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

/** Gate B sends the server an admission that it made offline. */
export async function otherGateSends(server: TestServer, qrCode: string): Promise<void> {
  const scan = { qrCode, scanId: crypto.randomUUID(), deviceId: 'gate-b', deviceName: 'Gate B', admittedOffline: true }
  const { status } = await (await server.api('checker')).call('markUsedBatch', { body: { scans: [scan] } })
  if (status !== 200) throw new Error(`Gate B could not send its scan: ${status}`)
}
