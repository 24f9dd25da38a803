import { NEW_CODES_MAX } from '@garba/shared/constants'
import { and, eq, gte, isNotNull, lt, ne } from 'drizzle-orm'
import { firstIdAt, idFor, type ReadTx, timeOfId, type WriteTx } from './engine/sql.ts'
import { nextRevision } from './meta.ts'
import { refunds } from './refunds.ts'
import { linkTickets } from './ticketLinks.ts'
import {
  findTicketOrTombstone,
  insertTickets,
  type TicketCode,
  type TicketRow,
  ticketSearchText,
  tickets,
} from './tickets.ts'

/**
 * A ticket with a new code is a new row, because the code contains its id. The new id is derived from the old id, so
 * that a server restored to before the change can tell which ticket the new code belongs to. It keeps the time of the
 * sale.
 */
export const idOfNewCode = (id: string): string => idFor(`new code of ${id}`, timeOfId(id))

/**
 * Moves an active ticket to the id of its new code, with its seat, refunds and links. The old row becomes a tombstone
 * with the time. `stale`: it is no longer active, and nothing changed.
 */
export async function replaceTicketId(
  tx: WriteTx,
  ticket: TicketRow,
  { qrCode, now }: { qrCode: string; now: Date },
): Promise<TicketRow | 'stale'> {
  const revision = await nextRevision(tx)
  const replaced = await tx.sql
    .update(tickets)
    .set({ status: 'deleted', replacedAt: now, updatedAt: now, revision })
    .where(and(eq(tickets.id, ticket.id), eq(tickets.status, 'active')))
    .returning()
    .get()
  if (!replaced) return 'stale'
  const id = idOfNewCode(ticket.id)
  const renewed: TicketRow = {
    ...ticket,
    id,
    qrCode,
    newCodes: ticket.newCodes + 1,
    updatedAt: now,
    revision,
    searchText: ticketSearchText({ ...ticket, id }),
  }
  await insertTickets(tx, [renewed])
  await tx.sql.update(refunds).set({ ticketId: id }).where(eq(refunds.ticketId, ticket.id)).run()
  await tx.sql.update(linkTickets).set({ ticketId: id }).where(eq(linkTickets.ticketId, ticket.id)).run()
  return renewed
}

/** Owners and the desk may replace a code this often; a correction of the buyer may replace it once more each time. */
const CODES_EVER = 2 * NEW_CODES_MAX

export function laterIds(id: string, most: number = CODES_EVER): string[] {
  const ids: string[] = []
  while (ids.length < most) ids.push(idOfNewCode(ids.at(-1) ?? id))
  return ids
}

/** The active ticket whose new codes lead to an unknown id, and the ids in between, the unknown id last. */
export async function ticketOfLaterCode(
  tx: ReadTx,
  unknown: string,
): Promise<{ ticket: TicketRow; ids: string[] } | null> {
  const at = timeOfId(unknown)
  const soldThen = and(gte(tickets.id, firstIdAt(at)), lt(tickets.id, firstIdAt(new Date(at.getTime() + 1))))
  const which = and(soldThen, eq(tickets.status, 'active'))
  const rows = await tx.sql.select().from(tickets).where(which).all()
  for (const ticket of rows) {
    const ids = laterIds(ticket.id, CODES_EVER - ticket.newCodes)
    if (ids.includes(unknown)) return { ticket, ids: ids.slice(0, ids.indexOf(unknown) + 1) }
  }
  return null
}

export async function ticketNow(tx: ReadTx, id: string): Promise<TicketRow | undefined> {
  let row = await findTicketOrTombstone(tx, id)
  while (row?.replacedAt) row = await findTicketOrTombstone(tx, idOfNewCode(row.id))
  return row
}

export async function idsOfNow(tx: ReadTx, eventId: string): Promise<Map<string, string>> {
  const which = and(eq(tickets.eventId, eventId), eq(tickets.status, 'deleted'), isNotNull(tickets.replacedAt))
  const replaced = new Set(
    (await tx.sql.select({ id: tickets.id }).from(tickets).where(which).all()).map(({ id }) => id),
  )
  return new Map(
    [...replaced].map((id) => {
      let now = idOfNewCode(id)
      while (replaced.has(now)) now = idOfNewCode(now)
      return [id, now]
    }),
  )
}

export const ticketCodes = async (tx: ReadTx): Promise<TicketCode[]> =>
  tx.sql
    .select({ id: tickets.id, eventId: tickets.eventId, qrCode: tickets.qrCode })
    .from(tickets)
    .where(ne(tickets.status, 'deleted'))
    .all()

export const replaceCode = async (
  tx: WriteTx,
  id: string,
  set: Pick<TicketRow, 'qrCode' | 'updatedAt'>,
): Promise<void> => {
  await tx.sql.update(tickets).set(set).where(eq(tickets.id, id)).run()
}
