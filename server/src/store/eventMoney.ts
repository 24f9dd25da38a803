import type { OrderChannel, OrderProvider } from '@garba/shared/contracts/names'
import { LEAST_REFUND_PAISE } from '@garba/shared/rules/cancellation'
import { and, asc, count, desc, eq, gte, inArray, ne, or, sql } from 'drizzle-orm'
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
      cancelledAt: tickets.cancelledAt,
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
      gte(refunds.amountPaise, LEAST_REFUND_PAISE),
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

/** The orders that are paid or have received money, as money totals count them. */
export const listCountedOrders = async (tx: ReadTx, eventId: string) =>
  tx.sql
    .select({
      channel: orders.channel,
      provider: orders.provider,
      settledAt: orders.settledAt,
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(
      and(
        eq(orders.eventId, eventId),
        or(
          eq(orders.state, 'paid'),
          inArray(
            orders.id,
            tx.sql.select({ id: payments.orderId }).from(payments).where(eq(payments.state, 'captured')),
          ),
        ),
      ),
    )
    .orderBy(desc(orders.id))
    .all()

interface MoneyMovement {
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
): Promise<{
  captured: MoneyMovement[]
  fees: MoneyMovement[]
  refunded: MoneyMovement[]
  requested: MoneyMovement[]
}> {
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
