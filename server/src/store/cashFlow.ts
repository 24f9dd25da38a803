import type { RefundState } from '@garba/shared/contracts/names'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReadTx, WriteTx } from './engine/sql.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { refunds } from './refunds.ts'

/** Rows and paise. */
export interface Sum {
  count: number
  paise: number
}

const NONE: Sum = { count: 0, paise: 0 }
const taken = {
  count: sql<number>`count(*)`.mapWith(Number),
  paise: sql<number>`coalesce(sum(${payments.amountPaise}), 0)`.mapWith(Number),
}
const paidBack = {
  count: sql<number>`count(*)`.mapWith(Number),
  paise: sql<number>`coalesce(sum(${refunds.amountPaise}), 0)`.mapWith(Number),
}

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
