import { type OrderProvider, REFUND_KINDS, REFUND_STATES, type RefundState } from '@garba/shared/contracts/names'
import { LEAST_REFUND_PAISE } from '@garba/shared/rules/cancellation'
import { and, asc, eq, gte, inArray, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cashSessions } from './cashSessions.ts'
import { type Find, prepareFind, prepareInsert, prepareRow, prepareUpdate } from './engine/preparedQueries.ts'
import { inPieces, newId, type ReadTx, type WriteTx } from './engine/sql.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { isSeated, tickets } from './tickets.ts'

/** A refund's id is the idempotency key sent to the provider, so that none is paid twice. */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    ticketId: text().references(() => tickets.id),
    kind: text({ enum: REFUND_KINDS }).notNull(),
    amountPaise: integer().notNull(),
    state: text({ enum: REFUND_STATES }).notNull(),
    providerRefundId: text(),
    attempts: integer().notNull(),
    nextAt: integer({ mode: 'timestamp_ms' }),
    lastError: text(),
    reason: text(),
    retryOf: text(),
    /**
     * The refund that replaces this failed refund: made at the provider, or of everything that was left of a payment.
     */
    coveredBy: text(),
    requestedByName: text(),
    /** The drawer from which cash was paid back; null for other money, and if no drawer was open. */
    cashSessionId: text().references(() => cashSessions.id),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [
    uniqueIndex('refunds_provider_id').on(t.providerRefundId),
    index('refunds_by_payment').on(t.paymentId),
    index('refunds_by_ticket').on(t.ticketId),
    index('refunds_open').on(t.state, t.nextAt).where(sql`${t.state} in ('requested', 'asking', 'sent')`),
    index('refunds_by_session').on(t.cashSessionId).where(sql`${t.cashSessionId} is not null`),
    check('refunds_amount', sql`${t.amountPaise} > 0`),
  ],
)
export type RefundRow = typeof refunds.$inferSelect

const complete = prepareRow(refunds)
const insert = prepareInsert(refunds)

export async function insertRefund(
  tx: WriteTx,
  facts: Pick<RefundRow, 'paymentId' | 'kind' | 'amountPaise' | 'state' | 'createdAt'> & Partial<RefundRow>,
): Promise<RefundRow> {
  const made = { id: newId(facts.createdAt), attempts: 0, updatedAt: facts.createdAt }
  const refund = complete({ ...made, ...facts })
  await insert(tx, refund)
  return refund
}

export const findRefund: Find<RefundRow> = prepareFind(refunds, refunds.id)

export const findRefundByProviderId: Find<RefundRow> = prepareFind(refunds, refunds.providerRefundId)

export const listPaymentRefunds = async (tx: ReadTx, paymentIds: readonly string[]): Promise<RefundRow[]> =>
  tx.sql
    .select()
    .from(refunds)
    .where(inArray(refunds.paymentId, paymentIds))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .all()

export const isCounting = sql`${refunds.coveredBy} is null
  and ${refunds.id} not in (select retry_of from ${refunds} where retry_of is not null)`

export function withoutReplaced(all: readonly RefundRow[]): RefundRow[] {
  const replaced = new Set(all.map(({ retryOf }) => retryOf))
  return all.filter(({ id, coveredBy }) => coveredBy === null && !replaced.has(id))
}

export const refundsOfTickets = async (tx: ReadTx, ticketIds: readonly string[]): Promise<RefundRow[]> => {
  const all = await Array.fromAsync(inPieces(ticketIds), async (some) => {
    const rows = tx.sql.select().from(refunds).where(inArray(refunds.ticketId, some))
    return rows.orderBy(asc(refunds.createdAt), asc(refunds.id)).all()
  })
  return withoutReplaced(all.flat())
}

/** Refunds whose state only the provider knows: those on their way, and those whose answer was lost. */
export const refundsOnTheirWay = async (tx: ReadTx): Promise<RefundRow[]> =>
  tx.sql.select().from(refunds).where(sql.raw("state in ('asking', 'sent')")).orderBy(asc(refunds.updatedAt)).all()

export async function refundsEndedSince(tx: ReadTx, since: Date): Promise<RefundRow[]> {
  const which = and(inArray(refunds.state, ['done', 'failed', 'manual']), gte(refunds.updatedAt, since))
  return tx.sql.select().from(refunds).where(which).orderBy(asc(refunds.updatedAt)).all()
}

const change = prepareUpdate(
  refunds,
  and(eq(refunds.id, sql.placeholder('ofId')), eq(refunds.state, sql.placeholder('from'))),
)

export const changeRefund = (
  tx: WriteTx,
  { id, state }: Pick<RefundRow, 'id' | 'state'>,
  set: Partial<RefundRow> & { state: RefundState; updatedAt: Date },
): Promise<RefundRow | undefined> => change(tx, set, { ofId: id, from: state })

/**
 * The prices (paise) of an event's cancelled tickets that have no refund, because the desk cancelled them, except those
 * of some providers.
 */
export const unrequestedPrices = async (
  tx: ReadTx,
  { eventId, except }: { eventId: string; except: readonly OrderProvider[] },
): Promise<number[]> =>
  (
    await tx.sql
      .select({ pricePaise: tickets.pricePaise })
      .from(tickets)
      .innerJoin(orders, eq(orders.id, tickets.orderId))
      .where(
        and(
          eq(tickets.eventId, eventId),
          eq(tickets.status, 'cancelled'),
          or(isNull(tickets.isRefundDone), eq(tickets.isRefundDone, false)),
          notInArray(orders.provider, [...except]),
          sql`not exists (select 1 from ${refunds} where ${refunds.ticketId} = ${tickets.id})`,
        ),
      )
      .all()
  ).map(({ pricePaise }) => pricePaise)

/**
 * Counts an event's refunds in these states, except those that some providers send, and those that failed before their ticket
 * was made valid again.
 */
export const countOpenRefunds = async (
  tx: ReadTx,
  { eventId, states, except }: { eventId: string; states: RefundState[]; except: readonly OrderProvider[] },
): Promise<number> =>
  (
    await tx.sql
      .select({ id: refunds.id })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(
        and(
          eq(orders.eventId, eventId),
          inArray(refunds.state, states),
          or(notInArray(payments.provider, [...except]), lt(refunds.amountPaise, LEAST_REFUND_PAISE)),
          isCounting,
          sql`not exists (select 1 from ${tickets} where ${tickets.id} = ${refunds.ticketId} and ${isSeated})`,
        ),
      )
      .all()
  ).length
