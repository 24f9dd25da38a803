import type { Sort } from '@garba/shared/contracts/common'
import type { OrderChannel, OrderProvider, OrderState, TicketStatus } from '@garba/shared/contracts/names'
import type { ORDER_SORTS } from '@garba/shared/contracts/order'
import type { RefundFilter, TICKET_SORTS } from '@garba/shared/contracts/ticket'
import { and, asc, count, desc, eq, inArray, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import {
  buildOrderBy,
  byMoment,
  byName,
  countIn,
  inPieces,
  isFoundBySearch,
  isInSpan,
  listIds,
  listRows,
  type ReadTx,
  readPage,
  type Slice,
  type Span,
  sumColumn,
} from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments, paymentsOfOrders } from './payments.ts'
import { pushSubscriptions } from './pushSubscriptions.ts'
import { isCounting, type RefundRow, refunds } from './refunds.ts'
import { nameOfTicket, type TicketRow, tickets } from './tickets.ts'
import { unprovenAmong } from './unproven.ts'
import { users } from './users.ts'

/** `since` and `before` apply to the time of the order. */
export interface OrderFilter extends Span {
  eventId: string
  state?: OrderState | undefined
  channel?: OrderChannel | undefined
  provider?: OrderProvider | undefined
  type?: string | undefined
  promo?: string | undefined
  /** Words of code, buyer, UTR or a provider's id, whole or in part. */
  search?: string | undefined
  sort?: Sort<(typeof ORDER_SORTS)[number]> | undefined
}

/** A search finds the stored text, or a buyer whose account has another name or email by now. */
const found = ({ searchText, userId }: typeof orders | typeof tickets, search: string | undefined): SQL | undefined => {
  const account = isFoundBySearch(users.searchText, search)
  return (
    account &&
    or(isFoundBySearch(searchText, search), sql`${userId} in (select ${users.id} from ${users} where ${account})`)
  )
}

