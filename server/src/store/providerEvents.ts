import { and, eq, isNull } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './sql.ts'

/** What providers sent us, as it came: each event once. */
export const providerEvents = sqliteTable('provider_events', {
  /** The provider's name and its id of the event, with a colon between. */
  id: text().primaryKey(),
  body: text().notNull(),
  receivedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  /** When its facts were applied; null before. */
  appliedAt: integer({ mode: 'timestamp_ms' }),
})
type ProviderEventRow = typeof providerEvents.$inferSelect

/** False when the same event is stored already. */
export const storeEvent = async (
  tx: WriteTx,
  event: Pick<ProviderEventRow, 'id' | 'body' | 'receivedAt'>,
): Promise<boolean> =>
  (await tx.sql
    .insert(providerEvents)
    .values(event)
    .onConflictDoNothing()
    .returning({ id: providerEvents.id })
    .get()) !== undefined

export const findProviderEvent = async (tx: ReadTx, id: string): Promise<ProviderEventRow | undefined> =>
  tx.sql.select().from(providerEvents).where(eq(providerEvents.id, id)).get()

export const markApplied = async (tx: WriteTx, id: string, now: Date): Promise<void> => {
  await tx.sql
    .update(providerEvents)
    .set({ appliedAt: now })
    .where(and(eq(providerEvents.id, id), isNull(providerEvents.appliedAt)))
    .run()
}
