import type { OwnDevice } from '@garba/shared/contracts/device'
import { DEVICE } from '@garba/shared/messages/gate'
import { Refusal } from '../../refusal.ts'
import { listGates } from '../../store/gates.ts'
import { findPairedDevice, updatePairedDevice } from '../../store/pairedDevices.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
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
