import { type OrderProvider, REFUND_KINDS, REFUND_STATES, type RefundState } from '@garba/shared/contracts/names'
import { and, asc, eq, gte, inArray, notInArray, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cashSessions } from './cashSessions.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import type { ReadTx, WriteTx } from './sql.ts'
import { inserter, updater } from './statements.ts'
import { tickets } from './tickets.ts'

/** Money that goes back. Its id is the idempotency key the provider is asked with, so that none is paid twice. */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    /** Null for the refund of a whole payment. */
    ticketId: text().references(() => tickets.id),
    kind: text({ enum: REFUND_KINDS }).notNull(),
    amountPaise: integer().notNull(),
    state: text({ enum: REFUND_STATES }).notNull(),
    providerRefundId: text(),
    /** How often the provider was asked and did not make it, or gave no answer. */
    attempts: integer().notNull(),
    /** When it is asked again; null when it need not be. */
    nextAt: integer({ mode: 'timestamp_ms' }),
    lastError: text(),
    reason: text(),
    /** The failed refund in whose place this one is. */
    retryOf: text(),
    /** Who asked for it; null for our own. */
    requestedByName: text(),
    /** The drawer that cash was paid back from; null for other money, and where no drawer was open. */
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

/** A refund without anything that is not known when it is asked for. */
export const newRefund = (
  facts: Pick<RefundRow, 'id' | 'paymentId' | 'kind' | 'amountPaise' | 'state' | 'createdAt'> & Partial<RefundRow>,
): RefundRow => ({
  ticketId: null,
  providerRefundId: null,
  attempts: 0,
  nextAt: null,
  lastError: null,
  reason: null,
  retryOf: null,
  requestedByName: null,
  cashSessionId: null,
  updatedAt: facts.createdAt,
  ...facts,
})

const insert = inserter(refunds)
export const insertRefund = (tx: WriteTx, refund: RefundRow): Promise<void> => insert(tx, refund)

export const findRefund = async (tx: ReadTx, id: string): Promise<RefundRow | undefined> =>
  tx.sql.select().from(refunds).where(eq(refunds.id, id)).get()

export const findRefundByProviderId = async (tx: ReadTx, id: string): Promise<RefundRow | undefined> =>
  tx.sql.select().from(refunds).where(eq(refunds.providerRefundId, id)).get()

/** The refunds of these payments, oldest first. */
export const refundsOf = async (tx: ReadTx, paymentIds: readonly string[]): Promise<RefundRow[]> =>
  tx.sql
    .select()
    .from(refunds)
    .where(inArray(refunds.paymentId, [...paymentIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .all()

/** The refunds that count for these tickets, oldest first: without those that failed and were asked for again. */
export const refundsOfTickets = async (tx: ReadTx, ticketIds: readonly string[]): Promise<RefundRow[]> => {
  if (ticketIds.length === 0) return []
  const all = await tx.sql
    .select()
    .from(refunds)
    .where(inArray(refunds.ticketId, [...ticketIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .all()
  const replaced = new Set(all.map(({ retryOf }) => retryOf))
  return all.filter(({ id }) => !replaced.has(id))
}

/** Refunds of which the provider knows more than we do: those on their way, and those whose answer is not known. */
export const refundsOnTheirWay = async (tx: ReadTx): Promise<RefundRow[]> =>
  tx.sql.select().from(refunds).where(sql.raw("state in ('asking', 'sent')")).orderBy(asc(refunds.updatedAt)).all()

/** Refunds that are not on their way any more and changed since a moment: made, failed or paid by hand. */
export const refundsEndedSince = async (tx: ReadTx, since: Date): Promise<RefundRow[]> =>
  tx.sql
    .select()
    .from(refunds)
    .where(and(inArray(refunds.state, ['done', 'failed', 'manual']), gte(refunds.updatedAt, since)))
    .orderBy(asc(refunds.updatedAt))
    .all()

const change = updater(
  refunds,
  and(eq(refunds.id, sql.placeholder('ofId')), eq(refunds.state, sql.placeholder('from'))),
)

/** Changes a refund that still has the state it was read with; undefined if another write was faster. */
export const changeRefund = (
  tx: WriteTx,
  { id, state }: Pick<RefundRow, 'id' | 'state'>,
  set: Partial<RefundRow> & { state: RefundState; updatedAt: Date },
): Promise<RefundRow | undefined> => change(tx, set, { ofId: id, from: state })

/** How many refunds of an event are in one of these states, leaving out those by some providers. */
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
        and(eq(orders.eventId, eventId), inArray(refunds.state, states), notInArray(payments.provider, [...except])),
      )
      .all()
  ).length
