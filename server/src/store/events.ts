import { and, eq, sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { images } from './images.ts'
import type { ReadTx, WriteTx } from './sql.ts'
import { prepared } from './statements.ts'

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
    /** Active and used tickets; kept by takeSeats and releaseSeats, never by hand. */
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

const only = prepared((db) => db.select().from(events).prepare())

/** The event; there is at most one (SPEC 1). */
export const findEvent = async (tx: ReadTx): Promise<EventRow | undefined> => only(tx).get()

/** The name that answers about tickets carry; '' without an event. */
export const eventNameNow = async (tx: ReadTx): Promise<string> => (await findEvent(tx))?.name ?? ''

export const insertEvent = async (tx: WriteTx, event: NewEvent): Promise<EventRow> =>
  tx.sql.insert(events).values(event).returning().get()

export const updateEvent = async (tx: WriteTx, id: string, set: Partial<NewEvent>): Promise<EventRow | undefined> =>
  tx.sql.update(events).set(set).where(eq(events.id, id)).returning().get()

const taken = sql`${events.takenSeats} + ${sql.placeholder('count')}`
const take = prepared((db) =>
  db
    .update(events)
    .set({ takenSeats: taken })
    .where(and(eq(events.id, sql.placeholder('eventId')), sql`${taken} <= ${events.totalTickets}`))
    .returning({ id: events.id })
    .prepare(),
)

/** Takes seats if that many are free: the one statement that keeps a sale from overselling. False: nothing was taken. */
export const takeSeats = async (tx: WriteTx, eventId: string, count: number): Promise<boolean> =>
  (await take(tx).get({ eventId, count })) !== undefined

export const releaseSeats = async (tx: WriteTx, eventId: string, count: number): Promise<void> => {
  await tx.sql
    .update(events)
    .set({ takenSeats: sql`${events.takenSeats} - ${count}` })
    .where(eq(events.id, eventId))
    .run()
}
