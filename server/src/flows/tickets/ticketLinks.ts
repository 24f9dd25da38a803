import { randomBytes } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import {
  HAND_OVER_MS,
  HOUR_MS,
  LINK_DEVICES_MAX,
  LINKED_TICKETS_MAX,
  LINKS_LISTED,
  LINKS_PER_HOUR,
} from '@garba/shared/constants'
import type { TicketLink, Wallet } from '@garba/shared/contracts/link'
import { WALLET_PAGE } from '@garba/shared/contracts/site/pages'
import { AUDIT } from '@garba/shared/messages/audit'
import { messageFor } from '@garba/shared/messages/codes'
import { sortByNumber } from '@garba/shared/rules/ticketNumber'
import { orRefuse, Refusal } from '../../refusal.ts'
import { listIds, newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, everyEvent, getEventFor, isEventClosed } from '../../store/events.ts'
import { findOrderById } from '../../store/orders.ts'
import {
  claimOffer,
  countLinkDevices,
  countLinked,
  countLinkTickets,
  endHandedLinks,
  findLink,
  findLinkByToken,
  handedOver,
  hashClaimant,
  hashOfToken,
  hasOpened,
  insertLink,
  type LinkRow,
  linksMadeBetween,
  listLinks as linksOf,
  markLinkEnded,
  recordLinkDevice,
  ticketsOfLink,
  unlinkTickets,
} from '../../store/ticketLinks.ts'
import { findTicket, getNameOnTicket, giveTickets, type TicketRow } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { AnyCaller, Caller, Deps } from '../deps.ts'
import { eventView, getEventEnd } from '../event/readEvent.ts'
import { readCode } from '../gate/scanFacts.ts'
import { heldType, shownStatus } from './readTickets.ts'

const TOKEN_BYTES = 16

export interface MadeLink {
  id: string
  url: string
  until: string
}

type TicketLinkRequest = CallInput<'makeLink'> & { user: AnyCaller }

/**
 * Makes an address that opens these tickets on any device. A guest may share their own tickets. An admin may also give
 * a link to a buyer of the counter or the door, and to tickets whose buyer has no account; a phone may give a link to
 * tickets that it sold and no account owns, until they are handed over and for ten minutes from the sale. A link by the
 * desk takes the place of a phone's. An offer is only for tickets without an account.
 */
export async function makeLink(deps: Deps, { user, ticketIds, purpose, from }: TicketLinkRequest): Promise<MadeLink> {
  return deps.store.write(async (tx) => {
    const tickets: TicketRow[] = []
    for (const id of new Set(ticketIds)) {
      const ticket = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
      const isOwned = ticket.userId !== null
      if (!(await mayGive(tx, user, ticket))) throw new Refusal('FORBIDDEN')
      if (user.device && !isJust(ticket.createdAt, deps.now())) throw new Refusal('HAND_OVER_ENDED')
      if (purpose === 'offer' && isOwned) throw new Refusal('FORBIDDEN', { message: messageFor('OFFER_TAKEN') })
      tickets.push(ticket)
    }
    await requireFewLinks(tx, { user, tickets, now: deps.now() })
    if (user.device && (await handedOver(tx, listIds(tickets))).size > 0) throw new Refusal('HAND_OVER_ENDED')
    const made = await linkTo(deps, tx, { tickets, purpose, from, sellerId: user.device?.id ?? null })
    const [first] = tickets
    if (!made || !first) throw new Refusal('LINK_ENDED')
    if (user.role === 'admin') await endHandedLinks(tx, made, { endedAt: deps.now(), keeps: true })
    const detail = AUDIT.link(tickets.length)
    const subject = aboutTicket(first)
    await auditChange(tx, { at: deps.now(), action: 'link.made', actor: user, subject, detail })
    return made
  })
}

/** A time may be a little ahead, after the clock was set back. */
const isJust = (at: Date, now: Date): boolean => Math.abs(now.getTime() - at.getTime()) <= HAND_OVER_MS

