import type { Role } from '@garba/shared/contracts/names'
import type { User } from '@garba/shared/contracts/people/user'
import { AUDIT } from '@garba/shared/messages/audit'
import { shownPhoto } from '@garba/shared/rules/photo'
import { orRefuse, Refusal } from '../../refusal.ts'
import { buildPagination, type PageQuery, toSlice } from '../../store/engine/sql.ts'
import { forgetUserOffers } from '../../store/lostTickets.ts'
import { disownOrders } from '../../store/orders.ts'
import { disownTickets } from '../../store/soldTypes.ts'
import {
  countUsers,
  findUser,
  readUserPage,
  removeUser,
  type UserFilter,
  type UserRow,
  updateUser,
} from '../../store/users.ts'
import { aboutUser, auditChange } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
export const listUserPage = ({ store }: Deps, query: UserFilter & PageQuery) =>
  store.read(async (tx) => {
    const { total: totalUsers, rows } = await readUserPage(tx, query, toSlice(query))
    const users: User[] = rows.map(userView)
    return { users, pagination: { ...buildPagination(query, { rows: totalUsers, shown: users.length }), totalUsers } }
  })

export const userCount = ({ store }: Deps): Promise<number> => store.read((tx) => countUsers(tx))

/** `photoURL` is what the user entered; `profilePicture` is what is shown. */
export const userView = (user: UserRow): User => ({
  _id: user.id,
  name: user.name,
  displayName: user.name,
  email: user.email,
  role: user.role,
  profilePicture: shownPhoto(user.photoUrl),
  photoURL: user.photoUrl,
  firebaseUID: user.firebaseUid,
  createdAt: user.createdAt.toISOString(),
  lastLogin: user.lastLogin?.toISOString() ?? null,
})

/**
 * Changes a user's role from that user's next request on. Setting the same role changes nothing and writes no audit
 * row. (Spec: Roles.)
 */
export async function changeRole(
  deps: Deps,
  { admin, id, role }: { admin: Caller; id: string; role: Role },
): Promise<User> {
  if (id === admin.id) throw new Refusal('OWN_ROLE')
  return deps.store.write(async (tx) => {
    tx.announceChanges('access')
    await requireStillAdmin(tx, admin, 'ROLES_ADMIN_ONLY')
    const before = await findUser(tx, id)
    const after = before?.role === role ? before : await updateUser(tx, id, { role })
    if (!before || !after) throw new Refusal('USER_NOT_FOUND')
    if (before.role !== role) {
      const detail = AUDIT.role(before.role, role)
      await auditChange(tx, { at: deps.now(), action: 'user.role', actor: admin, subject: aboutUser(after), detail })
    }
    return userView(after)
  })
}

/**
 * Deletes an account. Its tickets stay valid and keep the buyer's name and email; scans and audit rows keep a copy of
 * the name.
 */
export async function deleteUser(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  if (id === admin.id) throw new Refusal('OWN_ACCOUNT')
  await deps.store.write(async (tx) => {
    tx.announceChanges('access')
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const user = orRefuse(await findUser(tx, id), 'USER_NOT_FOUND')
    const kept = await disownTickets(tx, id)
    await disownOrders(tx, id)
    await forgetUserOffers(tx, [id])
    await removeUser(tx, id)
    const detail = AUDIT.userDeleted(user.role, kept)
    await auditChange(tx, { at: deps.now(), action: 'user.deleted', actor: admin, subject: aboutUser(user), detail })
  })
}
