import { TICKET_KINDS } from '@garba/shared/contracts/names'
import { buildSearchText } from '@garba/shared/rules/search'
import { and, asc, count, desc, eq, gt, inArray, isNull, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { codeBlocks } from './codeBlocks.ts'
import { type Find, prepareFind, prepareInsert, prepareQuery, prepareUpdate } from './engine/preparedQueries.ts'
import { byName, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events, findEvent } from './events.ts'
import { nextRevision, raisedRevision } from './meta.ts'
import { orders } from './orders.ts'
import { giveBackCode, redeemCode } from './promoCodes.ts'
import type { ScanRow } from './scans.ts'
import { releaseSeats, takeSeats } from './typeSeats.ts'
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
    holderName: text(),
    number: integer().notNull(),
    pricePaise: integer().notNull(),
    typeId: text().notNull(),
    /** The promo code that lowered its price or let its type be bought. */
    promoCodeId: text(),
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
    entryGate: text(),
    /** When everybody who came in with it had left; null while somebody is inside, or nobody came. */
    leftAt: integer({ mode: 'timestamp_ms' }),
    cancelledAt: integer({ mode: 'timestamp_ms' }),
    cancellationReason: text(),
    isRefundDone: integer({ mode: 'boolean' }),
    /** It was settled when it was cancelled, because the deductions left nothing to give back. */
    nothingToRefund: integer({ mode: 'boolean' }).notNull().default(false),
    /** Its price goes back without deductions: the event was called off, or had moved. */
    refundInFull: integer({ mode: 'boolean' }).notNull().default(false),
    /** The number of new codes it has had. Each makes a new row and turns the old row into a tombstone. */
    newCodes: integer().notNull().default(0),
    /**
     * On such a tombstone, the time of the new code. The new row's id is derived from this row's id (`idOfNewCode`).
     */
    replacedAt: integer({ mode: 'timestamp_ms' }),
    paperNumber: integer(),
    paperBlockId: text(),
    revision: integer().notNull(),
    searchText: text().notNull(),
  },
  (t) => [
    index('tickets_by_owner').on(t.userId, t.eventId, t.status, t.number),
    index('tickets_by_status').on(t.eventId, t.status, t.id),
    // SQLite uses a partial index only for a query with the same literal condition, so queries on these bind no status.
    index('tickets_sold')
      .on(t.eventId, t.createdAt, t.status, t.pricePaise)
      .where(sql`${t.status} in ('active', 'used')`),
    index('tickets_by_name').on(t.eventId, byName(nameOfTicket(t)), t.id),
    index('tickets_listed')
      .on(
        ...[t.eventId, t.id, t.status, t.searchText, t.userId, t.orderId],
        ...[t.pricePaise, t.createdAt, t.entryTime, t.cancelledAt],
      )
      .where(sql`${t.status} <> 'deleted'`),
    index('tickets_by_revision').on(t.revision),
    index('tickets_by_order').on(t.orderId),
    check('tickets_status', sql`${t.status} in ('active', 'used', 'cancelled', 'deleted')`),
    check('tickets_entry', sql`(${t.status} <> 'used') or ${t.entryTime} is not null`),
  ],
)
export type TicketRow = typeof tickets.$inferSelect

export const findTicketOrTombstone: Find<TicketRow> = prepareFind(tickets, tickets.id)

export const getNameOnTicket = ({ holderName, buyerName }: Pick<TicketRow, 'holderName' | 'buyerName'>): string =>
  holderName ?? buyerName

export async function findTicket(tx: ReadTx, id: string): Promise<TicketRow | undefined> {
  const ticket = await findTicketOrTombstone(tx, id)
  return ticket?.status === 'deleted' ? undefined : ticket
}

export async function ticketsOfOrder(tx: ReadTx, orderId: string): Promise<TicketRow[]> {
  const which = and(eq(tickets.orderId, orderId), ne(tickets.status, 'deleted'))
  return tx.sql.select().from(tickets).where(which).orderBy(asc(tickets.number)).all()
}

