import { ORDER_PROVIDERS, PAYMENT_STATES, type PaymentState } from '@garba/shared/contracts/names'
import { and, asc, desc, eq, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cashSessions } from './cashSessions.ts'
import { type Find, prepareFind, prepareInsert, prepareRow, prepareUpdate } from './engine/preparedQueries.ts'
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
    claims: integer().notNull().default(0),
    reference: text(),
    url: text(),
    amountPaise: integer().notNull(),
    chargedPaise: integer(),
    feePaise: integer(),
    state: text({ enum: PAYMENT_STATES }).notNull(),
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
    // A claim blocks nobody, because it costs nothing.
    uniqueIndex('payments_utr').on(t.utr).where(sql`${t.state} = 'captured'`),
    index('payments_utr_claims').on(t.utr).where(sql`${t.utr} is not null`),
    index('payments_by_order').on(t.orderId),
    index('payments_slips').on(t.orderId).where(sql`${t.reference} is not null`),
    index('payments_by_session').on(t.cashSessionId).where(sql`${t.cashSessionId} is not null`),
    check('payments_amount', sql`${t.amountPaise} >= 0`),
    check('payments_state', sql`${t.state} in ('created', 'pending', 'captured', 'failed', 'void')`),
  ],
)
export type PaymentRow = typeof payments.$inferSelect

const complete = prepareRow(payments)
const insert = prepareInsert(payments)

export async function insertPayment(
  tx: WriteTx,
  facts: Pick<PaymentRow, 'orderId' | 'provider' | 'amountPaise' | 'state' | 'createdAt'> & Partial<PaymentRow>,
): Promise<PaymentRow> {
  const payment = complete({ id: newId(facts.createdAt), updatedAt: facts.createdAt, ...facts })
  await insert(tx, payment)
  return payment
}

export const listOrderPayments = async (tx: ReadTx, orderId: string): Promise<PaymentRow[]> =>
  tx.sql.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.id)).all()

export async function paymentsOfOrders(tx: ReadTx, ids: readonly string[]): Promise<PaymentRow[]> {
  const rows = await Array.fromAsync(inPieces(ids), async (some) =>
    tx.sql.select().from(payments).where(inArray(payments.orderId, some)).orderBy(asc(payments.id)).all(),
  )
  return rows.flat()
}

export const findPayment: Find<PaymentRow> = prepareFind(payments, payments.id)

export const findPaymentByRef: Find<PaymentRow> = prepareFind(payments, payments.providerRef)

export const findPaymentByProviderId: Find<PaymentRow> = prepareFind(payments, payments.providerPaymentId)

export const findPaymentByUtr = async (tx: ReadTx, utr: string): Promise<PaymentRow | undefined> =>
  tx.sql
    .select()
    .from(payments)
    .where(and(eq(payments.utr, utr), sql.raw("state = 'captured'")))
    .get()

export const findClaims = async (tx: ReadTx, utr: string): Promise<PaymentRow[]> =>
  tx.sql
    .select()
    .from(payments)
    .where(and(eq(payments.utr, utr), sql.raw("state not in ('captured', 'void')")))
    .all()

/** The codes of other orders that the same card slip was given for; spaces, hyphens and leading zeros do not count. */
export async function ordersOfSlip(
  tx: ReadTx,
  { slip, orderId }: { slip: string; orderId: string },
): Promise<string[]> {
  const plain = slip.toUpperCase().replaceAll(/[ -]/g, '').replace(/^0+/, '')
  const same = sql`ltrim(replace(replace(upper(${payments.reference}), ' ', ''), '-', ''), '0') = ${plain}`
  const rows = await tx.sql
    .select({ code: orders.code })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(isNotNull(payments.reference), eq(payments.state, 'captured'), ne(orders.id, orderId), same))
    .orderBy(asc(orders.id))
    .all()
  return rows.map(({ code }) => code)
}

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

const change = prepareUpdate(
  payments,
  and(eq(payments.id, sql.placeholder('ofId')), eq(payments.state, sql.placeholder('from'))),
)

/** Changes a payment that still has the state it was read with; undefined if another write was faster. */
export const changePayment = (
  tx: WriteTx,
  { id, state }: Pick<PaymentRow, 'id' | 'state'>,
  set: Partial<PaymentRow> & { state: PaymentState; updatedAt: Date },
): Promise<PaymentRow | undefined> => change(tx, set, { ofId: id, from: state })

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
