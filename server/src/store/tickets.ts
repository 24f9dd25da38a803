import { TICKET_KINDS } from '@garba/shared/contracts/names'
import { fold } from '@garba/shared/rules/search'
import { and, asc, count, desc, eq, gt, inArray, isNull, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, finder, inserter, prepared, updater } from './engine/preparedQueries.ts'
import { byName, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events, findEvent, releaseSeats, takeSeats } from './events.ts'
import { nextRevision, raisedRevision } from './meta.ts'
import { orders } from './orders.ts'
import type { ScanRow } from './scans.ts'
import { users } from './users.ts'

/** `deleted` is the tombstone that makes scanners refuse; every other reader skips such rows. */
const TICKET_ROW_STATUSES = ['active', 'used', 'cancelled', 'deleted'] as const
export type TicketRowStatus = (typeof TICKET_ROW_STATUSES)[number]

/** `nameOn` in SQL; drizzle-kit splits an index at the comma of coalesce(). */
export const nameOfTicket = ({ holderName, buyerName }: Record<'holderName' | 'buyerName', SQLWrapper>): SQL =>
  sql`case when ${holderName} is null then ${buyerName} else ${holderName} end`

export const tickets = sqliteTable(
  'tickets',
  {
    id: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    orderId: text().references(() => orders.id),
    /** Null once the buyer's account is deleted; name and email stay. */
    userId: text().references(() => users.id),
    buyerName: text().notNull(),
    buyerEmail: text().notNull(),
    /** The person who uses the ticket, if the owner has named one. */
    holderName: text(),
    pricePaise: integer().notNull(),
    /** How it was sold or given away. Some gates admit only some kinds. */
    kind: text({ enum: TICKET_KINDS }).notNull().default('online'),
    status: text({ enum: TICKET_ROW_STATUSES }).notNull(),
    qrCode: text().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    entryTime: integer({ mode: 'timestamp_ms' }),
    /** The scan that admitted the holder; null when an admin set the status. */
    entryScanId: text(),
    scannedByName: text(),
    scannedAtDevice: text(),
    /** The gate where the scan's device was. */
    entryGate: text(),
    cancelledAt: integer({ mode: 'timestamp_ms' }),
    cancellationReason: text(),
    isRefundDone: integer({ mode: 'boolean' }),
    /** The number of new codes it has had. Each makes a new row and turns the old one into a tombstone. */
    newCodes: integer().notNull().default(0),
    /** On such a tombstone, the time of the new code. The new row's id is derived from this one's (`idOfNewCode`). */
    replacedAt: integer({ mode: 'timestamp_ms' }),
    /** The roster revision of the last change. */
    revision: integer().notNull(),
    /** Folded id, names and email, so that a search does not miss accents. */
    searchText: text().notNull(),
  },
  (t) => [
    index('tickets_by_owner').on(t.userId, t.eventId, t.status),
    index('tickets_by_status').on(t.eventId, t.status, t.id),
    // SQLite uses a partial index only for a query with the same literal condition, so queries on these bind no status.
    index('tickets_sold')
      .on(t.eventId, t.createdAt, t.status, t.pricePaise)
      .where(sql`${t.status} in ('active', 'used')`),
    index('tickets_by_name').on(t.eventId, byName(nameOfTicket(t)), t.id),
    index('tickets_listed').on(t.eventId, t.id, t.status, t.searchText).where(sql`${t.status} <> 'deleted'`),
    index('tickets_by_revision').on(t.revision),
    index('tickets_by_order').on(t.orderId),
    check('tickets_status', sql`${t.status} in ('active', 'used', 'cancelled', 'deleted')`),
    check('tickets_entry', sql`(${t.status} <> 'used') or ${t.entryTime} is not null`),
  ],
)
export type TicketRow = typeof tickets.$inferSelect

/** Any ticket by id, tombstones included, for the gate. */
export const findTicketOrTombstone: Find<TicketRow> = finder(tickets, tickets.id)

/** The person the gate expects with a ticket: the one its owner named, or the buyer. */
export const nameOn = ({ holderName, buyerName }: Pick<TicketRow, 'holderName' | 'buyerName'>): string =>
  holderName ?? buyerName

export async function findTicket(tx: ReadTx, id: string): Promise<TicketRow | undefined> {
  const ticket = await findTicketOrTombstone(tx, id)
  return ticket?.status === 'deleted' ? undefined : ticket
}

