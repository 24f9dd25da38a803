import type { User } from '@garba/shared/contracts/user'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import { updateUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import { claimsOfToken } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { isListedAdmin } from './signIn.ts'
import { userView } from './userView.ts'

/**
 * Makes the caller an admin if the token proves an email of ADMIN_EMAILS. Refuses with NOT_ADMIN_EMAIL.
 */
export async function assignAdmin(deps: Deps, { user, token }: { user: Caller; token: string | null }): Promise<User> {
  if (token === null) throw new Refusal('UNAUTHENTICATED')
  const claims = await claimsOfToken(deps, token)
  if (!isListedAdmin(deps, claims)) throw new Refusal('NOT_ADMIN_EMAIL')
  if (user.role === 'admin') return userView(user)
  return deps.store.write(async (tx) => {
    const now = deps.now()
    const admin = await updateUser(tx, user.id, { role: 'admin' })
    if (!admin) throw new Refusal('UNAUTHENTICATED')
    await audited(tx, {
      at: now,
      action: 'user.role',
      actor: admin,
      subject: aboutUser(admin),
      detail: AUDIT.roleByList(user.role),
    })
    return userView(admin)
  })
}

/** The caller's account. Someone whom ADMIN_EMAILS lists by now becomes an admin here, so that no page needs a new sign-in. */
export async function syncedUser(deps: Deps, asked: { user: Caller; token: string | null }): Promise<User> {
  const { user, token } = asked
  const mayBeAdmin = user.role !== 'admin' && deps.settings.adminEmails.includes(user.email)
  if (!mayBeAdmin || token === null) return userView(user)
  return isListedAdmin(deps, await claimsOfToken(deps, token)) ? assignAdmin(deps, asked) : userView(user)
}
