import type { Evening } from '@garba/shared/contracts/desk'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../refusal.ts'
import { findConflict, markAcknowledged } from '../store/conflicts.ts'
import { aboutTicket, audited } from './audited.ts'
import type { AnyCaller, Deps } from './deps.ts'
import { conflictView } from './views/conflict.ts'

/**
 * Marks a double admission as seen. The first mark stays; acknowledging again changes nothing. Refuses with
 * SCAN_NOT_FOUND.
 */
export async function acknowledgeConflict(
  deps: Deps,
  { admin, id }: { admin: AnyCaller; id: string },
): Promise<Evening['conflicts'][number]> {
  return deps.store.write(async (tx) => {
    tx.announce('evening')
    const now = deps.now()
    const marked = await markAcknowledged(tx, id, { acknowledgedByName: admin.name, acknowledgedAt: now })
    const known = marked ?? (await findConflict(tx, id))
    if (!known) throw new Refusal('SCAN_NOT_FOUND')
    const subject = aboutTicket({ id: known.ticketId, buyerName: known.holderName, eventId: known.eventId })
    if (marked)
      await audited(tx, {
        at: now,
        action: 'ticket.conflictAcknowledged',
        actor: admin,
        subject,
        detail: AUDIT.conflictSeen,
      })
    return conflictView(known)
  })
}
