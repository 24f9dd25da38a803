import { DAY_MS } from '@garba/shared/constants'
import type { Ask, Check, Row } from './accountant.ts'

export const buildQueryCheck =
  (query: string, say: (row: Row) => string): Check =>
  async (ask) =>
    (await ask(query)).map(say)

/** PostgreSQL gives sums as text. */
export const parseSum = (value: unknown): number => Number(value ?? 0)

const AMOUNT = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 2 })
export const formatPaise = (paise: unknown): string => AMOUNT.format(parseSum(paise) / 100).replace(/\.00$/, '')

export const shortenId = (id: unknown): string => String(id).slice(-8)

/** A guest's cancellation costs this much per ticket: 25 rupees for the provider and 15 for the platform. */
const FEE_PAISE = 4_000

const GOING_BACK = "r.state <> 'failed'"
/** Matches a refund made at the provider and listed for the desk as such. Its tickets are unknown. */
const MADE_ELSEWHERE = "exists (select 1 from attention a where a.dedupe_key = 'refundedElsewhere:' || r.id)"

/** Selects the refunds that count, without failed ones that were requested again or paid together with others. */
const COUNTING = `select r.* from refunds r where r.covered_by is null
  and r.id not in (select again.retry_of from refunds again where again.retry_of is not null)`

/** After an offer at the provider, less can go back than the payment is worth. */
const MOST_BACK = 'case when p.charged_paise < p.amount_paise then p.charged_paise else p.amount_paise end'

/**
 * The money of an order that is left after its refunds. After a favour at the provider it may not be enough for every
 * ticket.
 */
const LEFT = `(select coalesce(sum(${MOST_BACK}), 0) from payments p where p.order_id = o.id and p.state = 'captured')
  - (select coalesce(sum(r.amount_paise), 0) from (${COUNTING}) r join payments p on p.id = r.payment_id
    where p.order_id = o.id)`

