import { type EventTimes, findDeadline } from '@garba/shared/rules/event/eventDay'
import { TokenRefused, verifyDeviceToken } from '../../identity/claims.ts'
import { Refusal } from '../../refusal.ts'
import { findPairedDevice, type PairedDeviceRow, updatePairedDevice } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import type { AnyCaller, Deps, DeviceCaller, PairedPhone } from '../deps.ts'
import { readTimes } from '../event/readEvent.ts'

export interface DeviceEnd {
  code: 'DEVICE_REVOKED' | 'DEVICE_LAPSED'
  at: Date
}

export const withDeadline = (device: PairedDeviceRow, event: EventTimes | null): PairedPhone => ({
  ...device,
  endsAt: findDeadline(device.until, event),
})

export async function readPhone(
  deps: Pick<Deps, 'settings'>,
  tx: ReadTx,
  id: string,
): Promise<PairedPhone | undefined> {
  const device = await findPairedDevice(tx, id)
  return device && withDeadline(device, await readTimes(deps, tx))
}

export function endOfDevice(
  { revokedAt, endsAt }: Pick<PairedPhone, 'revokedAt' | 'endsAt'>,
  now: Date,
): DeviceEnd | null {
  if (revokedAt) return { code: 'DEVICE_REVOKED', at: endsAt !== null && endsAt < revokedAt ? endsAt : revokedAt }
  return endsAt !== null && endsAt <= now ? { code: 'DEVICE_LAPSED', at: endsAt } : null
}

const toDeviceCaller = (device: PairedPhone): DeviceCaller => ({
  id: device.id,
  name: device.shiftName ?? device.name,
  role: 'device',
  device,
})

export async function authenticateDevice(deps: Deps, token: string, deviceId: string): Promise<DeviceCaller> {
  const device = await deps.store.read((tx) => readPhone(deps, tx, deviceId))
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
  recordHeardTime(deps, device.id)
  return toDeviceCaller(device)
}

/** The clocks of phone and server may differ by some of this, and a call without an answer takes some of it. */
const HEARD_MS = 10_000
const HEARD_KEPT = 500

/** The times at which each phone spoke to this server, oldest first. A restart forgets them. */
const heardTimes = new WeakMap<Deps['store'], Map<string, number[]>>()

function recordHeardTime({ store, now }: Deps, deviceId: string): void {
  const phones = heardTimes.get(store) ?? new Map<string, number[]>()
  heardTimes.set(store, phones)
  const times = phones.get(deviceId) ?? []
  phones.set(deviceId, times)
  const at = now().getTime()
  if (Math.abs(at - (times.at(-1) ?? 0)) < HEARD_MS / 2) return
  times.push(at)
  if (times.length > HEARD_KEPT) times.shift()
}

/** Whether a sender spoke to this server within ten seconds of that time. The call that tells of it counts as well. */
export function wasHeard({ store, now }: Deps, { id, device }: AnyCaller, at: Date): boolean {
  const times = (device && heardTimes.get(store)?.get(id)) || []
  return [...times, now().getTime()].some((heard) => Math.abs(heard - at.getTime()) <= HEARD_MS)
}

export async function deviceAgain(deps: Deps, { id, device }: DeviceCaller): Promise<DeviceCaller | null> {
  const now = await deps.store.read((tx) => readPhone(deps, tx, id))
  return now?.publicKey && now.publicKey.x === device.publicKey?.x ? toDeviceCaller(now) : null
}

/** The error (ms) of a phone's clock offset, which it measures over the network. */
const CLOCK_ERROR_MS = 5_000

/** Whether an ended phone may have scanned at this time before it learned of its end. Later scans do not count. */
export const isBelieved = ({ endHeardAt }: PairedDeviceRow, at: Date): boolean =>
  endHeardAt === null || at.getTime() <= endHeardAt.getTime() + CLOCK_ERROR_MS

export async function tellEnd(deps: Deps, caller: AnyCaller): Promise<{ ended?: DeviceEnd['code'] }> {
  const end = caller.device && endOfDevice(caller.device, deps.now())
  if (!end) return {}
  await markEndHeard(deps, caller)
  return { ended: end.code }
}

export async function markEndHeard({ store, now }: Deps, { device }: DeviceCaller): Promise<void> {
  if (device.endHeardAt) return
  await store.write(async (tx) => {
    tx.announceChanges('evening')
    await updatePairedDevice(tx, device.id, { endHeardAt: now() })
  })
}
