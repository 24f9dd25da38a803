import { PROMO_KINDS } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { prepareQuery } from './engine/preparedQueries.ts'
import { insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'

/** Codes that guests type: they lower prices or show hidden types. */
export const promoCodes = sqliteTable(
  'promo_codes',
  {
    id: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** As its maker wrote it, and as codes are compared: without spaces, in capitals. */
    code: text().notNull(),
    compared: text().notNull(),
    kind: text({ enum: PROMO_KINDS }).notNull(),
    /** Hundredths of a per cent or paise; null for access codes. */
    valueHundredths: integer(),
    typeIds: text({ mode: 'json' }).$type<string[]>(),
    until: integer({ mode: 'timestamp_ms' }),
    /** The tickets it is good for, in all and for one person; null for no limit. */
    tickets: integer(),
    perPerson: integer(),
    note: text().notNull(),
    paused: integer({ mode: 'boolean' }).notNull().default(false),
    /** Counts tickets that hold a seat, and those of held orders. */
    used: integer().notNull().default(0),
    createdById: text(),
    createdByName: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [
    uniqueIndex('promo_codes_compared').on(t.eventId, t.compared),
    check('promo_codes_used', sql`${t.used} >= 0 and (${t.tickets} is null or ${t.used} <= ${t.tickets})`),
  ],
)
export type PromoCodeRow = typeof promoCodes.$inferSelect

export const insertPromoCode = (tx: WriteTx, row: PromoCodeRow): Promise<boolean> => insertNew(tx, promoCodes, row)

export const listPromoCodes = async (tx: ReadTx, eventId: string): Promise<PromoCodeRow[]> =>
  tx.sql.select().from(promoCodes).where(eq(promoCodes.eventId, eventId)).orderBy(desc(promoCodes.id)).all()

const usable = prepareQuery((db) =>
  db
    .select({ id: promoCodes.id })
    .from(promoCodes)
    .where(
      and(
        eq(promoCodes.eventId, sql.placeholder('eventId')),
        eq(promoCodes.paused, false),
        or(isNull(promoCodes.until), gt(promoCodes.until, sql.placeholder('now'))),
        or(isNull(promoCodes.tickets), lt(promoCodes.used, promoCodes.tickets)),
      ),
    )
    .limit(1)
    .prepare(),
)

/** Whether any code of the event can be used now. Each visit of the site asks. */
export const hasUsableCode = async (tx: ReadTx, eventId: string, now: Date): Promise<boolean> =>
  (await usable(tx).get({ eventId, now: now.getTime() })) !== undefined

export const findPromoCode = async (
  tx: ReadTx,
  { eventId, compared }: Pick<PromoCodeRow, 'eventId' | 'compared'>,
): Promise<PromoCodeRow | undefined> =>
  tx.sql
    .select()
    .from(promoCodes)
    .where(and(eq(promoCodes.eventId, eventId), eq(promoCodes.compared, compared)))
    .get()

export const findPromoCodeById = async (tx: ReadTx, id: string): Promise<PromoCodeRow | undefined> =>
  tx.sql.select().from(promoCodes).where(eq(promoCodes.id, id)).get()

export const pausePromoCode = async (tx: WriteTx, id: string, paused: boolean): Promise<PromoCodeRow | undefined> =>
  tx.sql.update(promoCodes).set({ paused }).where(eq(promoCodes.id, id)).returning().get()

const used = sql`${promoCodes.used} + ${sql.placeholder('uses')}`
const redeem = prepareQuery((db) =>
  db
    .update(promoCodes)
    .set({ used })
    .where(
      and(
        eq(promoCodes.id, sql.placeholder('id')),
        or(isNull(promoCodes.tickets), sql`${used} <= ${promoCodes.tickets}`),
      ),
    )
    .returning({ used: promoCodes.used })
    .prepare(),
)

/** Uses a code for so many tickets, if it is good for them; false if it took none. */
export const redeemCode = async (tx: WriteTx, id: string, uses: number): Promise<boolean> =>
  (await redeem(tx).get({ id, uses })) !== undefined

export const giveBackCode = async (tx: WriteTx, id: string, uses: number): Promise<void> => {
  await tx.sql
    .update(promoCodes)
    .set({ used: sql`${promoCodes.used} - ${uses}` })
    .where(eq(promoCodes.id, id))
    .run()
}

export const forgetCodeMakers = async (tx: WriteTx, eventId: string): Promise<void> => {
  await tx.sql
    .update(promoCodes)
    .set({ createdById: null, createdByName: AUDIT.erased, note: '' })
    .where(eq(promoCodes.eventId, eventId))
    .run()
}
