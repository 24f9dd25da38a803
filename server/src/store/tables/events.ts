import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { images } from './images.ts'

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    /** Always 1 and unique: only one event exists at a time (SPEC 1). */
    lone: integer().notNull().default(1).unique(),
    name: text().notNull(),
    venue: text().notNull(),
    description: text().notNull(),
    /** A day of the event's time zone, YYYY-MM-DD. */
    date: text().notNull(),
    startTime: text().notNull(),
    endTime: text().notNull(),
    ticketPricePaise: integer().notNull(),
    groupPricePaise: integer(),
    totalTickets: integer().notNull(),
    /** Active and used tickets; kept by store/tickets and store/seats, never by hand. */
    takenSeats: integer().notNull().default(0),
    imageHash: text().references(() => images.hash),
    features: text({ mode: 'json' }).$type<string[]>().notNull(),
    aboutText: text(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [
    check('events_lone', sql`${t.lone} = 1`),
    check('events_seats', sql`${t.takenSeats} between 0 and ${t.totalTickets}`),
    check('events_price', sql`${t.ticketPricePaise} > 0`),
  ],
)
export type EventRow = typeof events.$inferSelect
export type NewEvent = typeof events.$inferInsert
