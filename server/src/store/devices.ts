import { count, desc, eq } from 'drizzle-orm'
import { devices } from './schema.ts'
import type { Sql } from './sql.ts'
import type { DeviceRow } from './tables/devices.ts'

export const findDevice = (db: Sql, id: string): DeviceRow | undefined =>
  db.select().from(devices).where(eq(devices.id, id)).get()

/** Writes a device's heartbeat over its last one. */
export const putDevice = (db: Sql, { id, ...heartbeat }: DeviceRow): void => {
  db.insert(devices)
    .values({ id, ...heartbeat })
    .onConflictDoUpdate({ target: devices.id, set: heartbeat })
    .run()
}

/** The devices heard of last, the last one first. */
export const listDevices = (db: Sql, limit: number): DeviceRow[] =>
  db.select().from(devices).orderBy(desc(devices.lastSeen)).limit(limit).all()

/** Every device that ever called. */
export const countDevices = (db: Sql): number => db.select({ n: count() }).from(devices).get()?.n ?? 0
