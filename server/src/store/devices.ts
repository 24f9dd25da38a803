import type { Right, TicketKind } from '@garba/shared/contracts/names'
import type { DevicePublicKey, Gate } from '@garba/shared/contracts/phones/device'
import { type EventTimes, findDeadline } from '@garba/shared/rules/event/eventDay'
import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert, prepareRow } from './engine/preparedQueries.ts'
import { countIn, insertNew, newId, type ReadTx, type WriteTx } from './engine/sql.ts'
import { nextRevision } from './meta.ts'

export const devices = sqliteTable(
  'devices',
  {
    id: text().primaryKey(),
    name: text(),
    /** The checker whose heartbeats are accepted; null once the person is forgotten. */
    checkerId: text(),
    checkerName: text().notNull(),
    lastSeen: integer({ mode: 'timestamp_ms' }).notNull(),
    unsent: integer().notNull(),
    oldestUnsent: integer({ mode: 'timestamp_ms' }),
    rosterRevision: integer(),
    /** The scanner's build version; null where the scanner sends none. */
    appVersion: text(),
  },
  (t) => [index('devices_by_last_seen').on(t.lastSeen)],
)
export type DeviceRow = typeof devices.$inferSelect

export const findDevice: Find<DeviceRow> = prepareFind(devices, devices.id)

export const putDevice = async (tx: WriteTx, { id, ...heartbeat }: DeviceRow): Promise<void> => {
  await tx.sql
    .insert(devices)
    .values({ id, ...heartbeat })
    .onConflictDoUpdate({ target: devices.id, set: heartbeat })
    .run()
}

export const updateDevice = async (
  tx: WriteTx,
  id: string,
  set: Partial<Pick<DeviceRow, 'unsent' | 'oldestUnsent' | 'lastSeen'>>,
): Promise<void> => {
  await tx.sql.update(devices).set(set).where(eq(devices.id, id)).run()
}

export const forgetOldDevices = async (
  tx: WriteTx,
  { checkerId, keep }: { checkerId: string; keep: number },
): Promise<void> => {
  const old = await tx.sql
    .select({ id: devices.id })
    .from(devices)
    .where(eq(devices.checkerId, checkerId))
    .orderBy(desc(devices.lastSeen), desc(devices.id))
    .all()
  for (const { id } of old.slice(keep)) await tx.sql.delete(devices).where(eq(devices.id, id)).run()
}

export interface ListedDevice extends DeviceRow {
  ended: boolean
}

export const listDevices = async (
  tx: ReadTx,
  { limit = 200, now, event }: { limit?: number; now: Date; event: EventTimes | null },
): Promise<ListedDevice[]> => {
  const { revokedAt, until } = pairedDevices
  const rows = await tx.sql
    .select({ device: devices, paired: { revokedAt, until } })
    .from(devices)
    .leftJoin(pairedDevices, eq(pairedDevices.id, devices.id))
    .orderBy(desc(devices.lastSeen))
    .limit(limit)
    .all()
  return rows.map(({ device, paired }) => ({ ...device, ended: paired !== null && hasEnded(paired, { now, event }) }))
}

const hasEnded = (
  { revokedAt, until }: Pick<PairedDeviceRow, 'revokedAt' | 'until'>,
  { now, event }: { now: Date; event: EventTimes | null },
): boolean => {
  const deadline = findDeadline(until, event)
  return revokedAt !== null || (deadline !== null && deadline <= now)
}

export const countDevices = (tx: ReadTx): Promise<number> => countIn(tx, devices)

export const countPhonesUnsent = (tx: ReadTx): Promise<number> => countIn(tx, devices, gt(devices.unsent, 0))

/** Phones that work without an account, each with its own key. `devices` has their heartbeats under the same id. */
export const pairedDevices = sqliteTable(
  'paired_devices',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The gates the phone may be at; empty means any gate. */
    gates: text({ mode: 'json' }).$type<string[]>().notNull(),
    rights: text({ mode: 'json' }).$type<Right[]>().notNull(),
    until: integer({ mode: 'timestamp_ms' }),
    createdById: text(),
    createdByName: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** SHA-256 of the last pairing code; null once the device is revoked. */
    codeHash: text(),
    /** SHA-256 of the last link's secret. */
    linkHash: text(),
    codeExpiresAt: integer({ mode: 'timestamp_ms' }).notNull(),
    codeUsedAt: integer({ mode: 'timestamp_ms' }),
    pairedAt: integer({ mode: 'timestamp_ms' }),
    publicKey: text({ mode: 'json' }).$type<DevicePublicKey>(),
    label: text(),
    shiftName: text(),
    /** Everyone who has had a shift on the phone. Only they can be named as sellers. */
    shiftNames: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    gate: text(),
    revokedAt: integer({ mode: 'timestamp_ms' }),
    revokedByName: text(),
    /** The time the phone first learned from the server that it had ended. */
    endHeardAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [uniqueIndex('paired_devices_code').on(t.codeHash).where(sql`${t.codeHash} is not null`)],
)
export type PairedDeviceRow = typeof pairedDevices.$inferSelect

export const findPairedDevice: Find<PairedDeviceRow> = prepareFind(pairedDevices, pairedDevices.id)

