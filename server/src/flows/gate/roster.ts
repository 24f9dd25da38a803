import type { CallInput } from '@garba/shared/calls/calls'
import { MINUTE_MS, ROSTER_POLL_MS } from '@garba/shared/constants'
import { RIGHTS_WITH_NAMES } from '@garba/shared/contracts/names'
import type { Gate } from '@garba/shared/contracts/phones/device'
import type { DeviceConflict, RosterAnswer } from '@garba/shared/contracts/phones/scan'
import { BLOCK } from '@garba/shared/messages/gate'
import { gatesOfEvent, rosterDigest } from '@garba/shared/rules/admission'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { listPublicKeys } from '../../identity/signer.ts'
import { Refusal } from '../../refusal.ts'
import { conflictsOfDevice } from '../../store/conflicts.ts'
import {
  type DeviceRow,
  findDevice,
  findPairedDevice,
  forgetOldDevices,
  listGates,
  putDevice,
  updateDevice,
} from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import type { Store } from '../../store/engine/store.ts'
import { closedEvents, type EventRow, findEvent } from '../../store/events.ts'
import { countEntries, countPeople } from '../../store/figures.ts'
import { currentRevision } from '../../store/meta.ts'
import { sumMovements } from '../../store/movements.ts'
import { allSigningKeys } from '../../store/signingKeys.ts'
import { ticketsSince } from '../../store/tickets.ts'
import type { AnyCaller, Deps } from '../deps.ts'

export type RosterQuery = CallInput<'roster', 'query'>
export type Roster = Omit<RosterAnswer, 'success'>

/**
 * The current event's tickets changed since a revision, or all of them, including tombstones. A revision older than a
 * closing or a restore, or newer than the current revision, gets the whole roster. The keys of closed events tell their
 * codes from forged codes. `check` adds the whole roster's count and hash. Names are empty for a phone without a right
 * that needs them. `isLive`: a change woke all phones together, so what they all get is read once.
 */
export async function buildRoster(
  deps: Deps,
  { asker, isLive = false, ...query }: RosterQuery & { asker: AnyCaller; isLive?: boolean },
): Promise<Roster> {
  const { store, now } = deps
  const { answer, whole } = await store.read(async (tx) => {
    const revision = await currentRevision(tx)
    const { since: asked } = query
    const { since, eventId, ...common } = await (isLive ? changesForAll : changesSince)(tx, deps, { asked, revision })
    const named = await mayReadNames(tx, asker)
    if (common.full || common.tickets.length >= LONG) countWhole(deps, asker, named)
    const visible = named ? <N>(entries: N[]) => entries : withoutNames
    const answer = {
      ...common,
      serverTime: now().toISOString(),
      tickets: visible(common.tickets),
      ...(query.deviceId ? { conflicts: visible(await deviceConflicts(tx, { since, deviceId: query.deviceId })) } : {}),
    }
    // It comes from the same snapshot, because the phone compares it with its list at this revision.
    return { answer, whole: query.check ? await wholeAt(tx, { store, eventId, revision }) : null }
  })
  return whole ? { ...answer, ...(await whole.counted) } : answer
}

interface AskedRevisions {
  asked: number | undefined
  revision: number
}

async function changesSince(tx: ReadTx, { store, epoch }: Deps, { asked, revision }: AskedRevisions) {
  const event = await findEvent(tx)
  const closed = await closedEvents(tx)
  const oldest = Math.max(epoch.revision, ...closed.map(({ closedRevision }) => closedRevision))
  const full = asked === undefined || asked > revision || asked < oldest
  const since = full ? 0 : asked
  const eventId = event?.id ?? ''
  const pairs = await allSigningKeys(tx)
  return {
    since,
    eventId,
    revision,
    epoch: epoch.number,
    full,
    keys: (event ? [event, ...closed] : closed).flatMap(({ id }) => listPublicKeys(pairs, id)),
    event: event ? rosterEvent(event) : null,
    tickets: await entriesSince(tx, { eventId, revision: since, hasTypes: hasSeveralTypes(event) }),
    ...rosterGates(gatesOfEvent(await listGates(tx), event ?? null)),
    ...(await peopleAt(tx, { store, eventId, revision })),
  }
}

/** Less than the pause after a change (sse.ts): what was read before a change is never sent as what came of it (ms). */
const FOR_ALL_MS = 50
const readForAll = new WeakMap<Store, { key: string; at: number; changes: Awaited<ReturnType<typeof changesSince>> }>()

async function changesForAll(tx: ReadTx, deps: Deps, which: AskedRevisions): ReturnType<typeof changesSince> {
  const key = `${which.asked} ${which.revision}`
  const known = readForAll.get(deps.store)
  if (known?.key === key && performance.now() - known.at < FOR_ALL_MS) return known.changes
  const changes = await changesSince(tx, deps, which)
  // A whole list is long, and phones that ask for one do not ask together.
  if (!changes.full) readForAll.set(deps.store, { key, at: performance.now(), changes })
  return changes
}

