import { isDeepStrictEqual } from 'node:util'
import type { Right } from '@garba/shared/contracts/names'
import type { DeskDevice, Gate, OwnDevice, Pairing } from '@garba/shared/contracts/phones/device'
import { DEVICE, GATE } from '@garba/shared/messages/gate'
import { orRefuse, Refusal } from '../../refusal.ts'
import {
  addGates,
  findPairedDevice,
  keepRights,
  listGates,
  type PairedDeviceRow,
  replaceGates,
  revokeStanding,
  updatePairedDevice,
} from '../../store/devices.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { nextRevision } from '../../store/meta.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Caller, Deps, DeviceCaller } from '../deps.ts'
import { endOfDevice } from './authenticateDevice.ts'
import { deskViewer, ownDeviceView } from './deviceViews.ts'
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
 * DEVICE_NOT_FOUND, DEVICE_ENDED, or as `requireAhead` does.
 */
export async function changeDevice(
  deps: Deps,
  { admin, id, ...given }: Changing,
): Promise<{ device: DeskDevice; pairing?: Pairing }> {
  const code = given.renewCode ? newCode(deps) : null
  return deps.store.write(async (tx) => {
    // A device that has lost a right or has ended loses its live views too.
    tx.announce('evening', 'access')
    const now = deps.now()
    const before = orRefuse(await findPairedDevice(tx, id), 'DEVICE_NOT_FOUND')
    const after = { ...before, ...changesOf(given, { before, now, admin, code }) }
    if (code && endOfDevice(after, now)) throw new Refusal('DEVICE_ENDED')
    await updatePairedDevice(tx, id, after)
    if (given.rights) await keepRights(tx, { deviceId: id, since: now, rights: given.rights })
    // Gates that the device already had are not added again, because the desk may have removed them.
    await addGates(
      tx,
      after.gates.filter((name) => !before.gates.includes(name)),
    )
    await recordChange(tx, { before, after, admin, now, renewed: code !== null })
    const viewOf = await deskViewer(tx, { now, version: deps.settings.version })
    return { device: await viewOf(after), ...(code ? { pairing: code.pairing } : {}) }
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
  const moved = until !== undefined && Date.parse(until) !== before.until.getTime() ? new Date(until) : null
  if (moved) requireAhead(moved, now)
  return {
    ...(name === undefined ? {} : { name }),
    ...(gates === undefined ? {} : { gates, gate: gateAmong(gates, before.gate) }),
    ...(rights === undefined ? {} : { rights }),
    // A lapsed phone that gets more time has not ended after all.
    ...(moved ? { until: moved, ...(before.revokedAt ? {} : { endHeardAt: null }) } : {}),
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
  if (after.revokedAt && !before.revokedAt) await audited(tx, { ...about, action: 'device.revoked', detail: '' })
}

/** Revokes every device that has not ended. Returns their number. */
export async function revokeAllDevices(deps: Deps, admin: Caller): Promise<number> {
  return deps.store.write(async (tx) => {
    tx.announce('evening', 'access')
    const now = deps.now()
    const revoked = await revokeStanding(tx, { revokedAt: now, revokedByName: admin.name, codeHash: null })
    const detail = DEVICE.revokedWithAll
    for (const device of revoked)
      await audited(tx, { at: now, action: 'device.revoked', actor: admin, subject: aboutDevice(device), detail })
    return revoked.length
  })
}

/** More than the shifts of one phone on any evening. */
const SHIFTS_KEPT = 100

/** Stores who uses the phone from now on. The same name again changes nothing. */
export const changeShift = (deps: Deps, { caller, name }: { caller: DeviceCaller; name: string }): Promise<OwnDevice> =>
  changeOwn(deps, caller, async (_tx, { shiftName, shiftNames: earlier }) => {
    if (shiftName === name) return null
    const shiftNames = [name, ...earlier.filter((one) => one !== name)].slice(0, SHIFTS_KEPT)
    const set = { shiftName: name, shiftNames }
    return { set, action: 'device.shift', actorName: name, detail: DEVICE.shift(shiftName, name) }
  })

/**
 * Moves the phone to another gate: one of those assigned to it, or any if none are. The same gate again changes
 * nothing. Refuses with GATE_NOT_FOUND.
 */
export const changeGate = (deps: Deps, { caller, gate }: { caller: DeviceCaller; gate: string }): Promise<OwnDevice> =>
  changeOwn(deps, caller, async (tx, before) => {
    const known = before.gates.length > 0 ? before.gates : (await listGates(tx)).map(({ name }) => name)
    if (!known.includes(gate)) throw new Refusal('GATE_NOT_FOUND')
    if (before.gate === gate) return null
    return { set: { gate }, action: 'device.gate', actorName: caller.name, detail: DEVICE.moved(before.gate, gate) }
  })

interface OwnChange {
  set: Partial<PairedDeviceRow>
  action: 'device.shift' | 'device.gate'
  actorName: string
  detail: string
}

/**
 * Makes a change that a phone requests for itself; nothing changes if `changeOf` returns null. Refuses with
 * UNAUTHENTICATED.
 */
const changeOwn = (
  deps: Deps,
  { id }: DeviceCaller,
  changeOf: (tx: WriteTx, before: PairedDeviceRow) => Promise<OwnChange | null>,
): Promise<OwnDevice> =>
  deps.store.write(async (tx) => {
    const before = orRefuse(await findPairedDevice(tx, id), 'UNAUTHENTICATED')
    const change = await changeOf(tx, before)
    if (!change) return ownDeviceView(before)
    const { set, action, actorName: name, detail } = change
    const after = { ...before, ...set }
    tx.announce('evening')
    await updatePairedDevice(tx, id, set)
    await audited(tx, { at: deps.now(), action, actor: { id, name }, subject: aboutDevice(after), detail })
    return ownDeviceView(after)
  })

/** Chooses the gate of a phone that is assigned these gates: the only one, or its last one if it is still allowed. */
export const gateAmong = (gates: readonly string[], last: string | null): string | null => {
  const [first, ...others] = gates
  if (first !== undefined && others.length === 0) return first
  return last !== null && (gates.length === 0 || gates.includes(last)) ? last : null
}

export const readGates = ({ store }: Deps): Promise<Gate[]> => store.read(listGates)

/** Replaces the gates; the same gates again change nothing. Phones get them with their next roster. */
export const saveGates = (
  { store, now }: Deps,
  { admin, gates }: { admin: Caller; gates: readonly Gate[] },
): Promise<Gate[]> =>
  store.write(async (tx) => {
    const before = await listGates(tx)
    if (isDeepStrictEqual(before, gates)) return before
    await replaceGates(tx, gates)
    await nextRevision(tx)
    tx.announce('roster', 'evening')
    const subject = { id: null, name: GATE.subject }
    await audited(tx, { at: now(), action: 'gates.saved', actor: admin, subject, detail: GATE.saved(gates) })
    return listGates(tx)
  })
