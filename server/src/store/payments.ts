import { ORDER_PROVIDERS, PAYMENT_STATES, type PaymentState } from '@garba/shared/contracts/names'
import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cashSessions } from './cashSessions.ts'
import { type Find, finder, inserter, updater } from './engine/preparedQueries.ts'
import { firstIdAt, inPieces, newId, type ReadTx, type WriteTx } from './engine/sql.ts'
import { orders } from './orders.ts'

/**
 * Money requested or received for an order. A payment link is the row with a `providerRef`; a second payment has none.
 */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    provider: text({ enum: ORDER_PROVIDERS }).notNull(),
    /** The provider's id of the payment link; null until it is made, and for money that came another way. */
    providerRef: text(),
    providerPaymentId: text(),
    /** The bank's number of a UPI transfer, 12 digits. */
    utr: text(),
    /** The number on the slip of a card payment at the desk or the door. */
    reference: text(),
    /** The page where the guest pays. */
    url: text(),
    amountPaise: integer().notNull(),
    /** The provider's fee; null until it is known. */
    feePaise: integer(),
    state: text({ enum: PAYMENT_STATES }).notNull(),
    /** The person who took or confirmed the money; null for a provider. */
    recordedById: text(),
    recordedByName: text(),
    note: text(),
    /** The drawer that holds this cash; null for other money, and for cash reported without an open drawer. */
    cashSessionId: text().references(() => cashSessions.id),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    capturedAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    uniqueIndex('payments_ref').on(t.providerRef),
    uniqueIndex('payments_id').on(t.providerPaymentId),
    // A claim for an order that has ended does not block the real payer's UTR.
    uniqueIndex('payments_utr').on(t.utr).where(sql`${t.state} <> 'void'`),
    index('payments_utr_claims').on(t.utr).where(sql`${t.utr} is not null`),
    index('payments_by_order').on(t.orderId),
    index('payments_by_session').on(t.cashSessionId).where(sql`${t.cashSessionId} is not null`),
    check('payments_amount', sql`${t.amountPaise} >= 0`),
    check('payments_state', sql`${t.state} in ('created', 'pending', 'captured', 'failed', 'void')`),
  ],
)
export type PaymentRow = typeof payments.$inferSelect

const insert = inserter(payments)

/** Writes a new payment. Facts that are left out get the values of a payment that was just requested. */
export async function insertPayment(
  tx: WriteTx,
  facts: Pick<PaymentRow, 'orderId' | 'provider' | 'amountPaise' | 'state' | 'createdAt'> & Partial<PaymentRow>,
): Promise<PaymentRow> {
  const payment = {
    id: newId(facts.createdAt),
    providerRef: null,
    providerPaymentId: null,
    utr: null,
    reference: null,
    url: null,
    feePaise: null,
    recordedById: null,
    recordedByName: null,
    note: null,
    cashSessionId: null,
    capturedAt: null,
    updatedAt: facts.createdAt,
    ...facts,
  }
  await insert(tx, payment)
  return payment
}

/** The payments of an order, oldest first. */
export const paymentsOf = async (tx: ReadTx, orderId: string): Promise<PaymentRow[]> =>
  tx.sql.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.id)).all()

/** The payments of any number of orders; those of one order are oldest first. */
export async function paymentsOfOrders(tx: ReadTx, ids: readonly string[]): Promise<PaymentRow[]> {
  const rows = await Array.fromAsync(inPieces(ids), async (some) =>
    tx.sql.select().from(payments).where(inArray(payments.orderId, some)).orderBy(asc(payments.id)).all(),
  )
  return rows.flat()
}

export const findPayment: Find<PaymentRow> = finder(payments, payments.id)

export const findPaymentByRef: Find<PaymentRow> = finder(payments, payments.providerRef)

export const findPaymentByProviderId: Find<PaymentRow> = finder(payments, payments.providerPaymentId)

/** The payment that a UTR belongs to, or is claimed for; claims for ended orders do not count. */
export async function findPaymentByUtr(tx: ReadTx, utr: string): Promise<PaymentRow | undefined> {
  const which = and(eq(payments.utr, utr), sql.raw("state <> 'void'"))
  return tx.sql.select().from(payments).where(which).get()
}

/** The time a payment was last requested, or last requested before an instant; null before the first. */
export const newestPaymentAt = async (tx: ReadTx, before: Date | null): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: payments.createdAt })
      .from(payments)
      .where(before === null ? undefined : lt(payments.id, firstIdAt(before)))
      .orderBy(desc(payments.id))
      .limit(1)
      .get()
  )?.at ?? null

const change = updater(
  payments,
  and(eq(payments.id, sql.placeholder('ofId')), eq(payments.state, sql.placeholder('from'))),
)

/** Changes a payment that still has the state it was read with; undefined if another write was faster. */
export const changePayment = (
  tx: WriteTx,
  { id, state }: Pick<PaymentRow, 'id' | 'state'>,
  set: Partial<PaymentRow> & { state: PaymentState; updatedAt: Date },
): Promise<PaymentRow | undefined> => change(tx, set, { ofId: id, from: state })

/** Adds to a payment when another part of the same transfer turns up. */
export const addToPayment = async (
  tx: WriteTx,
  { id }: Pick<PaymentRow, 'id'>,
  { paise, now }: { paise: number; now: Date },
): Promise<void> => {
  await tx.sql
    .update(payments)
    .set({ amountPaise: sql`${payments.amountPaise} + ${paise}`, updatedAt: now })
    .where(eq(payments.id, id))
    .run()
}