/** Every order that involves money, with the other tables' record of it (paise). */
const ORDERS = `
  select o.id, o.code, o.state, o.provider, o.quantity, o.reason, o.total_paise as total,
    coalesce(p.captured, 0) as captured, coalesce(p.attempts, 0) as attempts,
    coalesce(r.loose, 0) as loose, coalesce(r.back, 0) as back, coalesce(offers.unspent, 0) as unspent,
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
    left join (select pay.order_id, sum(pay.amount_paise - pay.charged_paise) as unspent from payments pay
      where pay.charged_paise < pay.amount_paise and pay.charged_paise <= (select sum(r.amount_paise) from refunds r
        where r.payment_id = pay.id and r.ticket_id is null and ${GOING_BACK})
      group by pay.order_id) offers on offers.order_id = o.id
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
  if (parseSum(made) !== parseSum(quantity) || parseSum(priced) !== parseSum(total))
    return `${code}: sold ${quantity} tickets for ${formatPaise(total)}, and has ${made} for ${formatPaise(priced)}`
  if (provider !== 'complimentary')
    return `${code}: has its tickets for ${formatPaise(total)}, and ${formatPaise(captured)} was received`
  return reason
    ? `${code}: was given away, and has money: ${formatPaise(total)}`
    : `${code}: was given away without a reason`
}

export const ticketsPaid: readonly Check[] = [
  buildQueryCheck(
    `select * from (${ORDERS}) o where made > 0 and state <> 'paid' and (state <> 'cancelled' or worth > 0 or captured > back)
      or state = 'paid' and (made <> quantity or priced <> total)
      or state = 'paid' and provider <> 'complimentary' and captured < total
      or state = 'paid' and provider = 'complimentary' and (coalesce(reason, '') = '' or total <> 0 or attempts <> 0)`,
    unpaid,
  ),
  // Tickets sold before payments were on have no money; none may appear after the first payment.
  buildQueryCheck(
    `select t.id, t.price_paise from tickets t
      join (select o.event_id, min(p.created_at) as since from payments p join orders o on o.id = p.order_id
        where p.state = 'captured' group by o.event_id) paid on paid.event_id = t.event_id
      left join orders o on o.id = t.order_id
    where t.created_at > paid.since and (o.id is null or o.provider = 'none')`,
    ({ id, price_paise }) =>
      `Ticket ${shortenId(id)}: nobody paid its ${formatPaise(price_paise)}, although others had paid before`,
  ),
  buildQueryCheck(
    `select t.id, o.code from tickets t join orders o on o.id = t.order_id where t.event_id <> o.event_id`,
    ({ code, id }) => `${code}: ticket ${shortenId(id)} is for another event than the order`,
  ),
  // Each new code makes a row and a tombstone; only the row is a ticket.
  buildQueryCheck(
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
   * than a ticket's price may have been paid back as a favour, and any amount after the event was closed. The provider's
   * offer on a payment that went back whole is nobody's money.
   */
  buildQueryCheck(
    `select * from (${ORDERS}) o where matters = 0 and captured - unspent - loose > priced
      or state = 'paid' and missing = 0 and captured >= total and captured - loose + favours < priced`,
    ({ code, captured, unspent, back, worth, priced, loose }) => {
      const over = parseSum(captured) - parseSum(unspent) - parseSum(loose) - parseSum(priced)
      const facts = `${code}: received ${formatPaise(captured)}, paid back ${formatPaise(back)}, valid tickets ${formatPaise(worth)}`
      return over > 0
        ? `${facts}: ${formatPaise(over)} bought nothing, and is on no list`
        : `${facts}: ${formatPaise(-over)} is missing`
    },
  ),
  buildQueryCheck(
    `select t.id, t.price_paise, o.code from tickets t join orders o on o.id = t.order_id
    where t.status = 'deleted' and t.replaced_at is null and o.provider not in ('none', 'complimentary') and t.price_paise > ${FEE_PAISE}
      and o.state = 'paid'
      and not exists (select 1 from refunds r where r.ticket_id = t.id and ${GOING_BACK})
      and not exists (select 1 from attention a where a.order_id = o.id and a.resolved_at is null and a.kind <> 'unproven')`,
    ({ id, price_paise, code }) =>
      `${code}: ticket ${shortenId(id)} was deleted, and its ${formatPaise(price_paise)} was not paid back`,
  ),
  buildQueryCheck(
    `select o.code, p.id from payments p join orders o on o.id = p.order_id
    where p.state = 'captured' and (p.captured_at is null
      or p.provider in ('razorpay', 'demo') and p.provider_payment_id is null)`,
    ({ code, id }) => `${code}: payment ${shortenId(id)} counts as received without a time or the provider's id`,
  ),
]

/** A sale at the desk or the door whose tickets were made on the seller's word. */
const ON_SELLERS_WORD = "o.channel <> 'web' and o.hold_until is null and p.provider in ('upi', 'card')"
const PLAIN_SLIP = "ltrim(replace(replace(upper(p.reference), ' ', ''), '-', ''), '0')"

export const claimsListed: readonly Check[] = [
  buildQueryCheck(
    `select o.code, p.provider, p.amount_paise from payments p join orders o on o.id = p.order_id
    where p.state = 'captured' and ${ON_SELLERS_WORD}
      and not exists (select 1 from attention a where a.dedupe_key = 'unproven:' || o.id)`,
    ({ code, provider, amount_paise }) =>
      `${code}: ${formatPaise(amount_paise)} by ${provider} counts as received on the seller's word, and is on no list`,
  ),
  buildQueryCheck(
    `select ${PLAIN_SLIP} as slip, min(o.code) as code, count(*) as sales, count(a.id) as listed from payments p
      join orders o on o.id = p.order_id left join attention a on a.dedupe_key = 'slipTwice:' || o.id
    where p.reference is not null and p.state = 'captured' group by 1 having count(*) - 1 > count(a.id)`,
    ({ slip, code, sales, listed }) =>
      `${code}: slip ${slip} was given for ${sales} sales, and ${listed} are on the list`,
  ),
]

