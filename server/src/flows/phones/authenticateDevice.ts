import { TokenRefused, verifyDeviceToken } from '../../identity/claims.ts'
import { Refusal } from '../../refusal.ts'
import { findPairedDevice, hasEnded, type PairedDeviceRow, updatePairedDevice } from '../../store/devices.ts'
import type { AnyCaller, Deps, DeviceCaller } from '../deps.ts'

export interface DeviceEnd {
  code: 'DEVICE_REVOKED' | 'DEVICE_LAPSED'
  at: Date
}

/** The end of a device, after which it may not do anything; null if it has not ended. */
export function endOfDevice({ revokedAt, until }: PairedDeviceRow, now: Date): DeviceEnd | null {
  if (!hasEnded({ revokedAt, until }, now)) return null
  if (revokedAt) return { code: 'DEVICE_REVOKED', at: revokedAt < until ? revokedAt : until }
  return { code: 'DEVICE_LAPSED', at: until }
}

const callerOf = (device: PairedDeviceRow): DeviceCaller => ({
  id: device.id,
  name: device.shiftName ?? device.name,
  role: 'device',
  device,
})

/** The device that signed a token, ended or not. Refuses with UNAUTHENTICATED. */
export async function authenticateDevice(deps: Deps, token: string, deviceId: string): Promise<DeviceCaller> {
  const device = await deps.store.read((tx) => findPairedDevice(tx, deviceId))
  if (!device?.publicKey) throw new Refusal('UNAUTHENTICATED')
  const { publicKey } = device
  // A token for one server is not valid at another.
  const audience = new URL(deps.publicUrl()).origin
  try {
    await verifyDeviceToken({ token, deviceId, publicKey, audience, now: deps.now() })
  } catch (error) {
    if (error instanceof TokenRefused) throw new Refusal('UNAUTHENTICATED')
    throw error
  }
  return callerOf(device)
}

/** Reads an earlier caller again; null once another phone has replaced it. */
export async function deviceAgain({ store }: Deps, { id, device }: DeviceCaller): Promise<DeviceCaller | null> {
  const now = await store.read((tx) => findPairedDevice(tx, id))
  return now?.publicKey && now.publicKey.x === device.publicKey?.x ? callerOf(now) : null
}

/** The error (ms) of a phone's clock offset, which it measures over the network. */
const CLOCK_ERROR_MS = 5_000

/** Whether an ended phone may have scanned at this time before it learned of its end. Later scans do not count. */
export const isBelieved = ({ endHeardAt }: PairedDeviceRow, at: Date): boolean =>
  endHeardAt === null || at.getTime() <= endHeardAt.getTime() + CLOCK_ERROR_MS

/** The part of an answer that tells a phone of its end; empty if it has not ended. */
export async function tellEnd(deps: Deps, caller: AnyCaller): Promise<{ ended?: DeviceEnd['code'] }> {
  const end = caller.device && endOfDevice(caller.device, deps.now())
  if (!end) return {}
  await noteEndLearned(deps, caller)
  return { ended: end.code }
}

/** Notes when an ended device first learned of its end. Actions that it reports as later than that do not count. */
export async function noteEndLearned({ store, now }: Deps, { device }: DeviceCaller): Promise<void> {
  if (device.endHeardAt) return
  await store.write(async (tx) => {
    tx.announce('evening')
    await updatePairedDevice(tx, device.id, { endHeardAt: now() })
  })
}
