import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../refusal.ts'
import { findTicket, moveTicket } from '../store/tickets.ts'
import { aboutTicket, audited } from './audited.ts'
import type { Caller, Deps } from './deps.ts'
import { openEventOf } from './eventAsked.ts'
import { requireNoDoubt } from './money/recordByHand.ts'
import { settleRefundsElsewhere } from './money/refundedElsewhere.ts'
import { releaseAdmission } from './setTicketStatus.ts'

/**
 * Deletes a ticket and frees its seat. Only scanners still see it, as a tombstone that they refuse (DECISIONS 2).
 * Refuses with TICKET_NOT_FOUND or EVENT_CLOSED.
 */
export async function deleteTicket(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticket = await findTicket(tx, id)
    if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    await openEventOf(tx, ticket)
    await requireNoDoubt(tx, [id])
    const now = deps.now()
    const { eventId, status: from } = ticket
    const moved = await moveTicket(tx, { id, eventId, from, set: { status: 'deleted' }, now })
    if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
    await releaseAdmission(tx, ticket)
    if (ticket.orderId !== null) await settleRefundsElsewhere(tx, ticket.orderId, now)
    await audited(tx, {
      at: now,
      action: 'ticket.deleted',
      actor: admin,
      subject: aboutTicket(ticket),
      detail: AUDIT.ticketDeleted(from),
    })
  })
}
