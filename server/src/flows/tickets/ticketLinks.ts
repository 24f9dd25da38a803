import { randomBytes } from 'node:crypto'
import { LINK_DEVICES_MAX, LINKS_LISTED, LINKS_PER_HOUR } from '@garba/shared/constants'
import type { TicketLink, Wallet } from '@garba/shared/contracts/link'
import { WALLET_PAGE } from '@garba/shared/contracts/site/pages'
import { AUDIT } from '@garba/shared/messages/audit'
import { messageFor } from '@garba/shared/messages/codes'
import { orRefuse, Refusal } from '../../refusal.ts'
import { idsOf, newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, eventOf, everyEvent, isClosed } from '../../store/events.ts'
import { findOrderById } from '../../store/orders.ts'
import {
  claimantOf,
  claimOffer,
  countDevices,
  endLink,
  findLink,
  findLinkByToken,
  hashOfToken,
  hasOpened,
  insertLink,
  type LinkRow,
  linksMadeBetween,
  listLinks as linksOf,
  noteOpened,
  ticketsOfLink,
  unlink,
} from '../../store/ticketLinks.ts'
import { findTicket, giveTickets, nameOn, type TicketRow } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { AnyCaller, Caller, Deps } from '../deps.ts'
import { endOf, eventView } from '../event/readEvent.ts'
import { readCode } from '../gate/scanFacts.ts'
import { shownStatus } from './readTickets.ts'

const TOKEN_BYTES = 16

export interface MadeLink {
  id: string
  url: string
  until: string
}

interface Making {
  user: AnyCaller
  ticketIds: readonly string[]
  purpose: LinkRow['purpose']
}

/**
 * Makes an address that opens these tickets on any device. A guest may share their own tickets. An admin may also give
 * a link to a buyer of the counter or the door, and to tickets whose buyer has no account; a phone may give one to
 * tickets that it sold and no account owns. An offer is only for tickets without an account. Refuses with
 * TICKET_NOT_FOUND, FORBIDDEN, RATE_LIMITED, or LINK_ENDED once the event is over.
 */
export async function makeLink(deps: Deps, { user, ticketIds, purpose }: Making): Promise<MadeLink> {
  return deps.store.write(async (tx) => {
    const tickets: TicketRow[] = []
    for (const id of new Set(ticketIds)) {
      const ticket = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
      const isOwned = ticket.userId !== null
      if (!(await mayGive(tx, user, ticket))) throw new Refusal('FORBIDDEN')
      if (purpose === 'offer' && isOwned) throw new Refusal('FORBIDDEN', { message: messageFor('OFFER_TAKEN') })
      tickets.push(ticket)
    }
    await requireFewLinks(tx, { user, tickets, now: deps.now() })
    const made = await linkTo(deps, tx, { tickets, purpose })
    const [first] = tickets
    if (!made || !first) throw new Refusal('LINK_ENDED')
    const detail = AUDIT.link(tickets.length)
    const subject = aboutTicket(first)
    await audited(tx, { at: deps.now(), action: 'link.made', actor: user, subject, detail })
    return made
  })
}

const HOUR_MS = 3_600_000

/** Making links costs nothing, so they could fill the database. Refuses with RATE_LIMITED. */
async function requireFewLinks(
  tx: ReadTx,
  { user, tickets, now }: { user: AnyCaller; tickets: readonly TicketRow[]; now: Date },
): Promise<void> {
  const isOwner = tickets.every(({ userId }) => userId === user.id)
  const of = isOwner ? { userId: user.id } : { ids: idsOf(tickets) }
  const oldest = (await linksMadeBetween(tx, of, { since: new Date(now.getTime() - HOUR_MS), until: now })).at(
    -LINKS_PER_HOUR,
  )
  if (oldest === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1_000))
  throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
}

async function mayGive(tx: ReadTx, { id, role, device }: AnyCaller, ticket: TicketRow): Promise<boolean> {
  if (!device && ticket.userId === id) return true
  if (role !== 'admin' && !device) return false
  const order = ticket.orderId === null ? undefined : await findOrderById(tx, ticket.orderId)
  if (device) return ticket.userId === null && order?.sellerId === id
  return ticket.userId === null || (order !== undefined && order.channel !== 'web')
}

