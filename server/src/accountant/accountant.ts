import { MINUTE_MS } from '@garba/shared/constants'
import { BOOK_RULES, type BookRule } from '@garba/shared/contracts/names'
import {
  appliedOnce,
  bankAgrees,
  buildQueryCheck,
  claimsListed,
  formatPaise,
  moneyAccounted,
  parseSum,
  refundsShown,
  refundsWithin,
  shortenId,
  ticketsPaid,
} from './money.ts'

const INSIDE = "s.outcome in ('admitted', 'conflict') and s.undone_at is null"

/** A sale that arrives after the scan of its ticket may move the scan's time forward. */
const LET_IN_AT = '(case when s.received_at < s.at then s.received_at else s.at end)'
const UNDO_MS = MINUTE_MS
/** The time of the last restore: undos that its backup lost may still arrive. */
const RESTORED = "coalesce((select cast(value as bigint) from meta where key = 'epoch'), 0)"

/** The rights that a phone had when it admitted someone: the last rights given before that, or else its first. */
const RIGHTS_THEN = `coalesce(
  (select r.rights from device_rights r where r.device_id = s.sender_id and r.since <= s.at order by r.since desc, r.id desc limit 1),
  (select r.rights from device_rights r where r.device_id = s.sender_id order by r.since, r.id limit 1))`

const entriesCounted: readonly Check[] = [
  buildQueryCheck(
    `select t.id, t.buyer_name as name, s.id as scan from tickets t left join scans s on s.id = t.entry_scan_id
    where t.status = 'used' and (case when t.entry_scan_id is null then t.scanned_by_name is null
      else s.id is null or s.ticket_id <> t.id or s.outcome <> 'admitted' or s.undone_at is not null end)`,
    ({ id, scan }) =>
      `Ticket ${shortenId(id)}: is used, and ${scan === null ? 'no one was admitted with it' : 'its entry admitted no one'}`,
  ),
  buildQueryCheck(
    `select t.id, s.checker_name, s.id as scan from scans s join tickets t on t.id = s.ticket_id
    where s.outcome = 'admitted' and s.undone_at is null
      and (t.status = 'active' or t.status = 'used' and coalesce(t.entry_scan_id, '') <> s.id)`,
    ({ id, checker_name }) =>
      `Ticket ${shortenId(id)}: ${checker_name} admitted someone with it, but the ticket does not show it`,
  ),
  buildQueryCheck(
    `select inside.ticket_id, inside.people, inside.known, count(c.id) as recorded from (
        select s.ticket_id, count(*) as people, count(distinct t.id) as known from scans s left join tickets t on t.id = s.ticket_id
        where s.ticket_id is not null and ${INSIDE} group by s.ticket_id) inside
      left join conflicts c on c.ticket_id = inside.ticket_id
    where inside.people > 1 or inside.known = 0
    group by inside.ticket_id, inside.people, inside.known
    having inside.people - inside.known > count(c.id)`,
    ({ ticket_id, people, recorded }) =>
      `Ticket ${shortenId(ticket_id)}: let ${people} people in, and ${recorded} double admissions were recorded`,
  ),
  buildQueryCheck(
    `select s.ticket_id, s.checker_name, ${LET_IN_AT} as at, s.undone_at from scans s
    where s.undone_at - ${LET_IN_AT} > ${UNDO_MS} and s.undone_at <> s.received_at and s.outcome <> 'marked' and s.at >= ${RESTORED}`,
    ({ ticket_id, checker_name, at, undone_at }) =>
      `Ticket ${shortenId(ticket_id)}: ${checker_name} admitted someone, and that was undone ` +
      `${Math.round((parseSum(undone_at) - parseSum(at)) / MINUTE_MS)} min later`,
  ),
  buildQueryCheck(
    `select * from (select s.id, s.ticket_id, s.manual, s.sender_name, ${RIGHTS_THEN} as rights from scans s
      where s.outcome in ('admitted', 'conflict', 'released') and coalesce(s.undone_at, 0) <> s.received_at) letIn
    where rights not like (case when manual = 1 then '%"find"%' else '%"scan"%' end)
      and not exists (select 1 from conflicts c where c.id = letIn.id and c.disputed = 1)`,
    ({ ticket_id, sender_name, manual }) =>
      `Ticket ${shortenId(ticket_id)}: ${sender_name} admitted someone ${manual ? 'by hand' : 'by its code'} without the right to`,
  ),
  // Two swaps can have the same time, but never the same revision.
  buildQueryCheck(
    `select c.ticket_id, s.sender_name from conflicts c join scans s on s.id = c.id join paired_devices d on d.id = s.sender_id
    where c.disputed = 1 and exists (select 1 from conflicts first where first.ticket_id = c.ticket_id and first.disputed = 1
      and first.revision < c.revision)`,
    ({ ticket_id, sender_name }) =>
      `Ticket ${shortenId(ticket_id)}: ${sender_name} admitted another person as its holder without an admin`,
  ),
]

