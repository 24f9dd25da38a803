import { DEVICE_FLAGGED_SHOWN } from '@garba/shared/constants'
import type { DeviceState } from '@garba/shared/contracts/names'
import type { DeskDevice, FlaggedScan, OwnDevice } from '@garba/shared/contracts/phones/device'
import { olderVersion } from '@garba/shared/rules/phones/versions'
import { type DeviceRow, findDevice, listPairedDevices, type PairedDeviceRow } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { admittedByDevice, type FlaggedScanRow, flaggedByDevice, flaggedScans } from '../../store/scans.ts'
import type { Deps, PairedPhone } from '../deps.ts'
import { readTimes, requestedEvent } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { endOfDevice, withDeadline } from './authenticateDevice.ts'

export const ownDeviceView = ({ id, name, gates, rights, until, endsAt, shiftName, gate }: PairedPhone): OwnDevice =>
  withIsoTimes({ id, name, gates, rights, until, endsAt, shiftName, gate })

function getDeviceState(device: PairedPhone, now: Date): DeviceState {
  const end = endOfDevice(device, now)
  if (end) return end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed'
  return device.publicKey ? 'paired' : 'waiting'
}

/** A revoked phone can continue offline until it next calls, or until its pairing ends. */
const scansOffline = ({ revokedAt, publicKey, endHeardAt, endsAt }: PairedPhone, now: Date): boolean =>
  revokedAt !== null && publicKey !== null && endHeardAt === null && endsAt !== null && endsAt > now

interface DeskDeviceFacts {
  heartbeat: DeviceRow | undefined
  admitted: number | undefined
  flagged: number | undefined
  now: Date
  version: string
}

const deskDeviceView = (
  device: PairedPhone,
  { heartbeat, admitted, flagged, now, version }: DeskDeviceFacts,
): DeskDevice => ({
  ...ownDeviceView(device),
  state: getDeviceState(device, now),
  createdAt: device.createdAt.toISOString(),
  createdBy: device.createdByName,
  label: device.label,
  pairedAt: device.pairedAt?.toISOString() ?? null,
  codeExpiresAt: waits(device, now) ? device.codeExpiresAt.toISOString() : null,
  revokedAt: device.revokedAt?.toISOString() ?? null,
  revokedBy: device.revokedByName,
  lastSeen: heartbeat?.lastSeen.toISOString() ?? null,
  olderVersion: olderVersion(heartbeat?.appVersion, version),
  unsent: heartbeat?.unsent ?? 0,
  scansOfflineUntil: scansOffline(device, now) ? (device.endsAt?.toISOString() ?? null) : null,
  admitted: admitted ?? 0,
  flagged: flagged ?? 0,
})

const waits = (device: PairedPhone, now: Date): boolean =>
  device.codeHash !== null &&
  device.codeUsedAt === null &&
  device.codeExpiresAt > now &&
  endOfDevice(device, now) === null

export async function deskViewer(
  tx: ReadTx,
  { settings, now }: Pick<Deps, 'settings'> & { now: Date },
): Promise<(device: PairedDeviceRow) => Promise<DeskDevice>> {
  const { eventId } = await requestedEvent(tx, undefined)
  const times = await readTimes({ settings }, tx)
  const admitted = await admittedByDevice(tx, eventId)
  const flagged = await flaggedByDevice(tx, eventId)
  return async (device) => {
    const heartbeat = await findDevice(tx, device.id)
    const counts = { admitted: admitted.get(device.id), flagged: flagged.get(device.id) }
    return deskDeviceView(withDeadline(device, times), { now, version: settings.version, heartbeat, ...counts })
  }
}

/** A person who was admitted still counts, even if an admin has changed the ticket since. */
export const flaggedScanView = ({ id: scanId, outcome, ...scan }: FlaggedScanRow): FlaggedScan => ({
  ...withIsoTimes({ scanId, ...scan }),
  outcome: outcome === 'conflict' || outcome === 'refused' ? outcome : 'admitted',
})

export const listDeskDevices = ({
  store,
  settings,
  now,
}: Deps): Promise<{ devices: DeskDevice[]; flagged: FlaggedScan[] }> =>
  store.read(async (tx) => {
    const { eventId } = await requestedEvent(tx, undefined)
    return {
      devices: await Array.fromAsync(await listPairedDevices(tx), await deskViewer(tx, { settings, now: now() })),
      flagged: (await flaggedScans(tx, { eventId, limit: DEVICE_FLAGGED_SHOWN })).map(flaggedScanView),
    }
  })