/** Making links costs nothing, so they could fill the database, and every list of them counts links times tickets. */
async function requireFewLinks(
  tx: ReadTx,
  { user, tickets, now }: { user: AnyCaller; tickets: readonly TicketRow[]; now: Date },
): Promise<void> {
  const isOwner = tickets.every(({ userId }) => userId === user.id)
  const of = isOwner ? { userId: user.id } : { ids: listIds(tickets) }
  if ((await countLinked(tx, of)) + tickets.length > LINKED_TICKETS_MAX) throw new Refusal('LINK_LIMIT')
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
  {
    tickets,
    purpose,
    from = '',
    sellerId = null,
  }: Pick<TicketLinkRequest, 'purpose' | 'from'> & { tickets: readonly TicketRow[]; sellerId?: string | null },
): Promise<MadeLink | null> {
  const [first] = tickets
  const event = first && (await getEventFor(tx, first))
  if (!event || isOver(deps, event) || tickets.some(({ eventId }) => eventId !== event.id)) return null
  const now = deps.now()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const link = {
    id: newId(now),
    tokenHash: hashOfToken(token),
    purpose,
    eventId: event.id,
    createdAt: now,
    sellerId,
    fromName: from,
  }
  await insertLink(tx, link, listIds(tickets))
  const until = getEventEnd(event, deps.settings.timezone).toISOString()
  return { id: link.id, url: `${deps.publicUrl()}${WALLET_PAGE}#${token}`, until }
}

const isOver = ({ now, settings }: Deps, event: EventRow): boolean =>
  isEventClosed(event) || now() > getEventEnd(event, settings.timezone)

/**
 * A page of the links to the caller's tickets: open links first, then the newest. With `ticket`, the links to that
 * ticket, for its owner or an admin.
 */