interface RawType {
  id: string
  name: { en: string }
  seats: number | null
  phases: readonly unknown[]
}
interface RawLine {
  typeId: string
  seats: number
}

/** The seats of each type where types are counted apart: an event with one plain type has the event's own counter. */
const typesAddUp: Check = async (ask) => {
  const taken = new Map((await ask('select type_id, taken from type_seats')).map((row) => [row.type_id, row.taken]))
  const held = (await ask("select lines from orders where state = 'held'")).flatMap(
    ({ lines }) => JSON.parse(String(lines)) as RawLine[],
  )
  const seated = await ask(
    `select type_id, count(*) as n from (select type_id from tickets where status in ('active', 'used')
      union all select b.type_id from block_codes c join code_blocks b on b.id = c.block_id where c.state = 'allotted') seats
    group by type_id`,
  )
  const events = await ask('select name, types from events')
  return events.flatMap(({ name, types: text }) => {
    const types = JSON.parse(String(text)) as RawType[]
    if (types.length === 1 && types.every(({ seats, phases }) => seats === null && phases.length === 1)) return []
    return types.flatMap((type) => {
      const sold = seated.filter(({ type_id }) => type_id === type.id).reduce((sum, { n }) => sum + parseSum(n), 0)
      const inHolds = held.reduce((sum, { typeId, seats }) => sum + (typeId === type.id ? seats : 0), 0)
      const counted = parseSum(taken.get(type.id))
      const isOver = type.seats !== null && counted > type.seats
      return counted === sold + inHolds && !isOver
        ? []
        : [`${name}: ${type.name.en} has ${counted} seats taken, by ${sold} tickets and codes and ${inHolds} held`]
    })
  })
}

const seatsAddUp: readonly Check[] = [
  typesAddUp,
  buildQueryCheck(
    `select * from (select c.code, c.used, c.tickets as most,
        (select count(*) from tickets t where t.promo_code_id = c.id and t.status in ('active', 'used')) as sold,
        (select coalesce(sum(o.promo_uses), 0) from orders o where o.promo_code_id = c.id and o.state = 'held') as held
      from promo_codes c) codes
    where used <> sold + held or used > most`,
    ({ code, used, most, sold, held }) =>
      `Code ${code}: is used ${used} of ${most ?? 'any number of'} times, by ${sold} tickets and ${held} held`,
  ),
  buildQueryCheck(
    `select * from (select e.name, e.taken_seats as taken, e.total_tickets as total,
        (select count(*) from tickets t where t.event_id = e.id and t.status = 'active') as active,
        (select count(*) from tickets t where t.event_id = e.id and t.status = 'used') as used,
        (select coalesce(sum(o.quantity), 0) from orders o where o.event_id = e.id and o.state = 'held') as held,
        (select count(*) from block_codes c join code_blocks b on b.id = c.block_id
          where b.event_id = e.id and c.state = 'allotted') as allotted
      from events e) seats
    where taken <> active + used + held + allotted or taken > total`,
    ({ name, taken, total, active, used, held, allotted }) =>
      `${name}: ${taken} of ${total} seats are taken, by ${active} active and ${used} used tickets, ${held} held and ${allotted} allotted`,
  ),
  buildQueryCheck(
    `select o.code, o.buyer_name as name from orders o where o.offered_until is not null
      and (o.offered_until - o.created_at <> 1800000 or o.state = 'held' and (o.hold_until is null or o.hold_until < o.offered_until
        or exists (select 1 from waiting w where w.user_id = o.user_id)))`,
    ({ code, name }) =>
      `${code}: ${name} waited for these seats, and they are not held for half an hour, or ${name} still waits`,
  ),
]

