import { createHash } from 'node:crypto'
import { LINK_PURPOSES } from '@garba/shared/contracts/names'
import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert } from './engine/preparedQueries.ts'
import { countIn, firstIdAt, hasRows, listIds, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import { type TicketRow, tickets } from './tickets.ts'

/** Addresses that open tickets without an account. An open link names at most its sender, an ended one nobody. */
export const ticketLinks = sqliteTable(
  'ticket_links',
  {
    id: text().primaryKey(),
    /** The token itself is only in the address. */
    tokenHash: text().notNull(),
    purpose: text({ enum: LINK_PURPOSES }).notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    endedAt: integer({ mode: 'timestamp_ms' }),
    /** The phone that hands over what it sold by this link: only the first device opens it. Null for other links. */
    sellerId: text(),
    /** The account that claimed the tickets of an offer, as a hash of link and account. */
    claimedBy: text(),
    claimedUnopened: integer({ mode: 'boolean' }).notNull().default(false),
    fromName: text().notNull().default(''),
  },
  (t) => [uniqueIndex('ticket_links_token').on(t.tokenHash)],
)
export type LinkRow = typeof ticketLinks.$inferSelect

export const linkTickets = sqliteTable(
  'link_tickets',
  {
    linkId: text()
      .notNull()
      .references(() => ticketLinks.id),
    ticketId: text()
      .notNull()
      .references(() => tickets.id),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.ticketId] }), index('link_tickets_by_ticket').on(t.ticketId)],
)

export const linkDevices = sqliteTable(
  'link_devices',
  {
    linkId: text()
      .notNull()
      .references(() => ticketLinks.id),
    /** A hash of link and device, so that no one can tell that one device opened two links. */
    device: text().notNull(),
    openedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.device] })],
)

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const insert = prepareInsert(ticketLinks)
const insertTicket = prepareInsert(linkTickets)
const insertDevice = prepareInsert(linkDevices)

export async function insertLink(
  tx: WriteTx,
  link: typeof ticketLinks.$inferInsert,
  ticketIds: readonly string[],
): Promise<void> {
  await insert(tx, link)
  for (const ticketId of ticketIds) await insertTicket(tx, { linkId: link.id, ticketId })
}

export const findLink: Find<LinkRow> = prepareFind(ticketLinks, ticketLinks.id)
const findByHash = prepareFind(ticketLinks, ticketLinks.tokenHash)
export const findLinkByToken: Find<LinkRow> = (tx, token) => findByHash(tx, hashOfToken(token))

export const countOpenLinks = (tx: ReadTx, eventId: string): Promise<number> =>
  countIn(tx, ticketLinks, and(eq(ticketLinks.eventId, eventId), isNull(ticketLinks.endedAt)))

export const ticketsOfLink = async (tx: ReadTx, linkId: string): Promise<TicketRow[]> =>
  (
    await tx.sql
      .select({ ticket: tickets })
      .from(linkTickets)
      .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
      .where(and(eq(linkTickets.linkId, linkId), ne(tickets.status, 'deleted')))
      .orderBy(asc(tickets.id))
      .all()
  ).map(({ ticket }) => ticket)

export type LinkedTickets = { userId: string } | { ids: readonly string[] }

const linkTo = (tx: ReadTx, of: LinkedTickets): SQL =>
  inArray(
    ticketLinks.id,
    tx.sql
      .select({ id: linkTickets.linkId })
      .from(linkTickets)
      .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
      .where('ids' in of ? inArray(tickets.id, [...of.ids]) : eq(tickets.userId, of.userId)),
  )

export const linksOfTickets = async (tx: ReadTx, ids: readonly string[]): Promise<LinkRow[]> =>
  tx.sql.select().from(ticketLinks).where(linkTo(tx, { ids })).orderBy(desc(ticketLinks.id)).all()

export const linksMadeBetween = async (
  tx: ReadTx,
  of: LinkedTickets,
  { since, until }: { since: Date; until: Date },
): Promise<Date[]> =>
  (
    await tx.sql
      .select({ at: ticketLinks.createdAt })
      .from(ticketLinks)
      // An id is never earlier than its link.
      .where(
        and(
          gte(ticketLinks.id, firstIdAt(since)),
          gt(ticketLinks.createdAt, since),
          lte(ticketLinks.createdAt, until),
          linkTo(tx, of),
        ),
      )
      .orderBy(asc(ticketLinks.createdAt))
      .all()
  ).map(({ at }) => at)