/** Writes a link to tickets of one event; null without tickets or once the event is over. */
export async function linkTo(
  deps: Deps,
  tx: WriteTx,
  { tickets, purpose }: Pick<Making, 'purpose'> & { tickets: readonly TicketRow[] },
): Promise<MadeLink | null> {
  const [first] = tickets
  const event = first && (await eventOf(tx, first))
  if (!event || isOver(deps, event) || tickets.some(({ eventId }) => eventId !== event.id)) return null
  const now = deps.now()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const link = {
    id: newId(now),
    tokenHash: hashOfToken(token),
    purpose,
    eventId: event.id,
    createdAt: now,
    endedAt: null,
    claimedBy: null,
  }
  await insertLink(tx, link, idsOf(tickets))
  const until = endOf(event, deps.settings.timezone).toISOString()
  return { id: link.id, url: `${deps.publicUrl()}${WALLET_PAGE}#${token}`, until }
}

const isOver = ({ now, settings }: Deps, event: EventRow): boolean =>
  isClosed(event) || now() > endOf(event, settings.timezone)

/**
 * Links to the caller's tickets, at most 200: open ones first, then the newest. With `ticket`, the links to that
 * ticket, for its owner or an admin.
 */
export const listLinks = (deps: Deps, { user, ticket }: { user: Caller; ticket?: string | undefined }) =>
  deps.store.read(async (tx) => {
    const row = ticket === undefined ? undefined : await findTicket(tx, ticket)
    if (ticket !== undefined && !row) throw new Refusal('TICKET_NOT_FOUND')
    if (row && row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
    const eventOf = await everyEvent(tx)
    const links = await linksOf(tx, row ? { ids: [row.id] } : { userId: user.id }, LINKS_LISTED)
    return links.map((link): TicketLink => {
      const { id, purpose, ticketIds, devices } = link
      const until = endOf(eventOf(link), deps.settings.timezone).toISOString()
      const endedAt = link.endedAt?.toISOString() ?? null
      return { id, purpose, ticketIds, createdAt: link.createdAt.toISOString(), until, devices, endedAt }
    })
  })

/**
 * Ends a link for the owner of its tickets or an admin; an ended link stays ended. The owner of some of its tickets
 * removes those from it. Refuses others with LINK_UNKNOWN.
 */
export const endTicketLink = (deps: Deps, { user, id }: { user: Caller; id: string }): Promise<void> =>
  deps.store.write(async (tx) => {
    const link = await findLink(tx, id)
    const tickets = link ? await ticketsOfLink(tx, id) : []
    const mine = tickets.filter(({ userId }) => userId === user.id || user.role === 'admin')
    const [first] = mine
    if (!link || !first) throw new Refusal('LINK_UNKNOWN')
    if (link.endedAt !== null) return
    if (mine.length === tickets.length) await endLink(tx, id, deps.now())
    else await unlink(tx, id, idsOf(mine))
    const detail = AUDIT.link(mine.length)
    await audited(tx, { at: deps.now(), action: 'link.ended', actor: user, subject: aboutTicket(first), detail })
  })

interface Opening {
  token: string
  deviceId: string
  codes?: readonly string[] | undefined
  /** Counts an opening of a link, and one with codes. Refuses with RATE_LIMITED. */
  count: (link: string, limit: 'user' | 'lost') => Promise<void>
}

/**
 * The tickets of a link, for anyone who has it. Its first 20 devices may open it again and again until the event ends.
 * A genuine code that a restored server does not know becomes its ticket's newest code again. Refuses with
 * LINK_UNKNOWN, LINK_ENDED also for any further device and when all its tickets were deleted, or as `count` does.
 */
export async function openWallet(deps: Deps, { token, deviceId, codes = [], count }: Opening): Promise<Wallet> {
  const { id } = await deps.store.read((tx) => openLink(deps, tx, token))
  await count(id, 'user')
  // Before the first restore no code is lost, and checking each signature is slow.
  if (codes.length > 0 && deps.epoch.number > 0) {
    await count(id, 'lost')
    for (const qrCode of codes) await readCode(deps, { qrCode })
  }
  const known = await deps.store.read(async (tx) => {
    const link = await openLink(deps, tx, token)
    return (await hasOpened(tx, link, deviceId)) ? walletOf(deps, tx, link) : null
  })
  if (known) return known
  return deps.store.write(async (tx) => {
    const link = await openLink(deps, tx, token)
    if (!(await hasOpened(tx, link, deviceId))) {
      if ((await countDevices(tx, link.id)) >= LINK_DEVICES_MAX) throw new Refusal('LINK_ENDED')
      await noteOpened(tx, link, { deviceId, at: deps.now() })
    }
    return walletOf(deps, tx, link)
  })
}

/**
 * Moves the tickets of an offer that have no owner to the caller's account and name, once. A repeated request by the
 * same person gets the same answer. Refuses with LINK_UNKNOWN also for other links, LINK_ENDED, OFFER_TAKEN, or
 * UNAUTHENTICATED.
 */
export const claimWallet = (deps: Deps, { user, token }: { user: Caller; token: string }): Promise<string[]> =>
  deps.store.write(async (tx) => {
    const link = await findLinkByToken(tx, token)
    if (link?.purpose !== 'offer') throw new Refusal('LINK_UNKNOWN')
    const claimant = claimantOf(link, user.id)
    if (link.claimedBy !== claimant) {
      await openLink(deps, tx, token)
      if (!(await claimOffer(tx, link, claimant))) throw new Refusal('OFFER_TAKEN')
      const offered = await ticketsOfLink(tx, link.id)
      const now = deps.now()
      const account = orRefuse(await findUser(tx, user.id), 'UNAUTHENTICATED')
      const to = { userId: account.id, buyerName: account.name, buyerEmail: account.email }
      const moved = await giveTickets(tx, { to, ids: idsOf(offered), now })
      const [first] = offered
      if (first && moved > 0) {
        tx.announce('roster')
        const detail = AUDIT.claimed(moved)
        await audited(tx, { at: now, action: 'link.claimed', actor: account, subject: aboutTicket(first), detail })
      }
    }
    const owned = (await ticketsOfLink(tx, link.id)).flatMap(({ id, userId }) => (userId === user.id ? id : []))
    if (owned.length === 0) throw new Refusal('OFFER_TAKEN')
    return owned
  })

async function openLink(deps: Deps, tx: ReadTx, token: string): Promise<LinkRow> {
  const link = orRefuse(await findLinkByToken(tx, token), 'LINK_UNKNOWN')
  if (link.endedAt !== null || isOver(deps, await eventOf(tx, link))) throw new Refusal('LINK_ENDED')
  return link
}

async function walletOf({ settings }: Deps, tx: ReadTx, link: LinkRow): Promise<Wallet> {
  const tickets = await ticketsOfLink(tx, link.id)
  if (tickets.length === 0) throw new Refusal('LINK_ENDED')
  const event = eventView(await eventOf(tx, link), settings.timezone)
  const { _id, name, venue, date, startTime, endTime, endsNextDay, startsAt, endsAt, createdAt, updatedAt } = event
  return {
    event: { _id, name, venue, date, startTime, endTime, endsNextDay, startsAt, endsAt, createdAt, updatedAt },
    tickets: tickets.map((ticket) => ({
      _id: ticket.id,
      qrCode: ticket.status === 'active' ? ticket.qrCode : null,
      status: shownStatus(ticket),
      name: nameOn(ticket),
    })),
    until: endsAt,
    ...(isOffer(link, tickets) ? { offer: true as const } : {}),
  }
}

const isOffer = ({ purpose, claimedBy }: LinkRow, tickets: readonly TicketRow[]): boolean =>
  purpose === 'offer' && claimedBy === null && tickets.some(({ userId }) => userId === null)