const codesSold: readonly Check[] = [
  buildQueryCheck(
    `select c.number, c.state, b.label, t.id, o.code from block_codes c join code_blocks b on b.id = c.block_id
      left join tickets t on t.id = c.ticket_id left join orders o on o.id = c.order_id
    where (c.state = 'sold') <> (t.id is not null) or t.order_id <> c.order_id or t.event_id <> b.event_id`,
    ({ number, state, label, id, code }) =>
      `${code ?? label}: code ${number} of ${label} is ${state}, and ${
        id === null ? 'has no ticket' : `its ticket ${shortenId(id)} is not of that sale`
      }`,
  ),
  buildQueryCheck(
    `select b.label, b.size, count(c.ticket_id) as codes from code_blocks b left join block_codes c on c.block_id = b.id
    group by b.id, b.label, b.size having count(c.ticket_id) <> b.size`,
    ({ label, size, codes }) => `${label}: was made with ${size} codes, and has ${codes}`,
  ),
  buildQueryCheck(
    `select c.number, b.label, o.code from block_codes c join code_blocks b on b.id = c.block_id
      join orders o on o.id = c.order_id
    where c.state = 'sold' and c.returned_by_id is not null and c.returned_by_id = o.seller_id`,
    ({ code, number, label }) => `${code}: sold code ${number} of ${label} after its seller had given it back`,
  ),
]

const DRAWERS = `
  select s.id, s.person_name as person, s.opened_at, s.closed_at, s.float_paise as float_in, s.expected_paise as expected,
    s.counted_paise as counted, coalesce((select sum(p.amount_paise) from payments p
      where p.cash_session_id = s.id and p.state = 'captured'), 0) as taken,
    coalesce((select sum(r.amount_paise) from refunds r
      where r.cash_session_id = s.id and r.state = 'manual'), 0) as paid_back
  from cash_sessions s`

const drawersAddUp: readonly Check[] = [
  buildQueryCheck(
    `select * from (${DRAWERS}) d where closed_at is not null
      and (counted is null or expected is null or float_in + taken - paid_back <> expected)`,
    ({ person, float_in, taken, paid_back, expected, counted }) =>
      `Drawer of ${person}: float ${formatPaise(float_in)}, taken ${formatPaise(taken)}, paid back ${formatPaise(paid_back)}: ` +
      `${formatPaise(parseSum(float_in) + parseSum(taken) - parseSum(paid_back))} should be in it, ${formatPaise(expected)} was expected and ${formatPaise(counted)} counted`,
  ),
  // Lists of money show the current event.
  buildQueryCheck(
    `select o.code, p.amount_paise from payments p join orders o on o.id = p.order_id join events e on e.id = o.event_id
    where p.provider = 'cash' and p.state = 'captured' and p.cash_session_id is null and p.updated_at >= e.closed_at
      and not exists (select 1 from attention a where a.order_id = o.id)`,
    ({ code, amount_paise }) =>
      `${code}: ${formatPaise(amount_paise)} in cash was reported after the event was closed, and is on no list`,
  ),
]

/**
 * Checks the tables independently of the program that wrote them, with its own SQL and arithmetic. Code shared with the
 * flows would hide its own mistakes.
 */

export type Row = Readonly<Record<string, unknown>>
/** Runs a query that SQLite and PostgreSQL both understand. */
export type Ask = (query: string) => Promise<Row[]>
/**
 * Finds breaches of one rule, each with the rows concerned, in words for a treasurer. An order's line begins with its
 * code.
 */
export type Check = (ask: Ask) => Promise<string[]>

const CHECKS: Readonly<Record<BookRule, readonly Check[]>> = {
  ticketsPaid,
  moneyAccounted,
  refundsWithin,
  refundsShown,
  appliedOnce,
  bankAgrees,
  claimsListed,
  drawersAddUp,
  seatsAddUp,
  codesSold,
  entriesCounted,
}

export const checkRule = async (ask: Ask, rule: BookRule): Promise<string[]> =>
  (await Array.fromAsync(CHECKS[rule], (check) => check(ask))).flat()

export async function accountantFindings(ask: Ask): Promise<{ rule: BookRule; finding: string }[]> {
  const all = await Array.fromAsync(BOOK_RULES, async (rule) =>
    (await checkRule(ask, rule)).map((finding) => ({ rule, finding })),
  )
  return all.flat()
}
