import { createHash } from 'node:crypto'
import { LINK_PURPOSES } from '@garba/shared/contracts/names'
import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, finder, inserter } from './engine/preparedQueries.ts'
import { countIn, firstIdAt, idsOf, isIn, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import { nextRevision } from './meta.ts'
import { nameBuyer, type TicketRow, tickets } from './tickets.ts'
import { users } from './users.ts'

/** Addresses that open tickets without an account. No row names a person. */
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
    /** The account that claimed the tickets of an offer, as a hash of link and account. */
    claimedBy: text(),
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
    /** Follows the ticket to its new code. */
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

const insert = inserter(ticketLinks)
const insertTicket = inserter(linkTickets)
const insertDevice = inserter(linkDevices)

export async function insertLink(tx: WriteTx, link: LinkRow, ticketIds: readonly string[]): Promise<void> {
  await insert(tx, link)
  for (const ticketId of ticketIds) await insertTicket(tx, { linkId: link.id, ticketId })
}

export const findLink: Find<LinkRow> = finder(ticketLinks, ticketLinks.id)
const findByHash = finder(ticketLinks, ticketLinks.tokenHash)
export const findLinkByToken: Find<LinkRow> = (tx, token) => findByHash(tx, hashOfToken(token))

/** The tickets of a link in the order they were sold, without deleted ones. */
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

/** The tickets of a person, or those with these ids. */
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

/** All links to these tickets, newest first. */
export const linksOfTickets = async (tx: ReadTx, ids: readonly string[]): Promise<LinkRow[]> =>
  tx.sql.select().from(ticketLinks).where(linkTo(tx, { ids })).orderBy(desc(ticketLinks.id)).all()

/** The times between two instants at which links to these tickets were made, oldest first. */
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

export interface ListedLink extends LinkRow {
  /** In the order they were sold, without deleted ones. */
  ticketIds: string[]
  devices: number
}

/** Links to these tickets, open ones first, then the newest. It takes three queries for any number of links. */
export async function listLinks(tx: ReadTx, of: LinkedTickets, most: number): Promise<ListedLink[]> {
  const links = await tx.sql
    .select()
    .from(ticketLinks)
    .where(linkTo(tx, of))
    .orderBy(sql`${ticketLinks.endedAt} is not null`, desc(ticketLinks.id))
    .limit(most)
    .all()
  const ids = idsOf(links)
  const linked = await tx.sql
    .select({ linkId: linkTickets.linkId, id: tickets.id })
    .from(linkTickets)
    .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
    .where(and(inArray(linkTickets.linkId, ids), ne(tickets.status, 'deleted')))
    .orderBy(asc(tickets.id))
    .all()
  const opened = await tx.sql
    .select({ linkId: linkDevices.linkId, n: count() })
    .from(linkDevices)
    .where(inArray(linkDevices.linkId, ids))
    .groupBy(linkDevices.linkId)
    .all()
  const ticketsOf = Map.groupBy(linked, ({ linkId }) => linkId)
  const devices = new Map(opened.map(({ linkId, n }) => [linkId, n]))
  return links
    .map((link) => ({
      ...link,
      ticketIds: idsOf(ticketsOf.get(link.id) ?? []),
      devices: devices.get(link.id) ?? 0,
    }))
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

export const countDevices = (tx: ReadTx, linkId: string): Promise<number> =>
  countIn(tx, linkDevices, eq(linkDevices.linkId, linkId))

const deviceOf = ({ id }: LinkRow, deviceId: string) => hashOfToken(`${id} ${deviceId}`)

export const hasOpened = (tx: ReadTx, link: LinkRow, deviceId: string): Promise<boolean> =>
  isIn(tx, linkDevices, and(eq(linkDevices.linkId, link.id), eq(linkDevices.device, deviceOf(link, deviceId))))

export const noteOpened = (tx: WriteTx, link: LinkRow, { deviceId, at }: { deviceId: string; at: Date }) =>
  insertDevice(tx, { linkId: link.id, device: deviceOf(link, deviceId), openedAt: at })

/** The account that claimed an offer, as the link stores it. */
export const claimantOf = ({ id }: LinkRow, userId: string): string => hashOfToken(`${id} ${userId}`)

/** Claims an offer, and every other offer of the same tickets. Returns whether this one was still open. */
export const claimOffer = async (tx: WriteTx, { id }: LinkRow, claimedBy: string): Promise<boolean> => {
  const own = tx.sql.select({ id: linkTickets.ticketId }).from(linkTickets).where(eq(linkTickets.linkId, id))
  const same = tx.sql.select({ id: linkTickets.linkId }).from(linkTickets).where(inArray(linkTickets.ticketId, own))
  const which = and(eq(ticketLinks.purpose, 'offer'), isNull(ticketLinks.claimedBy), inArray(ticketLinks.id, same))
  const spent = await tx.sql.update(ticketLinks).set({ claimedBy }).where(which).returning({ id: ticketLinks.id }).all()
  return spent.some((one) => one.id === id)
}

/** Corrects tickets claimed through an offer on which an earlier version left the buyer's name and email. */
export async function nameClaimedTickets(tx: WriteTx, now: Date): Promise<void> {
  const claimed = await tx.sql
    .select({ link: ticketLinks, ticket: tickets, user: users })
    .from(ticketLinks)
    .innerJoin(linkTickets, eq(linkTickets.linkId, ticketLinks.id))
    .innerJoin(tickets, eq(tickets.id, linkTickets.ticketId))
    .innerJoin(users, eq(users.id, tickets.userId))
    .where(and(isNotNull(ticketLinks.claimedBy), ne(tickets.buyerEmail, users.email)))
    .all()
  const wrong = claimed.filter(({ link, user }) => link.claimedBy === claimantOf(link, user.id))
  if (wrong.length === 0) return
  const revision = await nextRevision(tx)
  for (const { ticket, user } of wrong) {
    const to = { buyerName: user.name, buyerEmail: user.email, userId: user.id }
    await nameBuyer(tx, ticket, { to, now, revision })
  }
}

/** Ends a link; an ended one keeps its time. */
export const endLink = async (tx: WriteTx, id: string, endedAt: Date): Promise<void> => {
  const which = and(eq(ticketLinks.id, id), isNull(ticketLinks.endedAt))
  await tx.sql.update(ticketLinks).set({ endedAt }).where(which).run()
}

export const unlink = async (tx: WriteTx, linkId: string, ticketIds: readonly string[]): Promise<void> => {
  const which = and(eq(linkTickets.linkId, linkId), inArray(linkTickets.ticketId, ticketIds))
  await tx.sql.delete(linkTickets).where(which).run()
}

/** Deletes links with all their rows. */
export async function forgetLinks(tx: WriteTx, rows: readonly Pick<LinkRow, 'id'>[]): Promise<void> {
  for (const { id } of rows) {
    await tx.sql.delete(linkDevices).where(eq(linkDevices.linkId, id)).run()
    await tx.sql.delete(linkTickets).where(eq(linkTickets.linkId, id)).run()
    await tx.sql.delete(ticketLinks).where(eq(ticketLinks.id, id)).run()
  }
}

/** Deletes the links to these tickets. A link that also opens other tickets stays for those. */
export async function forgetLinksTo(tx: WriteTx, ticketIds: readonly string[]): Promise<void> {
  for (const link of await linksOfTickets(tx, ticketIds)) {
    await unlink(tx, link.id, ticketIds)
    if (!(await isIn(tx, linkTickets, eq(linkTickets.linkId, link.id)))) await forgetLinks(tx, [link])
  }
}

export const forgetLinksAt = async (tx: WriteTx, eventId: string): Promise<void> =>
  forgetLinks(tx, await tx.sql.select().from(ticketLinks).where(eq(ticketLinks.eventId, eventId)).all())
