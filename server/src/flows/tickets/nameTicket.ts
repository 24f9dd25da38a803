import type { Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import { nameTicket as writeName } from '../../store/ticketNames.ts'
import { findTicket, nameOn } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../eventAsked.ts'
import { ticketView } from './ticketView.ts'

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
