import { GATE_ALARM_FROM, GATE_ALARM_WINDOW_MS } from '@garba/shared/constants'
import type { GateAlarm } from '@garba/shared/contracts/desk'
import type { Db } from '../store/sql.ts'
import {
  admittedByHand,
  backDatedByDevice,
  undosByChecker,
  unknownCodesByDevice,
  type Watched,
} from '../store/watch.ts'

/** What of the last hour somebody should look at: what one checker did, or one device sent, too often. */
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
