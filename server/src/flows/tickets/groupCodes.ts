import type { GroupCode } from '@garba/shared/contracts/ticket'
import { groupsOf } from '@garba/shared/rules/groupQr'
import { findEvent } from '../../store/events.ts'
import { ticketsOf } from '../../store/tickets.ts'
import type { Caller, Deps } from '../deps.ts'

/**
 * Codes for the caller's active tickets of the current event, oldest first, at most 8 tickets per code; none for fewer
 * than two tickets. They are signed on request, so a sale costs nothing more.
 */
export async function groupCodes({ store, signer }: Deps, user: Caller): Promise<GroupCode[]> {
  const { eventId, ids } = await store.read(async (tx) => {
    const event = await findEvent(tx)
    const own = event ? await ticketsOf(tx, user.id) : []
    const active = own.filter(({ status, eventId }) => status === 'active' && eventId === event?.id)
    return { eventId: event?.id ?? '', ids: active.map(({ id }) => id).toReversed() }
  })
  return Promise.all(
    groupsOf(ids).map(async (ticketIds) => ({ qrCode: await signer.signGroup({ ticketIds, eventId }), ticketIds })),
  )
}
