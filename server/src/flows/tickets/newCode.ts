import { NEW_CODES_MAX } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { SCAN } from '@garba/shared/messages/codes'
import { momentText } from '@garba/shared/rules/phones/scanTime'
import { orRefuse, Refusal, type RefusalFacts } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { idOfNewCode, replaceTicket, ticketNow, ticketOfLaterCode } from '../../store/newCodes.ts'
import { findTicketOrTombstone, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../event/readEvent.ts'
import { ticketView } from './readTickets.ts'

/** The time of a new code for a message, such as 6:02 PM, and for the response. */
export function replacedFacts(
  replacedAt: string,
  { now, timezone: timeZone = 'UTC' }: { now: Date; timezone?: string },
): RefusalFacts {
  const when = momentText({ instant: new Date(replacedAt), now, timeZone })
  return { message: SCAN.replaced(when).detail, body: { replacedAt } }
}

interface Renewing {
  user: Caller
  id: string
  /** A repeated key gets the ticket of the first request. */
  idempotencyKey: string | null
}

/**
 * Gives an active ticket a new code, and with it a new id, because someone else may have a picture of the old one.
 * Refuses with TICKET_NOT_FOUND, FORBIDDEN for a guest's ticket that is not theirs, EVENT_CLOSED, CODE_REPLACED for an
 * id that was replaced, ALREADY_USED, TICKET_CANCELLED, or NEW_CODE_LIMIT.
 */
export async function newCode(deps: Deps, renewing: Renewing): Promise<Ticket> {
  const { user, id, idempotencyKey: key } = renewing
  const { eventId } = await deps.store.read((tx) => ownTicket(tx, renewing))
  // Signing is asynchronous, so it happens before the write.
  const qrCode = await deps.signer.sign({ ticketId: idOfNewCode(id), eventId })
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const now = deps.now()
    const ticket = await ownTicket(tx, renewing)
    const isNew = await claimRequest(tx, { call: 'newCode', userId: user.id, key, asked: [id] }, now)
    if (!isNew) return viewNow(tx, id)
    const event = await openEventOf(tx, ticket)
    requireReplaceable(ticket, { now, timezone: deps.settings.timezone })
    const renewed = await replaceTicket(tx, ticket, { qrCode, now })
    if (renewed === 'stale') throw new Refusal('UNAVAILABLE')
    await auditNewCode(tx, { from: ticket, to: renewed, actor: user, detail: AUDIT.newCode, now })
    return ticketView(renewed, event)
  })
}

/** Refuses with TICKET_NOT_FOUND or FORBIDDEN. */
async function ownTicket(tx: ReadTx, { user, id }: Renewing): Promise<TicketRow> {
  const ticket = await findTicketOrTombstone(tx, id)
  if (!ticket || (ticket.status === 'deleted' && ticket.replacedAt === null)) throw new Refusal('TICKET_NOT_FOUND')
  const owner = ticket.replacedAt === null ? ticket : await ticketNow(tx, id)
  if (owner?.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
  return ticket
}

async function viewNow(tx: ReadTx, id: string): Promise<Ticket> {
  const ticket = orRefuse(await ticketNow(tx, id), 'TICKET_NOT_FOUND')
  return ticketView(ticket, await openEventOf(tx, ticket))
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

interface Audited {
  from: TicketRow
  to: TicketRow
  actor: { id: string | null; name: string }
  detail: (from: string, to: string) => string
  now: Date
}

const auditNewCode = (tx: WriteTx, { from, to, actor, detail, now }: Audited): Promise<void> =>
  audited(tx, { at: now, action: 'ticket.newCode', actor, subject: aboutTicket(to), detail: detail(from.id, to.id) })

/**
 * A genuine code may name a ticket that a restored backup has under an earlier id: then its new code counts again, and
 * the earlier ones do not. Does nothing for a known id or any other unknown one.
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
    tx.announce('roster', 'evening')
    const now = deps.now()
    let ticket = await findTicketOrTombstone(tx, lost.ticket.id)
    for (const qrCode of signed) {
      const next = ticket && (await replaceTicket(tx, ticket, { qrCode, now }))
      if (!ticket || !next || next === 'stale') return
      const actor = { id: null, name: AUDIT.restore }
      await auditNewCode(tx, { from: ticket, to: next, actor, detail: AUDIT.newCode, now })
      ticket = next
    }
  })
}
