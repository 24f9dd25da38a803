import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { events } from './events.ts'
import { orders } from './orders.ts'
import { users } from './users.ts'

/** `deleted` is the tombstone that tells scanners to refuse; every other reader leaves such rows out. */
const TICKET_ROW_STATUSES = ['active', 'used', 'cancelled', 'deleted'] as const
export type TicketRowStatus = (typeof TICKET_ROW_STATUSES)[number]

export const tickets = sqliteTable(
  'tickets',
  {
    id: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    orderId: text().references(() => orders.id),
    /** null once the buyer's account is deleted; name and email stay (DECISIONS 2). */
    userId: text().references(() => users.id),
    buyerName: text().notNull(),
    buyerEmail: text().notNull(),
    pricePaise: integer().notNull(),
    status: text({ enum: TICKET_ROW_STATUSES }).notNull(),
    qrCode: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    entryTime: integer({ mode: 'timestamp_ms' }),
    /** The scan that admitted; null when an admin set the status. */
    entryScanId: text(),
    scannedByName: text(),
    scannedAtDevice: text(),
    cancelledAt: integer({ mode: 'timestamp_ms' }),
    cancellationReason: text(),
    isRefundDone: integer({ mode: 'boolean' }),
    /** Roster revision of the last change. */
    revision: integer().notNull(),
    /** Folded id, name and email, so that a search does not miss accents. */
    searchText: text().notNull(),
  },
  (t) => [
    index('tickets_by_owner').on(t.userId, t.status),
    index('tickets_by_status').on(t.status, t.id),
    // Partial indexes serve only where the query writes the same words, so the queries on them bind no status.
    index('tickets_sold').on(t.createdAt, t.status, t.pricePaise).where(sql`${t.status} in ('active', 'used')`),
    index('tickets_listed').on(t.id, t.status, t.searchText).where(sql`${t.status} <> 'deleted'`),
    index('tickets_by_entry').on(t.entryTime).where(sql`${t.status} = 'used'`),
    index('tickets_by_revision').on(t.revision),
    check('tickets_status', sql`${t.status} in ('active', 'used', 'cancelled', 'deleted')`),
    check('tickets_entry', sql`(${t.status} <> 'used') or ${t.entryTime} is not null`),
  ],
)
export type TicketRow = typeof tickets.$inferSelect
