import { ROSTER_POLL_MS } from '@garba/shared/constants'
import type { DeviceConflict, RosterAnswer } from '@garba/shared/contracts/scan'
import { rosterDigest } from '@garba/shared/rules/roster'
import { publicKeysOf } from '../identity/signer.ts'
import { conflictsOfDevice } from '../store/conflicts.ts'
import { type DeviceRow, findDevice, putDevice } from '../store/devices.ts'
import { type EventRow, findEvent } from '../store/events.ts'
import { currentRevision } from '../store/meta.ts'
import { allSigningKeys } from '../store/signingKeys.ts'
import type { ReadTx } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import { ticketsSince } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'

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
  const { store, now } = deps
  const { answer, whole } = await store.read(async (tx) => {
    const revision = await currentRevision(tx)
    const full = query.since === undefined || query.since > revision
    const since = full ? 0 : (query.since ?? 0)
    const event = await findEvent(tx)
    const answer = {
      revision,
      full,
      serverTime: now().toISOString(),
      keys: event ? publicKeysOf(await allSigningKeys(tx), event.id) : [],
      event: event ? rosterEvent(event) : null,
      tickets: await entriesSince(tx, since),
      ...(query.deviceId ? { conflicts: await deviceConflicts(tx, { since, deviceId: query.deviceId }) } : {}),
    }
    // Of the same moment: a phone compares them with the list at this revision.
    return { answer, whole: query.check ? await wholeAt(tx, { store, revision }) : null }
  })
  return whole ? { ...answer, ...(await whole.counted) } : answer
}

const rosterEvent = ({ id, name, venue, date, startTime, endTime }: EventRow) => ({
  _id: id,
  name,
  venue,
  date,
  startTime,
  endTime,
})

const entriesSince = async (tx: ReadTx, since: number) =>
  (await ticketsSince(tx, since)).map(({ id, status, name, entryTime }) => ({
    id,
    status,
    name,
    entryTime: entryTime?.toISOString() ?? null,
  }))

const deviceConflicts = async (tx: ReadTx, asked: { since: number; deviceId: string }): Promise<DeviceConflict[]> =>
  (await conflictsOfDevice(tx, asked)).map(({ id, ticketId, holderName, over, first, second }) => ({
    id,
    ticketId,
    name: holderName,
    over,
    first,
    second,
  }))

interface Whole {
  revision: number
  counted: Promise<{ count: number; hash: string }>
}
const wholes = new WeakMap<Store, Whole>()

/** Count and hash are made once for each revision, however many devices ask. */
async function wholeAt(tx: ReadTx, { store, revision }: { store: Store; revision: number }): Promise<Whole> {
  const known = wholes.get(store)
  if (known?.revision === revision) return known
  const entries = (await ticketsSince(tx, 0)).filter(({ status }) => status !== 'deleted')
  const counted = rosterDigest(entries).then((hash) => ({ count: entries.length, hash }))
  wholes.set(store, { revision, counted })
  return { revision, counted }
}

/** Three of a phone's regular askings: who has been silent for so long no longer holds it (ms). */
const OWNER_SILENT_MS = 3 * ROSTER_POLL_MS

/**
 * Keeps what a device says of itself, for the gate view. A device is its checker's: from the first heartbeat on nobody
 * else's is taken for it, until its checker has been silent for a minute and a half. So it changes hands at a shift change,
 * when another checker signs in on the same phone, and never while its own checker is using it.
 */
export async function heartbeat(deps: Deps, { user, query }: { user: Caller; query: RosterQuery }): Promise<void> {
  const { deviceId, deviceName, since } = query
  if (deviceId === undefined) return
  const now = deps.now()
  await deps.store.write(async (tx) => {
    tx.announce('evening')
    const before = await findDevice(tx, deviceId)
    if (before && isSomebodyElses(before, user, now)) return
    await putDevice(tx, {
      id: deviceId,
      name: deviceName || null,
      checkerId: user.id,
      checkerName: user.name,
      lastSeen: now,
      ...unsentIn(query, before, now),
      rosterRevision: since ?? null,
    })
  })
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
