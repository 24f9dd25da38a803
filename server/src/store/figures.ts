import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningAlarm } from '@garba/shared/contracts/desk'
import type { RefundState, TicketKind } from '@garba/shared/contracts/names'
import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { and, count, countDistinct, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { attention } from './attention.ts'
import { audit } from './audit.ts'
import { conflicts } from './conflicts.ts'
import { devices } from './devices.ts'
import { byIndex, countIn, type ReadTx, sumColumn, type WriteTx } from './engine/sql.ts'
import { jobs } from './jobs.ts'
import { movements } from './movements.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { refunds } from './refunds.ts'
import { refusals, scans, WENT_IN } from './scans.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

export interface Figures {
  tickets: { status: string; count: number }[]
  orders: { state: string; channel: string; count: number }[]
  scans: { outcome: string; count: number }[]
  refusals: { code: string; count: number }[]
  jobs: { kind: string; count: number }[]
  mailsBounced: number
  unsent: number
}

export async function readFigures(tx: ReadTx, now: Date): Promise<Figures> {
  const due = and(isNull(jobs.endedAt), lte(jobs.dueAt, now))
  const bounced = sql`${jobs.gaveUp} = 1 and ${jobs.kind} = 'mail'`
  return {
    tickets: await tx.sql
      .select({ status: tickets.status, count: count() })
      .from(tickets)
      .where(isNull(tickets.replacedAt))
      .groupBy(tickets.status)
      .all(),
    orders: await tx.sql
      .select({ state: orders.state, channel: orders.channel, count: count() })
      .from(orders)
      .groupBy(orders.state, orders.channel)
      .all(),
    scans: await tx.sql.select({ outcome: scans.outcome, count: count() }).from(scans).groupBy(scans.outcome).all(),
    refusals: await tx.sql.select({ code: refusals.code, count: count() }).from(refusals).groupBy(refusals.code).all(),
    jobs: await tx.sql.select({ kind: jobs.kind, count: count() }).from(jobs).where(due).groupBy(jobs.kind).all(),
    mailsBounced: await countIn(tx, jobs, bounced),
    unsent:
      (
        await tx.sql
          .select({ n: sumColumn(devices.unsent) })
          .from(devices)
          .get()
      )?.n ?? 0,
  }
}

export async function readHeadcount(tx: ReadTx, eventId: string): Promise<{ admitted: number; sold: number }> {
  const rows = await tx.rows<{ status: string; count: number }>(sql`
    select status as "status", count(*) as "count" from ${tickets}
    where event_id = ${eventId} and status in ('active', 'used') group by status`)
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return { admitted: of('used'), sold: of('used') + of('active') }
}

export async function countPeople(tx: ReadTx, eventId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*) as "count" from ${byIndex(tx, scans, 'scans_people')}
    where event_id = ${eventId} and ${WENT_IN}`)
  return row?.count ?? 0
}

export async function countEntries(tx: ReadTx, eventId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*) as "count" from ${byIndex(tx, scans, 'scans_people')}
    where event_id = ${eventId} and outcome <> 'refused' and undone_at is null`)
  return row?.count ?? 0
}

/**
 * People who went in at one gate, or without a gate, within one minute. `minute` counts from 1970; 0 stands for all
 * earlier minutes.
 */
export interface PeopleIn {
  gate: string | null
  minute: number
  count: number
  /** People who came back, who are not in `count`. */
  returned: number
}

/**
 * Counts the people who went in by gate, and by minute from an instant on. Each admission that was not undone is a
 * person, whatever happened to its ticket: both sides of a double admission or a swap, and tickets refunded or deleted
 * since.
 */