/** The tickets of an order in the order they were made, without deleted ones. */
export async function ticketsOfOrder(tx: ReadTx, orderId: string): Promise<TicketRow[]> {
  const which = and(eq(tickets.orderId, orderId), ne(tickets.status, 'deleted'))
  return tx.sql.select().from(tickets).where(which).orderBy(asc(tickets.id)).all()
}

/** The existing tickets among these ids, ordered by id. */
export const ticketsWithIds = async (tx: ReadTx, ids: readonly string[]): Promise<TicketRow[]> =>
  tx.sql.select().from(tickets).where(inArray(tickets.id, ids)).orderBy(asc(tickets.id)).all()

/** A user's tickets, newest first. */
export async function ticketsOf(tx: ReadTx, userId: string): Promise<TicketRow[]> {
  const which = and(eq(tickets.userId, userId), ne(tickets.status, 'deleted'))
  return tx.sql.select().from(tickets).where(which).orderBy(desc(tickets.id)).all()
}

/** Matches tickets that take a seat; see `seated`. */
export const isSeated = inArray(tickets.status, ['active', 'used'])

const owned = prepared((db) =>
  db
    .select({ n: count() })
    .from(tickets)
    .where(
      and(eq(tickets.userId, sql.placeholder('userId')), isSeated, eq(tickets.eventId, sql.placeholder('eventId'))),
    )
    .prepare(),
)

/** Counts a user's active and used tickets of an event. */
export const countOwned = async (tx: ReadTx, which: { userId: string; eventId: string }): Promise<number> =>
  (await owned(tx).get(which))?.n ?? 0

/** Tickets of an event changed after a revision, tombstones included, oldest change first. */
export const ticketsSince = async (tx: ReadTx, { eventId, revision }: { eventId: string; revision: number }) =>
  tx.sql
    .select({
      id: tickets.id,
      status: tickets.status,
      name: sql<string>`coalesce(${tickets.holderName}, ${tickets.buyerName})`,
      entryTime: tickets.entryTime,
      kind: tickets.kind,
      gate: tickets.entryGate,
      replacedAt: tickets.replacedAt,
      revision: tickets.revision,
    })
    .from(tickets)
    .where(and(gt(tickets.revision, revision), eq(tickets.eventId, eventId)))
    .orderBy(asc(tickets.revision), asc(tickets.id))
    .all()

/** The time of the first change after a roster revision, unless later changes of its tickets hide it. */
export const firstChangeSince = async (
  tx: ReadTx,
  { eventId, revision }: { eventId: string; revision: number },
): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: tickets.updatedAt })
      .from(tickets)
      .where(and(gt(tickets.revision, revision), eq(tickets.eventId, eventId)))
      .orderBy(asc(tickets.revision))
      .limit(1)
      .get()
  )?.at ?? null

/** Removes tickets from a buyer whose account is being deleted; name and email stay. Returns the number of tickets. */
export const disownTickets = async (tx: WriteTx, userId: string): Promise<number> =>
  (
    await tx.sql
      .update(tickets)
      .set({ userId: null })
      .where(eq(tickets.userId, userId))
      .returning({ id: tickets.id })
      .all()
  ).length

/**
 * Gives tickets without an account that were bought with an email to the account that proved this email. Returns the
 * number of tickets.
 */
export async function adoptTickets(tx: WriteTx, { userId, email }: { userId: string; email: string }): Promise<number> {
  const which = and(isNull(tickets.userId), eq(tickets.buyerEmail, email), ne(tickets.status, 'deleted'))
  return (await tx.sql.update(tickets).set({ userId }).where(which).returning({ id: tickets.id }).all()).length
}

export type TicketCode = Pick<TicketRow, 'id' | 'eventId' | 'qrCode'>

/** The code of every ticket that has one to show, or may have one again. */
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

type Searched = Pick<TicketRow, 'id' | 'buyerName' | 'buyerEmail' | 'holderName'>

/** The folded text in which a search looks. */
export const ticketSearchText = ({ id, buyerName, buyerEmail, holderName }: Searched): string =>
  fold([id, buyerName, buyerEmail, ...(holderName === null ? [] : [holderName])].join(' '))

interface Giving {
  to: Pick<TicketRow, 'buyerName' | 'buyerEmail'> & { userId: string }
  ids: readonly string[]
  now: Date
}

/**
 * Moves tickets without an owner to an account and its name, because its owner may not be the buyer, whose name and
 * email stay with the order. Tickets with an owner do not move. Returns the number of tickets.
 */
