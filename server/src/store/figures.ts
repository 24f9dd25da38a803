import type { RefundState } from '@garba/shared/contracts/names'
import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { and, count, countDistinct, eq, isNull, lte, sql } from 'drizzle-orm'
import { audit } from './audit.ts'
import { conflicts } from './conflicts.ts'
import { devices } from './devices.ts'
import { byIndex, countIn, type ReadTx, total, type WriteTx } from './engine/sql.ts'
import { jobs } from './jobs.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { refunds } from './refunds.ts'
import { refusals, scans } from './scans.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

/** Figures for a monitor, over all events. */
export interface Figures {
  tickets: { status: string; count: number }[]
  orders: { state: string; channel: string; count: number }[]
  scans: { outcome: string; count: number }[]
  refusals: { code: string; count: number }[]
  /** Work that is due now, by kind. */
  jobs: { kind: string; count: number }[]
  mailsBounced: number
  /** Scans that phones have not sent, as they last reported. */
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
          .select({ n: total(devices.unsent) })
          .from(devices)
          .get()
      )?.n ?? 0,
  }
}

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
 * People who went in at one gate, or without one, within one minute. `minute` counts from 1970; 0 stands for all
 * earlier ones.
 */
export interface PeopleIn {
  gate: string | null
  minute: number
  count: number
}

/**
 * Counts the people who went in by gate, and by minute from an instant on. Each admission that was not undone is a
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

/** How often a checker or a device did something that may raise an alarm, and the last time (ms since 1970). */
export interface Watched {
  count: number
  at: number
  checkerName: string | null
  deviceId: string | null
  deviceName: string | null
}

interface Watching {
  eventId: string
  since: Date
}

/** A sender's last name, from rows of a time (13 digits of ms) and a name: a phone's name changes with its shift. */
const lastName = (rows: string) => sql.raw(`substr(max(${rows}), 14)`)

/** Tickets chosen by hand and admitted since an instant: each sender's busiest minute. */
export const admittedByHand = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select max(count) as "count", max(at) as "at", ${lastName('name')} as "checkerName", null as "deviceId", null as "deviceName" from (
      select count(*) as count, max(received_at) as at, max(received_at || sender_name) as name, sender_id
      from ${byIndex(tx, scans, 'scans_by_hand')}
      where event_id = ${eventId} and manual = 1 and received_at >= ${since.getTime()} and outcome <> 'refused'
      group by sender_id, received_at / 60000
    ) as minutes group by sender_id`)

/** Counts, per device, scans sent since an instant that claim a much earlier time. */
export const backDatedByDevice = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select count(*) as "count", max(received_at) as "at", null as "checkerName", device_id as "deviceId",
      max(device_name) as "deviceName"
    from ${byIndex(tx, scans, 'scans_back_dated')}
    where event_id = ${eventId} and back_dated = 1 and received_at >= ${since.getTime()}
    group by device_id`)

