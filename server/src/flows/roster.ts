import type { DeviceConflict, RosterAnswer } from '@garba/shared/contracts/scan'
import { rosterDigest } from '@garba/shared/rules/roster'
import { conflictsOfDevice } from '../store/conflicts.ts'
import { putDevice } from '../store/devices.ts'
import { findEvent } from '../store/events.ts'
import { currentRevision } from '../store/meta.ts'
import type { Db, Sql } from '../store/sql.ts'
import type { EventRow } from '../store/tables/events.ts'
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

/** Keeps what a device says of itself, for the gate view. */
export function heartbeat(deps: Deps, { user, query }: { user: Caller; query: RosterQuery }): void {
  const { deviceId, deviceName, since, unsent = 0, oldestUnsent } = query
  if (deviceId === undefined) return
  const now = deps.now()
  inTransaction(deps, (tx) =>
    putDevice(tx, {
      id: deviceId,
      name: deviceName || null,
      checkerName: user.name,
      lastSeen: now,
      unsent,
      // No scan waits from before there were devices, or from tomorrow: a clock that says so is wrong.
      oldestUnsent: oldestUnsent === undefined ? null : within(new Date(0), new Date(oldestUnsent), now),
      rosterRevision: since ?? null,
    }),
  )
  deps.changes.tell('gate')
}

const within = (earliest: Date, moment: Date, latest: Date): Date =>
  new Date(Math.max(earliest.getTime(), Math.min(latest.getTime(), moment.getTime())))
