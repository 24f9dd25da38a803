import { ROSTER_POLL_MS } from '@garba/shared/constants'
import type { DeviceConflict, RosterAnswer } from '@garba/shared/contracts/scan'
import { rosterDigest } from '@garba/shared/rules/roster'
import { conflictsOfDevice } from '../store/conflicts.ts'
import { type DeviceRow, findDevice, putDevice } from '../store/devices.ts'
import { type EventRow, findEvent } from '../store/events.ts'
import { currentRevision } from '../store/meta.ts'
import type { Db, Sql } from '../store/sql.ts'
import { ticketsSince } from '../store/tickets.ts'
import { type Caller, type Deps, inSnapshot, inTransaction } from './deps.ts'

export interface RosterQuery {
  since?: number | undefined
  deviceId?: string | undefined
  deviceName?: string | undefined
  unsent?: number | undefined
  oldestUnsent?: string | undefined
  check?: number | undefined
}
export type Roster = Omit<RosterAnswer, 'success'>

/**
 * The tickets changed since a revision, or all of them; tombstones included (DECISIONS 2). A revision from the future,
 * as after a restored backup, gets the whole roster. `check` adds count and hash of the whole.
 */
export async function roster(deps: Deps, query: RosterQuery): Promise<Roster> {
  const { signer, now } = deps
  const answer = inSnapshot(deps, (tx) => {
    const revision = currentRevision(tx)
    const full = query.since === undefined || query.since > revision
    const since = full ? 0 : (query.since ?? 0)
    const event = findEvent(tx)
    return {
      revision,
      full,
      serverTime: now().toISOString(),
      keys: event ? signer.publicKeys(event.id) : [],
      event: event ? rosterEvent(event) : null,
      tickets: entriesSince(tx, since),
      ...(query.deviceId ? { conflicts: deviceConflicts(tx, { since, deviceId: query.deviceId }) } : {}),
    }
  })
  if (!query.check) return answer
  return { ...answer, ...(await wholeOf(deps.db, answer.revision)) }
}

const rosterEvent = ({ id, name, venue, date, startTime, endTime }: EventRow) => ({
  _id: id,
  name,
  venue,
  date,
  startTime,
  endTime,
})

const entriesSince = (db: Sql, since: number) =>
  ticketsSince(db, since).map(({ id, status, name, entryTime }) => ({
    id,
    status,
    name,
    entryTime: entryTime?.toISOString() ?? null,
  }))

const deviceConflicts = (db: Sql, asked: { since: number; deviceId: string }): DeviceConflict[] =>
  conflictsOfDevice(db, asked).map(({ id, ticketId, holderName, over, first, second }) => ({
    id,
    ticketId,
    name: holderName,
    over,
    first,
    second,
  }))

interface Whole {
  revision: number
  count: number
  hash: string
}
const wholes = new WeakMap<Db, Whole>()

/** Count and hash are made once for each revision, however many devices ask. */
async function wholeOf(db: Db, revision: number): Promise<Omit<Whole, 'revision'>> {
  const known = wholes.get(db)
  if (known?.revision === revision) return { count: known.count, hash: known.hash }
  const entries = ticketsSince(db, 0).filter((entry) => entry.status !== 'deleted')
  const whole = { count: entries.length, hash: await rosterDigest(entries) }
  wholes.set(db, { revision, ...whole })
  return whole
}

/** Three of a phone's regular askings: who has been silent for so long no longer holds it (ms). */
const OWNER_SILENT_MS = 3 * ROSTER_POLL_MS

/**
 * Keeps what a device says of itself, for the gate view. A device is its checker's: from the first heartbeat on nobody
 * else's is taken for it, until its checker has been silent for a minute and a half. So it changes hands at a shift change,
 * when another checker signs in on the same phone, and never while its own checker is using it.
 */
export function heartbeat(deps: Deps, { user, query }: { user: Caller; query: RosterQuery }): void {
  const { deviceId, deviceName, since } = query
  if (deviceId === undefined) return
  const now = deps.now()
  inTransaction(deps, (tx) => {
    const before = findDevice(tx, deviceId)
    if (before && isSomebodyElses(before, user, now)) return
    putDevice(tx, {
      id: deviceId,
      name: deviceName || null,
      checkerId: user.id,
      checkerName: user.name,
      lastSeen: now,
      ...unsentIn(query, before, now),
      rosterRevision: since ?? null,
    })
  })
  deps.changes.publish('evening')
}

const isSomebodyElses = ({ checkerId, lastSeen }: DeviceRow, user: Caller, now: Date): boolean =>
  checkerId !== null && checkerId !== user.id && now.getTime() - lastSeen.getTime() <= OWNER_SILENT_MS

/** A live view says nothing of the outbox: what the device last said stays. */
function unsentIn({ unsent, oldestUnsent }: RosterQuery, before: DeviceRow | undefined, now: Date) {
  if (unsent === undefined) return { unsent: before?.unsent ?? 0, oldestUnsent: before?.oldestUnsent ?? null }
  // No scan waits from before there were devices, or from tomorrow: a clock that says so is wrong.
  return { unsent, oldestUnsent: oldestUnsent === undefined ? null : within(new Date(0), new Date(oldestUnsent), now) }
}

const within = (earliest: Date, moment: Date, latest: Date): Date =>
  new Date(Math.max(earliest.getTime(), Math.min(latest.getTime(), moment.getTime())))
