import { and, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { attention } from './attention.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'
import { jobs } from './jobs.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { dropBodiesAbout } from './providerEvents.ts'
import { refunds } from './refunds.ts'
import { statementLines } from './statementLines.ts'

/** Removes people from the records of money, for personalData and eventPeople. Sums, states and times stay. */

export const unlessNull = (column: AnySQLiteColumn, text: string): SQL =>
  sql`case when ${column} is null then null else ${text} end`

/**
 * Takes buyers' and the desk's texts, and every reference to a buyer at the provider, out of these orders' money. Call
 * it while the orders still name their buyers.
 */
export async function forgetMoney(tx: WriteTx, which: SQL, text: string): Promise<void> {
  const these = tx.sql.select({ id: orders.id }).from(orders).where(which)
  const theirs = tx.sql.select({ id: payments.id }).from(payments).where(inArray(payments.orderId, these))
  await dropBodiesAbout(tx, await idsAtProvider(tx, inArray(payments.orderId, these)))
  await tx.sql
    .update(refunds)
    .set({ reason: unlessNull(refunds.reason, text), lastError: unlessNull(refunds.lastError, text) })
    .where(inArray(refunds.paymentId, theirs))
    .run()
  // The provider's page shows the payer's details. The field for a card slip's number may hold any text.
  await tx.sql
    .update(payments)
    .set({ url: null, note: unlessNull(payments.note, text), reference: unlessNull(payments.reference, text) })
    .where(inArray(payments.orderId, these))
    .run()
  await tx.sql
    .update(attention)
    .set({ resolution: unlessNull(attention.resolution, text) })
    .where(inArray(attention.orderId, these))
    .run()
  // The bank's words name the payer.
  await tx.sql.update(statementLines).set({ description: '' }).where(inArray(statementLines.orderId, these)).run()
  // A mail server's refusal may name the address.
  await tx.sql
    .update(jobs)
    .set({ lastError: unlessNull(jobs.lastError, text) })
    .where(inArray(jobs.orderId, these))
    .run()
  await tx.sql
    .update(orders)
    .set({ reason: unlessNull(orders.reason, text) })
    .where(which)
    .run()
}

/** The ids in a provider's events for these payments; each payment's description also holds its link's id. */
async function idsAtProvider(tx: ReadTx, which: SQL): Promise<string[]> {
  const rows = await tx.sql
    .select({ ref: payments.providerRef, paymentId: payments.providerPaymentId })
    .from(payments)
    .where(and(which, or(isNotNull(payments.providerRef), isNotNull(payments.providerPaymentId))))
    .all()
  return rows.flatMap(({ ref, paymentId }) => [ref?.replace(/^plink_/, '') ?? [], paymentId ?? []].flat())
}

/** Takes the people who sold, took or gave back money out of the records of orders. */
export async function forgetSellers(tx: WriteTx, which: SQL, name: string): Promise<void> {
  const these = tx.sql.select({ id: orders.id }).from(orders).where(which)
  const theirs = tx.sql.select({ id: payments.id }).from(payments).where(inArray(payments.orderId, these))
  await tx.sql
    .update(refunds)
    .set({ requestedByName: unlessNull(refunds.requestedByName, name) })
    .where(inArray(refunds.paymentId, theirs))
    .run()
  await tx.sql
    .update(payments)
    .set({ recordedById: null, recordedByName: unlessNull(payments.recordedByName, name) })
    .where(inArray(payments.orderId, these))
    .run()
  await tx.sql
    .update(attention)
    .set({ resolvedByName: unlessNull(attention.resolvedByName, name) })
    .where(inArray(attention.orderId, these))
    .run()
  await tx.sql
    .update(orders)
    .set({ sellerId: null, sellerName: unlessNull(orders.sellerName, name) })
    .where(which)
    .run()
}
