import type { BookRule } from '@garba/shared/contracts/names'
import { sql } from 'drizzle-orm'
import type { ReadTx } from './sql.ts'

/** One order, payment or event that breaks a rule, by what people call it. */
interface Broken {
  name: string
}

/** What an order has received and not given back: refunds that failed are money that is still here. */
const NET = sql.raw(`
  select o.id, o.code, o.state, o.provider, o.quantity, o.total_paise, o.reason,
    coalesce((select sum(p.amount_paise) from payments p where p.order_id = o.id and p.state = 'captured'), 0) as captured,
    coalesce((select sum(r.amount_paise) from refunds r join payments p on p.id = r.payment_id
      where p.order_id = o.id and r.state <> 'failed'), 0) as refunded,
    (select count(*) from tickets t where t.order_id = o.id) as tickets,
    (select count(*) from attention a where a.order_id = o.id and a.resolved_at is null) as open
  from orders o where o.provider <> 'none'`)

/**
 * The rules that money keeps, each as a query for what breaks it (DECISIONS 7). Orders of sales without payment and tickets
 * without an order are exempt (DECISIONS 9).
 */
const RULES: Readonly<Record<BookRule, ReturnType<typeof sql>>> = {
  /** A ticket has a paid order whose money was captured in full, or a complimentary one with a reason. */
  ticketsPaid: sql`
    select code as "name" from (${NET}) net
    where tickets > 0 and (state <> 'paid' or captured < total_paise or (provider = 'complimentary' and reason is null))
      or state = 'paid' and tickets = 0`,
  /** Captured money bought tickets, or is going back, or waits for a person. */
  moneyAccounted: sql`
    select code as "name" from (${NET}) net
    where open = 0 and captured - refunded > (case when state = 'paid' then total_paise else 0 end)`,
  refundsWithin: sql`
    select o.code as "name" from payments p join orders o on o.id = p.order_id
    where (select coalesce(sum(r.amount_paise), 0) from refunds r where r.payment_id = p.id and r.state <> 'failed')
      > (case when p.state = 'captured' then p.amount_paise else 0 end)`,
  /** Seats taken are those of active and used tickets, of open orders and of codes that wait for a buyer. */
  seatsAddUp: sql`
    select e.name as "name" from events e
    where e.taken_seats <> (select count(*) from tickets t where t.event_id = e.id and t.status in ('active', 'used'))
      + (select coalesce(sum(o.quantity), 0) from orders o where o.event_id = e.id and o.state = 'held')
      + (select count(*) from block_codes c join code_blocks b on b.id = c.block_id
        where b.event_id = e.id and c.state = 'allotted')`,
  /** Nobody has tickets twice, and each payment, UTR and refund is of one order. */
  appliedOnce: sql`
    select code as "name" from (${NET}) net where tickets > quantity
    union all select provider_payment_id from payments where provider_payment_id is not null
      group by provider_payment_id having count(*) > 1
    union all select utr from payments where utr is not null group by utr having count(*) > 1
    union all select provider_refund_id from refunds where provider_refund_id is not null
      group by provider_refund_id having count(*) > 1`,
}

/** What breaks a rule, all of it. */
export const breaking = async (tx: ReadTx, rule: BookRule): Promise<string[]> =>
  (await tx.rows<Broken>(RULES[rule])).map(({ name }) => name)
