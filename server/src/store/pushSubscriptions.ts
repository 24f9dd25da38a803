import type { Language } from '@garba/shared/messages/language'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** The browsers that show a person's notifications. The endpoint and the keys are secrets. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    id: text().primaryKey(),
    /** No reference: they are removed with the account. */
    userId: text().notNull(),
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    language: text().$type<Language>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [index('push_subscriptions_by_user').on(t.userId)],
)
export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** A browser belongs to the person who subscribed it last. */
export async function putSubscription(tx: WriteTx, row: PushSubscriptionRow): Promise<void> {
  const { userId, p256dh, auth, language } = row
  const set = { userId, p256dh, auth, language }
  await tx.sql
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set })
    .run()
}

export const subscriptionsOf = async (tx: ReadTx, userIds: readonly string[]): Promise<PushSubscriptionRow[]> =>
  tx.sql
    .select()
    .from(pushSubscriptions)
    .where(inArray(pushSubscriptions.userId, [...userIds]))
    .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
    .all()

export const findSubscription = async (tx: ReadTx, id: string): Promise<PushSubscriptionRow | undefined> =>
  tx.sql.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, id)).get()

export const removeSubscriptions = async (tx: WriteTx, ids: readonly string[]): Promise<void> => {
  await tx.sql
    .delete(pushSubscriptions)
    .where(inArray(pushSubscriptions.id, [...ids]))
    .run()
}

export const removeEndpoint = async (tx: WriteTx, userId: string, endpoint: string): Promise<void> => {
  await tx.sql
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.endpoint, endpoint)))
    .run()
}

export const forgetSubscriptions = async (tx: WriteTx, userId: string): Promise<void> => {
  await tx.sql.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)).run()
}