export const findDeviceByCode: Find<PairedDeviceRow> = prepareFind(pairedDevices, pairedDevices.codeHash)

export const makePairedDevice = prepareRow(pairedDevices)
export const insertPairedDevice = prepareInsert(pairedDevices)

export const updatePairedDevice = async (
  tx: WriteTx,
  id: string,
  set: Partial<PairedDeviceRow>,
): Promise<PairedDeviceRow | undefined> =>
  tx.sql.update(pairedDevices).set(set).where(eq(pairedDevices.id, id)).returning().get()

/** Marks a code as used by the first phone that uses it; undefined if another was faster or the code is void. */
export async function useCode(
  tx: WriteTx,
  codeHash: string,
  set: Pick<PairedDeviceRow, 'codeUsedAt' | 'pairedAt' | 'publicKey' | 'label' | 'shiftName'>,
): Promise<PairedDeviceRow | undefined> {
  const which = and(eq(pairedDevices.codeHash, codeHash), isNull(pairedDevices.codeUsedAt))
  return tx.sql.update(pairedDevices).set(set).where(which).returning().get()
}

export const listPairedDevices = async (tx: ReadTx): Promise<PairedDeviceRow[]> =>
  tx.sql.select().from(pairedDevices).orderBy(desc(pairedDevices.id)).all()

/**
 * Lets the phones that end with the event, which was moved, start again: what they learned of an earlier end no longer
 * counts. Returns the ids of those that were not revoked.
 */
export async function phonesWithEvent(tx: WriteTx): Promise<string[]> {
  const which = and(isNull(pairedDevices.until), isNull(pairedDevices.revokedAt))
  return (await tx.sql.update(pairedDevices).set({ endHeardAt: null }).where(which).returning().all()).map(
    ({ id }) => id,
  )
}

/** Gives the devices that end with the event a moment of their own, because a closed event no longer moves. */
export const fixDeadlines = async (tx: WriteTx, until: Date): Promise<void> => {
  await tx.sql.update(pairedDevices).set({ until }).where(isNull(pairedDevices.until)).run()
}

/** A paired phone's rights, each with the time it began: a row made offline is judged by the rights at its time. */
export const deviceRights = sqliteTable(
  'device_rights',
  {
    /** Of two changes in the same millisecond, the later has the higher id. */
    id: text().primaryKey(),
    deviceId: text().notNull(),
    since: integer({ mode: 'timestamp_ms' }).notNull(),
    rights: text({ mode: 'json' }).$type<Right[]>().notNull(),
  },
  (t) => [index('device_rights_by_device').on(t.deviceId, t.since)],
)

export const keepRights = async (
  tx: WriteTx,
  { deviceId, since, rights }: { deviceId: string; since: Date; rights: Right[] },
): Promise<void> => {
  await tx.sql
    .insert(deviceRights)
    .values({ id: newId(since), deviceId, since, rights })
    .run()
}

/**
 * The phone's rights at a moment. A moment before its first rights gets these, because its clock may be slow. If rights
 * begin after now, the server's clock was ahead and has been set back since: then the present rights count too.
 */
export async function rightsAt(
  tx: ReadTx,
  { id, rights: present }: Pick<PairedDeviceRow, 'id' | 'rights'>,
  { at, now }: { at: Date; now: Date },
): Promise<readonly Right[]> {
  const all = await tx.sql
    .select()
    .from(deviceRights)
    .where(eq(deviceRights.deviceId, id))
    .orderBy(asc(deviceRights.since), asc(deviceRights.id))
    .all()
  const then = all.findLast(({ since }) => since <= at) ?? all[0]
  return [...(then?.rights ?? []), ...(all.some(({ since }) => since > now) ? present : [])]
}

/** A gate admits the kinds and types of tickets it names, or all if it names none. */
export const gates = sqliteTable('gates', {
  name: text().primaryKey(),
  kinds: text({ mode: 'json' }).$type<TicketKind[]>().notNull(),
  types: text({ mode: 'json' }).$type<string[]>().notNull(),
  place: integer().notNull(),
})

export async function listGates(tx: ReadTx): Promise<Gate[]> {
  const rows = await tx.sql.select().from(gates).orderBy(asc(gates.place), asc(gates.name)).all()
  return rows.map(({ place: _, types, ...gate }) => (types.length === 0 ? gate : { ...gate, types }))
}

export async function replaceGates(tx: WriteTx, all: readonly Gate[]): Promise<void> {
  await tx.sql.delete(gates).run()
  for (const [place, { name, kinds, types = [] }] of all.entries())
    await tx.sql.insert(gates).values({ name, kinds, types, place }).run()
}

/** Adds unknown gates after the others, and tells the phones. They admit all tickets. */
export async function addGates(tx: WriteTx, names: readonly string[]): Promise<void> {
  const known = await listGates(tx)
  const fresh = names.filter((name) => known.every((gate) => gate.name !== name))
  if (fresh.length === 0) return
  await nextRevision(tx)
  tx.announceChanges('roster')
  for (const [at, name] of [...new Set(fresh)].entries())
    await insertNew(tx, gates, { name, kinds: [], types: [], place: known.length + at })
}