export function peopleIn(tx: ReadTx, { eventId, since }: { eventId: string; since: Date }): Promise<PeopleIn[]> {
  const minute = sql`case when at >= ${since.getTime()} then at / ${sql.raw(String(MINUTE_MS))} else 0 end`
  return tx.rows<PeopleIn>(sql`
    select gate as "gate", ${minute} as "minute", sum(case when outcome = 'returned' then 0 else 1 end) as "count",
      sum(case when outcome = 'returned' then 1 else 0 end) as "returned"
    from ${byIndex(tx, scans, 'scans_people')}
    where event_id = ${eventId} and outcome <> 'refused' and undone_at is null
    group by 1, 2`)
}

export interface GateMinute {
  gate: string | null
  minute: number
  in: number
  returned: number
  refused: number
  doubles: number
  alarms: number
}

/** What scans and refusals came to, by gate and by minute since 1970; `alarms` are what raises one if it goes on. */
export function listGateMinutes(tx: ReadTx, eventId: string): Promise<GateMinute[]> {
  const minute = sql.raw(`at / ${MINUTE_MS}`)
  return tx.rows<GateMinute>(sql`
    select gate as "gate", minute as "minute", sum(went_in) as "in", sum(returned) as "returned",
      sum(refused) as "refused", sum(doubled) as "doubles", sum(alarms) as "alarms"
    from (
      select gate, ${minute} as minute, went_in,
        case when outcome = 'returned' then went_in else 0 end as returned, 0 as refused,
        case when outcome = 'conflict' then went_in else 0 end as doubled, alarms
      from (
        select gate, at, outcome, case when outcome <> 'refused' and undone_at is null then 1 else 0 end as went_in,
          case when manual = 1 or back_dated = 1 or undone_at is not null then 1 else 0 end as alarms
        from ${scans} where event_id = ${eventId}
      ) as entries
      union all
      select gate, ${minute} as minute, 0 as went_in, 0 as returned, 1 as refused, 0 as doubled,
        case when code in ('TICKET_NOT_FOUND', 'QR_FORGED') then 1 else 0 end as alarms
      from ${refusals} where event_id = ${eventId}
    ) as happened group by gate, minute`)
}

/** By minute as in `peopleIn`. */
export function listSales(
  tx: ReadTx,
  { eventId, since }: { eventId: string; since: Date },
): Promise<{ minute: number; count: number }[]> {
  const minute = sql`case when created_at >= ${since.getTime()} then created_at / ${sql.raw(String(MINUTE_MS))} else 0 end`
  return tx.rows(sql`
    select ${minute} as "minute", count(*) as "count" from ${soldTickets(tx)}
    where event_id = ${eventId} and ${SOLD} group by 1`)
}

export const countByChannel = (
  tx: ReadTx,
  eventId: string,
): Promise<{ channel: TicketKind; sold: number; used: number }[]> =>
  tx.rows(sql`
    select kind as "channel", count(*) as "sold", sum(case when status = 'used' then 1 else 0 end) as "used"
    from ${tickets} where event_id = ${eventId} and status in ('active', 'used') group by kind order by kind`)

const STANDING = sql.raw("outcome = 'admitted' and undone_at is null")

/** The most people whom one phone let in, and out, within a minute. An event called off has released its entries. */
export async function busiestMinutes(
  tx: ReadTx,
  { eventId, deviceId, isCalledOff }: { eventId: string; deviceId: string; isCalledOff: boolean },
): Promise<{ in: number; out: number }> {
  const [index, wentIn] = isCalledOff ? (['scans_people', WENT_IN] as const) : (['scans_standing', STANDING] as const)
  const minute = sql.raw(`at / ${MINUTE_MS}`)
  const [most] = await tx.rows<{ in: number; out: number }>(sql`
    select coalesce((select max(n) from (select count(*) as n from ${byIndex(tx, scans, index)}
        where event_id = ${eventId} and device_id = ${deviceId} and ${wentIn}
        group by ${minute}) as entries), 0) as "in",
      coalesce((select max(n) from (select -sum(change) as n from ${byIndex(tx, movements, 'movements_counted')}
        where event_id = ${eventId} and device_id = ${deviceId} and change < 0
        group by ${minute}) as exits), 0) as "out"`)
  return most ?? { in: 0, out: 0 }
}

