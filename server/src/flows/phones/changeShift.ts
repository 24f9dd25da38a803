import type { OwnDevice } from '@garba/shared/contracts/device'
import { DEVICE } from '@garba/shared/messages/gate'
import { Refusal } from '../../refusal.ts'
import { findPairedDevice, updatePairedDevice } from '../../store/pairedDevices.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
import { ownDeviceView } from './deviceViews.ts'

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
