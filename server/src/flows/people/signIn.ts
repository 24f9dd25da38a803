import type { User } from '@garba/shared/contracts/user'
import { AUDIT } from '@garba/shared/messages/audit'
import type { Claims } from '../../identity/claims.ts'
import { Refusal } from '../../refusal.ts'
import { newId } from '../../store/ids.ts'
import type { WriteTx } from '../../store/sql.ts'
import { adoptTickets } from '../../store/tickets.ts'
import { findUserByUid, findUserByVerifiedEmail, insertUser, type UserRow, updateUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import { claimsOfToken } from '../authenticate.ts'
import type { Deps } from '../deps.ts'
import { requireCrew } from '../recovery/rehearsal.ts'
import { userView } from './userView.ts'

/** Whether a verified email is one of ADMIN_EMAILS. */
export const isListedAdmin = ({ settings }: Deps, { email }: Claims): boolean => settings.adminEmails.includes(email)

interface SigningIn {
  idToken: string
  /** Counts a verified person's sign-in. Refuses with RATE_LIMITED. */
  count?: (uid: string) => Promise<void>
}

/**
 * Signs in the holder of an identity token. New people become guests, or admins if ADMIN_EMAILS lists them. They get
 * the tickets of a deleted account with the same email. Refuses as `claimsOfToken`, `requireCrew` and `count`.
 */
export async function signIn(deps: Deps, { idToken, count }: SigningIn): Promise<{ user: User; isNewUser: boolean }> {
  const claims = await claimsOfToken(deps, idToken)
  await count?.(claims.uid)
  return deps.store.write(async (tx) => {
    const known = await knownUser(tx, claims)
    const user = known ? await refresh(deps, tx, known, claims) : await enrol(deps, tx, claims)
    requireCrew(deps, user)
    const found = await adoptTickets(tx, { userId: user.id, email: claims.email })
    if (found > 0)
      await audited(tx, {
        at: deps.now(),
        action: 'ticket.adopted',
        actor: user,
        subject: aboutUser(user),
        detail: `${found === 1 ? '1 ticket' : `${found} tickets`} of a deleted account with the same email`,
      })
    return { user: userView(user), isNewUser: !known }
  })
}

/** Finds a user by uid, or by an email verified both in the token and for the account. */
const knownUser = async (tx: WriteTx, { uid, email }: Claims): Promise<UserRow | undefined> =>
  (await findUserByUid(tx, uid)) ?? (await findUserByVerifiedEmail(tx, email))

async function enrol(deps: Deps, tx: WriteTx, claims: Claims): Promise<UserRow> {
  const now = deps.now()
  const user = await insertUser(tx, {
    id: newId(now),
    firebaseUid: claims.uid,
    email: claims.email,
    emailVerified: true,
    name: claims.name || 'Guest',
    photoUrl: claims.photoUrl,
    role: isListedAdmin(deps, claims) ? 'admin' : 'guest',
    createdAt: now,
    lastLogin: now,
  })
  await audited(tx, {
    at: now,
    action: 'user.created',
    actor: user,
    subject: aboutUser(user),
    detail: AUDIT.joined(user.role),
  })
  return user
}

/** Takes over the provider's verified email, but keeps the user's chosen name and photo. */
async function refresh(deps: Deps, tx: WriteTx, user: UserRow, claims: Claims): Promise<UserRow> {
  const now = deps.now()
  const promoted = user.role !== 'admin' && isListedAdmin(deps, claims)
  const next = await updateUser(tx, user.id, {
    firebaseUid: claims.uid,
    email: claims.email,
    emailVerified: true,
    photoUrl: user.photoUrl ?? claims.photoUrl,
    ...(promoted ? { role: 'admin' as const } : {}),
    lastLogin: now,
  })
  if (!next) throw new Refusal('USER_NOT_FOUND')
  if (promoted)
    await audited(tx, {
      at: now,
      action: 'user.role',
      actor: next,
      subject: aboutUser(next),
      detail: AUDIT.roleByList(user.role),
    })
  return next
}