/** How often a checker or a device did something that may raise an alarm, and the last time (ms since 1970). */
export type WatchedActions = Omit<EveningAlarm, 'kind' | 'at'> & { at: number }

interface WatchPeriod {
  eventId: string
  since: Date
}

const TIME_DIGITS = 13
/** A sender's last name, from rows of a time and a name: a phone's name changes with its shift. */
const lastName = (rows: string) => sql.raw(`substr(max(${rows}), ${TIME_DIGITS + 1})`)

/** Tickets chosen by hand and admitted since an instant: each sender's busiest minute. */
export const admittedByHand = (tx: ReadTx, { eventId, since }: WatchPeriod): Promise<WatchedActions[]> =>
  tx.rows(sql`
    select max(count) as "count", max(at) as "at", ${lastName('name')} as "checkerName", null as "deviceId", null as "deviceName" from (
      select count(*) as count, max(received_at) as at, max(received_at || sender_name) as name, sender_id
      from ${byIndex(tx, scans, 'scans_by_hand')}
      where event_id = ${eventId} and manual = 1 and received_at >= ${since.getTime()} and outcome <> 'refused'
      group by sender_id, received_at / 60000
    ) as minutes group by sender_id`)

export const backDatedByDevice = (tx: ReadTx, { eventId, since }: WatchPeriod): Promise<WatchedActions[]> =>
  tx.rows(sql`
    select count(*) as "count", max(received_at) as "at", null as "checkerName", device_id as "deviceId",
      max(device_name) as "deviceName"
    from ${byIndex(tx, scans, 'scans_back_dated')}
    where event_id = ${eventId} and back_dated = 1 and received_at >= ${since.getTime()}
    group by device_id`)

export const undosByChecker = (tx: ReadTx, { eventId, since }: WatchPeriod): Promise<WatchedActions[]> =>
  tx.rows(sql`
    select count(*) as "count", max(at) as "at", ${lastName('at || actor_name')} as "checkerName", null as "deviceId",
      null as "deviceName"
    from ${byIndex(tx, audit, 'audit_by_action')}
    where event_id = ${eventId} and action = 'ticket.admissionUndone' and at >= ${since.getTime()}
    group by actor_id`)

/**
 * Counts double admissions and refused swaps of each ticket that has more than one. Each checker gets the highest count
 * among the tickets whose last one, since an instant, was theirs.
 */
export async function doublesOnOneTicket(tx: ReadTx, { eventId, since }: WatchPeriod): Promise<WatchedActions[]> {
  const tickets = await tx.rows<{ count: number; at: number; admitted: string | null; refused: string | null }>(sql`
    select count(*) as "count", max(at) as "at", max(admitted) as "admitted", max(refused) as "refused" from (
      select ticket_id, created_at as at, created_at || second as admitted, null as refused
      from ${conflicts} where event_id = ${eventId}
      union all
      select ticket_id, at, null as admitted, at || checker_name as refused
      from ${refusals} where event_id = ${eventId} and code = 'SWAP_AGAIN'
    ) as tries group by ticket_id having count(*) > 1 and max(at) >= ${since.getTime()}`)
  const byChecker = new Map<string, WatchedActions>()
  for (const { count, at, admitted, refused } of tickets) {
    const [letIn, wanted] = [admitted ?? '', refused ?? '']
    const checkerName =
      letIn > wanted ? (JSON.parse(letIn.slice(TIME_DIGITS)) as AdmissionSide).checkerName : wanted.slice(TIME_DIGITS)
    if (count > (byChecker.get(checkerName)?.count ?? 0))
      byChecker.set(checkerName, { count, at, checkerName, deviceId: null, deviceName: null })
  }
  return [...byChecker.values()]
}

