import type { Ask, Check, Row } from './accountant.ts'

/** Makes a check from one query: each row of the result is a finding. */
export const finds =
  (query: string, say: (row: Row) => string): Check =>
  async (ask) =>
    (await ask(query)).map(say)

/** PostgreSQL gives sums as text. */
export const numberOf = (value: unknown): number => Number(value ?? 0)

const AMOUNT = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 2 })
export const rupees = (paise: unknown): string => AMOUNT.format(numberOf(paise) / 100).replace(/\.00$/, '')

/** The short name of a ticket, a payment, a refund or a drawer: the end of its id. */
export const short = (id: unknown): string => String(id).slice(-8)

/** A guest's cancellation costs this much per ticket: 25 rupees for the provider and 15 for the platform. */
const FEE_PAISE = 4_000

/** Matches money that has gone back or is on its way: every refund that has not failed. */
const GOING_BACK = "r.state <> 'failed'"
/** Matches a refund made at the provider and listed for the desk as such. Its tickets are unknown. */
const MADE_ELSEWHERE = "exists (select 1 from attention a where a.dedupe_key = 'refundedElsewhere:' || r.id)"

/** Selects the refunds that count, without failed ones that were requested again or paid together with others. */
const COUNTING = `select r.* from refunds r where r.covered_by is null
  and r.id not in (select again.retry_of from refunds again where again.retry_of is not null)`

/**
 * The money of an order that is left after its refunds. After a favour at the provider it may not be enough for every
 * ticket.
 */
const LEFT = `(select coalesce(sum(p.amount_paise), 0) from payments p where p.order_id = o.id and p.state = 'captured')
  - (select coalesce(sum(r.amount_paise), 0) from (${COUNTING}) r join payments p on p.id = r.payment_id
    where p.order_id = o.id)`

/** Every order that involves money, with the other tables' record of it (paise). */
const ORDERS = `
  select o.id, o.code, o.state, o.provider, o.quantity, o.reason, o.total_paise as total,
    coalesce(p.captured, 0) as captured, coalesce(p.attempts, 0) as attempts,
    coalesce(r.loose, 0) as loose, coalesce(r.back, 0) as back,
    case when coalesce(t.worth, 0) + r.back - p.captured < o.unit_paise or e.closed_at is not null
      then coalesce(r.favours, 0) else 0 end as favours,
    coalesce(t.made, 0) as made, coalesce(t.priced, 0) as priced, coalesce(t.worth, 0) as worth,
    coalesce(a.matters, 0) as matters, coalesce(a.missing, 0) as missing
  from orders o
    left join (select order_id, count(*) as attempts,
        sum(case when state = 'captured' then amount_paise else 0 end) as captured
      from payments group by order_id) p on p.order_id = o.id
    left join (select pay.order_id, sum(r.amount_paise) as back,
        sum(case when r.ticket_id is null then r.amount_paise else 0 end) as loose,
        sum(case when r.ticket_id is null and ${MADE_ELSEWHERE} then r.amount_paise else 0 end) as favours
      from refunds r join payments pay on pay.id = r.payment_id where ${GOING_BACK} group by pay.order_id
    ) r on r.order_id = o.id
    left join (select order_id, count(*) as made, sum(price_paise) as priced,
        sum(case when status in ('active', 'used') then price_paise else 0 end) as worth
      from tickets where replaced_at is null group by order_id) t on t.order_id = o.id
    left join (select order_id, count(*) as matters,
        sum(case when kind = 'refundedElsewhere' then 1 else 0 end) as missing
      from attention where resolved_at is null and kind <> 'unproven' group by order_id) a on a.order_id = o.id
    left join events e on e.id = o.event_id
  where o.provider <> 'none'`

function unpaid({ code, state, provider, quantity, reason, total, made, priced, captured }: Row): string {
  if (state !== 'paid') return `${code}: has ${made} tickets and is ${state}, not paid`
  if (numberOf(made) !== numberOf(quantity) || numberOf(priced) !== numberOf(total))
    return `${code}: sold ${quantity} tickets for ${rupees(total)}, and has ${made} for ${rupees(priced)}`
  if (provider !== 'complimentary')
    return `${code}: has its tickets for ${rupees(total)}, and ${rupees(captured)} was received`
  return reason
    ? `${code}: was given away, and has money: ${rupees(total)}`
    : `${code}: was given away without a reason`
}