export const refundsWithin: readonly Check[] = [
  buildQueryCheck(
    `select o.code, p.amount_paise, sum(r.amount_paise) as back from refunds r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where ${GOING_BACK} group by o.code, p.id, p.state, p.amount_paise, p.charged_paise
    having sum(r.amount_paise) > (case when p.state = 'captured' then ${MOST_BACK} else 0 end)`,
    ({ code, amount_paise, back }) =>
      `${code}: ${formatPaise(back)} goes back from a payment of ${formatPaise(amount_paise)}`,
  ),
  buildQueryCheck(
    `select o.code, t.id, t.price_paise, sum(case when ${GOING_BACK} then r.amount_paise else 0 end) as back,
      sum(r.amount_paise) as requested
    from (${COUNTING}) r join tickets t on t.id = r.ticket_id join orders o on o.id = t.order_id
    where not ${MADE_ELSEWHERE} group by o.code, o.id, t.id, t.price_paise
    having sum(case when ${GOING_BACK} then r.amount_paise else 0 end) > t.price_paise
      or sum(r.amount_paise) < t.price_paise - ${FEE_PAISE} and ${LEFT} > 0`,
    ({ code, id, price_paise, back, requested }) =>
      `${code}: ${formatPaise(parseSum(back) > parseSum(price_paise) ? back : requested)} goes back for ticket ${shortenId(id)}, ` +
      `which cost ${formatPaise(price_paise)}`,
  ),
  buildQueryCheck(
    `select distinct o.code, t.id, t.status from refunds r join tickets t on t.id = r.ticket_id
      join orders o on o.id = t.order_id
    where ${GOING_BACK} and t.status in ('active', 'used')`,
    ({ code, id, status }) => `${code}: the money of ticket ${shortenId(id)} goes back, and it is ${status}`,
  ),
  buildQueryCheck(
    `select o.code, t.id from refunds r join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
      join tickets t on t.id = r.ticket_id
    where t.order_id is null or t.order_id <> p.order_id`,
    ({ code, id }) => `${code}: its money goes back for ticket ${shortenId(id)} of another order`,
  ),
]

export const refundsShown: readonly Check[] = [
  buildQueryCheck(
    `select * from (select o.code, t.id, t.is_refund_done as shown, count(*) as parts,
        sum(case when r.state = 'failed' then 1 else 0 end) as failed,
        sum(case when r.state in ('done', 'manual') then 1 else 0 end) as done
      from (${COUNTING}) r join tickets t on t.id = r.ticket_id join orders o on o.id = t.order_id
      where t.status = 'cancelled' group by o.code, t.id, t.is_refund_done) refunded
    where coalesce(shown, -1) <> (case when failed > 0 then 0 when done = parts then 1 else -1 end)`,
    ({ code, id, shown, parts, failed, done }) =>
      `${code}: of ${parts} refunds of ticket ${shortenId(id)} ${done} are made and ${failed} failed, and the ticket says ${
        shown === null ? 'Pending' : parseSum(shown) === 1 ? 'Done' : 'Failed'
      }`,
  ),
  buildQueryCheck(
    `select o.code, t.id, t.price_paise from tickets t join orders o on o.id = t.order_id
    where t.status = 'cancelled' and t.is_refund_done = 1 and t.price_paise > ${FEE_PAISE} and o.state = 'paid'
      and o.provider not in ('none', 'complimentary')
      and not exists (select 1 from refunds r where r.ticket_id = t.id)
      and not exists (select 1 from attention a where a.order_id = o.id and a.kind = 'refundedElsewhere')`,
    ({ code, id, price_paise }) =>
      `${code}: ticket ${shortenId(id)} says that its ${formatPaise(price_paise)} was paid back, and no refund does`,
  ),
  // A ticket's refund is on the list of due refunds; any other needs a job that makes it, or an open matter.
  buildQueryCheck(
    `select o.code, r.id, r.amount_paise, r.state from (${COUNTING}) r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where r.ticket_id is null and r.state in ('requested', 'asking', 'failed')
      and not exists (select 1 from jobs j where j.id = 'refund:' || r.id and j.ended_at is null)
      and not exists (select 1 from attention a where a.order_id = o.id and a.resolved_at is null and a.kind <> 'unproven')`,
    ({ code, id, amount_paise, state }) =>
      `${code}: refund ${shortenId(id)} of ${formatPaise(amount_paise)} is ${state}, and nothing is going to make it`,
  ),
  buildQueryCheck(
    `select o.code, r.id, r.amount_paise from refunds r join payments p on p.id = r.payment_id
      join orders o on o.id = p.order_id
    where r.state in ('asking', 'sent') and p.provider_payment_id is null`,
    ({ code, id, amount_paise }) =>
      `${code}: refund ${shortenId(id)} of ${formatPaise(amount_paise)} waits for a provider that never had the money`,
  ),
]

