import { isDeepStrictEqual } from 'node:util'
import type { CallInput } from '@garba/shared/calls/calls'
import type { DeskDevice, Gate, OwnDevice, PairingCode } from '@garba/shared/contracts/phones/device'
import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { DEVICE, GATE } from '@garba/shared/messages/gate'
import { gatesOfEvent } from '@garba/shared/rules/admission'
import { type EventTimes, findDeadline } from '@garba/shared/rules/event/eventDay'
import { orRefuse, Refusal } from '../../refusal.ts'
import {
  addGates,
  findPairedDevice,
  keepRights,
  listGates,
  listPairedDevices,
  type PairedDeviceRow,
  replaceGates,
  updatePairedDevice,
} from '../../store/devices.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { aboutDevice, auditChange } from '../audited.ts'
import type { Caller, Deps, DeviceCaller } from '../deps.ts'
import { readTimes } from '../event/readEvent.ts'
import { cancelPhoneHolds } from '../money/orders/phoneSales.ts'
import { severalTypes } from '../tickets/readTickets.ts'
import { endOfDevice, readPhone, withDeadline } from './authenticateDevice.ts'
import { deskViewer, ownDeviceView } from './deviceViews.ts'
import { gateAmong, makePairingCode, type NewCode, requireAhead } from './pairDevice.ts'

type DeviceChange = CallInput<'changeDevice'> & { admin: Caller; id: string }

/**
 * Changes a device, revokes it and ends its unpaid holds, or makes a new pairing code for it. A revoked device stays
 * revoked.
 */
export async function changeDevice(
  deps: Deps,
  { admin, id, ...given }: DeviceChange,
): Promise<{ device: DeskDevice; pairing?: PairingCode }> {
  const code = given.renewCode ? makePairingCode(deps) : null
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening', 'access')
    const now = deps.now()
    const before = orRefuse(await findPairedDevice(tx, id), 'DEVICE_NOT_FOUND')
    const event = await readTimes(deps, tx)
    const after = { ...before, ...buildDeviceChanges(given, { before, event, now, admin, code }) }
    if (code && endOfDevice(withDeadline(after, event), now)) throw new Refusal('DEVICE_ENDED')
    await updatePairedDevice(tx, id, after)
    if (given.rights) await keepRights(tx, { deviceId: id, since: now, rights: given.rights })
    // Gates that the device already had are not added again, because the desk may have removed them.
    await addGates(
      tx,
      after.gates.filter((name) => !before.gates.includes(name)),
    )
    await recordChange(tx, { before, after, admin, now, renewed: code !== null })
    if (given.revoked) await cancelPhoneHolds(tx, id, { admin, now })
    const viewOf = await deskViewer(tx, { settings: deps.settings, now })
    return { device: await viewOf(after), ...(code ? { pairing: code.pairing } : {}) }
  })
}

interface DeviceChangeContext {
  before: PairedDeviceRow
  event: EventTimes | null
  now: Date
  admin: Caller
  code: NewCode | null
}

function buildDeviceChanges(
  { name, gates, rights, until, revoked }: Omit<DeviceChange, 'admin' | 'id'>,
  { before, event, now, admin, code }: DeviceChangeContext,
): Partial<PairedDeviceRow> {
  const next = until === undefined ? before.until : until === null ? null : new Date(until)
  const isMoved = next?.getTime() !== before.until?.getTime()
  if (isMoved) requireAhead(findDeadline(next, event), now)
  return {
    ...(name === undefined ? {} : { name }),
    ...(gates === undefined ? {} : { gates, gate: gateAmong(gates, before.gate) }),
    ...(rights === undefined ? {} : { rights }),
    // A lapsed phone that gets more time has not ended after all.
    ...(isMoved ? { until: next, ...(before.revokedAt ? {} : { endHeardAt: null }) } : {}),
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
  if (detail !== '') await auditChange(tx, { ...about, action: 'device.changed', detail })
  if (after.revokedAt && !before.revokedAt) await auditChange(tx, { ...about, action: 'device.revoked', detail: '' })
}

export async function revokeAllDevices(deps: Deps, admin: Caller): Promise<number> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening', 'access')
    const now = deps.now()
    const event = await readTimes(deps, tx)
    const standing = (await listPairedDevices(tx)).filter((one) => !endOfDevice(withDeadline(one, event), now))
    const detail = DEVICE.revokedWithAll
    for (const device of standing) {
      await updatePairedDevice(tx, device.id, { revokedAt: now, revokedByName: admin.name, codeHash: null })
      await auditChange(tx, { at: now, action: 'device.revoked', actor: admin, subject: aboutDevice(device), detail })
      await cancelPhoneHolds(tx, device.id, { admin, now })
    }
    return standing.length
  })
}

const SHIFTS_KEPT = 100

export const changeShift = (deps: Deps, { caller, name }: { caller: DeviceCaller; name: string }): Promise<OwnDevice> =>
  changeOwn(deps, caller, async (_tx, { shiftName, shiftNames: earlier }) => {
    if (shiftName === name) return null
    const shiftNames = [name, ...earlier.filter((one) => one !== name)].slice(0, SHIFTS_KEPT)
    const set = { shiftName: name, shiftNames }
    return { set, action: 'device.shift', actorName: name, detail: DEVICE.shift(shiftName, name) }
  })

/** Moves the phone to one of its assigned gates, or to any gate if none are assigned. */
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

const changeOwn = (
  deps: Deps,
  { id }: DeviceCaller,
  changeOf: (tx: WriteTx, before: PairedDeviceRow) => Promise<OwnChange | null>,
): Promise<OwnDevice> =>
  deps.store.write(async (tx) => {
    const before = orRefuse(await readPhone(deps, tx, id), 'UNAUTHENTICATED')
    const change = await changeOf(tx, before)
    if (!change) return ownDeviceView(before)
    const { set, action, actorName: name, detail } = change
    const after = { ...before, ...set }
    tx.announceChanges('evening')
    await updatePairedDevice(tx, id, set)
    await auditChange(tx, { at: deps.now(), action, actor: { id, name }, subject: aboutDevice(after), detail })
    return ownDeviceView(after)
  })

interface EventGates {
  gates: Gate[]
  types?: NamedType[]
}

async function gatesNow(tx: ReadTx): Promise<EventGates> {
  const event = (await findEvent(tx)) ?? null
  return { gates: gatesOfEvent(await listGates(tx), event), ...severalTypes(event) }
}

export const readGates = ({ store }: Deps): Promise<EventGates> => store.read(gatesNow)

export const saveGates = (
  { store, now }: Deps,
  { admin, gates }: { admin: Caller; gates: readonly Gate[] },
): Promise<EventGates> =>
  store.write(async (tx) => {
    const before = await gatesNow(tx)
    if (isDeepStrictEqual(before.gates, gates)) return before
    await replaceGates(tx, gates)
    await nextRevision(tx)
    tx.announceChanges('roster', 'evening')
    const subject = { id: null, name: GATE.subject }
    const after = await gatesNow(tx)
    await auditChange(tx, { at: now(), action: 'gates.saved', actor: admin, subject, detail: GATE.saved(after) })
    return after
  })
