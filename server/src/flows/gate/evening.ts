import {
  DEVICE_FLAGGED_SHOWN,
  EVENING_ALARM_FROM,
  EVENING_ALARM_WINDOW_MS,
  EVENING_ROWS_SHOWN,
  MINUTE_MS,
} from '@garba/shared/constants'
import type { EveningAlarm, EveningFigures } from '@garba/shared/contracts/desk'
import { GATE } from '@garba/shared/messages/gate'
import type { EventTimes } from '@garba/shared/rules/event/eventDay'
import { olderVersion } from '@garba/shared/rules/phones/versions'
import { countConflicts, listConflicts } from '../../store/conflicts.ts'
import { countDevices, listDevices, listGates } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import {
  admittedByHand,
  backDatedByDevice,
  doublesOnOneTicket,
  type PeopleIn,
  peopleIn,
  readHeadcount,
  undosByChecker,
  unknownCodesByDevice,
  type WatchedActions,
} from '../../store/figures.ts'
import { currentRevision } from '../../store/meta.ts'
import { admittedByDevice, flaggedScans, latestRefusals, type RefusalRow, refusalsByCode } from '../../store/scans.ts'
import { firstChangeSince } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { readTimes, requestedEvent } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { flaggedScanView } from '../phones/deviceViews.ts'
import { systemAlarms } from '../watch/alarms.ts'
import { conflictView } from './conflicts.ts'

const MINUTES_SHOWN = 120
const REFUSALS_SHOWN = 20

export const readEvening = (
  { store, settings, now }: Deps,
  query: { event?: string | undefined } = {},
): Promise<EveningFigures> =>
  store.read(async (tx) => {
    const at = now()
    const { eventId } = await requestedEvent(tx, query.event)
    const { admitted, sold } = await readHeadcount(tx, eventId)
    const first = Math.floor(at.getTime() / MINUTE_MS) - MINUTES_SHOWN + 1
    const entries = await peopleIn(tx, { eventId, since: new Date(first * MINUTE_MS) })
    return {
      at: at.toISOString(),
      revision: await currentRevision(tx),
      people: sumPeople(entries),
      admitted,
      sold,
      leftToCome: sold - admitted,
      perMinute: perMinute(entries, first),
      gates: await perGate(tx, entries),
      alarms: await eveningAlarms(tx, { eventId, now: at }),
      system: await systemAlarms(tx),
      devices: await devices(tx, {
        eventId,
        event: await readTimes({ settings }, tx),
        version: settings.version,
        now: at,
      }),
      devicesTotal: await countDevices(tx),
      conflicts: (await listConflicts(tx, { eventId, limit: EVENING_ROWS_SHOWN })).map(conflictView),
      conflictsTotal: await countConflicts(tx, eventId),
      flagged: (await flaggedScans(tx, { eventId, limit: DEVICE_FLAGGED_SHOWN })).map(flaggedScanView),
      refusals: {
        byCode: await refusalsByCode(tx, eventId),
        recent: (await latestRefusals(tx, { eventId, limit: REFUSALS_SHOWN })).map(refusalView),
      },
    }
  })

const sumPeople = (entries: readonly PeopleIn[]): number => entries.reduce((sum, { count }) => sum + count, 0)

/**
 * Lists the current gates, then removed gates that people came in through, and last the people without a gate, so that
 * the gates add up to the headcount.
 */
async function perGate(tx: ReadTx, entries: readonly PeopleIn[]): Promise<EveningFigures['gates']> {
  const byGate = Map.groupBy(entries, ({ gate }) => gate)
  const named = [...byGate.keys()].filter((gate) => gate !== null)
  const names = new Set([...(await listGates(tx)).map(({ name }) => name), ...named])
  const atNone = byGate.get(null)
  return [
    ...[...names].map((name) => gateView(name, byGate.get(name) ?? [])),
    ...(atNone ? [{ ...gateView(GATE.noGate, atNone), none: true as const }] : []),
  ]
}

const gateView = (name: string, entries: readonly PeopleIn[]): EveningFigures['gates'][number] => {
  const people = sumPeople(entries)
  return {
    name,
    people,
    admitted: people,
    perMinute: entries
      .filter(({ minute }) => minute > 0)
      .toSorted((one, other) => one.minute - other.minute)
      .map(({ minute, count }) => ({ minute: new Date(minute * MINUTE_MS).toISOString(), count })),
  }
}

const perMinute = (entries: readonly PeopleIn[], first: number): EveningFigures['perMinute'] => {
  const counts = Map.groupBy(entries, ({ minute }) => minute)
  return Array.from({ length: MINUTES_SHOWN }, (_, i) => ({
    minute: new Date((first + i) * MINUTE_MS).toISOString(),
    count: sumPeople(counts.get(first + i) ?? []),
  }))
}

async function devices(
  tx: ReadTx,
  { eventId, event, version, now }: { eventId: string; event: EventTimes | null; version: string; now: Date },
): Promise<EveningFigures['devices']> {
  const admitted = await admittedByDevice(tx, eventId)
  return Array.fromAsync(await listDevices(tx, { limit: EVENING_ROWS_SHOWN, now, event }), async (device) => {
    const { rosterRevision } = device
    const lacksSince =
      rosterRevision === null ? null : await firstChangeSince(tx, { eventId, revision: rosterRevision })
    return {
      deviceId: device.id,
      deviceName: device.name,
      checkerName: device.checkerName,
      lastSeen: device.lastSeen.toISOString(),
      ...(device.ended ? { ended: true as const } : {}),
      olderVersion: olderVersion(device.appVersion, version),
      unsent: device.unsent,
      oldestUnsent: device.oldestUnsent?.toISOString() ?? null,
      rosterRevision,
      rosterLacksSince: lacksSince?.toISOString() ?? null,
      admitted: admitted.get(device.id) ?? 0,
    }
  })
}

const refusalView = ({ at, code, holderName: name, ticketId, checkerName, deviceName }: RefusalRow) =>
  withIsoTimes({ at, code, name, ticketId, checkerName, deviceName })

async function eveningAlarms(tx: ReadTx, { eventId, now }: { eventId: string; now: Date }): Promise<EveningAlarm[]> {
  const watching = { eventId, since: new Date(now.getTime() - EVENING_ALARM_WINDOW_MS) }
  return [
    ...alarms('manual', await admittedByHand(tx, watching)),
    ...alarms('undos', await undosByChecker(tx, watching)),
    ...alarms('backDated', await backDatedByDevice(tx, watching)),
    ...alarms('unknownCodes', await unknownCodesByDevice(tx, watching)),
    ...alarms('swaps', await doublesOnOneTicket(tx, watching)),
  ]
}

const alarms = (kind: EveningAlarm['kind'], rows: readonly WatchedActions[]): EveningAlarm[] =>
  rows
    .filter(({ count }) => count >= EVENING_ALARM_FROM[kind])
    .map((row) => ({ ...row, kind, at: new Date(row.at).toISOString() }))