export const ticketsPaid: readonly Check[] = [
  finds(
    `select * from (${ORDERS}) o where made > 0 and state <> 'paid'
      or state = 'paid' and (made <> quantity or priced <> total)
      or state = 'paid' and provider <> 'complimentary' and captured < total
      or state = 'paid' and provider = 'complimentary' and (coalesce(reason, '') = '' or total <> 0 or attempts <> 0)`,
    unpaid,
  ),
  // First-release tickets have no order, and orders without payment have no money; neither may appear after the first
  // payment.
  finds(
    `select t.id, t.price_paise from tickets t
      join (select o.event_id, min(p.created_at) as since from payments p join orders o on o.id = p.order_id
        where p.state = 'captured' group by o.event_id) paid on paid.event_id = t.event_id
      left join orders o on o.id = t.order_id
    where t.created_at > paid.since and (o.id is null or o.provider = 'none')`,
    ({ id, price_paise }) =>
      `Ticket ${short(id)}: nobody paid its ${rupees(price_paise)}, although others had paid before`,
  ),
  finds(
    `select t.id, o.code from tickets t join orders o on o.id = t.order_id where t.event_id <> o.event_id`,
    ({ code, id }) => `${code}: ticket ${short(id)} is for another event than the order`,
  ),
  // Each new code makes a row and a tombstone; only the row is a ticket.
  finds(
    `select * from (select coalesce(o.code, 'No order') as code,
        sum(case when t.replaced_at is null then 0 else 1 end) as replaced,
        sum(case when t.replaced_at is null then t.new_codes else 0 end) as renewed,
        sum(case when t.replaced_at is not null and t.status <> 'deleted' then 1 else 0 end) as standing
      from tickets t left join orders o on o.id = t.order_id group by coalesce(o.code, 'No order'), t.event_id) codes
    where replaced <> renewed or standing > 0`,
    ({ code, replaced, renewed }) =>
      `${code}: ${replaced} codes were replaced, and its tickets have had ${renewed} new ones`,
  ),
]

export const moneyAccounted: readonly Check[] = [
  /**
   * Each ticket is paid for by its order and settled by its own refunds (`refundsWithin`, `refundsShown`). So the money
   * received is the price of all tickets, plus refunds without a ticket, plus money that an open matter concerns. Less
   * than a ticket's price may have been paid back as a favour, and any amount after the event was closed.
   */
  finds(
    `select * from (${ORDERS}) o where matters = 0 and captured - loose > priced
      or missing = 0 and captured >= total and captured - loose + favours < priced`,
    ({ code, captured, back, worth, priced, loose }) => {
      const over = numberOf(captured) - numberOf(loose) - numberOf(priced)
      const facts = `${code}: received ${rupees(captured)}, paid back ${rupees(back)}, valid tickets ${rupees(worth)}`
      return over > 0
        ? `${facts}: ${rupees(over)} bought nothing, and is on no list`
        : `${facts}: ${rupees(-over)} is missing`
    },
  ),
  finds(
    `select t.id, t.price_paise, o.code from tickets t join orders o on o.id = t.order_id
    where t.status = 'deleted' and t.replaced_at is null and o.provider not in ('none', 'complimentary') and t.price_paise > ${FEE_PAISE}
      and not exists (select 1 from refunds r where r.ticket_id = t.id and ${GOING_BACK})
      and not exists (select 1 from attention a where a.order_id = o.id and a.resolved_at is null and a.kind <> 'unproven')`,
    ({ id, price_paise, code }) =>
      `${code}: ticket ${short(id)} was deleted, and its ${rupees(price_paise)} was not paid back`,
  ),
  finds(
    `select o.code, p.id from payments p join orders o on o.id = p.order_id
    where p.state = 'captured' and (p.captured_at is null
      or p.provider in ('razorpay', 'demo') and p.provider_payment_id is null)`,
    ({ code, id }) => `${code}: payment ${short(id)} counts as received without a time or the provider's id`,
  ),
]

