import { and, eq } from 'drizzle-orm'
import { countIn, type ReadTx, sumColumn, type WriteTx } from './engine/sql.ts'
import { nextRevision } from './meta.ts'
import { orders } from './orders.ts'
import { isSeated, tickets } from './tickets.ts'

/** Lets phones fetch every ticket again. */
export const stampTickets = async (tx: WriteTx, eventId: string): Promise<void> => {
  const revision = await nextRevision(tx)
  await tx.sql.update(tickets).set({ revision }).where(eq(tickets.eventId, eventId)).run()
}

export const typesWithTickets = async (tx: ReadTx, eventId: string): Promise<Set<string>> =>
  new Set(
    (await tx.sql.selectDistinct({ id: tickets.typeId }).from(tickets).where(eq(tickets.eventId, eventId)).all()).map(
      ({ id }) => id,
    ),
  )

export async function countCodeUses(tx: ReadTx, { id, userId }: { id: string; userId: string }): Promise<number> {
  const own = and(eq(tickets.userId, userId), eq(tickets.promoCodeId, id), isSeated)
  const held = and(eq(orders.userId, userId), eq(orders.promoCodeId, id), eq(orders.state, 'held'))
  const inHold = await tx.sql
    .select({ uses: sumColumn(orders.promoUses) })
    .from(orders)
    .where(held)
    .get()
  return (await countIn(tx, tickets, own)) + (inHold?.uses ?? 0)
}

export const disownTickets = async (tx: WriteTx, userId: string): Promise<number> =>
  (
    await tx.sql
      .update(tickets)
      .set({ userId: null })
      .where(eq(tickets.userId, userId))
      .returning({ id: tickets.id })
      .all()
  ).length