export const rowsOfOrder = async (tx: ReadTx, orderId: string): Promise<TicketRow[]> =>
  tx.sql.select().from(tickets).where(eq(tickets.orderId, orderId)).orderBy(asc(tickets.id)).all()

export const ticketsWithIds = async (tx: ReadTx, ids: readonly string[]): Promise<TicketRow[]> =>
  tx.sql.select().from(tickets).where(inArray(tickets.id, ids)).orderBy(asc(tickets.id)).all()

export async function listUserTickets(tx: ReadTx, userId: string): Promise<TicketRow[]> {
  const which = and(eq(tickets.userId, userId), ne(tickets.status, 'deleted'))
  return tx.sql.select().from(tickets).where(which).orderBy(desc(tickets.createdAt), desc(tickets.number)).all()
}

export const isSeated = inArray(tickets.status, ['active', 'used'])

const owned = prepareQuery((db) =>
  db
    .select({ n: count() })
    .from(tickets)
    .where(
      and(eq(tickets.userId, sql.placeholder('userId')), isSeated, eq(tickets.eventId, sql.placeholder('eventId'))),
    )
    .prepare(),
)

export const countOwned = async (tx: ReadTx, which: { userId: string; eventId: string }): Promise<number> =>
  (await owned(tx).get(which))?.n ?? 0

interface ChangesSince {
  eventId: string
  revision: number
}

/** `|| ''` makes SQLite read by revision: by event it would read every ticket for each phone. */
const changedSince = ({ eventId, revision }: ChangesSince) =>
  and(gt(tickets.revision, revision), sql`${tickets.eventId} || '' = ${eventId}`)

export const ticketsSince = async (tx: ReadTx, which: ChangesSince) =>
  tx.sql
    .select({
      id: tickets.id,
      status: tickets.status,
      name: sql<string>`coalesce(${tickets.holderName}, ${tickets.buyerName})`,
      buyer: tickets.buyerName,
      order: orders.code,
      entryTime: tickets.entryTime,
      kind: tickets.kind,
      typeId: tickets.typeId,
      gate: tickets.entryGate,
      leftAt: tickets.leftAt,
      paperNumber: tickets.paperNumber,
      paperBlock: codeBlocks.label,
      replacedAt: tickets.replacedAt,
      revision: tickets.revision,
    })
    .from(tickets)
    .leftJoin(orders, eq(orders.id, tickets.orderId))
    .leftJoin(codeBlocks, eq(codeBlocks.id, tickets.paperBlockId))
    .where(changedSince(which))
    .orderBy(asc(tickets.revision), asc(tickets.id))
    .all()

/** The time of the first change after a roster revision, unless later changes of its tickets hide it. */
export const firstChangeSince = async (tx: ReadTx, which: ChangesSince): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: tickets.updatedAt })
      .from(tickets)
      .where(changedSince(which))
      .orderBy(asc(tickets.revision))
      .limit(1)
      .get()
  )?.at ?? null

/**
 * Finds new numbers for tickets that join an account. They keep their numbers, but where the account, or one bought
 * earlier among them, has the same number for the event, they get the next.
 */
async function findNewNumbers(
  tx: ReadTx,
  userId: string,
  joining: readonly TicketRow[],
): Promise<ReadonlyMap<string, number>> {
  const owned = await tx.sql.select().from(tickets).where(eq(tickets.userId, userId)).all()
  const numbers = new Map<string, number>()
  for (const [eventId, bought] of Map.groupBy(sortByAge(joining), (ticket) => ticket.eventId)) {
    const taken = new Set(owned.flatMap((ticket) => (ticket.eventId === eventId ? ticket.number : [])))
    const clashing: string[] = []
    for (const { id, number } of bought) {
      if (taken.has(number)) clashing.push(id)
      taken.add(number)
    }
    const last = Math.max(...taken)
    for (const [at, id] of clashing.entries()) numbers.set(id, last + at + 1)
  }
  return numbers
}

const sortByAge = (rows: readonly TicketRow[]): TicketRow[] =>
  rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.number - b.number)

/**
 * Gives tickets without an account that were bought with an email to the account that proved this email. Returns the
 * number of tickets.
 */
