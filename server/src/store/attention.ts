import { ATTENTION_KINDS } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { and, asc, eq, inArray, isNotNull, isNull, like, lte, type SQL, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind } from './engine/preparedQueries.ts'
import { insertNew, isInSpan, newId, type ReadTx, type Span, unlessNull, type WriteTx } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { payments } from './payments.ts'

export const attention = sqliteTable(
  'attention',
  {
    id: text().primaryKey(),
    kind: text({ enum: ATTENTION_KINDS }).notNull(),
    /** Keeps the same problem from being listed twice. For `noted` it begins with the phone's id (`buildNotedKey`). */
    dedupeKey: text().notNull(),
    orderId: text().references(() => orders.id),
    paymentId: text().references(() => payments.id),
    amountPaise: integer().notNull(),
    /** The provider's ids or the bank's text, to search for. */
    detail: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    resolvedAt: integer({ mode: 'timestamp_ms' }),
    resolvedByName: text(),
    resolution: text(),
  },
  (t) => [
    uniqueIndex('attention_once').on(t.dedupeKey),
    index('attention_open').on(t.createdAt).where(sql`${t.resolvedAt} is null`),
    index('attention_by_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('attention_by_payment').on(t.paymentId).where(sql`${t.paymentId} is not null`),
  ],
)
export type AttentionRow = typeof attention.$inferSelect

type NewMatter = Pick<AttentionRow, 'kind' | 'dedupeKey' | 'amountPaise' | 'detail'> &
  Partial<Pick<AttentionRow, 'orderId' | 'paymentId'>> & { at: Date }

/** Adds a matter, unless one with its key was added before. */
export const insertAttention = async (tx: WriteTx, { at, ...matter }: NewMatter): Promise<void> => {
  await insertNew(tx, attention, { id: newId(at), createdAt: at, ...matter })
}

/** Adds the only matter of its kind about an order, which is about all of its money unless `paise` says otherwise. */
export const addOrderMatter = (
  tx: WriteTx,
  { id: orderId, totalPaise }: Pick<OrderRow, 'id' | 'totalPaise'>,
  { kind, paise = totalPaise, ...matter }: Pick<NewMatter, 'kind' | 'detail' | 'at'> & { paise?: number },
): Promise<void> =>
  insertAttention(tx, { kind, dedupeKey: orderMatterKey(kind, orderId), orderId, amountPaise: paise, ...matter })

const orderMatterKey = (kind: AttentionRow['kind'], orderId: string) => `${kind}:${orderId}`

export const buildNotedKey = (deviceId: string, what: string): string => `noted:${deviceId}:${what}`

export const forgetNoted = async (tx: WriteTx, deviceId: string): Promise<void> => {
  const { erased, erasedText } = AUDIT
  const ofDevice = like(attention.dedupeKey, buildNotedKey(deviceId, '%'))
  await tx.sql.update(attention).set({ detail: erasedText }).where(ofDevice).run()
  await tx.sql
    .update(attention)
    .set({ resolution: erasedText, resolvedByName: erased })
    .where(and(ofDevice, isNotNull(attention.resolvedAt)))
    .run()
}

/** Erases sellers' names from the matters of these orders. Matters of other kinds name no seller. */
export const forgetSellersIn = async (tx: WriteTx, which: SQL): Promise<void> => {
  const naming = inArray(attention.kind, ['noSeat', 'phoneEnded'])
  await tx.sql.update(attention).set({ detail: AUDIT.erasedText }).where(and(which, naming)).run()
}

/**
 * Erases names and texts from the resolutions of matters without an order that were created by then. Returns their
 * details, which name their subjects in the audit trail.
 */
export async function forgetStrayMatters(tx: WriteTx, until: Date): Promise<string[]> {
  const stray = and(isNull(attention.orderId), lte(attention.createdAt, until), isNotNull(attention.resolvedAt))
  const rows = await tx.sql
    .update(attention)
    .set({
      resolution: AUDIT.erasedText,
      resolvedByName: unlessNull(attention.resolvedByName, AUDIT.erased),
    })
    .where(stray)
    .returning({ detail: attention.detail })
    .all()
  return rows.map(({ detail }) => detail)
}

export const openAttention = async (tx: ReadTx): Promise<AttentionRow[]> =>
  tx.sql.select().from(attention).where(isNull(attention.resolvedAt)).orderBy(asc(attention.createdAt)).all()

export const everyAttention = async (tx: ReadTx, span: Span): Promise<AttentionRow[]> =>
  tx.sql.select().from(attention).where(isInSpan(attention.createdAt, span)).orderBy(asc(attention.createdAt)).all()

export const findAttention: Find<AttentionRow> = prepareFind(attention, attention.id)

/**
 * Links unmatched money to the order it turned out to belong to. The matter stays open while part of the money is
 * unused.
 */
export const linkMatterToOrder = async (
  tx: WriteTx,
  id: string,
  set: { orderId: string; paymentId: string },
): Promise<void> => {
  await tx.sql.update(attention).set(set).where(eq(attention.id, id)).run()
}

export const listOrderAttention = async (
  tx: ReadTx,
  { orderId, kind }: { orderId: string; kind?: AttentionRow['kind'] },
): Promise<AttentionRow[]> =>
  tx.sql
    .select()
    .from(attention)
    .where(
      and(
        eq(attention.orderId, orderId),
        kind === undefined ? undefined : eq(attention.kind, kind),
        isNull(attention.resolvedAt),
      ),
    )
    .orderBy(asc(attention.createdAt))
    .all()

/** Writes a person's resolution, even if their change has already resolved the matter automatically. */
export const resolveAttention = async (
  tx: WriteTx,
  id: string,
  set: { resolvedAt: Date; resolvedByName: string; resolution: string },
): Promise<AttentionRow> => tx.sql.update(attention).set(set).where(eq(attention.id, id)).returning().get()

export const reopenByKey = async (tx: WriteTx, dedupeKey: string): Promise<void> => {
  const open = { resolvedAt: null, resolvedByName: null, resolution: null }
  await tx.sql.update(attention).set(open).where(eq(attention.dedupeKey, dedupeKey)).run()
}

/** Lists the money that came through a link before its order was known: the provider's payment ids, and paise. */
export const unknownOfLink = async (
  tx: ReadTx,
  ref: string,
): Promise<{ paymentId: string; paise: number; at: Date }[]> =>
  (await openAttention(tx))
    .filter(({ kind, detail }) => kind === 'unknown' && detail.endsWith(` ${ref}`))
    .map(({ detail, amountPaise, createdAt }) => ({
      paymentId: detail.slice(0, -ref.length - 1),
      paise: amountPaise,
      at: createdAt,
    }))

/** Resolves an open matter automatically, or with others of its kind by a person. */
export const resolveByKey = async (
  tx: WriteTx,
  dedupeKey: string,
  set: Pick<AttentionRow, 'resolvedAt' | 'resolution'> & Partial<Pick<AttentionRow, 'resolvedByName'>>,
): Promise<void> => {
  const which = and(eq(attention.dedupeKey, dedupeKey), isNull(attention.resolvedAt))
  await tx.sql.update(attention).set(set).where(which).run()
}

/** Resolves a matter that `addOrderMatter` may have added. */
export const resolveOrderMatter = (
  tx: WriteTx,
  { kind, orderId }: Pick<AttentionRow, 'kind'> & { orderId: string },
  set: Parameters<typeof resolveByKey>[2],
): Promise<void> => resolveByKey(tx, orderMatterKey(kind, orderId), set)