const ordersWhere = ({
  eventId,
  state,
  channel,
  provider,
  type,
  promo,
  since,
  before,
  search,
}: OrderFilter): SQL | undefined =>
  and(
    eq(orders.eventId, eventId),
    state === undefined ? undefined : eq(orders.state, state),
    channel === undefined ? undefined : eq(orders.channel, channel),
    provider === undefined ? undefined : eq(orders.provider, provider),
    type === undefined ? undefined : sql`${orders.lines} like ${`%"${type}"%`}`,
    promo === undefined ? undefined : eq(orders.promoCodeId, promo),
    isInSpan(orders.createdAt, { since, before }),
    found(orders, search),
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

const orderList = (filter: OrderFilter) => ({
  where: ordersWhere(filter),
  order: buildOrderBy(filter.sort, ORDER_COLUMNS, orders.id),
})

export const listOrders = (tx: ReadTx, filter: OrderFilter): Promise<OrderRow[]> =>
  listRows(tx, orders, orderList(filter))

export const readOrderPage = (tx: ReadTx, filter: OrderFilter, slice: Slice) =>
  readPage(tx, orders, { ...orderList(filter), slice, search: filter.search })

export interface Money {
  captured: number
  refunded: number
  /** Requested and not paid back yet; failed refunds are in neither. */
  requested: number
}

const isPaidBack = inArray(refunds.state, ['done', 'manual'])
const sumIf = (which: SQL | undefined) => sumColumn(sql`case when ${which} then ${refunds.amountPaise} else 0 end`)

/** The money of these orders; orders without received money are absent. */
export async function readOrderMoney(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Money>> {
  const money = new Map<string, Money>()
  for (const some of inPieces(ids)) {
    const ofThese = inArray(payments.orderId, some)
    const captured = await tx.sql
      .select({ orderId: payments.orderId, paise: sumColumn(payments.amountPaise) })
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
  search?: string | undefined
  refund?: RefundFilter | undefined
  type?: string | undefined
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

const ticketsWhere = ({ eventId, status, search, refund, type }: TicketFilter): SQL | undefined =>
  and(
    eq(tickets.eventId, eventId),
    status === undefined ? LISTED : eq(tickets.status, status),
    refund === undefined ? undefined : refundIs(refund),
    type === undefined ? undefined : eq(tickets.typeId, type),
    or(found(tickets, search), isOfFoundOrder(eventId, search)),
  )

/** A ticket is also found by its order's code and the buyer's phone number, which stand on the order alone. */
const isOfFoundOrder = (eventId: string, search: string | undefined): SQL | undefined => {
  const order = isFoundBySearch(orders.searchText, search)
  return (
    order &&
    sql`${tickets.orderId} in (select ${orders.id} from ${orders} where ${and(eq(orders.eventId, eventId), order)})`
  )
}

const TICKET_COLUMNS = {
  ticket: tickets.id,
  holder: byName(nameOfTicket(tickets)),
  price: tickets.pricePaise,
  bought: tickets.createdAt,
  entry: byMoment(tickets.entryTime),
  status: tickets.status,
  refund: byMoment(tickets.cancelledAt),
}

const ticketList = (filter: TicketFilter) => ({
  where: ticketsWhere(filter),
  order: buildOrderBy(filter.sort, TICKET_COLUMNS, tickets.id),
})

export const listTickets = (tx: ReadTx, filter: TicketFilter): Promise<TicketRow[]> =>
  listRows(tx, tickets, ticketList(filter))

export const readTicketPage = (tx: ReadTx, filter: TicketFilter, slice: Slice) =>
  readPage(tx, tickets, { ...ticketList(filter), slice, search: filter.search })

export const listTicketIds = async (tx: ReadTx, filter: TicketFilter): Promise<string[]> =>
  listIds(
    await tx.sql.select({ id: tickets.id }).from(tickets).where(ticketsWhere(filter)).orderBy(desc(tickets.id)).all(),
  )

export const countTickets = (tx: ReadTx, filter: TicketFilter): Promise<number> =>
  countIn(tx, tickets, ticketsWhere(filter))

/**
 * The prices (paise) of a filter's tickets without a requested refund, and how many tickets have each. The money of a
 * paid ticket that says Done is in another's refund.
 */
export const pricesWithoutRefund = async (
  tx: ReadTx,
  filter: TicketFilter,
): Promise<(Pick<TicketRow, 'pricePaise' | 'nothingToRefund' | 'refundInFull'> & { n: number })[]> =>
  tx.sql
    .select({
      pricePaise: tickets.pricePaise,
      nothingToRefund: tickets.nothingToRefund,
      refundInFull: tickets.refundInFull,
      n: count(),
    })
    .from(tickets)
    .where(
      and(
        ticketsWhere(filter),
        sql`not exists (select 1 from ${refunds} where ${refunds.ticketId} = ${tickets.id})`,
        sql`not (coalesce(${tickets.isRefundDone}, 0) = 1 and exists (select 1 from ${payments} where ${payments.orderId} = ${tickets.orderId}))`,
      ),
    )
    .groupBy(tickets.pricePaise, tickets.nothingToRefund, tickets.refundInFull)
    .all()

/** Sums the requested refunds of these tickets (paise); paid refunds count only when the filter asks for them. */
export const refundsAskedFor = async (tx: ReadTx, filter: TicketFilter): Promise<number> => {
  const open = filter.refund === 'done' ? undefined : notInArray(refunds.state, ['done', 'manual'])
  const sum = await tx.sql
    .select({ paise: sumColumn(refunds.amountPaise) })
    .from(tickets)
    .innerJoin(refunds, eq(refunds.ticketId, tickets.id))
    .where(and(ticketsWhere(filter), isCounting, open))
    .get()
  return sum?.paise ?? 0
}

/** Whom to mail about an event: the buyer of an order, or the account that claimed tickets of it through an offer. */
export interface MailReader extends Pick<OrderRow, 'id' | 'buyerEmail'> {
  account?: string
  /** Milliseconds. */
  soldAt: number
}

/** Everyone with a ticket of a status. */
export const listReaders = async (
  tx: ReadTx,
  eventId: string,
  statuses: readonly TicketStatus[] = ['active'],
): Promise<MailReader[]> => [
  ...(await ordersToTell(tx, eventId, statuses)),
  ...(await takersToTell(tx, eventId, statuses)),
]

const soldAt = sql`coalesce(${orders.settledAt}, ${orders.createdAt})`

const ordersToTell = async (tx: ReadTx, eventId: string, statuses: readonly TicketStatus[]): Promise<MailReader[]> =>
  tx.sql
    .selectDistinct({
      id: orders.id,
      buyerEmail: sql<string>`coalesce(${users.email}, ${orders.buyerEmail})`,
      soldAt: soldAt.mapWith(Number),
    })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .leftJoin(users, and(eq(users.id, orders.userId), eq(users.emailVerified, true)))
    .where(and(eq(tickets.eventId, eventId), inArray(tickets.status, [...statuses]), ne(orders.buyerEmail, '')))
    .orderBy(asc(orders.id))
    .all()

const takersToTell = async (tx: ReadTx, eventId: string, statuses: readonly TicketStatus[]): Promise<MailReader[]> =>
  tx.sql
    .select({
      account: users.id,
      buyerEmail: users.email,
      id: sql<string>`min(${orders.id})`,
      soldAt: sql`min(${soldAt})`.mapWith(Number),
    })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .innerJoin(users, eq(users.id, tickets.userId))
    .where(
      and(
        eq(tickets.eventId, eventId),
        inArray(tickets.status, [...statuses]),
        ne(tickets.buyerEmail, orders.buyerEmail),
      ),
    )
    .groupBy(users.id, users.email)
    .orderBy(asc(users.id))
    .all()

/** The browsers of everyone with an active ticket of the event. */
export const listSubscriptionsToTell = async (tx: ReadTx, eventId: string): Promise<{ id: string }[]> =>
  tx.sql
    .selectDistinct({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .innerJoin(tickets, eq(tickets.userId, pushSubscriptions.userId))
    .where(and(eq(tickets.eventId, eventId), eq(tickets.status, 'active')))
    .orderBy(asc(pushSubscriptions.id))
    .all()

type NamedOrder = Pick<OrderRow, 'id' | 'code' | 'state' | 'buyerName' | 'totalPaise'>

export interface UpiOrder extends NamedOrder {
  receivedPaise: number
  paidUtrs: string[]
  /** UTRs its buyer or seller gave that are not yet found in the bank, even when the order has ended. */
  claimedUtrs: string[]
  isUnproven: boolean
}

export async function findUpiOrders(
  tx: ReadTx,
  { ids, utrs, codes }: { ids: readonly string[]; utrs: readonly string[]; codes: readonly string[] },
): Promise<UpiOrder[]> {
  const rows = new Map<string, NamedOrder>()
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
  const unproven = new Set<string>()
  for (const some of inPieces(found)) for (const id of await unprovenAmong(tx, some)) unproven.add(id)
  return found.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const of = byOrder.get(id) ?? []
    const isUnproven = unproven.has(id)
    const captured = isUnproven ? [] : of.filter(({ state }) => state === 'captured')
    return {
      ...row,
      isUnproven,
      receivedPaise: captured.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
      paidUtrs: captured.flatMap(({ utr }) => utr ?? []),
      claimedUtrs: of.flatMap(({ state, utr }) => (state === 'captured' && !isUnproven ? [] : (utr ?? []))),
    }
  })
}

export async function findWaitingUpiOrders(tx: ReadTx): Promise<UpiOrder[]> {
  // Written out, never bound, for the partial index.
  const waiting = and(sql.raw("orders.state = 'held'"), eq(orders.provider, 'upi'))
  const rows = await tx.sql.select({ id: orders.id }).from(orders).where(waiting).all()
  return findUpiOrders(tx, { ids: rows.map(({ id }) => id), utrs: [], codes: [] })
}

const { id, code, state, buyerName, totalPaise } = orders
const find = (tx: ReadTx, which: SQL): Promise<NamedOrder[]> =>
  tx.sql
    .selectDistinct({ id, code, state, buyerName, totalPaise })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(and(eq(orders.provider, 'upi'), which))
    .all()

export interface UnpaidOrders {
  orders: number
  upi: number
  claimed: number
  seats: number
}

export async function unpaidOrders(tx: ReadTx, eventId: string, by: string | null = null): Promise<UnpaidOrders> {
  const claimed = sql`exists (select 1 from ${payments}
    where ${payments.orderId} = ${orders.id} and ${payments.utr} is not null and ${payments.state} <> 'captured')`
  const row = await tx.sql
    .select({
      orders: count(),
      upi: sumColumn(sql`case when ${orders.provider} = 'upi' then 1 else 0 end`),
      claimed: sumColumn(sql`case when ${claimed} then 1 else 0 end`),
      seats: sumColumn(orders.quantity),
    })
    .from(orders)
    .where(
      and(
        sql.raw("orders.state = 'held'"),
        eq(orders.eventId, eventId),
        by === null ? undefined : or(eq(orders.userId, by), eq(orders.sellerId, by)),
      ),
    )
    .get()
  return row ?? { orders: 0, upi: 0, claimed: 0, seats: 0 }
}
