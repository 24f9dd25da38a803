import { AUDIT } from '@garba/shared/messages/audit'
import { refundOf } from '@garba/shared/rules/cancellation'
import { Refusal } from '../../refusal.ts'
import type { WriteTx } from '../../store/sql.ts'
import { findTicket, moveTicket, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../eventAsked.ts'
import { requireNoDoubt } from '../money/refunds/recordByHand.ts'
import { paidOrderOf } from '../money/refunds/refundCancelled.ts'
import { settleRefundsElsewhere } from '../money/refunds/refundedElsewhere.ts'
import { releaseAdmission } from './setTicketStatus.ts'

/**
 * Deletes a ticket and frees its seat. Only scanners still see it, as a tombstone that they refuse.
 * Refuses with TICKET_NOT_FOUND, EVENT_CLOSED, MONEY_UNSETTLED, or REFUND_IN_DOUBT.
 */
export async function deleteTicket(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticket = await findTicket(tx, id)
    if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    await openEventOf(tx, ticket)
    await requireSettled(tx, ticket)
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

/** A deleted ticket is in no list, so no money may belong to it: none received for it, and none owed. */
async function requireSettled(tx: WriteTx, ticket: TicketRow): Promise<void> {
  await requireNoDoubt(tx, [ticket.id])
  if (ticket.pricePaise === 0 || !(await paidOrderOf(tx, ticket))) return
  const { refundPaise } = refundOf(ticket.pricePaise)
  if (ticket.status === 'cancelled' && (ticket.isRefundDone === true || refundPaise === 0)) return
  throw new Refusal('MONEY_UNSETTLED')
}
