import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import { forgetLostOf } from '../../store/lostTickets.ts'
import { disownOrders } from '../../store/orders.ts'
import { disownTickets } from '../../store/tickets.ts'
import { findUser, removeUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'

/**
 * Deletes an account. Its tickets stay valid and keep the buyer's name and email; scans and audit rows keep a copy of the
 * name. Refuses with OWN_ACCOUNT, USER_NOT_FOUND or FORBIDDEN.
 */
export async function deleteUser(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  if (id === admin.id) throw new Refusal('OWN_ACCOUNT')
  await deps.store.write(async (tx) => {
    tx.announce('access')
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const user = await findUser(tx, id)
    if (!user) throw new Refusal('USER_NOT_FOUND')
    const kept = await disownTickets(tx, id)
    await disownOrders(tx, id)
    await forgetLostOf(tx, [id])
    await removeUser(tx, id)
    await audited(tx, {
      at: deps.now(),
      action: 'user.deleted',
      actor: admin,
      subject: aboutUser(user),
      detail: AUDIT.userDeleted(user.role, kept),
    })
  })
}
