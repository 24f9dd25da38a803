import { EVENT_STATES, type EventState, REENTRIES } from '@garba/shared/contracts/names'
import type { TicketType } from '@garba/shared/rules/types/ticketTypes'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { blob, check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareQuery } from './engine/preparedQueries.ts'
import { hasRows, insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'

export interface StateBefore {
  state: EventState
  stateReason: string | null
  stateAt: number | null
  freeCancelUntil: number | null
  date: string
  startTime: string
}

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    venue: text().notNull(),
    description: text().notNull(),
    /** A day of the event's time zone, YYYY-MM-DD. */
    date: text().notNull(),
    startTime: text().notNull(),
    endTime: text().notNull(),
    /** Whether the evening ends after midnight: `endTime` is then a time of the day after `date`. */
    endsNextDay: integer({ mode: 'boolean' }).notNull().default(false),
    ticketPricePaise: integer().notNull(),
    groupPricePaise: integer(),
    /** In order; the first has the prices above as its last phase. Always at least one. */
    types: text({ mode: 'json' }).$type<TicketType[]>().notNull(),
    totalTickets: integer().notNull(),
    /** Counts active and used tickets, held orders and unsold codes. Only takeSeats and releaseSeats change it. */
    takenSeats: integer().notNull().default(0),
    imageHash: text().references(() => images.hash),
    features: text({ mode: 'json' }).$type<string[]>().notNull(),
    aboutText: text(),
    salesFrom: integer({ mode: 'timestamp_ms' }),
    salesUntil: integer({ mode: 'timestamp_ms' }),
    paused: text(),
    capacity: integer(),
    reentry: text({ enum: REENTRIES }).notNull().default('none'),
    reentryUntil: integer({ mode: 'timestamp_ms' }),
    state: text({ enum: EVENT_STATES }).notNull().default('on'),
    stateReason: text(),
    /** The time of the state. With the event's id it names the state in mails and jobs. */
    stateAt: integer({ mode: 'timestamp_ms' }),
    undoUntil: integer({ mode: 'timestamp_ms' }),
    stateBefore: text({ mode: 'json' }).$type<StateBefore>(),
    freeCancelUntil: integer({ mode: 'timestamp_ms' }),
    refundsPaused: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    closedAt: integer({ mode: 'timestamp_ms' }),
    /** The roster revision of the closing: scanners with an older roster fetch the whole roster. */
    closedRevision: integer(),
    /** The time since which the desk warns that people will be made anonymous; null before. */
    peopleWarnedAt: integer({ mode: 'timestamp_ms' }),
    anonymousAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    uniqueIndex('events_open').on(sql`(${t.closedAt} is null)`).where(sql`${t.closedAt} is null`),
    check('events_seats', sql`${t.takenSeats} between 0 and ${t.totalTickets}`),
    check('events_price', sql`${t.ticketPricePaise} > 0`),
  ],
)
export type EventRow = typeof events.$inferSelect
export type NewEvent = typeof events.$inferInsert

const current = prepareQuery((db) => db.select().from(events).where(isNull(events.closedAt)).prepare())

export const findEvent = async (tx: ReadTx): Promise<EventRow | undefined> => current(tx).get()

export const findEventById: Find<EventRow> = prepareFind(events, events.id)

export async function everyEvent(tx: ReadTx): Promise<(ticket: { eventId: string }) => EventRow> {
  const byId = new Map((await tx.sql.select().from(events).all()).map((event) => [event.id, event]))
  return ({ eventId }) => {
    const event = byId.get(eventId)
    if (!event) throw new RangeError(`There is no event ${eventId}`)
    return event
  }
}

export const getEventFor = async (tx: ReadTx, ticket: { eventId: string }): Promise<EventRow> => {
  const event = await findEventById(tx, ticket.eventId)
  if (!event) throw new RangeError(`There is no event ${ticket.eventId}`)
  return event
}

const closed = prepareQuery((db) =>
  db.select().from(events).where(isNotNull(events.closedAt)).orderBy(desc(events.closedAt)).prepare(),
)

export type ClosedEventRow = EventRow & { closedAt: Date; closedRevision: number }
export const isEventClosed = (event: EventRow): event is ClosedEventRow => event.closedAt !== null

export const closedEvents = async (tx: ReadTx): Promise<ClosedEventRow[]> =>
  (await closed(tx).all()).filter(isEventClosed)

export const markEventClosed = async (
  tx: WriteTx,
  id: string,
  set: { closedAt: Date; closedRevision: number },
): Promise<ClosedEventRow | undefined> => {
  const open = and(eq(events.id, id), isNull(events.closedAt))
  const row = await tx.sql.update(events).set(set).where(open).returning().get()
  return row && { ...row, ...set }
}

export const updateEvent = async (tx: WriteTx, id: string, set: Partial<NewEvent>): Promise<EventRow | undefined> =>
  tx.sql.update(events).set(set).where(eq(events.id, id)).returning().get()

export const forgetUnusedImages = async (tx: WriteTx): Promise<void> => {
  await tx.sql
    .delete(images)
    .where(sql`not exists (select 1 from ${events} where ${events.imageHash} = ${images.hash})`)
    .run()
}

const taken = sql`${events.takenSeats} + ${sql.placeholder('count')}`
const take = prepareQuery((db) =>
  db
    .update(events)
    .set({ takenSeats: taken })
    .where(and(eq(events.id, sql.placeholder('eventId')), sql`${taken} <= ${events.totalTickets}`))
    .returning({ takenSeats: events.takenSeats, types: events.types })
    .prepare(),
)

/** Only for `takeSeats`, which also takes those of the types. */
export const takeEventSeats = async (
  tx: WriteTx,
  eventId: string,
  count: number,
): Promise<Pick<EventRow, 'takenSeats' | 'types'> | undefined> => take(tx).get({ eventId, count })

export const freeEventSeats = async (tx: WriteTx, eventId: string, count: number): Promise<void> => {
  await tx.sql
    .update(events)
    .set({ takenSeats: sql`${events.takenSeats} - ${count}` })
    .where(eq(events.id, eventId))
    .run()
}

/** An image is stored under the SHA-256 of its bytes, so its address always means the same image. */
export const images = sqliteTable('images', {
  hash: text().primaryKey(),
  type: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
})
export type ImageRow = typeof images.$inferSelect

export const findImage: Find<ImageRow> = prepareFind(images, images.hash)

export const hasImage = (tx: ReadTx, hash: string): Promise<boolean> => hasRows(tx, images, eq(images.hash, hash))

export const putImage = (tx: WriteTx, image: ImageRow): Promise<boolean> => insertNew(tx, images, image)