export const appliedOnce: readonly Check[] = [
  buildQueryCheck(
    `select provider_payment_id as name from payments where provider_payment_id is not null group by 1 having count(*) > 1
    union all select utr from payments where utr is not null and state = 'captured' group by 1 having count(*) > 1
    union all select provider_refund_id from refunds where provider_refund_id is not null group by 1 having count(*) > 1`,
    ({ name }) => `${name}: counts twice`,
  ),
  buildQueryCheck(
    `select o.code, p.provider_payment_id as name, a.amount_paise from attention a
      join payments p on a.detail = p.provider_payment_id or a.detail like p.provider_payment_id || ' %'
      join orders o on o.id = p.order_id
    where a.kind = 'unknown' and a.resolved_at is null and a.order_id is null and p.state = 'captured'`,
    ({ code, name, amount_paise }) =>
      `${code}: ${name} was received for it, and its ${formatPaise(amount_paise)} is also listed as unmatched`,
  ),
]

interface Line {
  id: string
  order: unknown
  paise: number
}

const listBankNumbers = ({ utr, numbers }: Record<string, unknown>): string[] => [
  ...new Set([utr === null ? [] : String(utr), String(numbers).split(' ').filter(Boolean)].flat()),
]

/** Whether two lines may be one credit, although neither has the number in common as its UTR. */
const isAlike = (one: Row | undefined, other: Row): boolean =>
  (one?.utr === null || other.utr === null) && one?.day === other.day && one?.amount_paise === other.amount_paise

async function linesByNumber(ask: Ask): Promise<Map<string, Line[]>> {
  const found = new Map<string, Line[]>()
  for (const { id, utr, order_id: order, amount_paise } of await ask(
    'select id, utr, order_id, amount_paise from statement_lines where utr is not null',
  ))
    found.set(String(utr), [
      ...(found.get(String(utr)) ?? []),
      { id: String(id), order, paise: parseSum(amount_paise) },
    ])
  return found
}

/** UPI is paid in India, and so are its banks' days. */
const INDIA_MS = 19_800_000

/**
 * Whether the statement of a day is in: it has a line of that day or before, and a line after it or lines of that day
 * that were imported after its end.
 */
function hasStatementFor(day: string, lines: readonly Row[]): boolean {
  const end = Date.parse(day) + DAY_MS - INDIA_MS
  const days = lines.map((line) => ({ day: String(line.day), importedAt: parseSum(line.imported_at) }))
  return (
    days.some((line) => line.day <= day) &&
    days.some((line) => line.day > day || (line.day === day && line.importedAt >= end))
  )
}

const claimsInBank: Check = async (ask) => {
  const lines = await ask('select day, max(imported_at) as imported_at from statement_lines group by day')
  if (lines.length === 0) return []
  const known = await linesByNumber(ask)
  const claims = await ask(`
    select o.code, p.utr, p.amount_paise, p.created_at from payments p join orders o on o.id = p.order_id
    where p.state = 'captured' and p.provider = 'upi' and ${ON_SELLERS_WORD}
      and not exists (select 1 from attention a where a.dedupe_key = 'unproven:' || o.id and a.resolved_by_name is not null)
      and not exists (select 1 from statement_lines l where l.order_id = o.id)`)
  return claims.flatMap(({ code, utr, amount_paise, created_at }) => {
    const day = new Date(parseSum(created_at) + INDIA_MS).toISOString().slice(0, 10)
    if (known.has(String(utr)) || !hasStatementFor(day, lines)) return []
    return [
      `${code}: ${formatPaise(amount_paise)} was sold by UPI on ${day}, and the bank's statement does not have ${utr ?? 'it'}`,
    ]
  })
}

