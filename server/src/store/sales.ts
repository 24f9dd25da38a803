import { countDistinct, sql } from 'drizzle-orm'
import type { ReadTx } from './sql.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

/** Written out, never bound: only so does SQLite see that the partial index `tickets_sold` holds every such row. */
const SOLD = sql.raw("status in ('active', 'used')")
/** Left to itself, the planner goes by status and reads the whole table again for each span. */
const SOLD_TICKETS = sql`${tickets} indexed by tickets_sold`

export interface Sales {
  count: number
  paise: number
}

/** Tickets sold and what they brought: active and used ones, cancelled ones out (DECISIONS 2). */
export const salesTotals = async (tx: ReadTx): Promise<Sales> =>
  tx.sql.get<Sales>(
    sql`select count(*) as count, coalesce(sum(price_paise), 0) as paise from ${SOLD_TICKETS} where ${SOLD}`,
  )

/** When the oldest ticket that still counts was sold. */
export async function firstSaleAt(tx: ReadTx): Promise<Date | null> {
  const { at } = await tx.sql.get<{ at: number | null }>(
    sql`select min(created_at) as at from ${SOLD_TICKETS} where ${SOLD}`,
  )
  return at === null ? null : new Date(at)
}

/** From an instant to before another. */
export interface Span {
  from: Date
  to: Date
}

/** The sales of each span, in the order given, empty ones included. */
export async function salesOfSpans(tx: ReadTx, spans: readonly Span[]): Promise<Sales[]> {
  const edges = JSON.stringify(spans.map(({ from, to }) => [from.getTime(), to.getTime()]))
  return tx.sql.all<Sales>(sql`
    select count(price_paise) as count, coalesce(sum(price_paise), 0) as paise
    from json_each(${edges}) as span
    left join ${SOLD_TICKETS}
      on created_at >= span.value ->> 0 and created_at < span.value ->> 1 and ${SOLD}
    group by span.key
    order by span.key`)
}

/** Users who hold a ticket that counts as sold. */
export const countBuyers = async (tx: ReadTx): Promise<number> =>
  (
    await tx.sql
      .select({ n: countDistinct(users.id) })
      .from(users)
      .where(sql`exists (select 1 from ${tickets} where user_id = ${users.id} and ${SOLD})`)
      .get()
  )?.n ?? 0
