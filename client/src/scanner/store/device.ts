import { SCAN } from '@garba/shared/messages/codes'
import { epochNow } from '../../platform/http/epoch.ts'
import { userNow } from '../../platform/identity/session.ts'
import { clockOffset } from '../../platform/net/clock.ts'
import type { DeviceMeta } from '../../platform/store/scannerSchema.ts'
import { pairingNow } from '../core/pairing.ts'
import type { Station } from '../core/scan.ts'
import { DEVICE } from '../texts/scanner.ts'
import { publishNews } from './news.ts'
import { readStore, writeRelaxed } from './scannerStore.ts'

let known: DeviceMeta | null = null

/** Until somebody names it, the start of its id, so that two unnamed devices look different. */
const freshDevice = (): DeviceMeta => {
  const id = crypto.randomUUID()
  return { key: 'device', id, name: DEVICE.unnamed(id.slice(0, 4).toUpperCase()) }
}

/** This device's permanent id and its name; a paired phone has the desk's. If storage fails, an id for this page only. Never throws. */
export async function readDevice(): Promise<DeviceMeta> {
  const paired = pairingNow()
  if (paired) return { key: 'device', id: paired.device.id, name: paired.device.name }
  if (known) return known
  try {
    known = await writeRelaxed(['meta'], async (tx) => {
      const row = await tx.objectStore('meta').get('device')
      if (row?.key === 'device') return row
      const fresh = freshDevice()
      await tx.objectStore('meta').put(fresh)
      return fresh
    })
    return known
  } catch (error) {
    console.warn('This device has no permanent id', error)
    known ??= freshDevice()
    return known
  }
}

/** Throws StorageFailure. */
export async function nameDevice(name: string): Promise<void> {
  const before = await readDevice()
  const device = { ...before, name: name.trim() || before.name }
  await writeRelaxed(['meta'], (tx) => tx.objectStore('meta').put(device))
  known = device
  publishNews('device')
}

/** The gate at which a signed-in checker stands with this device. Throws StorageFailure. */
export async function placeDevice(gate: string): Promise<void> {
  const device = { ...(await readDevice()), gate }
  await writeRelaxed(['meta'], (tx) => tx.objectStore('meta').put(device))
  known = device
  publishNews('device')
}

export async function rereadDevice(): Promise<DeviceMeta> {
  const row = await readStore((db) => db.get('meta', 'device'))
  if (row?.key === 'device') known = row
  return readDevice()
}

type Maker = Pick<Station, 'checkerId' | 'checkerUid' | 'checkerName' | 'gate'>

function makerNow(): Maker | null {
  const paired = pairingNow()
  if (paired) {
    const { device, shift } = paired
    const maker = { checkerId: device.id, checkerUid: '', checkerName: shift?.name ?? device.name }
    return device.gate === null ? maker : { ...maker, gate: device.gate }
  }
  const user = userNow()
  if (user === null) return null
  return { checkerId: user._id, checkerUid: user.firebaseUID, checkerName: user.name || SCAN.unknownChecker }
}

/** The checker and the device; null when nobody is signed in and the phone is not paired. */
export async function stationNow(): Promise<Station | null> {
  const maker = makerNow()
  if (maker === null) return null
  const device = await readDevice()
  const clock = { clockOffset: Math.round(clockOffset()), epoch: epochNow() }
  const place = pairingNow() || device.gate === undefined ? {} : { gate: device.gate }
  return { deviceId: device.id, deviceName: device.name, ...place, ...maker, ...clock }
}
