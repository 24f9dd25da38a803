import type { TicketStatus } from '@garba/shared/contracts/names'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { moveByAdmin, seatsLeft } from './moveByAdmin.ts'

/**
 * Sets many tickets to one status, all or nothing, seats included (DECISIONS 2). Says how many tickets have the status
 * now: one named twice counts once, one that had it already counts. Refuses with TICKET_NOT_FOUND or SOLD_OUT.
 */
export function bulkUpdate(
  deps: Deps,
  { admin, ticketIds, status }: { admin: Caller; ticketIds: readonly string[]; status: TicketStatus },
): number {
  const ids = new Set(ticketIds)
  inTransaction(deps, (tx) => {
    const now = deps.now()
    const seats = seatsLeft(tx)
    for (const id of ids) moveByAdmin(tx, { admin, id, to: status, now, seats })
  })
  deps.changes.tell('roster', 'gate')
  return ids.size
}
