import { LOST_STATES } from '@garba/shared/contracts/names'
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert } from './engine/preparedQueries.ts'
import { countIn, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import { users } from './users.ts'

/** Genuinely signed tickets for this event that guests' devices hold and this database does not know. */
export const lostTickets = sqliteTable(
  'lost_tickets',
  {
    id: text().primaryKey(),
    ticketId: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    qrCode: text().notNull(),
    /** The account that offers it. Several accounts may offer the same ticket. */
    userId: text()
      .notNull()
      .references(() => users.id),
    offeredAt: integer({ mode: 'timestamp_ms' }).notNull(),
    state: text({ enum: LOST_STATES }).notNull(),
    decidedAt: integer({ mode: 'timestamp_ms' }),
    decidedByName: text(),
    note: text(),
  },
  (t) => [
    uniqueIndex('lost_tickets_once').on(t.userId, t.ticketId),
    index('lost_tickets_by_ticket').on(t.ticketId),
    index('lost_tickets_listed').on(t.eventId, t.state, t.id),
    check('lost_tickets_state', sql`${t.state} in ('waiting', 'confirmed', 'refused')`),
  ],
)
export type LostRow = typeof lostTickets.$inferSelect

export const insertLost = prepareInsert(lostTickets)

export const findLost: Find<LostRow> = prepareFind(lostTickets, lostTickets.id)

export const listUserOffers = async (tx: ReadTx, userId: string): Promise<LostRow[]> =>
  tx.sql.select().from(lostTickets).where(eq(lostTickets.userId, userId)).orderBy(asc(lostTickets.id)).all()

export const listTicketOffers = async (tx: ReadTx, ticketIds: readonly string[]): Promise<LostRow[]> =>
  tx.sql.select().from(lostTickets).where(inArray(lostTickets.ticketId, ticketIds)).orderBy(asc(lostTickets.id)).all()

const waiting = eq(lostTickets.state, 'waiting')

export async function listLost(
  tx: ReadTx,
  { eventId, decided }: { eventId: string; decided: number },
): Promise<LostRow[]> {
  const ofEvent = eq(lostTickets.eventId, eventId)
  const open = await tx.sql.select().from(lostTickets).where(and(ofEvent, waiting)).orderBy(asc(lostTickets.id)).all()
  const decidedRows = await tx.sql
    .select()
    .from(lostTickets)
    .where(and(ofEvent, ne(lostTickets.state, 'waiting')))
    .orderBy(desc(lostTickets.decidedAt))
    .limit(decided)
    .all()
  return [...open, ...decidedRows]
}

export const countLost = (tx: ReadTx, eventId: string): Promise<number> =>
  countIn(tx, lostTickets, and(eq(lostTickets.eventId, eventId), waiting))

export type LostDecision = Pick<LostRow, 'state' | 'decidedAt' | 'decidedByName' | 'note'>
export const decideLost = async (tx: WriteTx, id: string, set: LostDecision): Promise<LostRow | undefined> =>
  tx.sql.update(lostTickets).set(set).where(eq(lostTickets.id, id)).returning().get()

export const forgetUserOffers = async (tx: WriteTx, userIds: readonly string[]): Promise<void> => {
  await tx.sql.delete(lostTickets).where(inArray(lostTickets.userId, userIds)).run()
}

export const forgetLostAt = async (tx: WriteTx, eventId: string): Promise<void> => {
  await tx.sql.delete(lostTickets).where(eq(lostTickets.eventId, eventId)).run()
}
