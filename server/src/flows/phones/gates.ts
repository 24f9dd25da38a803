import type { Gate, OwnDevice } from '@garba/shared/contracts/phones/device'
import { DEVICE, GATE } from '@garba/shared/messages/gate'
import { Refusal } from '../../refusal.ts'
import { listGates, replaceGates } from '../../store/gates.ts'
import { nextRevision } from '../../store/meta.ts'
import { findPairedDevice, updatePairedDevice } from '../../store/pairedDevices.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Caller, Deps, DeviceCaller } from '../deps.ts'
import { ownDeviceView } from './deviceViews.ts'

/**
 * Moves the phone to another gate: one of its own, or any if it is bound to none. The same gate again changes nothing.
 * Refuses with GATE_NOT_FOUND.
 */
export async function changeGate(
  deps: Deps,
  { caller, gate }: { caller: DeviceCaller; gate: string },
): Promise<OwnDevice> {
  return deps.store.write(async (tx) => {
    const before = await findPairedDevice(tx, caller.id)
    if (!before) throw new Refusal('UNAUTHENTICATED')
    const known = before.gates.length > 0 ? before.gates : (await listGates(tx)).map(({ name }) => name)
    if (!known.includes(gate)) throw new Refusal('GATE_NOT_FOUND')
    if (before.gate === gate) return ownDeviceView(before)
    tx.announce('evening')
    const after = { ...before, gate }
    await updatePairedDevice(tx, caller.id, { gate })
    await audited(tx, {
      at: deps.now(),
      action: 'device.gate',
      actor: { id: caller.id, name: caller.name },
      subject: aboutDevice(after),
      detail: DEVICE.moved(before.gate, gate),
    })
    return ownDeviceView(after)
  })
}

/** Chooses the gate of a phone that may stand at these: the only one, or its last one if that is still allowed. */
export const gateAmong = (gates: readonly string[], stood: string | null): string | null => {
  const [first, ...others] = gates
  if (first !== undefined && others.length === 0) return first
  return stood !== null && (gates.length === 0 || gates.includes(stood)) ? stood : null
}

export const readGates = ({ store }: Deps): Promise<Gate[]> => store.read(listGates)

/** Replaces the gates. Phones get them with their next roster. */
export const saveGates = (
  { store, now }: Deps,
  { admin, gates }: { admin: Caller; gates: readonly Gate[] },
): Promise<Gate[]> =>
  store.write(async (tx) => {
    await replaceGates(tx, gates)
    await nextRevision(tx)
    tx.announce('roster', 'evening')
    await audited(tx, {
      at: now(),
      action: 'gates.saved',
      actor: admin,
      subject: { id: null, name: GATE.subject },
      detail: GATE.saved(gates),
    })
    return listGates(tx)
  })
