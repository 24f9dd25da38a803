import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm'
import { countIn, type ReadTx } from './engine/sql.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { isCounting, refunds } from './refunds.ts'
import { isSeated, nameOfTicket, tickets } from './tickets.ts'

/** Every ticket of an event with what its refund depends on; `refunds` counts those that stand. */
export const listEventMoney = async (tx: ReadTx, eventId: string) =>
  tx.sql
    .select({
      id: tickets.id,
      name: nameOfTicket(tickets).mapWith(String),
      status: tickets.status,
      pricePaise: tickets.pricePaise,
      isRefundDone: tickets.isRefundDone,
      refundInFull: tickets.refundInFull,
      order: orders.code,
      provider: orders.provider,
      refunds: count(refunds.id),
    })
    .from(tickets)
    .leftJoin(orders, eq(orders.id, tickets.orderId))
    .leftJoin(refunds, and(eq(refunds.ticketId, tickets.id), isCounting))
    .where(and(eq(tickets.eventId, eventId), ne(tickets.status, 'deleted')))
    .groupBy(tickets.id, orders.id)
    .orderBy(asc(tickets.id))
    .all()
export type TicketMoney = Awaited<ReturnType<typeof listEventMoney>>[number]

export const someSeatedTickets = async (tx: ReadTx, eventId: string, limit: number) =>
  tx.sql
    .select({ id: tickets.id, orderId: tickets.orderId })
    .from(tickets)
    .where(and(eq(tickets.eventId, eventId), isSeated))
    .orderBy(asc(tickets.id))
    .limit(limit)
    .all()

export const countUntriedRefunds = (tx: ReadTx, eventId: string): Promise<number> =>
  countIn(
    tx,
    refunds,
    and(
      eq(refunds.state, 'requested'),
      eq(refunds.attempts, 0),
      inArray(
        refunds.paymentId,
        tx.sql
          .select({ id: payments.id })
          .from(payments)
          .innerJoin(orders, eq(orders.id, payments.orderId))
          .where(and(eq(orders.eventId, eventId), sql`${payments.providerPaymentId} is not null`)),
      ),
    ),
  )