export const bankAgrees: readonly Check[] = [
  claimsInBank,
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
      return line.paise === parseSum(amount_paise)
        ? []
        : [
            `${code}: ${formatPaise(amount_paise)} counts as received, and the bank's credit with UTR ${utr} is ${formatPaise(line.paise)}`,
          ]
    })
  },
  /**
   * One credit may be on two lines, in the forms of two files, or be claimed by a number in its remark. Numbers that
   * lines beside different UTRs have are the bank's or the payer's.
   */
  async (ask) => {
    const paying = await ask(`
      select o.code, l.utr, l.numbers, l.day, l.amount_paise from statement_lines l
        left join payments p on p.utr = l.utr and p.state = 'captured'
        join orders o on o.id = coalesce(l.order_id, p.order_id)
      union all
      select o.code, p.utr, '', '', p.amount_paise from payments p join orders o on o.id = p.order_id
      where p.utr is not null and p.state = 'captured'
        and not exists (select 1 from statement_lines l where l.utr = p.utr)`)
    const byNumber = Map.groupBy(
      paying.flatMap((row) => listBankNumbers(row).map((number) => ({ number, row }))),
      ({ number }) => number,
    )
    return [...byNumber].flatMap(([number, having]) => {
      const rows = having.map(({ row }) => row)
      const owner = rows.find(({ utr }) => utr === number)
      const one = owner ?? rows[0]
      const others = rows.filter((row) => row !== one && (owner ? row.utr !== number : isAlike(one, row)))
      return owner || rows.length === 2
        ? others.flatMap(({ code }) =>
            code === one?.code ? [] : `${one?.code} and ${code}: were paid by credits with the same number ${number}`,
          )
        : []
    })
  },
  buildQueryCheck(
    `select o.code, l.amount_paise, l.day from statement_lines l join orders o on o.id = l.order_id
    where not exists (select 1 from payments p where p.order_id = o.id and p.state = 'captured')`,
    ({ code, amount_paise, day }) =>
      `${code}: the bank's credit of ${formatPaise(amount_paise)} on ${day} paid it, and no payment was received`,
  ),
  buildQueryCheck(
    `select o.code, l.id, l.amount_paise as settled, coalesce(p.charged_paise, p.amount_paise) as ours from settlement_lines l
      join payments p on p.provider_payment_id = l.id join orders o on o.id = p.order_id
    where l.kind = 'payment' and l.amount_paise <> coalesce(p.charged_paise, p.amount_paise)
    union all
    select o.code, l.id, l.amount_paise, r.amount_paise from settlement_lines l
      join refunds r on r.provider_refund_id = l.id join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
    where l.kind = 'refund' and l.amount_paise <> r.amount_paise`,
    ({ code, id, settled, ours }) =>
      `${code}: the provider settled ${formatPaise(settled)} for ${id}, and we have ${formatPaise(ours)}`,
  ),
  buildQueryCheck(
    `select o.code, l.id, l.amount_paise, r.state from settlement_lines l join refunds r on r.provider_refund_id = l.id
      join payments p on p.id = r.payment_id join orders o on o.id = p.order_id
    where l.kind = 'refund' and r.state in ('requested', 'failed', 'manual')
      and not exists (select 1 from attention a
        where a.dedupe_key = 'refundBounced:' || r.id or a.dedupe_key = 'paidTwice:' || l.id)`,
    ({ code, id, amount_paise, state }) =>
      `${code}: the provider paid back ${formatPaise(amount_paise)} by ${id}, and we call that refund ${state}`,
  ),
]
