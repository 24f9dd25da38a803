import { count, desc } from 'drizzle-orm'
import { refusals } from './schema.ts'
import type { Sql } from './sql.ts'
import type { RefusalRow } from './tables/refusals.ts'

export const insertRefusal = (db: Sql, refusal: Omit<RefusalRow, 'id'>): void => {
  db.insert(refusals).values(refusal).run()
}

/** How many for each reason, the commonest first. */
export const refusalsByCode = (db: Sql) =>
  db
    .select({ code: refusals.code, count: count() })
    .from(refusals)
    .groupBy(refusals.code)
    .orderBy(({ count }) => desc(count))
    .all()

export const latestRefusals = (db: Sql, limit: number): RefusalRow[] =>
  db.select().from(refusals).orderBy(desc(refusals.at)).limit(limit).all()
