import { count, desc, eq, gt } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** The last heartbeat of each scanner phone. */
export const devices = sqliteTable(
  'devices',
  {
    id: text().primaryKey(),
    name: text(),
    /** The checker whose heartbeats are accepted; null on rows from before devices had one. */
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

export const findDevice = async (tx: ReadTx, id: string): Promise<DeviceRow | undefined> =>
  tx.sql.select().from(devices).where(eq(devices.id, id)).get()

/** Writes a device's heartbeat over its last one. */
export const putDevice = async (tx: WriteTx, { id, ...heartbeat }: DeviceRow): Promise<void> => {
  await tx.sql
    .insert(devices)
    .values({ id, ...heartbeat })
    .onConflictDoUpdate({ target: devices.id, set: heartbeat })
    .run()
}

/** Updates what a device last reported of its outbox, separately from its heartbeats. */
export const updateDevice = async (
  tx: WriteTx,
  id: string,
  set: Partial<Pick<DeviceRow, 'unsent' | 'oldestUnsent' | 'lastSeen'>>,
): Promise<void> => {
  await tx.sql.update(devices).set(set).where(eq(devices.id, id)).run()
}

/** Drops the heartbeats of a checker's devices, except those that called last. */
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

/** The devices that called last, latest first. */
export const listDevices = async (tx: ReadTx, limit: number): Promise<DeviceRow[]> =>
  tx.sql.select().from(devices).orderBy(desc(devices.lastSeen)).limit(limit).all()

/** Counts every device that ever called. */
export const countDevices = async (tx: ReadTx): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(devices).get())?.n ?? 0

/** Counts phones that still had unsent scans at their last contact. */
export const countPhonesUnsent = async (tx: ReadTx): Promise<number> =>
  (await tx.sql.select({ id: devices.id }).from(devices).where(gt(devices.unsent, 0)).all()).length