export const refundsWithin: readonly Check[] = [
  finds(
    `select o.code, p.amount_paise, sum(r.amount_paise) as back from refunds r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where ${GOING_BACK} group by o.code, p.id, p.state, p.amount_paise
    having sum(r.amount_paise) > (case when p.state = 'captured' then p.amount_paise else 0 end)`,
    ({ code, amount_paise, back }) => `${code}: ${rupees(back)} goes back from a payment of ${rupees(amount_paise)}`,
  ),
  finds(
    `select o.code, t.id, t.price_paise, sum(case when ${GOING_BACK} then r.amount_paise else 0 end) as back,
      sum(r.amount_paise) as requested
    from (${COUNTING}) r join tickets t on t.id = r.ticket_id join orders o on o.id = t.order_id
    where not ${MADE_ELSEWHERE} group by o.code, o.id, t.id, t.price_paise
    having sum(case when ${GOING_BACK} then r.amount_paise else 0 end) > t.price_paise
      or sum(r.amount_paise) < t.price_paise - ${FEE_PAISE} and ${LEFT} > 0`,
    ({ code, id, price_paise, back, requested }) =>
      `${code}: ${rupees(numberOf(back) > numberOf(price_paise) ? back : requested)} goes back for ticket ${short(id)}, ` +
      `which cost ${rupees(price_paise)}`,
  ),
  finds(
    `select distinct o.code, t.id, t.status from refunds r join tickets t on t.id = r.ticket_id
      join orders o on o.id = t.order_id
    where ${GOING_BACK} and t.status in ('active', 'used')`,
    ({ code, id, status }) => `${code}: the money of ticket ${short(id)} goes back, and it is ${status}`,
  ),
  finds(
    `select o.code, t.id from refunds r join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
      join tickets t on t.id = r.ticket_id
    where t.order_id is null or t.order_id <> p.order_id`,
    ({ code, id }) => `${code}: its money goes back for ticket ${short(id)} of another order`,
  ),
]

export const refundsShown: readonly Check[] = [
  finds(
    `select * from (select o.code, t.id, t.is_refund_done as shown, count(*) as parts,
        sum(case when r.state = 'failed' then 1 else 0 end) as failed,
        sum(case when r.state in ('done', 'manual') then 1 else 0 end) as done
      from (${COUNTING}) r join tickets t on t.id = r.ticket_id join orders o on o.id = t.order_id
      where t.status = 'cancelled' group by o.code, t.id, t.is_refund_done) refunded
    where coalesce(shown, -1) <> (case when failed > 0 then 0 when done = parts then 1 else -1 end)`,
    ({ code, id, shown, parts, failed, done }) =>
      `${code}: of ${parts} refunds of ticket ${short(id)} ${done} are made and ${failed} failed, and the ticket says ${
        shown === null ? 'Pending' : numberOf(shown) === 1 ? 'Done' : 'Failed'
      }`,
  ),
  finds(
    `select o.code, t.id, t.price_paise from tickets t join orders o on o.id = t.order_id
    where t.status = 'cancelled' and t.is_refund_done = 1 and t.price_paise > ${FEE_PAISE}
      and o.provider not in ('none', 'complimentary')
      and not exists (select 1 from refunds r where r.ticket_id = t.id)
      and not exists (select 1 from attention a where a.order_id = o.id and a.kind = 'refundedElsewhere')`,
    ({ code, id, price_paise }) =>
      `${code}: ticket ${short(id)} says that its ${rupees(price_paise)} was paid back, and no refund does`,
  ),
  // A ticket's refund is on the list of due refunds; any other needs a job that makes it, or an open matter.
  finds(
    `select o.code, r.id, r.amount_paise, r.state from (${COUNTING}) r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where r.ticket_id is null and r.state in ('requested', 'asking', 'failed')
      and not exists (select 1 from jobs j where j.id = 'refund:' || r.id and j.ended_at is null)
      and not exists (select 1 from attention a where a.order_id = o.id and a.resolved_at is null and a.kind <> 'unproven')`,
    ({ code, id, amount_paise, state }) =>
      `${code}: refund ${short(id)} of ${rupees(amount_paise)} is ${state}, and nothing is going to make it`,
  ),
  finds(
    `select o.code, r.id, r.amount_paise from refunds r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where r.state in ('asking', 'sent') and p.provider_payment_id is null`,
    ({ code, id, amount_paise }) =>
      `${code}: refund ${short(id)} of ${rupees(amount_paise)} waits for a provider that never had the money`,
  ),
]

