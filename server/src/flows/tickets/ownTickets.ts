import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { cancellationOf } from '@garba/shared/rules/cancellation'
import { Refusal } from '../../refusal.ts'
import { findTicket, moveTicket } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../eventAsked.ts'
import { refundCancelled } from '../money/refunds/refundCancelled.ts'
import { ticketView } from './ticketView.ts'

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
