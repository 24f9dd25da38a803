import { fold } from '@garba/shared/rules/search'
import { and, asc, count, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { nextRevision } from './meta.ts'
import { inserter, prepared, updater } from './prepared.ts'
import { tickets } from './schema.ts'
import { releaseSeats, takeSeats } from './seats.ts'
import type { Sql } from './sql.ts'
import type { TicketRow, TicketRowStatus } from './tables/tickets.ts'

const byId = prepared((db) =>
  db
    .select()
    .from(tickets)
    .where(eq(tickets.id, sql.placeholder('id')))
    .prepare(),
)

/** Any ticket by id, tombstones included: what the gate needs. */
export const findTicketOrTombstone = (db: Sql, id: string): TicketRow | undefined => byId(db).get({ id })

export function findTicket(db: Sql, id: string): TicketRow | undefined {
  const ticket = findTicketOrTombstone(db, id)
  return ticket?.status === 'deleted' ? undefined : ticket
}

/** A user's tickets, newest first. */
export const ticketsOf = (db: Sql, userId: string): TicketRow[] =>
  db
    .select()
    .from(tickets)
    .where(and(eq(tickets.userId, userId), ne(tickets.status, 'deleted')))
    .orderBy(desc(tickets.id))
    .all()

const owned = prepared((db) =>
  db
    .select({ n: count() })
    .from(tickets)
    .where(
      and(
        eq(tickets.userId, sql.placeholder('userId')),
        inArray(tickets.status, ['active', 'used']),
        eq(tickets.eventId, sql.placeholder('eventId')),
      ),
    )
    .prepare(),
)

/** How many active and used tickets of an event a user has. */
export const countOwned = (db: Sql, which: { userId: string; eventId: string }): number => owned(db).get(which)?.n ?? 0

/** Tickets changed after a revision, tombstones included, oldest change first. */
export const ticketsSince = (db: Sql, revision: number) =>
  db
    .select({
      id: tickets.id,
      status: tickets.status,
      name: tickets.buyerName,
      entryTime: tickets.entryTime,
      revision: tickets.revision,
    })
    .from(tickets)
    .where(gt(tickets.revision, revision))
    .orderBy(asc(tickets.revision), asc(tickets.id))
    .all()

/** When the first change after a roster revision was made, as far as no later change of its tickets hides it. */
export const firstChangeSince = (db: Sql, revision: number): Date | null =>
  db
    .select({ at: tickets.updatedAt })
    .from(tickets)
    .where(gt(tickets.revision, revision))
    .orderBy(asc(tickets.revision))
    .limit(1)
    .get()?.at ?? null

/** Parts tickets from a buyer whose account goes; name and email stay on them (DECISIONS 2). Says how many they are. */
export const disownTickets = (db: Sql, userId: string): number =>
  db.update(tickets).set({ userId: null }).where(eq(tickets.userId, userId)).run().changes

/** Gives the tickets of deleted accounts that carry an email to the account that proved it. Says how many they are. */
export const adoptTickets = (db: Sql, { userId, email }: { userId: string; email: string }): number =>
  db
    .update(tickets)
    .set({ userId })
    .where(and(isNull(tickets.userId), eq(tickets.buyerEmail, email), ne(tickets.status, 'deleted')))
    .run().changes

export type TicketCode = Pick<TicketRow, 'id' | 'eventId' | 'qrCode'>

/** The code of every ticket that has one to show, or may have again. */
export const ticketCodes = (db: Sql): TicketCode[] =>
  db
    .select({ id: tickets.id, eventId: tickets.eventId, qrCode: tickets.qrCode })
    .from(tickets)
    .where(ne(tickets.status, 'deleted'))
    .all()

export const replaceCode = (db: Sql, id: string, set: Pick<TicketRow, 'qrCode' | 'updatedAt'>): void => {
  db.update(tickets).set(set).where(eq(tickets.id, id)).run()
}

export type SoldTicket = Pick<
  TicketRow,
  'id' | 'orderId' | 'userId' | 'buyerName' | 'buyerEmail' | 'pricePaise' | 'qrCode' | 'createdAt'
>

/** The facts that go when a ticket stops being used, or cancelled. */
export const NO_ENTRY = { entryTime: null, entryScanId: null, scannedByName: null, scannedAtDevice: null }
export const NO_CANCELLATION = { cancelledAt: null, cancellationReason: null, isRefundDone: null }

/**
 * Takes seats of the event for tickets and answers their rows, which their order and then `insertTickets` write; null
 * when too few seats are free: then nothing was taken.
 */
export function seatSold(db: Sql, eventId: string, sold: readonly SoldTicket[]): TicketRow[] | null {
  if (!takeSeats(db, eventId, sold.length)) return null
  const revision = nextRevision(db)
  return sold.map((ticket) => ({
    ...ticket,
    ...NO_ENTRY,
    ...NO_CANCELLATION,
    eventId,
    status: 'active',
    updatedAt: ticket.createdAt,
    revision,
    searchText: fold(`${ticket.id} ${ticket.buyerName} ${ticket.buyerEmail}`),
  }))
}

const insert = inserter(tickets)

export const insertTickets = (db: Sql, rows: readonly TicketRow[]): void => {
  for (const row of rows) insert(db, row)
}

export interface Move {
  id: string
  eventId: string
  from: TicketRowStatus
  /** The new status and whatever goes with it (entry, cancellation, refund). */
  set: { status: TicketRowStatus } & Partial<TicketRow>
  now: Date
}

const move = updater(tickets, and(eq(tickets.id, sql.placeholder('ofId')), eq(tickets.status, sql.placeholder('from'))))

const seated = (status: TicketRowStatus): boolean => status === 'active' || status === 'used'

/**
 * The only way a ticket's status changes: guarded by the status it is thought to have, seats and roster revision kept
 * in step. `stale`: someone else was faster, nothing changed. `noSeat`: it needs a seat and none is free.
 */
export function moveTicket(db: Sql, { id, eventId, from, set, now }: Move): TicketRow | 'stale' | 'noSeat' {
  const takes = !seated(from) && seated(set.status)
  if (takes && !takeSeats(db, eventId, 1)) return 'noSeat'
  const moved = move(db, { ...set, updatedAt: now, revision: nextRevision(db) }, { ofId: id, from })
  if ((takes && !moved) || (moved && seated(from) && !seated(set.status))) releaseSeats(db, eventId, 1)
  return moved ?? 'stale'
}

/** Changes a ticket without moving its status: the entry of an admission that turned out to be the earlier one. */
export const correctEntry = (
  db: Sql,
  id: string,
  set: Pick<TicketRow, 'entryTime' | 'entryScanId' | 'scannedByName' | 'scannedAtDevice' | 'updatedAt'>,
): TicketRow =>
  db
    .update(tickets)
    .set({ ...set, revision: nextRevision(db) })
    .where(eq(tickets.id, id))
    .returning()
    .get()
