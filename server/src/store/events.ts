import { eq } from 'drizzle-orm'
import { prepared } from './prepared.ts'
import { events } from './schema.ts'
import type { Sql } from './sql.ts'
import type { EventRow, NewEvent } from './tables/events.ts'

const only = prepared((db) => db.select().from(events).prepare())

/** The event; there is at most one (SPEC 1). */
export const findEvent = (db: Sql): EventRow | undefined => only(db).get()

export const insertEvent = (db: Sql, event: NewEvent): EventRow => db.insert(events).values(event).returning().get()

export const updateEvent = (db: Sql, id: string, set: Partial<NewEvent>): EventRow | undefined =>
  db.update(events).set(set).where(eq(events.id, id)).returning().get()
