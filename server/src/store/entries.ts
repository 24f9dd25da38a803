import { sql } from 'drizzle-orm'
import { byIndex, type ReadTx } from './sql.ts'
import { tickets } from './tickets.ts'

const MINUTE_MS = 60_000

/** Unique tickets of an event: let in, and sold (let in or still to come). */
export async function headcount(tx: ReadTx, eventId: string): Promise<{ admitted: number; sold: number }> {
  const rows = await tx.rows<{ status: string; count: number }>(sql`
    select status as "status", count(*) as "count" from ${tickets}
    where event_id = ${eventId} and status in ('active', 'used') group by status`)
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return { admitted: of('used'), sold: of('used') + of('active') }
}

/** Entries of each minute from an instant on, by the minute's number since 1970; empty minutes are absent. */
export async function entriesByMinute(
  tx: ReadTx,
  { eventId, since }: { eventId: string; since: Date },
): Promise<Map<number, number>> {
  const minute = sql`entry_time / ${sql.raw(String(MINUTE_MS))}`
  const rows = await tx.rows<{ minute: number; count: number }>(sql`
    select ${minute} as "minute", count(*) as "count"
    from ${byIndex(tx, tickets, 'tickets_by_entry')}
    where event_id = ${eventId} and status = 'used' and entry_time >= ${since.getTime()}
    group by ${minute}`)
  return new Map(rows.map(({ minute, count }) => [minute, count]))
}

/** Entries of an event through each gate, and of each minute from an instant on. */
export async function entriesByGate(
  tx: ReadTx,
  { eventId, since }: { eventId: string; since: Date },
): Promise<{ gate: string; minute: number; count: number }[]> {
  const minute = sql`case when entry_time >= ${since.getTime()} then entry_time / ${sql.raw(String(MINUTE_MS))} else 0 end`
  return tx.rows<{ gate: string; minute: number; count: number }>(sql`
    select entry_gate as "gate", ${minute} as "minute", count(*) as "count"
    from ${byIndex(tx, tickets, 'tickets_by_entry')}
    where event_id = ${eventId} and status = 'used' and entry_gate is not null
    group by 1, 2`)
}