export const countLinked = async (tx: ReadTx, of: LinkedTickets): Promise<number> => {
  const rows = tx.sql
    .select({ n: count() })
    .from(linkTickets)
    .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
    .where('ids' in of ? inArray(tickets.id, [...of.ids]) : eq(tickets.userId, of.userId))
  return (await rows.get())?.n ?? 0
}

export const countLinkTickets = (tx: ReadTx, linkId: string): Promise<number> =>
  countIn(tx, linkTickets, eq(linkTickets.linkId, linkId))

export interface ListedLink extends LinkRow {
  tickets: number
  devices: number
}

export async function listLinks(
  tx: ReadTx,
  of: LinkedTickets,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedLink[]> {
  const links = await tx.sql
    .select()
    .from(ticketLinks)
    .where(linkTo(tx, of))
    .orderBy(sql`${ticketLinks.endedAt} is not null`, desc(ticketLinks.id))
    .limit(limit)
    .offset(offset)
    .all()
  const ids = listIds(links)
  const linked = await tx.sql
    .select({ linkId: linkTickets.linkId, n: count() })
    .from(linkTickets)
    .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
    .where(and(inArray(linkTickets.linkId, ids), ne(tickets.status, 'deleted')))
    .groupBy(linkTickets.linkId)
    .all()
  const opened = await tx.sql
    .select({ linkId: linkDevices.linkId, n: count() })
    .from(linkDevices)
    .where(inArray(linkDevices.linkId, ids))
    .groupBy(linkDevices.linkId)
    .all()
  const [ticketsOf, devices] = [linked, opened].map((rows) => new Map(rows.map(({ linkId, n }) => [linkId, n])))
  return links.map((link) => ({
    ...link,
    tickets: ticketsOf?.get(link.id) ?? 0,
    devices: devices?.get(link.id) ?? 0,
  }))
}

export async function sentTickets(tx: ReadTx, of: LinkedTickets): Promise<Map<string, 'sent' | 'opened'>> {
  const rows = await tx.sql
    .select({ id: linkTickets.ticketId, devices: count(linkDevices.device) })
    .from(linkTickets)
    .innerJoin(ticketLinks, eq(ticketLinks.id, linkTickets.linkId))
    .leftJoin(linkDevices, eq(linkDevices.linkId, linkTickets.linkId))
    .where(and(eq(ticketLinks.purpose, 'share'), isNull(ticketLinks.endedAt), isLinkedTicket(tx, of)))
    .groupBy(linkTickets.ticketId)
    .all()
  return new Map(rows.map(({ id, devices }) => [id, devices > 0 ? 'opened' : 'sent']))
}

const isLinkedTicket = (tx: ReadTx, of: LinkedTickets): SQL =>
  'ids' in of
    ? inArray(linkTickets.ticketId, [...of.ids])
    : inArray(
        linkTickets.ticketId,
        tx.sql.select({ id: tickets.id }).from(tickets).where(eq(tickets.userId, of.userId)),
      )

export const countLinkDevices = (tx: ReadTx, linkId: string): Promise<number> =>
  countIn(tx, linkDevices, eq(linkDevices.linkId, linkId))

const hashLinkDevice = ({ id }: LinkRow, deviceId: string) => hashOfToken(`${id} ${deviceId}`)

export const hasOpened = (tx: ReadTx, link: LinkRow, deviceId: string): Promise<boolean> =>
  hasRows(tx, linkDevices, and(eq(linkDevices.linkId, link.id), eq(linkDevices.device, hashLinkDevice(link, deviceId))))

export const recordLinkDevice = (tx: WriteTx, link: LinkRow, { deviceId, at }: { deviceId: string; at: Date }) =>
  insertDevice(tx, { linkId: link.id, device: hashLinkDevice(link, deviceId), openedAt: at })

export const hashClaimant = ({ id }: LinkRow, userId: string): string => hashOfToken(`${id} ${userId}`)

/** Links whose tickets an account may claim: offers, and all that a phone hands over. */
const claimable = or(eq(ticketLinks.purpose, 'offer'), isNotNull(ticketLinks.sellerId))

const besides = (tx: ReadTx, linkId: string): SQL => {
  const own = tx.sql.select({ id: linkTickets.ticketId }).from(linkTickets).where(eq(linkTickets.linkId, linkId))
  return inArray(
    ticketLinks.id,
    tx.sql.select({ id: linkTickets.linkId }).from(linkTickets).where(inArray(linkTickets.ticketId, own)),
  )
}

/** Claims an offer, and every other offer of the same tickets. Returns whether this offer was still open. */
export const claimOffer = async (
  tx: WriteTx,
  { id }: LinkRow,
  claim: Pick<LinkRow, 'claimedBy' | 'claimedUnopened'>,
): Promise<boolean> => {
  const which = and(claimable, isNull(ticketLinks.claimedBy), besides(tx, id))
  const spent = await tx.sql.update(ticketLinks).set(claim).where(which).returning({ id: ticketLinks.id }).all()
  return spent.some((one) => one.id === id)
}

/** Ends what phones handed out for a link's tickets. A phone's own link stays if `keeps` says so. */
export const endHandedLinks = async (
  tx: WriteTx,
  { id }: Pick<LinkRow, 'id'>,
  { endedAt, keeps }: { endedAt: Date; keeps: boolean },
): Promise<void> => {
  const open = and(isNotNull(ticketLinks.sellerId), isNull(ticketLinks.endedAt), besides(tx, id))
  await tx.sql
    .update(ticketLinks)
    .set({ endedAt })
    .where(and(open, keeps ? ne(ticketLinks.id, id) : undefined))
    .run()
}

/** The tickets among these that a phone has handed over: a device has opened its link, or an account has claimed them. */
export const handedOver = async (tx: ReadTx, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.sql
    .selectDistinct({ id: linkTickets.ticketId })
    .from(linkTickets)
    .innerJoin(ticketLinks, eq(ticketLinks.id, linkTickets.linkId))
    .leftJoin(linkDevices, eq(linkDevices.linkId, ticketLinks.id))
    .where(
      and(
        inArray(linkTickets.ticketId, [...ids]),
        isNotNull(ticketLinks.sellerId),
        or(isNotNull(linkDevices.device), isNotNull(ticketLinks.claimedBy)),
      ),
    )
    .all()
  return new Set(listIds(rows))
}

export const markLinkEnded = async (tx: WriteTx, id: string, endedAt: Date): Promise<void> => {
  const which = and(eq(ticketLinks.id, id), isNull(ticketLinks.endedAt))
  await tx.sql.update(ticketLinks).set({ endedAt, fromName: '' }).where(which).run()
}

/** Ends the links to these tickets. A link that also opens other tickets stays for those. */
export async function endLinksTo(tx: WriteTx, ticketIds: readonly string[], endedAt: Date): Promise<void> {
  for (const { id, endedAt: was } of await linksOfTickets(tx, ticketIds)) {
    if (was !== null) continue
    const opens = await ticketsOfLink(tx, id)
    if (opens.every((ticket) => ticketIds.includes(ticket.id))) await markLinkEnded(tx, id, endedAt)
    else await unlinkTickets(tx, id, ticketIds)
  }
}

export const unlinkTickets = async (tx: WriteTx, linkId: string, ticketIds: readonly string[]): Promise<void> => {
  const which = and(eq(linkTickets.linkId, linkId), inArray(linkTickets.ticketId, ticketIds))
  await tx.sql.delete(linkTickets).where(which).run()
}

export async function forgetLinks(tx: WriteTx, rows: readonly Pick<LinkRow, 'id'>[]): Promise<void> {
  for (const { id } of rows) {
    await tx.sql.delete(linkDevices).where(eq(linkDevices.linkId, id)).run()
    await tx.sql.delete(linkTickets).where(eq(linkTickets.linkId, id)).run()
    await tx.sql.delete(ticketLinks).where(eq(ticketLinks.id, id)).run()
  }
}

export async function forgetLinksTo(tx: WriteTx, ticketIds: readonly string[]): Promise<void> {
  for (const link of await linksOfTickets(tx, ticketIds)) {
    await unlinkTickets(tx, link.id, ticketIds)
    if (!(await hasRows(tx, linkTickets, eq(linkTickets.linkId, link.id)))) await forgetLinks(tx, [link])
  }
}

export const forgetLinksAt = async (tx: WriteTx, eventId: string): Promise<void> =>
  forgetLinks(tx, await tx.sql.select().from(ticketLinks).where(eq(ticketLinks.eventId, eventId)).all())
