import { and, eq, sql } from 'drizzle-orm'
import { events } from './schema.ts'
import type { Sql } from './sql.ts'

/** Takes seats if that many are free: the one statement that keeps a sale from overselling. False: nothing was taken. */
export const takeSeats = (db: Sql, eventId: string, count: number): boolean =>
  db
    .update(events)
    .set({ takenSeats: sql`${events.takenSeats} + ${count}` })
    .where(and(eq(events.id, eventId), sql`${events.takenSeats} + ${count} <= ${events.totalTickets}`))
    .run().changes === 1

export const releaseSeats = (db: Sql, eventId: string, count: number): void => {
  db.update(events)
    .set({ takenSeats: sql`${events.takenSeats} - ${count}` })
    .where(eq(events.id, eventId))
    .run()
}
