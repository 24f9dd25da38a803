import type { AdmissionSide, DeviceConflict } from '@garba/shared/contracts/scan'
import type { ScanText } from '@garba/shared/messages/codes'
import { CONFLICT_TITLES, GATE, sideText } from '@garba/shared/messages/scanner'
import { momentText } from './moment.ts'
import type { Clock } from './words.ts'

export interface ConflictWords extends ScanText {
  first: string
  second: string
}

interface Here {
  deviceId: string
  clock: Clock
}

/** A double admission in words; the side of this device is called so. */
export function conflictWords(conflict: DeviceConflict, { deviceId, clock }: Here): ConflictWords {
  const line = (side: AdmissionSide) =>
    sideText({
      when: momentText({ instant: new Date(side.at), ...clock }),
      by: side.checkerName,
      at: placeOf(side, deviceId),
    })
  const [first, second] = [line(conflict.first), line(conflict.second)]
  return { title: CONFLICT_TITLES[conflict.over ?? 'used'], detail: `${first}; ${second}`, first, second }
}

function placeOf({ deviceId, deviceName }: AdmissionSide, here: string): string | null {
  if (deviceId === null) return null
  if (deviceId === here) return deviceName === null ? GATE.thisDevice : `${deviceName} (${GATE.thisDevice})`
  return deviceName ?? GATE.otherDevice
}
