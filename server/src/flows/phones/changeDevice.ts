import type { Right } from '@garba/shared/contracts/names'
import type { DeskDevice, OwnDevice, Pairing } from '@garba/shared/contracts/phones/device'
import { DEVICE } from '@garba/shared/messages/gate'
import { Refusal } from '../../refusal.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { addGates } from '../../store/gates.ts'
import {
  findPairedDevice,
  keepRights,
  type PairedDeviceRow,
  revokeStanding,
  updatePairedDevice,
} from '../../store/pairedDevices.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Caller, Deps, DeviceCaller } from '../deps.ts'
import { endOfDevice } from './authenticateDevice.ts'
import { deskDevices, ownDeviceView } from './deviceViews.ts'
import { gateAmong } from './gates.ts'
import { type NewCode, newCode, requireAhead } from './pairDevice.ts'

interface Changing {
  admin: Caller
  id: string
  name?: string | undefined
  gates?: string[] | undefined
  rights?: Right[] | undefined
  until?: string | undefined
  revoked?: true | undefined
  renewCode?: true | undefined
}

/**
 * Changes a device, revokes it, or makes a new pairing code for it. A revoked device stays revoked. Refuses with
 * DEVICE_NOT_FOUND, DEVICE_ENDED, or VALIDATION_FAILED for an end in the past.
 */
export async function changeDevice(
  deps: Deps,
  { admin, id, ...wanted }: Changing,
): Promise<{ device: DeskDevice; pairing?: Pairing }> {
  const code = wanted.renewCode ? newCode(deps) : null
  return deps.store.write(async (tx) => {
    // A device that lost its right or its time loses its live views too.
    tx.announce('evening', 'access')
    const now = deps.now()
    const before = await findPairedDevice(tx, id)
    if (!before) throw new Refusal('DEVICE_NOT_FOUND')
    const after = { ...before, ...changesOf(wanted, { before, now, admin, code }) }
    if (code && endOfDevice(after, now)) throw new Refusal('DEVICE_ENDED')
    await updatePairedDevice(tx, id, after)
    if (wanted.rights) await keepRights(tx, { deviceId: id, since: now, rights: wanted.rights })
    // A removed gate stays removed, even when something else of a device bound to it changes.
    await addGates(
      tx,
      after.gates.filter((name) => !before.gates.includes(name)),
    )
    await recordChange(tx, { before, after, admin, now, renewed: code !== null })
    const [device] = await deskDevices(tx, [after], { now, version: deps.settings.version })
    if (!device) throw new RangeError('A changed device has no view')
    return { device, ...(code ? { pairing: code.pairing } : {}) }
  })
}

interface Beside {
  before: PairedDeviceRow
  now: Date
  admin: Caller
  code: NewCode | null
}

function changesOf(
  { name, gates, rights, until, revoked }: Omit<Changing, 'admin' | 'id'>,
  { before, now, admin, code }: Beside,
): Partial<PairedDeviceRow> {
  if (until !== undefined && Date.parse(until) !== before.until.getTime()) requireAhead(new Date(until), now)
  return {
    ...(name === undefined ? {} : { name }),
    ...(gates === undefined ? {} : { gates, gate: gateAmong(gates, before.gate) }),
    ...(rights === undefined ? {} : { rights }),
    // A lapsed phone that gets more time has not ended after all.
    ...(until === undefined ? {} : { until: new Date(until), ...(before.revokedAt ? {} : { endHeardAt: null }) }),
    ...(code ? code.row : {}),
    ...(revoked && !before.revokedAt ? { revokedAt: now, revokedByName: admin.name, codeHash: null } : {}),
  }
}

interface Change {
  before: PairedDeviceRow
  after: PairedDeviceRow
  admin: Caller
  now: Date
  renewed: boolean
}

async function recordChange(tx: WriteTx, { before, after, admin, now, renewed }: Change): Promise<void> {
  const about = { at: now, actor: admin, subject: aboutDevice(after) }
  const changed = [before.name !== after.name && DEVICE.renamed(before.name, after.name), DEVICE.changed(before, after)]
  const detail = [...changed, renewed && DEVICE.renewed].filter(Boolean).join('; ')
  if (detail !== '') await audited(tx, { ...about, action: 'device.changed', detail })
  if (after.revokedAt && !before.revokedAt)
    await audited(tx, { ...about, action: 'device.revoked', detail: DEVICE.revoked })
}

/** Revokes every device that has not ended; resolves with their number. */
export async function revokeAllDevices(deps: Deps, admin: Caller): Promise<number> {
  return deps.store.write(async (tx) => {
    tx.announce('evening', 'access')
    const now = deps.now()
    const revoked = await revokeStanding(tx, { revokedAt: now, revokedByName: admin.name, codeHash: null })
    for (const device of revoked)
      await audited(tx, {
        at: now,
        action: 'device.revoked',
        actor: admin,
        subject: aboutDevice(device),
        detail: DEVICE.revokedWithAll,
      })
    return revoked.length
  })
}

/** No evening has more shifts on one phone. */
const SHIFTS_KEPT = 100

/** Stores who uses the phone from now on. The same name again changes nothing. */
export async function changeShift(
  deps: Deps,
  { caller, name }: { caller: DeviceCaller; name: string },
): Promise<OwnDevice> {
  return deps.store.write(async (tx) => {
    const before = await findPairedDevice(tx, caller.id)
    if (!before) throw new Refusal('UNAUTHENTICATED')
    if (before.shiftName === name) return ownDeviceView(before)
    tx.announce('evening')
    const after = { ...before, shiftName: name }
    const shiftNames = [name, ...before.shiftNames.filter((one) => one !== name)].slice(0, SHIFTS_KEPT)
    await updatePairedDevice(tx, caller.id, { shiftName: name, shiftNames })
    await audited(tx, {
      at: deps.now(),
      action: 'device.shift',
      actor: { id: caller.id, name },
      subject: aboutDevice(after),
      detail: DEVICE.shift(before.shiftName, name),
    })
    return ownDeviceView(after)
  })
}
