import type { Role } from '@garba/shared/contracts/names'
import type { User } from '@garba/shared/contracts/user'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import { findUser, updateUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { userView } from './userView.ts'

/**
 * Changes a user's role from that user's next request on (SPEC 6). Setting the same role changes nothing and writes no
 * audit row. Refuses with OWN_ROLE, USER_NOT_FOUND or ROLES_ADMIN_ONLY.
 */
export async function changeRole(
  deps: Deps,
  { admin, id, role }: { admin: Caller; id: string; role: Role },
): Promise<User> {
  if (id === admin.id) throw new Refusal('OWN_ROLE')
  return deps.store.write(async (tx) => {
    tx.announce('access')
    await requireStillAdmin(tx, admin, 'ROLES_ADMIN_ONLY')
    const before = await findUser(tx, id)
    const after = before?.role === role ? before : await updateUser(tx, id, { role })
    if (!before || !after) throw new Refusal('USER_NOT_FOUND')
    if (before.role !== role)
      await audited(tx, {
        at: deps.now(),
        action: 'user.role',
        actor: admin,
        subject: aboutUser(after),
        detail: AUDIT.role(before.role, role),
      })
    return userView(after)
  })
}
