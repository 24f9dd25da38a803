import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { cancellationOf } from '@garba/shared/rules/cancellation'
import { groupsOf } from '@garba/shared/rules/groupQr'
import { Refusal } from '../../refusal.ts'
import { findEvent } from '../../store/events.ts'
import { findTicket, moveTicket, nameOn, ticketsOf, nameTicket as writeName } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../event/readEvent.ts'
import { refundCancelled } from '../money/refunds/requestRefund.ts'
import { ticketView } from './readTickets.ts'

interface Cancelling {
  user: Caller
  id: string
  /** Trimmed, 1 to 500 characters. */
  reason: string
}

/**
 * Cancels the caller's active ticket at least 10 days before the event and puts its seat back on sale (SPEC 5).
 * Refuses with TICKET_NOT_FOUND, FORBIDDEN, EVENT_CLOSED, TICKET_NOT_ACTIVE, or
 * CANCELLATION_CLOSED and the days left.
 */
export async function cancelTicket(deps: Deps, { user, id, reason }: Cancelling): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const row = await findTicket(tx, id)
    if (!row) throw new Refusal('TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    if (row.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    const event = await openEventOf(tx, row)
    const now = deps.now()
    const verdict = cancellationOf({ status: row.status, day: event.date, timeZone: deps.settings.timezone, now })
    if (!verdict.allowed) throw new Refusal(verdict.why, { daysLeft: verdict.daysLeft })
    const set = { status: 'cancelled' as const, cancelledAt: now, cancellationReason: reason, isRefundDone: null }
    const moved = await moveTicket(tx, { id, eventId: event.id, from: 'active', set, now })
    if (typeof moved === 'string') throw new Refusal('TICKET_NOT_ACTIVE')
    await refundCancelled(deps, tx, { ticket: moved, reason })
    await audited(tx, {
      at: now,
      action: 'ticket.cancelled',
      actor: user,
      subject: aboutTicket(row),
      detail: AUDIT.cancelled(reason),
    })
    return ticketView(moved, event)
  })
}

interface Naming {
  user: Caller
  id: string
  /** 1 to 60 characters; null for the buyer. */
  name: string | null
}

/**
 * Stores the user of one of the caller's active tickets: the gate, its lists and its search then show that name.
 * Refuses with TICKET_NOT_FOUND, FORBIDDEN, EVENT_CLOSED or TICKET_NAME_FIXED.
 */
export async function nameTicket(deps: Deps, { user, id, name }: Naming): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster')
    const row = await findTicket(tx, id)
    if (!row) throw new Refusal('TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    const event = await openEventOf(tx, row)
    if (row.status !== 'active') throw new Refusal('TICKET_NAME_FIXED')
    if (row.holderName === name) return ticketView(row, event)
    const now = deps.now()
    const named = await writeName(tx, row, { holderName: name, now })
    if (named === 'stale') throw new Refusal('TICKET_NAME_FIXED')
    const detail = AUDIT.named(nameOn(row), nameOn(named))
    await audited(tx, { at: now, action: 'ticket.named', actor: user, subject: aboutTicket(row), detail })
    return ticketView(named, event)
  })
}

/**
 * Codes for the caller's active tickets of the current event, oldest first, at most 8 tickets per code; none for fewer
 * than two tickets. They are signed on request, so a sale costs nothing more.
 */
export async function groupCodes({ store, signer }: Deps, user: Caller): Promise<GroupCode[]> {
  const { eventId, ids } = await store.read(async (tx) => {
    const event = await findEvent(tx)
    const own = event ? await ticketsOf(tx, user.id) : []
    const active = own.filter(({ status, eventId }) => status === 'active' && eventId === event?.id)
    return { eventId: event?.id ?? '', ids: active.map(({ id }) => id).toReversed() }
  })
  return Promise.all(
    groupsOf(ids).map(async (ticketIds) => ({ qrCode: await signer.signGroup({ ticketIds, eventId }), ticketIds })),
  )
}
