import { sql } from 'drizzle-orm'
import { tickets } from './schema.ts'
import type { Sql } from './sql.ts'

const MINUTE_MS = 60_000

/** Unique tickets: let in, and sold (let in or still to come). */
export function headcount(db: Sql): { admitted: number; sold: number } {
  const rows = db.all<{ status: string; count: number }>(sql`
    select status, count(*) as count from ${tickets} where status in ('active', 'used') group by status`)
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return { admitted: of('used'), sold: of('used') + of('active') }
}

/** Entries of each minute from an instant on, by the minute's number since 1970; empty minutes are absent. */
export function entriesByMinute(db: Sql, since: Date): Map<number, number> {
  const rows = db.all<{ minute: number; count: number }>(sql`
    select entry_time / ${sql.raw(String(MINUTE_MS))} as minute, count(*) as count
    from ${tickets} indexed by tickets_by_entry
    where status = 'used' and entry_time >= ${since.getTime()}
    group by minute`)
  return new Map(rows.map(({ minute, count }) => [minute, count]))
}
