import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { eveningNow } from '../core/clock.ts'
import type { Scan, Shown, Station } from '../core/scan.ts'
import { noteTrouble, storageFailureOf } from '../store/failure.ts'
import { recordAdmission, recordRefusal } from '../store/record.ts'
import { noteAdmission } from '../store/rosterMemory.ts'
import { recordOf, showAdmitted } from './show.ts'

/** The server has it: green needs nothing more. The device writes it down for its list and for the time without network. */
export function admittedByServer(scan: Scan, station: Station, ticket: ScannedTicket): Shown {
  const shown = showAdmitted(scan, ticket)
  const admission = {
    ticketId: ticket.id,
    scanId: scan.scanId,
    at: ticket.entryTime ?? new Date(scan.at).toISOString(),
    name: ticket.user.name,
    checkerName: station.checkerName,
    deviceName: station.deviceName,
    settledAt: Date.now(),
  }
  noteAdmission(admission)
  const record = recordOf(shown, { scan, scannedBy: station.checkerName })
  recordAdmission({ record, evening: eveningNow(), admission, row: null }).catch((error: unknown) =>
    noteTrouble(storageFailureOf(error).trouble),
  )
  return shown
}

/** Nobody goes in by it, so nobody waits for the disk. */
export function refuse(scan: Scan, station: Station, shown: Shown): Shown {
  const record = recordOf(shown, { scan, scannedBy: station.checkerName })
  recordRefusal({ record, evening: eveningNow() }).catch((error: unknown) =>
    noteTrouble(storageFailureOf(error).trouble),
  )
  return shown
}
