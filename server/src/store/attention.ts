import { ATTENTION_KINDS } from '@garba/shared/contracts/names'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import type { ReadTx, WriteTx } from './sql.ts'

/** Money without a home, which a person must look at. */
export const attention = sqliteTable(
  'attention',
  {
    id: text().primaryKey(),
    kind: text({ enum: ATTENTION_KINDS }).notNull(),
    /** Keeps the same trouble from being listed twice. */
    dedupeKey: text().notNull(),
    orderId: text().references(() => orders.id),
    paymentId: text().references(() => payments.id),
    amountPaise: integer().notNull(),
    /** The provider's ids or the bank's words: what to search for. */
    detail: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    resolvedAt: integer({ mode: 'timestamp_ms' }),
    resolvedByName: text(),
    resolution: text(),
  },
  (t) => [
    uniqueIndex('attention_once').on(t.dedupeKey),
    index('attention_open').on(t.createdAt).where(sql`${t.resolvedAt} is null`),
    index('attention_by_payment').on(t.paymentId).where(sql`${t.paymentId} is not null`),
  ],
)
export type AttentionRow = typeof attention.$inferSelect

export const insertAttention = async (
  tx: WriteTx,
  row: Omit<AttentionRow, 'resolvedAt' | 'resolvedByName' | 'resolution'>,
): Promise<void> => {
  await tx.sql.insert(attention).values(row).onConflictDoNothing().run()
}

/** What nobody has resolved yet, oldest first. */
export const openAttention = async (tx: ReadTx): Promise<AttentionRow[]> =>
  tx.sql.select().from(attention).where(isNull(attention.resolvedAt)).orderBy(asc(attention.createdAt)).all()

export const resolveAttention = async (
  tx: WriteTx,
  id: string,
  set: { resolvedAt: Date; resolvedByName: string; resolution: string },
): Promise<AttentionRow | undefined> => tx.sql.update(attention).set(set).where(eq(attention.id, id)).returning().get()