export const listLinkPage = (
  deps: Deps,
  { user, ticket, page }: { user: Caller; ticket?: string | undefined; page: number },
) =>
  deps.store.read(async (tx) => {
    const row = ticket === undefined ? undefined : await findTicket(tx, ticket)
    if (ticket !== undefined && !row) throw new Refusal('TICKET_NOT_FOUND')
    if (row && row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
    const eventOf = await everyEvent(tx)
    const slice = { limit: LINKS_LISTED + 1, offset: (page - 1) * LINKS_LISTED }
    const found = await linksOf(tx, row ? { ids: [row.id] } : { userId: user.id }, slice)
    const links = found.slice(0, LINKS_LISTED).map((link): TicketLink => {
      const { id, purpose, tickets, devices } = link
      const until = getEventEnd(eventOf(link), deps.settings.timezone).toISOString()
      const endedAt = link.endedAt?.toISOString() ?? null
      return { id, purpose, tickets, createdAt: link.createdAt.toISOString(), until, devices, endedAt }
    })
    return { links, more: found.length > LINKS_LISTED }
  })

/**
 * Ends a link for the owner of its tickets or an admin; an ended link stays ended. The owner of some of its tickets
 * removes those from it.
 */
export const endTicketLink = (deps: Deps, { user, id }: { user: Caller; id: string }): Promise<void> =>
  deps.store.write(async (tx) => {
    const link = await findLink(tx, id)
    const tickets = link ? await ticketsOfLink(tx, id) : []
    const mine = tickets.filter(({ userId }) => userId === user.id || user.role === 'admin')
    const [first] = mine
    if (!link || !first) throw new Refusal('LINK_UNKNOWN')
    if (link.endedAt !== null) return
    if (mine.length === tickets.length) await markLinkEnded(tx, id, deps.now())
    else await unlinkTickets(tx, id, listIds(mine))
    const detail = AUDIT.link(mine.length)
    await auditChange(tx, { at: deps.now(), action: 'link.ended', actor: user, subject: aboutTicket(first), detail })
  })

/** Opening a link to more tickets counts as several calls. */
const TICKETS_A_CALL = 20

type WalletRequest = CallInput<'openWallet'> & {
  count: (link: string, limit: 'user' | 'lost', points?: number) => Promise<void>
}

/**
 * The tickets of a link, for anyone who has it. Its first 20 devices may open it again and again until the event ends.
 * A phone's link belongs to the first device that opens it, and the phone's other links to these tickets end then. A
 * genuine code that a restored server does not know becomes its ticket's newest code again.
 */
export async function openWallet(deps: Deps, { token, deviceId, codes = [], count }: WalletRequest): Promise<Wallet> {
  const { id, tickets } = await deps.store.read(async (tx) => {
    const link = await openLink(deps, tx, token, deviceId)
    return { id: link.id, tickets: await countLinkTickets(tx, link.id) }
  })
  await count(id, 'user', Math.ceil(tickets / TICKETS_A_CALL))
  // Before the first restore no code is lost, and checking each signature is slow.
  if (codes.length > 0 && deps.epoch.number > 0) {
    await count(id, 'lost')
    for (const qrCode of codes) await readCode(deps, { qrCode })
  }
  const known = await deps.store.read(async (tx) => {
    const link = await openLink(deps, tx, token, deviceId)
    return (await hasOpened(tx, link, deviceId)) ? buildWallet(deps, tx, link) : null
  })
  if (known) return known
  return deps.store.write(async (tx) => {
    const link = await openLink(deps, tx, token, deviceId)
    if (!(await hasOpened(tx, link, deviceId))) {
      const at = deps.now()
      if (link.sellerId !== null) await endHandedLinks(tx, link, { endedAt: at, keeps: true })
      else if ((await countLinkDevices(tx, link.id)) >= LINK_DEVICES_MAX) throw new Refusal('LINK_ENDED')
      await recordLinkDevice(tx, link, { deviceId, at })
    }
    return buildWallet(deps, tx, link)
  })
}

/**
 * Moves the tickets of an offer, or of a phone's link, that have no owner to the caller's account and name, once. The
 * phone's links to them end, except one that this device has opened. A repeated request by the same person gets the
 * same answer.
 */
export const claimWallet = (
  deps: Deps,
  { user, token, deviceId = '' }: { user: Caller; token: string; deviceId?: string | undefined },
): Promise<string[]> =>
  deps.store.write(async (tx) => {
    const link = await findLinkByToken(tx, token)
    if (link === undefined || !mayBeClaimed(link)) throw new Refusal('LINK_UNKNOWN')
    const claimedBy = hashClaimant(link, user.id)
    if (link.claimedBy !== claimedBy) {
      await openLink(deps, tx, token, deviceId)
      const hasOpenedIt = await hasOpened(tx, link, deviceId)
      if (!(await claimOffer(tx, link, { claimedBy, claimedUnopened: !hasOpenedIt }))) throw new Refusal('OFFER_TAKEN')
      const offered = await ticketsOfLink(tx, link.id)
      const now = deps.now()
      await endHandedLinks(tx, link, { endedAt: now, keeps: hasOpenedIt })
      const account = orRefuse(await findUser(tx, user.id), 'UNAUTHENTICATED')
      const to = { userId: account.id, buyerName: account.name, buyerEmail: account.email }
      const moved = await giveTickets(tx, { to, ids: listIds(offered), now })
      const [first] = offered
      if (first && moved > 0) {
        tx.announceChanges('roster')
        const detail = AUDIT.claimed(moved)
        await auditChange(tx, { at: now, action: 'link.claimed', actor: account, subject: aboutTicket(first), detail })
      }
    }
    const owned = (await ticketsOfLink(tx, link.id)).flatMap(({ id, userId }) => (userId === user.id ? id : []))
    if (owned.length === 0) throw new Refusal('OFFER_TAKEN')
    return owned
  })

async function openLink(deps: Deps, tx: ReadTx, token: string, deviceId: string): Promise<LinkRow> {
  const link = orRefuse(await findLinkByToken(tx, token), 'LINK_UNKNOWN')
  const event = await getEventFor(tx, link)
  if (isOver(deps, event)) throw new Refusal('LINK_ENDED', { body: { over: event.name } })
  if (link.endedAt !== null) throw new Refusal('LINK_ENDED')
  if (link.sellerId === null || (await hasOpened(tx, link, deviceId))) return link
  if ((await countLinkDevices(tx, link.id)) > 0) throw new Refusal('LINK_TAKEN')
  if (!isJust(link.createdAt, deps.now())) throw new Refusal('LINK_ENDED')
  return link
}

const mayBeClaimed = ({ purpose, sellerId }: LinkRow): boolean => purpose === 'offer' || sellerId !== null

async function buildWallet({ settings }: Deps, tx: ReadTx, link: LinkRow): Promise<Wallet> {
  const tickets = await ticketsOfLink(tx, link.id)
  if (tickets.length === 0) throw new Refusal('LINK_ENDED')
  const row = await getEventFor(tx, link)
  const event = eventView(row, settings.timezone)
  const { _id, name, venue, date, startTime, endTime, endsNextDay, startsAt, endsAt, createdAt, updatedAt } = event
  return {
    event: { _id, name, venue, date, startTime, endTime, endsNextDay, startsAt, endsAt, createdAt, updatedAt },
    tickets: sortByNumber(tickets).map((ticket) => {
      const type = heldType(row, ticket.typeId)
      return {
        _id: ticket.id,
        qrCode: ticket.status === 'active' ? ticket.qrCode : null,
        status: shownStatus(ticket),
        name: getNameOnTicket(ticket),
        number: ticket.number,
        ...(type.isShown && { type }),
      }
    }),
    until: endsAt,
    ...(link.fromName !== '' && { from: link.fromName }),
    ...(isOffer(link, tickets) ? { offer: true as const } : {}),
  }
}

const isOffer = (link: LinkRow, tickets: readonly TicketRow[]): boolean =>
  mayBeClaimed(link) && link.claimedBy === null && tickets.some(({ userId }) => userId === null)
