import { DEVICE_FLAGGED_SHOWN } from '@garba/shared/constants'
import type { DeskDevice, FlaggedScan } from '@garba/shared/contracts/device'
import { listPairedDevices } from '../../store/pairedDevices.ts'
import { flaggedScans } from '../../store/scans.ts'
import type { Deps } from '../deps.ts'
import { eventAsked } from '../eventAsked.ts'
import { deskDevices, flaggedScanView } from './deviceViews.ts'

/** Every device, newest first, and the flagged scans of the current event. */
export const listDevices = ({
  store,
  settings,
  now,
}: Deps): Promise<{ devices: DeskDevice[]; flagged: FlaggedScan[] }> =>
  store.read(async (tx) => {
    const { eventId } = await eventAsked(tx, undefined)
    return {
      devices: await deskDevices(tx, await listPairedDevices(tx), {
        now: now(),
        version: settings.version,
      }),
      flagged: (await flaggedScans(tx, { eventId, limit: DEVICE_FLAGGED_SHOWN })).map(flaggedScanView),
    }
  })
