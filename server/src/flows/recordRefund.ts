import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import type { WriteTx } from '../store/sql.ts'
import { findTicket, moveTicket, type TicketRow } from '../store/tickets.ts'
import { aboutTicket, audited } from './audited.ts'
import type { Caller, Deps } from './deps.ts'
import { ticketView } from './views/ticket.ts'

interface Refunding {
  admin: Caller
  id: string
  /** true: Done, false: Failed, null: Pending (SPEC 2). */
  isRefundDone: boolean | null
}

/** Sets the refund state of a cancelled ticket. Refuses with TICKET_NOT_FOUND or REFUND_NOT_CANCELLED (DECISIONS 2). */
export async function recordRefund(deps: Deps, refunding: Refunding): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const row = await findTicket(tx, refunding.id)
    if (!row) throw new Refusal('TICKET_NOT_FOUND')
    if (row.status !== 'cancelled') throw new Refusal('REFUND_NOT_CANCELLED')
    const same = row.isRefundDone === refunding.isRefundDone
    return ticketView(same ? row : await refund(deps, tx, row, refunding), (await findEvent(tx))?.name ?? '')
  })
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  ticket: TicketRow,
  { admin, isRefundDone }: Refunding,
): Promise<TicketRow> {
  const { id, eventId } = ticket
  const now = deps.now()
  const moved = await moveTicket(tx, {
    id,
    eventId,
    from: 'cancelled',
    set: { status: 'cancelled', isRefundDone },
    now,
  })
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  const detail = AUDIT.refund(REFUND_STATE(ticket.isRefundDone), REFUND_STATE(isRefundDone))
  await audited(tx, { at: now, action: 'ticket.refund', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}
