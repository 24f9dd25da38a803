import type { AdmissionSide } from '@garba/shared/contracts/scan'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const CONFLICT_OVER = ['used', 'cancelled', 'deleted', 'missing'] as const

/** A person let in on a ticket that should not have let them in; both sides as they were then (DECISIONS 3). */
export const conflicts = sqliteTable(
  'conflicts',
  {
    /** scanId of the later admission, or of the scan that was judged where that has named a conflict before. */
    id: text().primaryKey(),
    ticketId: text().notNull(),
    holderName: text().notNull(),
    over: text({ enum: CONFLICT_OVER }).notNull(),
    first: text({ mode: 'json' }).$type<AdmissionSide>().notNull(),
    second: text({ mode: 'json' }).$type<AdmissionSide>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** Roster revision it was recorded at: both devices hear of it in their next delta. */
    revision: integer().notNull(),
    firstDeviceId: text(),
    secondDeviceId: text(),
    acknowledgedByName: text(),
    acknowledgedAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    index('conflicts_by_ticket').on(t.ticketId),
    index('conflicts_by_time').on(t.createdAt),
    index('conflicts_by_revision').on(t.revision),
  ],
)
export type ConflictRow = typeof conflicts.$inferSelect