/** A phone's rights may have changed since its live view began. */
async function mayReadNames(tx: ReadTx, { id, device }: AnyCaller): Promise<boolean> {
  const rights = device && (await findPairedDevice(tx, id))?.rights
  return !device || RIGHTS_WITH_NAMES.some((right) => rights?.includes(right))
}

/** Leaves out the order too: who may see no names may not see who came with whom. */
const withoutNames = <E extends { name: string; buyer?: string; order?: string; paper?: string }>(entries: E[]): E[] =>
  entries.map(({ buyer: _buyer, order: _order, paper: _paper, ...entry }) => ({ ...entry, name: '' }) as E)

/** An answer with this many changes counts as a whole roster: otherwise `since: 1` would evade the limit. */
const LONG = 1_000
/** Whole rosters that one account gets per minute: enough for ten phones of one checker that all fail at once. */
const WHOLE_PER_ACCOUNT = 30
/**
 * The times (ms) of the whole rosters sent to each paired phone and account, with and without names, within the last
 * minute.
 */
const wholeSent = new WeakMap<Store, Map<string, number[]>>()

/**
 * The whole roster is long and holds every name. An honest phone needs it at its start and after a restore, and then
 * continues from its revision. A paired phone gets it once a minute, and at once when its rights have changed the names
 * in it.
 */
function countWhole({ store, now }: Deps, { id, device }: AnyCaller, named: boolean): void {
  const at = now().getTime()
  const sent = wholeSent.get(store) ?? new Map<string, number[]>()
  wholeSent.set(store, sent)
  // The clock may have been ahead and set back since.
  const counts = (time: number) => time <= at && at - time < MINUTE_MS
  for (const [key, times] of sent) if (!times.some(counts)) sent.delete(key)
  const key = `${id} ${named}`
  const times = (sent.get(key) ?? []).filter(counts)
  if (times.length >= (device ? 1 : WHOLE_PER_ACCOUNT)) {
    const wait = MINUTE_MS - (at - Math.min(...times))
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000)) })
  }
  sent.set(key, [...times, at])
}

const rosterEvent = ({ id, name, venue, date, startTime, endTime, endsNextDay, ...more }: EventRow) => ({
  _id: id,
  name,
  venue,
  date,
  startTime,
  endTime,
  ...(endsNextDay ? { endsNextDay } : {}),
  ...(more.capacity !== null && { capacity: more.capacity }),
  ...(more.reentry === 'open' && { reentry: more.reentry }),
  ...(more.reentryUntil && { reentryUntil: more.reentryUntil.toISOString() }),
  ...(hasSeveralTypes(more) ? { types: more.types.map(({ id, name, note }) => ({ id, name, note })) } : {}),
  ...(more.state === 'calledOff' ? { calledOff: true as const } : {}),
})

function rosterGates(gates: readonly Gate[]): Pick<Roster, 'gates' | 'gateTypes'> {
  const gateTypes = gates.flatMap(({ name, types }) => (types ? [{ name, types }] : []))
  return { gates: gates.map(({ name, kinds }) => ({ name, kinds })), ...(gateTypes.length > 0 && { gateTypes }) }
}

interface EntriesQuery {
  eventId: string
  revision: number
  hasTypes: boolean
}

const entriesSince = async (tx: ReadTx, { hasTypes, ...which }: EntriesQuery) =>
  (await ticketsSince(tx, which)).map(
    ({ entryTime, leftAt, kind, gate, buyer, order, replacedAt, typeId, ...row }) => ({
      id: row.id,
      status: row.status,
      name: row.name,
      entryTime: entryTime?.toISOString() ?? null,
      ...(leftAt && { leftAt: leftAt.toISOString() }),
      ...(kind === 'online' ? {} : { kind }),
      ...(hasTypes ? { type: typeId } : {}),
      ...(row.paperNumber === null ? {} : { paper: `${BLOCK.printed(row.paperNumber)}, ${row.paperBlock}` }),
      ...(gate === null ? {} : { gate }),
      ...(buyer === row.name ? {} : { buyer }),
      ...(order === null ? {} : { order }),
      ...(replacedAt && { replacedAt: replacedAt.toISOString() }),
    }),
  )

const deviceConflicts = async (tx: ReadTx, query: { since: number; deviceId: string }): Promise<DeviceConflict[]> =>
  (await conflictsOfDevice(tx, query)).map(({ id, ticketId, holderName, over, disputed, first, second }) => ({
    id,
    ticketId,
    name: holderName,
    over,
    ...(disputed ? { disputed } : {}),
    first,
    second,
  }))