export const appliedOnce: readonly Check[] = [
  finds(
    `select provider_payment_id as name from payments where provider_payment_id is not null group by 1 having count(*) > 1
    union all select utr from payments where utr is not null and state <> 'void' group by 1 having count(*) > 1
    union all select provider_refund_id from refunds where provider_refund_id is not null group by 1 having count(*) > 1`,
    ({ name }) => `${name}: counts twice`,
  ),
  finds(
    `select o.code, p.provider_payment_id as name, a.amount_paise from attention a
      join payments p on a.detail = p.provider_payment_id or a.detail like p.provider_payment_id || ' %'
      join orders o on o.id = p.order_id
    where a.kind = 'unknown' and a.resolved_at is null and a.order_id is null and p.state = 'captured'`,
    ({ code, name, amount_paise }) =>
      `${code}: ${name} was received for it, and its ${rupees(amount_paise)} is also listed as unmatched`,
  ),
]

interface Line {
  id: string
  order: unknown
  paise: number
}

/** Credits of the bank's statement by each 12-digit number in them. */
async function linesByNumber(ask: Ask): Promise<Map<string, Line[]>> {
  const found = new Map<string, Line[]>()
  for (const { id, utrs, order_id: order, amount_paise } of await ask(
    "select id, utrs, order_id, amount_paise from statement_lines where utrs <> ''",
  ))
    for (const utr of String(utrs).split(' '))
      found.set(utr, [...(found.get(utr) ?? []), { id: String(id), order, paise: numberOf(amount_paise) }])
  return found
}

export const bankAgrees: readonly Check[] = [
  async (ask) => {
    const lines = await linesByNumber(ask)
    if (lines.size === 0) return []
    const paid = await ask(`
      select o.code, o.id as order_id, p.utr, p.amount_paise from payments p join orders o on o.id = p.order_id
      where p.utr is not null and p.state = 'captured'`)
    return paid.flatMap(({ code, order_id, utr, amount_paise }) => {
      const [line, another] = lines.get(String(utr)) ?? []
      // A number that appears in several credits is not a transfer's number.
      if (!line || another) return []
      if (line.order !== null && line.order !== order_id)
        return [`${code}: the bank's credit with UTR ${utr} paid another order`]
      return line.paise === numberOf(amount_paise)
        ? []
        : [
            `${code}: ${rupees(amount_paise)} counts as received, and the bank's credit with UTR ${utr} is ${rupees(line.paise)}`,
          ]
    })
  },
  finds(
    `select o.code, l.amount_paise, l.day from statement_lines l join orders o on o.id = l.order_id
    where not exists (select 1 from payments p where p.order_id = o.id and p.state = 'captured')`,
    ({ code, amount_paise, day }) =>
      `${code}: the bank's credit of ${rupees(amount_paise)} on ${day} paid it, and no payment was received`,
  ),
  finds(
    `select o.code, l.id, l.amount_paise as settled, p.amount_paise as ours from settlement_lines l
      join payments p on p.provider_payment_id = l.id join orders o on o.id = p.order_id
    where l.kind = 'payment' and l.amount_paise <> p.amount_paise
    union all
    select o.code, l.id, l.amount_paise, r.amount_paise from settlement_lines l
      join refunds r on r.provider_refund_id = l.id join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
    where l.kind = 'refund' and l.amount_paise <> r.amount_paise`,
    ({ code, id, settled, ours }) =>
      `${code}: the provider settled ${rupees(settled)} for ${id}, and we have ${rupees(ours)}`,
  ),
  finds(
    `select o.code, l.id, l.amount_paise, r.state from settlement_lines l join refunds r on r.provider_refund_id = l.id
      join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
    where l.kind = 'refund' and r.state in ('requested', 'failed', 'manual')
      and not exists (select 1 from attention a
        where a.dedupe_key = 'refundBounced:' || r.id or a.dedupe_key = 'paidTwice:' || l.id)`,
    ({ code, id, amount_paise, state }) =>
      `${code}: the provider paid back ${rupees(amount_paise)} by ${id}, and we call that refund ${state}`,
  ),
]
