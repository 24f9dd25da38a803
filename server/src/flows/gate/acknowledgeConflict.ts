import type { Evening } from '@garba/shared/contracts/desk'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import { findConflict, markAcknowledged } from '../../store/conflicts.ts'
import { findScan } from '../../store/scans.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { conflictView } from './conflictView.ts'

/**
 * Marks a double admission as seen. The first mark stays; acknowledging again changes nothing. A supervisor who made
 * the conflict by letting the holder in may not acknowledge it. Refuses with SCAN_NOT_FOUND or CONFLICT_OWN.
 */
export async function acknowledgeConflict(
  deps: Deps,
  { admin, id }: { admin: AnyCaller; id: string },
): Promise<Evening['conflicts'][number]> {
  return deps.store.write(async (tx) => {
    tx.announce('evening')
    const now = deps.now()
    const before = await findConflict(tx, id)
    if (!before) throw new Refusal('SCAN_NOT_FOUND')
    // The swap's scan has the conflict's id. Its sender is known by session or signature.
    if (before.disputed && (await findScan(tx, id))?.senderId === admin.id) throw new Refusal('CONFLICT_OWN')
    const marked = await markAcknowledged(tx, id, { acknowledgedByName: admin.name, acknowledgedAt: now })
    const known = marked ?? before
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