function oncePerRevision<V>(compute: (tx: ReadTx, eventId: string) => Promise<V>) {
  const kept = new WeakMap<Store, { revision: number; value: V }>()
  return async (
    tx: ReadTx,
    { store, eventId, revision }: { store: Store; eventId: string; revision: number },
  ): Promise<V> => {
    const known = kept.get(store)
    if (known?.revision === revision) return known.value
    const value = await compute(tx, eventId)
    kept.set(store, { revision, value })
    return value
  }
}

const peopleAt = oncePerRevision(async (tx, eventId) => ({
  people: await countPeople(tx, eventId),
  inside: (await countEntries(tx, eventId)) + (await sumMovements(tx, eventId)),
}))

const wholeAt = oncePerRevision(async (tx, eventId) => {
  const entries = (await ticketsSince(tx, { eventId, revision: 0 })).filter(({ status }) => status !== 'deleted')
  return { counted: rosterDigest(entries).then((hash) => ({ count: entries.length, hash })) }
})

/**
 * Heartbeats kept per account: ten phones can share one, and a phone gets a new id when its browser data is cleared.
 */
const DEVICES_PER_CHECKER = 20

/** A checker whose phone has missed three polls no longer owns the device (ms). */
const OWNER_SILENT_MS = 3 * ROSTER_POLL_MS

/**
 * Stores a device's report about itself, for the evening view. From the first heartbeat a device belongs to its
 * checker, and other people's heartbeats for it are ignored until that checker has been silent for 90 seconds. So it
 * changes hands when another checker signs in on the phone, but never while its own checker is using it. A paired phone
 * accepts only its own heartbeats. Each account keeps the devices that called last.
 */
export async function recordHeartbeat(
  deps: Deps,
  { user, query }: { user: AnyCaller; query: RosterQuery },
): Promise<void> {
  const { deviceId, deviceName, since } = asCaller(query, user)
  if (deviceId === undefined) return
  if (deps.epoch.readOnly() !== null) return
  const now = deps.now()
  await deps.store.write(async (tx) => {
    tx.announceChanges('evening')
    const before = await findDevice(tx, deviceId)
    // A paired phone's id is reserved for its signature even before its first heartbeat.
    const isPhones = !before && !user.device && (await findPairedDevice(tx, deviceId))
    if (isPhones || (before && belongsToAnother(before, user, now))) return
    if (!before && !user.device) await forgetOldDevices(tx, { checkerId: user.id, keep: DEVICES_PER_CHECKER - 1 })
    await putDevice(tx, {
      id: deviceId,
      name: deviceName || null,
      checkerId: user.id,
      checkerName: user.name,
      lastSeen: now,
      ...reportIn(query, before, now),
      rosterRevision: since ?? null,
    })
  })
}

/**
 * Stores how many rows a paired phone has not delivered: the `left` it reports, and the refused rows. This shows the
 * desk when an ended phone has sent everything.
 */
export async function recordUnsentRows(
  { store, now }: Deps,
  { device, left, results }: { device: AnyCaller; left: number | undefined; results: readonly { success: boolean }[] },
): Promise<void> {
  if (!device.device || left === undefined) return
  const unsent = left + results.filter(({ success }) => !success).length
  await store.write(async (tx) => {
    tx.announceChanges('evening')
    await updateDevice(tx, device.id, { unsent, lastSeen: now(), ...(unsent === 0 ? { oldestUnsent: null } : {}) })
  })
}

/** A paired phone is identified by its signature, not by the name it gives. */
export const asCaller = (query: RosterQuery, { device }: AnyCaller): RosterQuery =>
  device ? { ...query, deviceId: device.id, deviceName: device.name } : query

const belongsToAnother = ({ id, checkerId, lastSeen }: DeviceRow, user: AnyCaller, now: Date): boolean =>
  checkerId !== null &&
  checkerId !== user.id &&
  (checkerId === id || Math.abs(now.getTime() - lastSeen.getTime()) <= OWNER_SILENT_MS)

type Report = Pick<DeviceRow, 'unsent' | 'oldestUnsent' | 'appVersion'>

function reportIn({ unsent, oldestUnsent, appVersion }: RosterQuery, before: Report | undefined, now: Date): Report {
  if (unsent === undefined) {
    const { unsent = 0, oldestUnsent = null, appVersion = null } = before ?? {}
    return { unsent, oldestUnsent, appVersion }
  }
  return {
    unsent,
    // A scan from before 1970 or from the future comes from a wrong clock.
    oldestUnsent: oldestUnsent === undefined ? null : clampDate(new Date(0), new Date(oldestUnsent), now),
    appVersion: appVersion ?? null,
  }
}

const clampDate = (earliest: Date, moment: Date, latest: Date): Date =>
  new Date(Math.max(earliest.getTime(), Math.min(latest.getTime(), moment.getTime())))
