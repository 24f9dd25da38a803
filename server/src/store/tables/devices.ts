import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The last heartbeat of each scanner phone. */
export const devices = sqliteTable(
  'devices',
  {
    id: text().primaryKey(),
    name: text(),
    /** Whose heartbeats count; null on rows from before devices had one. */
    checkerId: text(),
    checkerName: text().notNull(),
    lastSeen: integer({ mode: 'timestamp_ms' }).notNull(),
    unsent: integer().notNull(),
    oldestUnsent: integer({ mode: 'timestamp_ms' }),
    rosterRevision: integer(),
  },
  (t) => [index('devices_by_last_seen').on(t.lastSeen)],
)
export type DeviceRow = typeof devices.$inferSelect
