import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { Refusal } from '../../refusal.ts'
import { eventOf } from '../../store/events.ts'
import type { WriteTx } from '../../store/sql.ts'
import { findTicket, moveTicket, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { recordByHand } from '../money/refunds/recordByHand.ts'
import { ticketView } from './ticketView.ts'

interface Refunding {
  admin: Caller
  /** true: Done, false: Failed, null: Pending (SPEC 2). */
  isRefundDone: boolean | null
  /** The reason in the audit trail. */
  reason?: string | undefined
}

/**
 * Sets the refund state of a cancelled ticket, also in a closed event: the money is still owed. Refuses with
 * TICKET_NOT_FOUND, REFUND_NOT_CANCELLED, REFUND_IN_DOUBT, or REFUND_ON_ITS_WAY.
 */
export async function recordRefund(deps: Deps, refunding: Refunding & { id: string }): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const row = await refund(deps, tx, refunding.id, { ...refunding, now: deps.now() })
    return ticketView(row, await eventOf(tx, row))
  })
}

/**
 * Sets the refund state of many cancelled tickets, all or nothing. Returns how many tickets now have it; duplicates count
 * once. Refuses as `recordRefund`.
 */
export async function recordRefunds(
  deps: Deps,
  { ticketIds, ...refunding }: Refunding & { ticketIds: readonly string[] },
): Promise<number> {
  const ids = new Set(ticketIds)
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const now = deps.now()
    for (const id of ids) await refund(deps, tx, id, { ...refunding, now })
  })
  return ids.size
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  id: string,
  { admin, isRefundDone, reason, now }: Refunding & { now: Date },
): Promise<TicketRow> {
  const ticket = await findTicket(tx, id)
  if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
  if (ticket.status !== 'cancelled') throw new Refusal('REFUND_NOT_CANCELLED')
  if (ticket.isRefundDone === isRefundDone) return ticket
  await recordByHand(deps, tx, {
    ticket,
    isRefundDone,
    now,
    ...(reason === undefined ? {} : { reason }),
    by: admin.name,
    byId: admin.id,
  })
  const set = { status: 'cancelled' as const, isRefundDone }
  const moved = await moveTicket(tx, { id, eventId: ticket.eventId, from: 'cancelled', set, now })
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  const detail = AUDIT.refund(REFUND_STATE(ticket.isRefundDone), REFUND_STATE(isRefundDone), reason)
  await audited(tx, { at: now, action: 'ticket.refund', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}