export async function unknownCodesByDevice(tx: ReadTx, { eventId, since }: WatchPeriod): Promise<WatchedActions[]> {
  const shown = await tx.rows<Pick<WatchedActions, 'at' | 'deviceId' | 'deviceName'>>(sql`
    select at as "at", device_id as "deviceId", device_name as "deviceName"
    from ${byIndex(tx, refusals, 'refusals_by_time')}
    where event_id = ${eventId} and at >= ${since.getTime()} and code in ('TICKET_NOT_FOUND', 'QR_FORGED')`)
  const letIn = await tx.rows<{ at: number; second: string }>(sql`
    select created_at as "at", second as "second"
    from ${byIndex(tx, conflicts, 'conflicts_by_time')}
    where event_id = ${eventId} and created_at >= ${since.getTime()} and over = 'missing'`)
  const byDevice = new Map<string | null, WatchedActions>()
  const add = ({ at, deviceId, deviceName }: Pick<WatchedActions, 'at' | 'deviceId' | 'deviceName'>) => {
    const known = byDevice.get(deviceId)
    byDevice.set(deviceId, {
      count: (known?.count ?? 0) + 1,
      at: Math.max(known?.at ?? 0, at),
      checkerName: null,
      deviceId,
      deviceName: deviceName ?? known?.deviceName ?? null,
    })
  }
  for (const code of shown) add(code)
  for (const { at, second } of letIn) add({ ...(JSON.parse(second) as AdmissionSide), at })
  return [...byDevice.values()]
}

/**
 * Written out, never bound: otherwise SQLite does not see that the partial index `tickets_sold` holds every such row.
 */
const SOLD = sql.raw("status in ('active', 'used')")
/** By default SQLite's planner would use the status index and read all its rows again for each span. */
const soldTickets = (tx: ReadTx) => byIndex(tx, tickets, 'tickets_sold')

interface Sum {
  count: number
  paise: number
}
const NONE: Sum = { count: 0, paise: 0 }

export async function salesTotals(tx: ReadTx, eventId: string): Promise<Sum> {
  const [sales] = await tx.rows<Sum>(
    sql`select count(*) as "count", coalesce(sum(price_paise), 0) as "paise" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD}`,
  )
  return sales ?? NONE
}

export async function salesByType(tx: ReadTx, eventId: string): Promise<Map<string, Sum>> {
  const rows = await tx.rows<Sum & { typeId: string }>(
    sql`select type_id as "typeId", count(*) as "count", sum(price_paise) as "paise" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD} group by type_id`,
  )
  return new Map(rows.map(({ typeId, ...sales }) => [typeId, sales]))
}

export async function saleTimes(tx: ReadTx, eventId: string): Promise<number[]> {
  const [times] = await tx.rows<{ first: number | null; last: number | null }>(
    sql`select min(created_at) as "first", max(created_at) as "last" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD}`,
  )
  return times?.first == null || times.last === null ? [] : [times.first, times.last]
}

export interface Span {
  from: Date
  to: Date
}

export const salesOfSpans = (
  tx: ReadTx,
  { eventId, spans }: { eventId: string; spans: readonly Span[] },
): Promise<Sum[]> => {
  const rows = spans.map(
    ({ from, to }, n) =>
      sql`(cast(${n} as bigint), cast(${from.getTime()} as bigint), cast(${to.getTime()} as bigint))`,
  )
  return tx.rows<Sum>(sql`
    with span (n, starts, ends) as (values ${sql.join(rows, sql`, `)})
    select count(price_paise) as "count", coalesce(sum(price_paise), 0) as "paise"
    from span left join ${soldTickets(tx)} on event_id = ${eventId} and created_at >= starts and created_at < ends and ${SOLD}
    group by n
    order by n`)
}

const QUARTER_HOUR_MS = 15 * MINUTE_MS

/** Paise received within a quarter of an hour; every hour of every time zone begins with one. */
export interface ReceivedMoney {
  at: number
  paise: number
}

/**
 * Lists income from paid orders, oldest first: captured money minus refunds that have not failed, at its capture time,
 * and tickets sold without payment, at the time of their sale.
 */
