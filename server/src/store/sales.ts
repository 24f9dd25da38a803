import { countDistinct, sql } from 'drizzle-orm'
import { byIndex, type ReadTx } from './engine/sql.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

/**
 * Written out, never bound: otherwise SQLite does not see that the partial index `tickets_sold` holds every such row.
 */
const SOLD = sql.raw("status in ('active', 'used')")
/** By default SQLite's planner goes by status and reads the whole table again for each span. */
const soldTickets = (tx: ReadTx) => byIndex(tx, tickets, 'tickets_sold')

export interface Sales {
  count: number
  paise: number
}

/** Counts sold tickets and their price: active and used ones, without cancelled ones. */
export async function salesTotals(tx: ReadTx, eventId: string): Promise<Sales> {
  const [sales] = await tx.rows<Sales>(
    sql`select count(*) as "count", coalesce(sum(price_paise), 0) as "paise" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD}`,
  )
  return sales ?? { count: 0, paise: 0 }
}

/** The time of the oldest sale whose ticket still counts. */
export async function firstSaleAt(tx: ReadTx, eventId: string): Promise<Date | null> {
  const [first] = await tx.rows<{ at: number | null }>(
    sql`select min(created_at) as "at" from ${soldTickets(tx)} where event_id = ${eventId} and ${SOLD}`,
  )
  return first?.at == null ? null : new Date(first.at)
}

/** Runs from an instant to before another. */
export interface Span {
  from: Date
  to: Date
}

/** The sales of each span, in the order given, empty ones included. */
export const salesOfSpans = (
  tx: ReadTx,
  { eventId, spans }: { eventId: string; spans: readonly Span[] },
): Promise<Sales[]> => {
  const rows = spans.map(
    ({ from, to }, n) =>
      sql`(cast(${n} as bigint), cast(${from.getTime()} as bigint), cast(${to.getTime()} as bigint))`,
  )
  return tx.rows<Sales>(sql`
    with span (n, starts, ends) as (values ${sql.join(rows, sql`, `)})
    select count(price_paise) as "count", coalesce(sum(price_paise), 0) as "paise"
    from span left join ${soldTickets(tx)} on event_id = ${eventId} and created_at >= starts and created_at < ends and ${SOLD}
    group by n
    order by n`)
}

const QUARTER_HOUR_MS = 900_000

/** Paise received within a quarter of an hour; every hour of every time zone begins with one. */
export interface Received {
  at: number
  paise: number
}

/**
 * Lists income from paid orders, oldest first: captured money minus refunds that have not failed, at its capture time,
 * and tickets sold without payment, at the time of their sale.
 */
export const moneyReceived = (tx: ReadTx, eventId: string): Promise<Received[]> =>
  tx.rows<Received>(sql`
    with received (at, paise) as (
      select p.captured_at, p.amount_paise - coalesce((
        select sum(r.amount_paise) from refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
      from orders o join payments p on p.order_id = o.id
      where o.event_id = ${eventId} and p.state = 'captured'
      union all
      select tickets.created_at, tickets.price_paise from ${soldTickets(tx)}
      where tickets.event_id = ${eventId} and ${SOLD}
        and not exists (select 1 from orders o where o.id = tickets.order_id and o.provider <> 'none'))
    select at - at % ${sql.raw(String(QUARTER_HOUR_MS))} as "at", sum(paise) as "paise"
    from received group by 1 order by 1`)

/** Users who hold a ticket that counts as sold. */
export const countBuyers = async (tx: ReadTx, eventId: string): Promise<number> =>
  (
    await tx.sql
      .select({ n: countDistinct(users.id) })
      .from(users)
      .where(sql`exists (select 1 from ${tickets} where user_id = ${users.id} and event_id = ${eventId} and ${SOLD})`)
      .get()
  )?.n ?? 0