export async function adoptTickets(tx: WriteTx, { userId, email }: { userId: string; email: string }): Promise<number> {
  const which = and(isNull(tickets.userId), eq(tickets.buyerEmail, email), ne(tickets.status, 'deleted'))
  const joining = await tx.sql.select().from(tickets).where(which).all()
  if (joining.length === 0) return 0
  const numbers = await findNewNumbers(tx, userId, joining)
  await tx.sql.update(tickets).set({ userId }).where(which).run()
  for (const [id, number] of numbers) await tx.sql.update(tickets).set({ number }).where(eq(tickets.id, id)).run()
  return joining.length
}

export type TicketCode = Pick<TicketRow, 'id' | 'eventId' | 'qrCode'>

type TicketSearchFields = Pick<TicketRow, 'id' | 'buyerName' | 'buyerEmail' | 'holderName' | 'paperNumber'> & {
  searchText?: string
}

const SEARCHED_ID = /(?<= )[0-9a-z]{26}(?=#)/g

/** The folded text in which a search looks. The ids of earlier codes, in the text so far, stay in it. */
export const ticketSearchText = ({ id, searchText, paperNumber: printed, ...names }: TicketSearchFields): string =>
  buildSearchText({
    words: [names.buyerName, names.buyerEmail, names.holderName],
    printed,
    numbers: [...new Set([id.toLowerCase(), ...(searchText?.match(SEARCHED_ID) ?? [])])],
  })

type NamedBuyer = Pick<TicketRow, 'buyerName' | 'buyerEmail' | 'userId'> &
  Partial<Pick<TicketRow, 'holderName' | 'number'>>

interface TicketHandover {
  to: NamedBuyer & { userId: string }
  ids: readonly string[]
  now: Date
}

/**
 * Moves tickets without an owner to an account and its name, because its owner may not be the buyer, whose name and
 * email stay with the order. Tickets with an owner do not move. Returns the number of tickets.
 */
export async function giveTickets(tx: WriteTx, { to, ids, now }: TicketHandover): Promise<number> {
  const given = (await ticketsWithIds(tx, ids)).filter(({ userId, status }) => userId === null && status !== 'deleted')
  if (given.length === 0) return 0
  const numbers = await findNewNumbers(tx, to.userId, given)
  const revision = await nextRevision(tx)
  for (const ticket of given) {
    const number = numbers.get(ticket.id) ?? ticket.number
    await nameBuyer(tx, ticket, { to: { ...to, number }, now, revision })
  }
  return given.length
}

export async function nameBuyer(
  tx: WriteTx,
  ticket: TicketRow,
  { to, now, revision }: { to: NamedBuyer; now: Date; revision: number },
): Promise<void> {
  await tx.sql
    .update(tickets)
    .set({ ...to, searchText: ticketSearchText({ ...ticket, ...to }), updatedAt: now, revision })
    .where(eq(tickets.id, ticket.id))
    .run()
}

export type SoldTicket = Pick<
  TicketRow,
  | 'id'
  | 'orderId'
  | 'userId'
  | 'buyerName'
  | 'buyerEmail'
  | 'pricePaise'
  | 'typeId'
  | 'promoCodeId'
  | 'kind'
  | 'qrCode'
  | 'createdAt'
> &
  Partial<Pick<TicketRow, 'paperNumber' | 'paperBlockId'>>

export const NO_ENTRY = {
  entryTime: null,
  entryScanId: null,
  scannedByName: null,
  scannedAtDevice: null,
  entryGate: null,
  leftAt: null,
}
export const NO_CANCELLATION = {
  cancelledAt: null,
  cancellationReason: null,
  isRefundDone: null,
  nothingToRefund: false,
  refundInFull: false,
}

export const entryBy = (
  scan: Pick<ScanRow, 'id' | 'at' | 'checkerName' | 'deviceId' | 'deviceName' | 'gate'>,
): Pick<TicketRow, keyof typeof NO_ENTRY> => ({
  entryTime: scan.at,
  entryScanId: scan.id,
  scannedByName: scan.checkerName,
  scannedAtDevice: scan.deviceName ?? scan.deviceId,
  entryGate: scan.gate,
  leftAt: null,
})

/** Without max(): a query with it took SQLite fifteen times as long, a tenth of a sale's time. */
const numbersOf = prepareQuery((db) =>
  db
    .select({ number: tickets.number })
    .from(tickets)
    .where(and(eq(tickets.userId, sql.placeholder('userId')), eq(tickets.eventId, sql.placeholder('eventId'))))
    .prepare(),
)

/** Makes the rows of new tickets, on seats already taken; `insertTickets` writes them once their order exists. */
export async function newTickets(tx: WriteTx, eventId: string, sold: readonly SoldTicket[]): Promise<TicketRow[]> {
  const revision = await nextRevision(tx)
  const userId = sold[0]?.userId ?? null
  const numbers = userId === null ? [] : await numbersOf(tx).all({ userId, eventId })
  const before = Math.max(0, ...numbers.map(({ number }) => number))
  return sold.map(({ paperNumber = null, paperBlockId = null, ...ticket }, index) => ({
    ...ticket,
    number: before + index + 1,
    paperNumber,
    paperBlockId,
    holderName: null,
    ...NO_ENTRY,
    ...NO_CANCELLATION,
    eventId,
    status: 'active',
    newCodes: 0,
    replacedAt: null,
    updatedAt: ticket.createdAt,
    revision,
    searchText: ticketSearchText({ ...ticket, paperNumber, holderName: null }),
  }))
}

const insert = prepareInsert(tickets)

export const insertTickets = async (tx: WriteTx, rows: readonly TicketRow[]): Promise<void> => {
  for (const row of rows) await insert(tx, row)
}

const move = prepareUpdate(
  tickets,
  and(eq(tickets.id, sql.placeholder('ofId')), eq(tickets.status, sql.placeholder('from'))),
  { revision: raisedRevision },
)

export const hasSeat = (status: TicketRowStatus): boolean => status === 'active' || status === 'used'

/**
 * The only way to change a ticket's status: guarded by the status it was read with, with seats and roster revision kept
 * in step. `set` has what goes with the new status (entry, cancellation, refund). `stale`: another change was faster,
 * nothing changed. `noSeat`: it needs a seat and none is free. `noUse`: its promo code has been used up since.
 */
export async function moveTicket(
  tx: WriteTx,
  { id, eventId, status: from, ...ticket }: Pick<TicketRow, 'id' | 'eventId' | 'status' | 'typeId' | 'promoCodeId'>,
  set: { status: TicketRowStatus } & Partial<TicketRow>,
  now: Date,
): Promise<TicketRow | 'stale' | 'noSeat' | 'noUse'> {
  const takes = !hasSeat(from) && hasSeat(set.status)
  const seat = [{ typeId: ticket.typeId, seats: 1 }]
  const { promoCodeId } = ticket
  if (takes && (await takeSeats(tx, { id: eventId }, seat)) === null) return 'noSeat'
  if (takes && promoCodeId !== null && !(await redeemCode(tx, promoCodeId, 1))) {
    await releaseSeats(tx, eventId, seat)
    return 'noUse'
  }
  const [, moved] = await Promise.all([nextRevision(tx), move(tx, { ...set, updatedAt: now }, { ofId: id, from })])
  if ((takes && !moved) || (moved && hasSeat(from) && !hasSeat(set.status))) {
    await releaseSeats(tx, eventId, seat)
    if (promoCodeId !== null) await giveBackCode(tx, promoCodeId, 1)
  }
  return moved ?? 'stale'
}

export async function correctEntry(
  tx: WriteTx,
  id: string,
  set: Partial<Pick<TicketRow, keyof typeof NO_ENTRY>> & Pick<TicketRow, 'updatedAt'>,
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
  holderName?: string | null
}

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
export const setHolderName = async (
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
  const active = (await listUserTickets(tx, userId)).filter(
    ({ status, eventId }) => status === 'active' && eventId === event?.id,
  )
  for (const ticket of active) await write(tx, ticket, { names: { buyerName: name }, now })
  return active.length
}
