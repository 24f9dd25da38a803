import { and, eq, sql } from 'drizzle-orm'
import { prepared } from './prepared.ts'
import { events } from './schema.ts'
import type { Sql } from './sql.ts'

const taken = sql`${events.takenSeats} + ${sql.placeholder('count')}`
const take = prepared((db) =>
  db
    .update(events)
    .set({ takenSeats: taken })
    .where(and(eq(events.id, sql.placeholder('eventId')), sql`${taken} <= ${events.totalTickets}`))
    .prepare(),
)

/** Takes seats if that many are free: the one statement that keeps a sale from overselling. False: nothing was taken. */
export const takeSeats = (db: Sql, eventId: string, count: number): boolean =>
  take(db).run({ eventId, count }).changes === 1

export const releaseSeats = (db: Sql, eventId: string, count: number): void => {
  db.update(events)
    .set({ takenSeats: sql`${events.takenSeats} - ${count}` })
    .where(eq(events.id, eventId))
    .run()
}
