import { DAY_MS } from '@garba/shared/constants'
import { and, asc, eq, inArray, isNotNull, isNull, like, lte, ne, or, sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { findLatestMoment, insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'

export const providerEvents = sqliteTable(
  'provider_events',
  {
    /** The provider's name, a colon, and its id of the event. */
    id: text().primaryKey(),
    /** SHA-256 of the body as received: its signature does not cover the id. */
    digest: text(),
    /** Emptied once it is old or its person is erased; id and digest keep the event from being applied twice. */
    body: text().notNull(),
    receivedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    appliedAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [uniqueIndex('provider_events_digest').on(t.digest).where(sql`${t.digest} is not null`)],
)
type ProviderEventRow = typeof providerEvents.$inferSelect

/** Returns false when the same event is stored already, under this id or another. */
export const storeEvent = (
  tx: WriteTx,
  event: Pick<ProviderEventRow, 'id' | 'digest' | 'body' | 'receivedAt'>,
): Promise<boolean> => insertNew(tx, providerEvents, event)

export const lastEventAt = (tx: ReadTx): Promise<Date | null> => findLatestMoment(tx, providerEvents.receivedAt)

export const markApplied = async (tx: WriteTx, id: string, now: Date): Promise<void> => {
  const which = and(eq(providerEvents.id, id), isNull(providerEvents.appliedAt))
  await tx.sql.update(providerEvents).set({ appliedAt: now }).where(which).run()
}

const KEPT_MS = 30 * DAY_MS
/** Unapplied events are kept longer, so that they can be investigated. */
const UNAPPLIED_KEPT_MS = 365 * DAY_MS

/** Bodies hold names and emails, so they are dropped once they are not needed. */
export const dropOldBodies = async (tx: WriteTx, now: Date): Promise<void> => {
  const before = (ms: number) => lte(providerEvents.receivedAt, new Date(now.getTime() - ms))
  await tx.sql
    .update(providerEvents)
    .set({ body: '' })
    .where(
      and(
        ne(providerEvents.body, ''),
        or(and(isNotNull(providerEvents.appliedAt), before(KEPT_MS)), before(UNAPPLIED_KEPT_MS)),
      ),
    )
    .run()
}

export const dropBodiesAbout = async (tx: WriteTx, ids: readonly string[]): Promise<void> => {
  for (const id of ids)
    await tx.sql
      .update(providerEvents)
      .set({ body: '' })
      .where(like(providerEvents.body, `%${id}%`))
      .run()
}

export const eventsHolding = async (
  tx: ReadTx,
  ids: readonly string[],
  texts: readonly string[] = [],
): Promise<ProviderEventRow[]> =>
  tx.sql
    .select()
    .from(providerEvents)
    .where(or(inArray(providerEvents.id, ids), ...texts.map((text) => like(providerEvents.body, `%${text}%`))))
    .orderBy(asc(providerEvents.receivedAt))
    .all()

export const dropBodies = async (tx: WriteTx, ids: readonly string[]): Promise<void> => {
  await tx.sql.update(providerEvents).set({ body: '' }).where(inArray(providerEvents.id, ids)).run()
}
