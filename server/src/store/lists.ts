import type { Sort } from '@garba/shared/contracts/common'
import type { OrderChannel, OrderProvider, OrderState, TicketStatus } from '@garba/shared/contracts/names'
import type { ORDER_SORTS } from '@garba/shared/contracts/order'
import type { RefundFilter, TICKET_SORTS } from '@garba/shared/contracts/ticket'
import { and, asc, count, eq, inArray, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import {
  byMoment,
  byName,
  countIn,
  inPieces,
  matching,
  type ReadTx,
  type Slice,
  type Span,
  sorted,
  total,
  within,
} from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments, paymentsOfOrders } from './payments.ts'
import { isCounting, type RefundRow, refunds } from './refunds.ts'
import { nameOfTicket, type TicketRow, tickets } from './tickets.ts'
import { users } from './users.ts'

/** `since` and `before` apply to the time of the order. */
export interface OrderFilter extends Span {
  eventId: string
  state?: OrderState | undefined
  channel?: OrderChannel | undefined
  provider?: OrderProvider | undefined
  /** Words of code, buyer, UTR or a provider's id, whole or in part. */
  search?: string | undefined
  sort?: Sort<(typeof ORDER_SORTS)[number]> | undefined
}

const ordersWhere = ({ eventId, state, channel, provider, since, before, search }: OrderFilter): SQL | undefined =>
  and(
    eq(orders.eventId, eventId),
    state === undefined ? undefined : eq(orders.state, state),
    channel === undefined ? undefined : eq(orders.channel, channel),
    provider === undefined ? undefined : eq(orders.provider, provider),
    within(orders.createdAt, { since, before }),
    matching(orders.searchText, search),
  )

const ORDER_COLUMNS = {
  order: orders.code,
  buyer: byName(orders.buyerName),
  placed: orders.createdAt,
  quantity: orders.quantity,
  amount: orders.totalPaise,
  state: orders.state,
  provider: orders.provider,
}