export async function giveTickets(tx: WriteTx, { to, ids, now }: Giving): Promise<number> {
  const given = (await ticketsWithIds(tx, ids)).filter(({ userId, status }) => userId === null && status !== 'deleted')
  if (given.length === 0) return 0
  const revision = await nextRevision(tx)
  for (const ticket of given) await nameBuyer(tx, ticket, { to, now, revision })
  return given.length
}

/** Writes a ticket's owner, whatever its status. */
export async function nameBuyer(
  tx: WriteTx,
  ticket: TicketRow,
  { to, now, revision }: Pick<Giving, 'to' | 'now'> & { revision: number },
): Promise<void> {
  await tx.sql
    .update(tickets)
    .set({ ...to, searchText: ticketSearchText({ ...ticket, ...to }), updatedAt: now, revision })
    .where(eq(tickets.id, ticket.id))
    .run()
}

export type SoldTicket = Pick<
  TicketRow,
  'id' | 'orderId' | 'userId' | 'buyerName' | 'buyerEmail' | 'pricePaise' | 'kind' | 'qrCode' | 'createdAt'
>

/** These values clear an entry or a cancellation that is undone. */
export const NO_ENTRY = {
  entryTime: null,
  entryScanId: null,
  scannedByName: null,
  scannedAtDevice: null,
  entryGate: null,
}
export const NO_CANCELLATION = { cancelledAt: null, cancellationReason: null, isRefundDone: null }

/** A ticket's columns about the scan that let its holder in. */
export const entryBy = (
  scan: Pick<ScanRow, 'id' | 'at' | 'checkerName' | 'deviceId' | 'deviceName' | 'gate'>,
): Pick<TicketRow, keyof typeof NO_ENTRY> => ({
  entryTime: scan.at,
  entryScanId: scan.id,
  scannedByName: scan.checkerName,
  scannedAtDevice: scan.deviceName ?? scan.deviceId,
  entryGate: scan.gate,
})

/** Makes the rows of new tickets, on seats already taken; `insertTickets` writes them once their order exists. */
export async function newTickets(tx: WriteTx, eventId: string, sold: readonly SoldTicket[]): Promise<TicketRow[]> {
  const revision = await nextRevision(tx)
  return sold.map((ticket) => ({
    ...ticket,
    holderName: null,
    ...NO_ENTRY,
    ...NO_CANCELLATION,
    eventId,
    status: 'active',
    newCodes: 0,
    replacedAt: null,
    updatedAt: ticket.createdAt,
    revision,
    searchText: ticketSearchText({ ...ticket, holderName: null }),
  }))
}

const insert = inserter(tickets)

export const insertTickets = async (tx: WriteTx, rows: readonly TicketRow[]): Promise<void> => {
  for (const row of rows) await insert(tx, row)
}

const move = updater(
  tickets,
  and(eq(tickets.id, sql.placeholder('ofId')), eq(tickets.status, sql.placeholder('from'))),
  { revision: raisedRevision },
)

export const seated = (status: TicketRowStatus): boolean => status === 'active' || status === 'used'

/**
 * The only way to change a ticket's status: guarded by the status it was read with, with seats and roster revision kept
 * in step. `set` has what goes with the new status (entry, cancellation, refund). `stale`: another change was faster,
 * nothing changed. `noSeat`: it needs a seat and none is free.
 */
export async function moveTicket(
  tx: WriteTx,
  { id, eventId, status: from }: Pick<TicketRow, 'id' | 'eventId' | 'status'>,
  set: { status: TicketRowStatus } & Partial<TicketRow>,
  now: Date,
): Promise<TicketRow | 'stale' | 'noSeat'> {
  const takes = !seated(from) && seated(set.status)
  if (takes && (await takeSeats(tx, eventId, 1)) === null) return 'noSeat'
  const [, moved] = await Promise.all([nextRevision(tx), move(tx, { ...set, updatedAt: now }, { ofId: id, from })])
  if ((takes && !moved) || (moved && seated(from) && !seated(set.status))) await releaseSeats(tx, eventId, 1)
  return moved ?? 'stale'
}

/** Changes a ticket's entry but not its status. */
export async function correctEntry(
  tx: WriteTx,
  id: string,
  set: Pick<TicketRow, keyof typeof NO_ENTRY | 'updatedAt'>,
): Promise<TicketRow> {
  const revision = await nextRevision(tx)
  return tx.sql
    .update(tickets)
    .set({ ...set, revision })
    .where(eq(tickets.id, id))
    .returning()
    .get()
}

interface Names {
  buyerName?: string
  /** Null for the buyer. */
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

/** Writes the holder of an active ticket, null for the buyer. `stale`: it is no longer active, and nothing changed. */
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
