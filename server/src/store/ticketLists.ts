import type { Sort } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { RefundFilter, TICKET_SORTS } from '@garba/shared/contracts/ticket'
import { and, asc, count, eq, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { byMoment, byName, matching, type ReadTx, type Slice, sorted } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { refunds } from './refunds.ts'
import { nameOfTicket, type TicketRow, tickets } from './tickets.ts'

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

/** Lists leave tombstones out. Written out, never bound: see the indexes of the table. */
const LISTED = sql.raw("status <> 'deleted'")

const filtered = ({ eventId, status, search, refund }: TicketFilter): SQL | undefined =>
  and(
    eq(tickets.eventId, eventId),
    status === undefined ? LISTED : eq(tickets.status, status),
    refund === undefined ? undefined : refundIs(refund),
    matching(tickets.searchText, search),
  )

const SORTS = {
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
    .where(filtered(filter))
    .orderBy(...sorted(filter.sort, SORTS, tickets.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countTickets = async (tx: ReadTx, filter: TicketFilter): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(tickets).where(filtered(filter)).get())?.n ?? 0

/** The prices (paise) of a filter's tickets without a requested refund, and how many tickets have each. */
export const pricesWithoutRefund = async (
  tx: ReadTx,
  filter: TicketFilter,
): Promise<{ pricePaise: number; n: number }[]> =>
  tx.sql
    .select({ pricePaise: tickets.pricePaise, n: count() })
    .from(tickets)
    .where(and(filtered(filter), sql`not exists (select 1 from ${refunds} where ${refunds.ticketId} = ${tickets.id})`))
    .groupBy(tickets.pricePaise)
    .all()

/** Sums the requested refunds of these tickets (paise); paid ones count only when the filter asks for them. */
export const refundsAskedFor = async (tx: ReadTx, filter: TicketFilter): Promise<number> => {
  const later = alias(refunds, 'later')
  const counts = sql`not exists (select 1 from ${refunds} ${sql.identifier('later')} where ${later.retryOf} = ${refunds.id})`
  const open = filter.refund === 'done' ? undefined : notInArray(refunds.state, ['done', 'manual'])
  const sum = await tx.sql
    .select({ paise: sql<number>`coalesce(sum(${refunds.amountPaise}), 0)`.mapWith(Number) })
    .from(tickets)
    .innerJoin(refunds, eq(refunds.ticketId, tickets.id))
    .where(and(filtered(filter), counts, open))
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
