import { desc } from 'drizzle-orm'
import { devices } from './schema.ts'
import type { Sql } from './sql.ts'
import type { DeviceRow } from './tables/devices.ts'

/** Writes a device's heartbeat over its last one. */
export const putDevice = (db: Sql, { id, ...heartbeat }: DeviceRow): void => {
  db.insert(devices)
    .values({ id, ...heartbeat })
    .onConflictDoUpdate({ target: devices.id, set: heartbeat })
    .run()
}

/** Every device that ever called, the one heard of last first. */
export const listDevices = (db: Sql): DeviceRow[] => db.select().from(devices).orderBy(desc(devices.lastSeen)).all()
