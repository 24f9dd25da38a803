import { SCAN } from '@garba/shared/messages/codes'
import { userNow } from '../../platform/identity/session.ts'
import { clockOffset } from '../../platform/net/clock.ts'
import type { Station } from '../core/scan.ts'
import { readDevice } from './device.ts'

/** Who scans here now; null when nobody is signed in. */
export async function stationNow(): Promise<Station | null> {
  const user = userNow()
  if (user === null) return null
  const device = await readDevice()
  return {
    deviceId: device.id,
    deviceName: device.name,
    checkerId: user._id,
    checkerUid: user.firebaseUID,
    checkerName: user.name || SCAN.unknownChecker,
    clockOffset: Math.round(clockOffset()),
  }
}
