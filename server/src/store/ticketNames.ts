import { and, eq } from 'drizzle-orm'
import type { WriteTx } from './engine/sql.ts'
import { findEvent } from './events.ts'
import { nextRevision } from './meta.ts'
import { type TicketRow, ticketSearchText, tickets, ticketsOf } from './tickets.ts'

interface Names {
  buyerName?: string
  /** null for the buyer. */
  holderName?: string | null
}

/** Writes names on an active ticket. `stale`: it is no longer active, and nothing changed. */
async function write(tx: WriteTx, ticket: TicketRow, { names, now }: { names: Names; now: Date }) {
  const searchText = ticketSearchText({ ...ticket, ...names })
  const named = await tx.sql
    .update(tickets)
    .set({ ...names, searchText, updatedAt: now, revision: await nextRevision(tx) })
    .where(and(eq(tickets.id, ticket.id), eq(tickets.status, 'active')))
    .returning()
    .get()
  return named ?? ('stale' as const)
}

/** Writes the user of an active ticket, null for the buyer. `stale`: it is no longer active, and nothing changed. */
export const nameTicket = async (
  tx: WriteTx,
  ticket: TicketRow,
  { holderName, now }: { holderName: string | null; now: Date },
): Promise<TicketRow | 'stale'> => write(tx, ticket, { names: { holderName }, now })

/**
 * Writes a person's new name as the buyer's on their active tickets for the current event; others keep theirs. Returns
 * the number of tickets.
 */
export async function renameBuyer(
  tx: WriteTx,
  { userId, name, now }: { userId: string; name: string; now: Date },
): Promise<number> {
  const event = await findEvent(tx)
  const active = (await ticketsOf(tx, userId)).filter(
    ({ status, eventId }) => status === 'active' && eventId === event?.id,
  )
  for (const ticket of active) await write(tx, ticket, { names: { buyerName: name }, now })
  return active.length
}