/** Counts the admissions undone since an instant, by the person who undid them. */
export const undosByChecker = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select count(*) as "count", max(at) as "at", ${lastName('at || actor_name')} as "checkerName", null as "deviceId",
      null as "deviceName"
    from ${byIndex(tx, audit, 'audit_by_action')}
    where event_id = ${eventId} and action = 'ticket.admissionUndone' and at >= ${since.getTime()}
    group by actor_id`)

/**
 * Counts swaps and refused swaps per ticket. Each checker gets the highest count among the tickets whose last swap,
 * since an instant, was theirs.
 */
export async function swapsOnOneTicket(tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> {
  const letIn = await tx.sql
    .select({ ticketId: conflicts.ticketId, at: conflicts.createdAt, second: conflicts.second })
    .from(conflicts)
    .where(and(eq(conflicts.eventId, eventId), eq(conflicts.disputed, true)))
    .all()
  const refused = await tx.sql
    .select({ ticketId: refusals.ticketId, at: refusals.at, checkerName: refusals.checkerName })
    .from(refusals)
    .where(and(eq(refusals.eventId, eventId), eq(refusals.code, 'SWAP_AGAIN')))
    .all()
  const tries = [...letIn.map(({ second, ...swap }) => ({ ...swap, checkerName: second.checkerName })), ...refused]
  const byChecker = new Map<string, Watched>()
  for (const ofTicket of Map.groupBy(tries, ({ ticketId }) => ticketId).values()) {
    const last = ofTicket.reduce((one, other) => (other.at > one.at ? other : one))
    const { checkerName } = last
    const count = Math.max(ofTicket.length, byChecker.get(checkerName)?.count ?? 0)
    if (last.at >= since)
      byChecker.set(checkerName, { count, at: last.at.getTime(), checkerName, deviceId: null, deviceName: null })
  }
  return [...byChecker.values()]
}

/** Counts codes without a ticket since an instant, refused or admitted offline, by device. */
export async function unknownCodesByDevice(tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> {
  const shown = await tx.rows<Pick<Watched, 'at' | 'deviceId' | 'deviceName'>>(sql`
    select at as "at", device_id as "deviceId", device_name as "deviceName"
    from ${byIndex(tx, refusals, 'refusals_by_time')}
    where event_id = ${eventId} and at >= ${since.getTime()} and code in ('TICKET_NOT_FOUND', 'QR_FORGED')`)
  const letIn = await tx.rows<{ at: number; second: string }>(sql`
    select created_at as "at", second as "second"
    from ${byIndex(tx, conflicts, 'conflicts_by_time')}
    where event_id = ${eventId} and created_at >= ${since.getTime()} and over = 'missing'`)
  const byDevice = new Map<string | null, Watched>()
  const add = ({ at, deviceId, deviceName }: Pick<Watched, 'at' | 'deviceId' | 'deviceName'>) => {
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

/** Rows and paise. */
interface Sum {
  count: number
  paise: number
}
const NONE: Sum = { count: 0, paise: 0 }

/** Counts sold tickets and their price: active and used ones, without cancelled ones. */
export async function salesTotals(tx: ReadTx, eventId: string): Promise<Sum> {
  const [sales] = await tx.rows<Sum>(
    sql`select count(*) as "count", coalesce(sum(price_paise), 0) as "paise" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD}`,
  )
  return sales ?? NONE
}

/** The times of the oldest and the newest sale of a ticket that still counts; empty without one. */
export async function saleTimes(tx: ReadTx, eventId: string): Promise<number[]> {
  const [times] = await tx.rows<{ first: number | null; last: number | null }>(
    sql`select min(created_at) as "first", max(created_at) as "last" from ${soldTickets(tx)}
      where event_id = ${eventId} and ${SOLD}`,
  )
  return times?.first == null || times.last === null ? [] : [times.first, times.last]
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

const taken = { count: count(), paise: total(payments.amountPaise) }
const paidBack = { count: count(), paise: total(refunds.amountPaise) }

/** Sums the cash that a drawer took in. */
export const cashTaken = async (tx: ReadTx, sessionId: string): Promise<Sum> =>
  (await tx.sql
    .select(taken)
    .from(payments)
    .where(and(eq(payments.cashSessionId, sessionId), eq(payments.state, 'captured')))
    .get()) ?? NONE

/** Sums the cash that was paid back out of a drawer. */
export const cashPaidBack = async (tx: ReadTx, sessionId: string): Promise<Sum> =>
  (await tx.sql
    .select(paidBack)
    .from(refunds)
    .where(and(eq(refunds.cashSessionId, sessionId), eq(refunds.state, 'manual')))
    .get()) ?? NONE

/** Lists an event's cash that no drawer holds, by the phone or the person at the desk that reported it. */
export const cashOutside = async (
  tx: ReadTx,
  eventId: string,
): Promise<(Sum & { sellerId: string | null; sellerName: string | null })[]> =>
  tx.sql
    .select({ sellerId: orders.sellerId, sellerName: orders.sellerName, ...taken })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(orders.eventId, eventId),
        eq(payments.provider, 'cash'),
        eq(payments.state, 'captured'),
        isNull(payments.cashSessionId),
      ),
    )
    .groupBy(orders.sellerId, orders.sellerName)
    .orderBy(orders.sellerName)
    .all()

/** Sums an event's cash that was paid back while no drawer was open. */
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

/** The refunds of a ticket that was paid in cash, with the drawer that took the money. */
export const cashRefundsOf = async (
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