export const moneyReceived = (tx: ReadTx, eventId: string): Promise<ReceivedMoney[]> =>
  tx.rows<ReceivedMoney>(sql`
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

/** Guests who have bought a ticket of an event, refunded since or not. */
export const countBuyers = async (tx: ReadTx, eventId: string): Promise<number> =>
  (
    await tx.sql
      .select({ n: countDistinct(users.id) })
      .from(users)
      .where(
        sql`${users.role} = 'guest' and exists
          (select 1 from ${tickets} where user_id = ${users.id} and event_id = ${eventId} and status in ('active', 'used', 'cancelled'))`,
      )
      .get()
  )?.n ?? 0

const taken = { count: count(), paise: sumColumn(payments.amountPaise) }
const paidBack = { count: count(), paise: sumColumn(refunds.amountPaise) }

export const cashTaken = async (tx: ReadTx, sessionId: string): Promise<Sum> =>
  (await tx.sql
    .select(taken)
    .from(payments)
    .where(and(eq(payments.cashSessionId, sessionId), eq(payments.state, 'captured')))
    .get()) ?? NONE

export const cashPaidBack = async (tx: ReadTx, sessionId: string): Promise<Sum> =>
  (await tx.sql
    .select(paidBack)
    .from(refunds)
    .where(and(eq(refunds.cashSessionId, sessionId), eq(refunds.state, 'manual')))
    .get()) ?? NONE

/** Matches orders of a closed event that arrived late, until somebody has settled the matter. */
const ARRIVED_LATE = sql`exists (select 1 from ${attention} where ${attention.orderId} = ${orders.id}
  and ${attention.kind} in ('afterClosing', 'phoneEnded') and ${attention.resolvedAt} is null)`

/**
 * Lists an event's cash that no drawer holds, by the phone or the person at the desk that reported it, and that of
 * closed events which arrived later and that nobody has looked at. Null stands for no event.
 */
export const cashOutside = async (
  tx: ReadTx,
  eventId: string | null,
): Promise<(Sum & { sellerId: string | null; sellerName: string | null })[]> =>
  tx.sql
    .select({ sellerId: orders.sellerId, sellerName: orders.sellerName, ...taken })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        or(eventId === null ? undefined : eq(orders.eventId, eventId), ARRIVED_LATE),
        eq(payments.provider, 'cash'),
        eq(payments.state, 'captured'),
        isNull(payments.cashSessionId),
      ),
    )
    .groupBy(orders.sellerId, orders.sellerName)
    .orderBy(orders.sellerName)
    .all()

export const cashPaidBackOutside = async (tx: ReadTx, eventId: string): Promise<Sum> =>
  (await tx.sql
    .select(paidBack)
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(orders.eventId, eventId),
        eq(payments.provider, 'cash'),
        eq(refunds.state, 'manual'),
        isNull(refunds.cashSessionId),
      ),
    )
    .get()) ?? NONE

export const listCashRefunds = async (
  tx: ReadTx,
  ticketId: string,
): Promise<{ id: string; state: RefundState; drawerId: string | null; takenBy: string | null }[]> =>
  tx.sql
    .select({
      id: refunds.id,
      state: refunds.state,
      drawerId: refunds.cashSessionId,
      takenBy: payments.cashSessionId,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(eq(refunds.ticketId, ticketId), eq(payments.provider, 'cash')))
    .all()

export const setRefundDrawer = async (tx: WriteTx, id: string, drawerId: string | null): Promise<void> => {
  await tx.sql.update(refunds).set({ cashSessionId: drawerId }).where(eq(refunds.id, id)).run()
}

/** Leaves refunds that are not marked as paid out of a drawer that has been counted. */
export const forgetUnmarked = async (tx: WriteTx, drawerId: string): Promise<void> => {
  const unmarked = and(eq(refunds.cashSessionId, drawerId), ne(refunds.state, 'manual'))
  await tx.sql.update(refunds).set({ cashSessionId: null }).where(unmarked).run()
}