/** The orders of a filter in its order; all of them without a slice. */
export async function listOrders(tx: ReadTx, filter: OrderFilter, slice?: Slice): Promise<OrderRow[]> {
  const rows = tx.sql
    .select()
    .from(orders)
    .where(ordersWhere(filter))
    .orderBy(...sorted(filter.sort, ORDER_COLUMNS, orders.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countOrders = (tx: ReadTx, filter: OrderFilter): Promise<number> =>
  countIn(tx, orders, ordersWhere(filter))

/** Paise of one order. */
export interface Money {
  captured: number
  /** Paid back, by the provider or by hand. */
  refunded: number
  /** Requested and not paid back yet; failed refunds are in neither. */
  requested: number
}

const isPaidBack = inArray(refunds.state, ['done', 'manual'])
const sumIf = (which: SQL | undefined) => total(sql`case when ${which} then ${refunds.amountPaise} else 0 end`)

/** The money of these orders; orders without received money are absent. */
export async function moneyOf(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Money>> {
  const money = new Map<string, Money>()
  for (const some of inPieces(ids)) {
    const ofThese = inArray(payments.orderId, some)
    const captured = await tx.sql
      .select({ orderId: payments.orderId, paise: total(payments.amountPaise) })
      .from(payments)
      .where(and(ofThese, eq(payments.state, 'captured')))
      .groupBy(payments.orderId)
      .all()
    const refunded = await tx.sql
      .select({
        orderId: payments.orderId,
        refunded: sumIf(isPaidBack),
        requested: sumIf(notInArray(refunds.state, ['done', 'manual', 'failed'])),
      })
      .from(refunds)
      .innerJoin(payments, eq(refunds.paymentId, payments.id))
      .where(ofThese)
      .groupBy(payments.orderId)
      .all()
    const back = new Map(refunded.map(({ orderId, ...paise }) => [orderId, paise]))
    for (const { orderId, paise } of captured)
      money.set(orderId, { captured: paise, ...(back.get(orderId) ?? { refunded: 0, requested: 0 }) })
  }
  return money
}

/** Paise that moved for an order, with the time. */
interface Moved {
  channel: OrderChannel
  provider: OrderProvider
  at: Date
  paise: number
}

/**
 * Lists each payment of an event's orders at its arrival, and each refund at its payout, or at its request until then.
 */
export async function movedMoney(
  tx: ReadTx,
  eventId: string,
): Promise<{ captured: Moved[]; fees: Moved[]; refunded: Moved[]; requested: Moved[] }> {
  const ofOrder = { channel: orders.channel, provider: orders.provider }
  const ofEvent = and(eq(orders.eventId, eventId), eq(payments.state, 'captured'))
  const captured = await tx.sql
    .select({
      ...ofOrder,
      at: payments.capturedAt,
      createdAt: payments.createdAt,
      paise: payments.amountPaise,
      fee: payments.feePaise,
    })
    .from(payments)
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(ofEvent)
    .all()
  const back = await tx.sql
    .select({
      ...ofOrder,
      state: refunds.state,
      createdAt: refunds.createdAt,
      at: refunds.updatedAt,
      paise: refunds.amountPaise,
    })
    .from(refunds)
    .innerJoin(payments, eq(refunds.paymentId, payments.id))
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(ofEvent)
    .all()
  const isOut = ({ state }: { state: string }) => state === 'done' || state === 'manual'
  return {
    captured: captured.map(({ at, createdAt, fee: _, ...row }) => ({ ...row, at: at ?? createdAt })),
    fees: captured.map(({ at, createdAt, fee, ...row }) => ({ ...row, at: at ?? createdAt, paise: fee ?? 0 })),
    refunded: back.filter(isOut),
    requested: back
      .filter((row) => !isOut(row) && row.state !== 'failed')
      .map(({ createdAt, ...row }) => ({ ...row, at: createdAt })),
  }
}

export type RefundOfOrder = Pick<RefundRow, 'state' | 'updatedAt' | 'reason'> & { orderId: string }

export const refundsOfEvent = async (tx: ReadTx, eventId: string): Promise<RefundOfOrder[]> =>
  tx.sql
    .select({ orderId: orders.id, state: refunds.state, updatedAt: refunds.updatedAt, reason: refunds.reason })
    .from(refunds)
    .innerJoin(payments, eq(refunds.paymentId, payments.id))
    .innerJoin(orders, eq(payments.orderId, orders.id))
    .where(eq(orders.eventId, eventId))
    .all()

export interface TicketFilter {
  eventId: string
  status?: TicketStatus | undefined
  /** Words in the id (whole or a part), name or email. */
  search?: string | undefined
  refund?: RefundFilter | undefined
  sort?: Sort<(typeof TICKET_SORTS)[number]> | undefined
}

const refundIs = (refund: RefundFilter): SQL | undefined =>
  and(
    eq(tickets.status, 'cancelled'),
    refund === 'due'
      ? or(isNull(tickets.isRefundDone), eq(tickets.isRefundDone, false))
      : eq(tickets.isRefundDone, refund === 'done'),
  )

/**
 * Lists leave out tombstones. The value is written out, never bound, so that SQLite can use the table's partial
 * indexes.
 */
const LISTED = sql.raw("status <> 'deleted'")

const ticketsWhere = ({ eventId, status, search, refund }: TicketFilter): SQL | undefined =>
  and(
    eq(tickets.eventId, eventId),
    status === undefined ? LISTED : eq(tickets.status, status),
    refund === undefined ? undefined : refundIs(refund),
    matching(tickets.searchText, search),
  )

const TICKET_COLUMNS = {
  ticket: tickets.id,
  holder: byName(nameOfTicket(tickets)),
  price: tickets.pricePaise,
  bought: tickets.createdAt,
  entry: byMoment(tickets.entryTime),
  status: tickets.status,
  refund: byMoment(tickets.cancelledAt),
}

/** The tickets of a filter in its order; all of them without a slice. */
export async function listTickets(tx: ReadTx, filter: TicketFilter, slice?: Slice): Promise<TicketRow[]> {
  const rows = tx.sql
    .select()
    .from(tickets)
    .where(ticketsWhere(filter))
    .orderBy(...sorted(filter.sort, TICKET_COLUMNS, tickets.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countTickets = (tx: ReadTx, filter: TicketFilter): Promise<number> =>
  countIn(tx, tickets, ticketsWhere(filter))

/**
 * The prices (paise) of a filter's tickets without a requested refund, and how many tickets have each. The money of a
 * paid ticket that says Done is in another's refund.
 */
export const pricesWithoutRefund = async (
  tx: ReadTx,
  filter: TicketFilter,
): Promise<{ pricePaise: number; n: number }[]> =>
  tx.sql
    .select({ pricePaise: tickets.pricePaise, n: count() })
    .from(tickets)
    .where(
      and(
        ticketsWhere(filter),
        sql`not exists (select 1 from ${refunds} where ${refunds.ticketId} = ${tickets.id})`,
        sql`not (coalesce(${tickets.isRefundDone}, 0) = 1 and exists (select 1 from ${payments} where ${payments.orderId} = ${tickets.orderId}))`,
      ),
    )
    .groupBy(tickets.pricePaise)
    .all()

/** Sums the requested refunds of these tickets (paise); paid ones count only when the filter asks for them. */
export const refundsAskedFor = async (tx: ReadTx, filter: TicketFilter): Promise<number> => {
  const open = filter.refund === 'done' ? undefined : notInArray(refunds.state, ['done', 'manual'])
  const sum = await tx.sql
    .select({ paise: total(refunds.amountPaise) })
    .from(tickets)
    .innerJoin(refunds, eq(refunds.ticketId, tickets.id))
    .where(and(ticketsWhere(filter), isCounting, open))
    .get()
  return sum?.paise ?? 0
}

/** The paid orders of an event whose buyers have an address and at least one active ticket, oldest first. */
export const ordersToTell = async (tx: ReadTx, eventId: string): Promise<Pick<OrderRow, 'id' | 'buyerEmail'>[]> =>
  tx.sql
    .selectDistinct({ id: orders.id, buyerEmail: orders.buyerEmail })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .where(and(eq(tickets.eventId, eventId), eq(tickets.status, 'active'), ne(orders.buyerEmail, '')))
    .orderBy(asc(orders.id))
    .all()

/** Accounts with an active ticket of an event that they claimed through an offer, and one order of such tickets. */
export const takersToTell = async (
  tx: ReadTx,
  eventId: string,
): Promise<(Pick<OrderRow, 'id' | 'buyerEmail'> & { account: string })[]> =>
  tx.sql
    .select({ account: users.id, buyerEmail: users.email, id: sql<string>`min(${orders.id})` })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .innerJoin(users, eq(users.id, tickets.userId))
    .where(and(eq(tickets.eventId, eventId), eq(tickets.status, 'active'), ne(tickets.buyerEmail, orders.buyerEmail)))
    .groupBy(users.id, users.email)
    .orderBy(asc(users.id))
    .all()

/** An order paid by UPI without a gateway, with the money received for it and its UTRs. */
export interface UpiOrder extends Pick<OrderRow, 'id' | 'code' | 'state' | 'buyerName' | 'totalPaise'> {
  receivedPaise: number
  /** UTRs of the money received. */
  paidUtrs: string[]
  /** UTRs its buyer gave that are not yet found in the bank, even when the order has ended. */
  claimedUtrs: string[]
}

/** Orders with one of these ids, codes, or UTRs that a guest gave or the desk confirmed, oldest first. */
export async function findUpiOrders(
  tx: ReadTx,
  { ids, utrs, codes }: { ids: readonly string[]; utrs: readonly string[]; codes: readonly string[] },
): Promise<UpiOrder[]> {
  const rows = new Map<string, OrderRow>()
  for (const [column, values] of [
    [orders.id, ids],
    [payments.utr, utrs],
    [orders.code, codes],
  ] as const) {
    for (const some of inPieces([...new Set(values)]))
      for (const order of await find(tx, inArray(column, some))) rows.set(order.id, order)
  }
  const found = [...rows.keys()].toSorted()
  const byOrder = Map.groupBy(await paymentsOfOrders(tx, found), ({ orderId }) => orderId)
  return found.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const of = byOrder.get(id) ?? []
    const captured = of.filter(({ state }) => state === 'captured')
    return {
      ...row,
      receivedPaise: captured.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
      paidUtrs: captured.flatMap(({ utr }) => utr ?? []),
      claimedUtrs: of.flatMap(({ state, utr }) => (state === 'captured' ? [] : (utr ?? []))),
    }
  })
}

const find = async (tx: ReadTx, which: SQL): Promise<OrderRow[]> =>
  (
    await tx.sql
      .select({ order: orders })
      .from(orders)
      .innerJoin(payments, eq(payments.orderId, orders.id))
      .where(and(eq(orders.provider, 'upi'), which))
      .all()
  ).map(({ order }) => order)

export interface UpiWaiting {
  orders: number
  /** Orders whose buyers have given a UTR. */
  claimed: number
  seats: number
}

/** Counts an event's orders that wait until the desk finds their money in the bank statement. */
export async function upiWaiting(tx: ReadTx, eventId: string): Promise<UpiWaiting> {
  const claimed = sql`exists (select 1 from ${payments}
    where ${payments.orderId} = ${orders.id} and ${payments.utr} is not null and ${payments.state} <> 'captured')`
  const row = await tx.sql
    .select({
      orders: count(),
      claimed: total(sql`case when ${claimed} then 1 else 0 end`),
      seats: total(orders.quantity),
    })
    .from(orders)
    // Written out, never bound, for the partial index.
    .where(and(sql.raw("orders.state = 'held'"), eq(orders.eventId, eventId), eq(orders.provider, 'upi')))
    .get()
  return row ?? { orders: 0, claimed: 0, seats: 0 }
}
