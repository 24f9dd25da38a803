import {
  DEVICE_FLAGGED_SHOWN,
  EVENING_ALARM_FROM,
  EVENING_ALARM_WINDOW_MS,
  EVENING_ROWS_SHOWN,
  MINUTE_MS,
} from '@garba/shared/constants'
import type { EveningAlarm, EveningFigures } from '@garba/shared/contracts/desk'
import { GATE } from '@garba/shared/messages/gate'
import { olderVersion } from '@garba/shared/rules/phones/versions'
import { countConflicts, listConflicts } from '../../store/conflicts.ts'
import { countDevices, type ListedDevice, listDevices, listGates } from '../../store/devices.ts'
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
import { type MovedPeople, peopleMoved } from '../../store/movements.ts'
import { admittedByDevice, flaggedScans, latestRefusals, type RefusalRow, refusalsByCode } from '../../store/scans.ts'
import { firstChangeSince } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { readTimes, requestedEvent } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { flaggedScanView } from '../phones/deviceViews.ts'
import { systemAlarms } from '../watch/alarms.ts'
import { conflictView } from './conflicts.ts'
import { estimateInside, readForecast, sumInside } from './inside/figures.ts'

const MINUTES_SHOWN = 120
const REFUSALS_SHOWN = 20

export const readEvening = (
  { store, settings, now }: Deps,
  query: { event?: string | undefined } = {},
): Promise<EveningFigures> =>
  store.read(async (tx) => {
    const at = now()
    const { eventId, event } = await requestedEvent(tx, query.event)
    const { admitted, sold } = await readHeadcount(tx, eventId)
    const first = Math.floor(at.getTime() / MINUTE_MS) - MINUTES_SHOWN + 1
    const since = new Date(first * MINUTE_MS)
    const entries = await peopleIn(tx, { eventId, since })
    const counts = perMinute(entries, first)
    const moved = await peopleMoved(tx, { eventId, since })
    const leftToCome = sold - admitted
    const listed = await listDevices(tx, {
      limit: EVENING_ROWS_SHOWN,
      now: at,
      event: await readTimes({ settings }, tx),
    })
    const known = sumInside(entries, moved)
    const { silentSince, ...inside } = await estimateInside(tx, {
      eventId,
      known,
      leftToCome,
      isCalledOff: event?.state === 'calledOff',
      devices: listed,
      now: at,
    })
    return {
      at: at.toISOString(),
      revision: await currentRevision(tx),
      people: sumPeople(entries),
      admitted,
      sold,
      leftToCome,
      inside: { ...inside, silentSince: silentSince === null ? null : new Date(silentSince).toISOString() },
      capacity: event?.capacity ?? null,
      forecast: await readForecast(tx, { perMinute: counts, leftToCome, sold, now: at }),
      perMinute: counts,
      gates: await perGate(tx, entries, moved),
      alarms: await eveningAlarms(tx, { eventId, now: at }),
      system: await systemAlarms(tx),
      devices: await deviceViews(tx, { eventId, listed, version: settings.version }),
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
 * Lists the current gates, then removed gates that people passed, and last the people without a gate, so that the gates
 * add up to the headcount.
 */
async function perGate(
  tx: ReadTx,
  entries: readonly PeopleIn[],
  moved: readonly MovedPeople[],
): Promise<EveningFigures['gates']> {
  const [cameIn, movedAt] = [Map.groupBy(entries, ({ gate }) => gate), Map.groupBy(moved, ({ gate }) => gate)]
  const passed = [...cameIn.keys(), ...movedAt.keys()]
  const names = new Set([...(await listGates(tx)).map(({ name }) => name), ...passed.filter((gate) => gate !== null)])
  const view = (gate: string | null, name: string) => gateView(name, cameIn.get(gate) ?? [], movedAt.get(gate) ?? [])
  return [
    ...[...names].map((name) => view(name, name)),
    ...(passed.includes(null) ? [{ ...view(null, GATE.noGate), none: true as const }] : []),
  ]
}

const gateView = (
  name: string,
  entries: readonly PeopleIn[],
  moved: readonly MovedPeople[],
): EveningFigures['gates'][number] => {
  const people = sumPeople(entries)
  return {
    name,
    people,
    inside: sumInside(entries, moved),
    left: moved.reduce((sum, { out }) => sum + out, 0),
    admitted: people,
    perMinute: entries
      .filter(({ minute, count }) => minute > 0 && count > 0)
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

async function deviceViews(
  tx: ReadTx,
  { eventId, listed, version }: { eventId: string; listed: readonly ListedDevice[]; version: string },
): Promise<EveningFigures['devices']> {
  const admitted = await admittedByDevice(tx, eventId)
  return Array.fromAsync(listed, async (device) => {
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
