import { NEW_CODES_MAX } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { SCAN } from '@garba/shared/messages/codes'
import { TAKEN_OVER } from '@garba/shared/messages/gate'
import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import { orRefuse, Refusal, type RefusalFacts } from '../../refusal.ts'
import { addOrderMatter } from '../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { idOfNewCode, replaceTicketId, ticketNow, ticketOfLaterCode } from '../../store/newCodes.ts'
import { findOrderById } from '../../store/orders.ts'
import { hashClaimant, linksOfTickets } from '../../store/ticketLinks.ts'
import { findTicketOrTombstone, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { requireOpenEvent } from '../event/readEvent.ts'
import { ticketView } from './readTickets.ts'

export function replacedFacts(
  replacedAt: string,
  { now, timezone: timeZone = 'UTC' }: { now: Date; timezone?: string },
): RefusalFacts {
  const when = scanTimeText({ instant: new Date(replacedAt), now, timeZone })
  return { message: SCAN.replaced(when).detail, body: { replacedAt } }
}

interface CodeRenewal {
  user: Caller
  id: string
  idempotencyKey: string | null
}

/** Gives an active ticket a new code, and with it a new id, because someone else may have a picture of the old code. */
export async function renewTicketCode(deps: Deps, renewing: CodeRenewal): Promise<Ticket> {
  const { user, id, idempotencyKey: key } = renewing
  const { eventId } = await deps.store.read((tx) => ownTicket(tx, renewing))
  // Signing is asynchronous, so it happens before the write.
  const qrCode = await deps.signer.sign({ ticketId: idOfNewCode(id), eventId })
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    const ticket = await ownTicket(tx, renewing)
    const isNew = await claimRequest(tx, { call: 'newCode', userId: user.id, key, asked: [id] }, now)
    if (!isNew) return viewNow(tx, id)
    const event = await requireOpenEvent(tx, ticket)
    requireReplaceable(ticket, { now, timezone: deps.settings.timezone })
    const renewed = await replaceTicketId(tx, ticket, { qrCode, now })
    if (renewed === 'stale') throw new Refusal('UNAVAILABLE')
    await auditNewCode(tx, { from: ticket, to: renewed, actor: user, detail: AUDIT.newCode, now })
    if (renewed.userId === user.id && !(await isBuyersAccount(tx, renewed, user)))
      await addTakenOverMatter(tx, { ticket: renewed, detail: TAKEN_OVER.newCode(renewed.id), now })
    return ticketView(renewed, event)
  })
}

/**
 * Whether the owner of a ticket that a person sold is its buyer, as far as links tell: the account claimed it on a device
 * that had opened the link. The email that a phone's seller typed proves nothing.
 */
async function isBuyersAccount(tx: ReadTx, { id, orderId }: TicketRow, user: Caller): Promise<boolean> {
  const order = orderId === null ? undefined : await findOrderById(tx, orderId)
  if (!order || order.channel === 'web') return true
  const claims = (await linksOfTickets(tx, [id])).filter((link) => link.claimedBy === hashClaimant(link, user.id))
  if (claims.length === 0) return order.channel !== 'door'
  return claims.some(({ claimedUnopened }) => !claimedUnopened)
}

/** Makes a matter of an order, once: somebody may have taken its tickets from the buyer. */
async function addTakenOverMatter(
  tx: WriteTx,
  { ticket, detail, now: at }: { ticket: TicketRow; detail: string; now: Date },
): Promise<void> {
  const { orderId, pricePaise: totalPaise } = ticket
  if (orderId !== null) await addOrderMatter(tx, { id: orderId, totalPaise }, { kind: 'takenOver', detail, at })
}

/** Somebody came with the old code of a ticket that a phone sold and an account has renewed: two people count on it. */
export async function addOldCodeMatter(tx: WriteTx, ticket: TicketRow, now: Date): Promise<void> {
  const order = ticket.orderId === null ? undefined : await findOrderById(tx, ticket.orderId)
  if (order?.channel !== 'door' || (await ticketNow(tx, ticket.id))?.userId == null) return
  await addTakenOverMatter(tx, { ticket, detail: TAKEN_OVER.oldCode(ticket.id), now })
}

async function ownTicket(tx: ReadTx, { user, id }: CodeRenewal): Promise<TicketRow> {
  const ticket = await findTicketOrTombstone(tx, id)
  if (!ticket || (ticket.status === 'deleted' && ticket.replacedAt === null)) throw new Refusal('TICKET_NOT_FOUND')
  const owner = ticket.replacedAt === null ? ticket : await ticketNow(tx, id)
  if (owner?.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
  return ticket
}

async function viewNow(tx: ReadTx, id: string): Promise<Ticket> {
  const ticket = orRefuse(await ticketNow(tx, id), 'TICKET_NOT_FOUND')
  return ticketView(ticket, await requireOpenEvent(tx, ticket))
}

function requireReplaceable(
  { status, replacedAt, newCodes }: TicketRow,
  clock: Parameters<typeof replacedFacts>[1],
): void {
  if (replacedAt) throw new Refusal('CODE_REPLACED', replacedFacts(replacedAt.toISOString(), clock))
  if (status === 'used') throw new Refusal('ALREADY_USED')
  if (status === 'cancelled') throw new Refusal('TICKET_CANCELLED')
  if (newCodes >= NEW_CODES_MAX) throw new Refusal('NEW_CODE_LIMIT')
}

interface NewCodeAudit {
  from: TicketRow
  to: TicketRow
  actor: { id: string | null; name: string }
  detail: (from: string, to: string) => string
  now: Date
}

const auditNewCode = (tx: WriteTx, { from, to, actor, detail, now }: NewCodeAudit): Promise<void> =>
  auditChange(tx, {
    at: now,
    action: 'ticket.newCode',
    actor,
    subject: aboutTicket(to),
    detail: detail(from.id, to.id),
  })

/**
 * A genuine code may name a ticket that a restored backup has under an earlier id: then its new code counts again, and
 * the earlier codes do not. Does nothing for a known id, or any other unknown id.
 */
export async function knowNewCode(deps: Deps, unknown: string): Promise<void> {
  // Before the first restore no ticket is lost, so scans skip the query.
  if (deps.epoch.number === 0) return
  const lost = await deps.store.read(async (tx) =>
    (await findTicketOrTombstone(tx, unknown)) ? null : await ticketOfLaterCode(tx, unknown),
  )
  if (!lost || deps.epoch.readOnly() !== null) return
  const { eventId } = lost.ticket
  const signed = await Promise.all(lost.ids.map((ticketId) => deps.signer.sign({ ticketId, eventId })))
  await deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    let ticket = await findTicketOrTombstone(tx, lost.ticket.id)
    for (const qrCode of signed) {
      const next = ticket && (await replaceTicketId(tx, ticket, { qrCode, now }))
      if (!ticket || !next || next === 'stale') return
      const actor = { id: null, name: AUDIT.restore }
      await auditNewCode(tx, { from: ticket, to: next, actor, detail: AUDIT.newCode, now })
      ticket = next
    }
  })
}
