import { sql } from 'drizzle-orm'
import { byIndex, type ReadTx } from './engine/sql.ts'
import { scans } from './scans.ts'
import { tickets } from './tickets.ts'

const MINUTE_MS = 60_000

/** Tickets of an event: used, and sold (used or still to come). */
export async function headcount(tx: ReadTx, eventId: string): Promise<{ admitted: number; sold: number }> {
  const rows = await tx.rows<{ status: string; count: number }>(sql`
    select status as "status", count(*) as "count" from ${tickets}
    where event_id = ${eventId} and status in ('active', 'used') group by status`)
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return { admitted: of('used'), sold: of('used') + of('active') }
}

/** Counts the people who went in, as `peopleIn` does. */
export async function countPeople(tx: ReadTx, eventId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*) as "count" from ${byIndex(tx, scans, 'scans_people')}
    where event_id = ${eventId} and outcome <> 'refused' and undone_at is null`)
  return row?.count ?? 0
}

/**
 * People who went in at one gate, or at none, within one minute: minutes since 1970, or 0 for all before an instant.
 */
export interface PeopleIn {
  gate: string | null
  minute: number
  count: number
}

/**
 * Counts everybody who went in by gate, and by minute from an instant on. Each admission that was not undone is a
 * person, whatever happened to its ticket: both sides of a double admission or a swap, and tickets refunded or deleted
 * since.
 */
export function peopleIn(tx: ReadTx, { eventId, since }: { eventId: string; since: Date }): Promise<PeopleIn[]> {
  const minute = sql`case when at >= ${since.getTime()} then at / ${sql.raw(String(MINUTE_MS))} else 0 end`
  return tx.rows<PeopleIn>(sql`
    select gate as "gate", ${minute} as "minute", count(*) as "count"
    from ${byIndex(tx, scans, 'scans_people')}
    where event_id = ${eventId} and outcome <> 'refused' and undone_at is null
    group by 1, 2`)
}
