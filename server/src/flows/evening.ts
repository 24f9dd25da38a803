import { GATE_ALARM_FROM, GATE_ALARM_WINDOW_MS, GATE_ROWS_SHOWN } from '@garba/shared/constants'
import type { Gate, GateAlarm } from '@garba/shared/contracts/desk'
import { countConflicts, listConflicts } from '../store/conflicts.ts'
import { countDevices, listDevices } from '../store/devices.ts'
import { currentRevision } from '../store/meta.ts'
import { latestRefusals, type RefusalRow, refusalsByCode } from '../store/refusals.ts'
import { admittedByDevice } from '../store/scans.ts'
import type { Db } from '../store/sql.ts'
import { entriesByMinute, firstChangeSince, headcount } from '../store/tickets.ts'
import {
  admittedByHand,
  backDatedByDevice,
  undosByChecker,
  unknownCodesByDevice,
  type Watched,
} from '../store/watch.ts'
import type { Deps } from './deps.ts'
import { conflictView } from './views/conflict.ts'

const MINUTE_MS = 60_000
const MINUTES_SHOWN = 120
const REFUSALS_SHOWN = 20

/** The evening at this moment (DECISIONS 2): who is in, how fast people arrive, and what needs attention. */
export function evening({ db, now }: Deps): Gate {
  const at = now()
  const { admitted, sold } = headcount(db)
  return {
    at: at.toISOString(),
    revision: currentRevision(db),
    admitted,
    sold,
    leftToCome: sold - admitted,
    perMinute: perMinute(db, at),
    alarms: gateAlarms(db, at),
    devices: devices(db),
    devicesTotal: countDevices(db),
    conflicts: listConflicts(db, GATE_ROWS_SHOWN).map(conflictView),
    conflictsTotal: countConflicts(db),
    refusals: { byCode: refusalsByCode(db), recent: latestRefusals(db, REFUSALS_SHOWN).map(refusalView) },
  }
}

/** The last row is the current minute. */
function perMinute(db: Db, at: Date): Gate['perMinute'] {
  const first = Math.floor(at.getTime() / MINUTE_MS) - MINUTES_SHOWN + 1
  const entries = entriesByMinute(db, new Date(first * MINUTE_MS))
  return Array.from({ length: MINUTES_SHOWN }, (_, i) => ({
    minute: new Date((first + i) * MINUTE_MS).toISOString(),
    count: entries.get(first + i) ?? 0,
  }))
}

function devices(db: Db): Gate['devices'] {
  const admitted = admittedByDevice(db)
  return listDevices(db, GATE_ROWS_SHOWN).map((device) => ({
    deviceId: device.id,
    deviceName: device.name,
    checkerName: device.checkerName,
    lastSeen: device.lastSeen.toISOString(),
    unsent: device.unsent,
    oldestUnsent: device.oldestUnsent?.toISOString() ?? null,
    rosterRevision: device.rosterRevision,
    rosterLacksSince:
      device.rosterRevision === null ? null : (firstChangeSince(db, device.rosterRevision)?.toISOString() ?? null),
    admitted: admitted.get(device.id) ?? 0,
  }))
}

const refusalView = ({ at, code, holderName, ticketId, checkerName, deviceName }: RefusalRow) => ({
  at: at.toISOString(),
  code,
  name: holderName,
  ticketId,
  checkerName,
  deviceName,
})

/** What needs attention in the last hour: what one checker did, or one device sent, too often. */
export function gateAlarms(db: Db, now: Date): GateAlarm[] {
  const since = new Date(now.getTime() - GATE_ALARM_WINDOW_MS)
  return [
    ...alarms('manual', admittedByHand(db, since)),
    ...alarms('undos', undosByChecker(db, since)),
    ...alarms('backDated', backDatedByDevice(db, since)),
    ...alarms('unknownCodes', unknownCodesByDevice(db, since)),
  ]
}

const alarms = (kind: GateAlarm['kind'], rows: readonly Watched[]): GateAlarm[] =>
  rows
    .filter(({ count }) => count >= GATE_ALARM_FROM[kind])
    .map((row) => ({ ...row, kind, at: new Date(row.at).toISOString() }))
