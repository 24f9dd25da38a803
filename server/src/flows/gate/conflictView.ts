import type { Evening } from '@garba/shared/contracts/desk'
import type { ConflictRow } from '../../store/conflicts.ts'

/** A double admission as the evening view shows it. */
export const conflictView = (conflict: ConflictRow): Evening['conflicts'][number] => ({
  id: conflict.id,
  ticketId: conflict.ticketId,
  name: conflict.holderName,
  over: conflict.over,
  ...(conflict.disputed ? { disputed: true } : {}),
  first: conflict.first,
  second: conflict.second,
  acknowledgedBy: conflict.acknowledgedByName,
  acknowledgedAt: conflict.acknowledgedAt?.toISOString() ?? null,
})
