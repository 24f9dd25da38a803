import type { Access } from '@garba/shared/contracts/call'
import { type Claims, KeysUnavailable, TokenRefused, type Verify } from '../identity/claims.ts'
import { Refusal } from '../refusal.ts'
import type { WriteTx } from '../store/sql.ts'
import { findUser, findUserByUid } from '../store/users.ts'
import type { Caller, Deps } from './deps.ts'

/**
 * The claims of an identity token. Refuses with UNAUTHENTICATED, with UNAVAILABLE when the provider's keys are not
 * available, and with EMAIL_UNVERIFIED or PROVIDER_NOT_GOOGLE for accounts other than verified Google ones (DECISIONS 9).
 */
export async function claimsOfToken({ verify, settings }: Deps, token: string): Promise<Claims> {
  const claims = await verified(verify, token)
  const lacksProvider = settings.demo && claims.provider === null
  if (claims.provider !== 'google.com' && !lacksProvider) throw new Refusal('PROVIDER_NOT_GOOGLE')
  if (!claims.emailVerified) throw new Refusal('EMAIL_UNVERIFIED')
  return claims
}

async function verified(verify: Verify, token: string): Promise<Claims> {
  try {
    return await verify(token)
  } catch (error) {
    if (error instanceof KeysUnavailable) throw new Refusal('UNAVAILABLE')
    if (error instanceof TokenRefused) throw new Refusal('UNAUTHENTICATED')
    throw error
  }
}

export interface Authenticated {
  user: Caller
  /** When the token expires. */
  until: Date
}

/**
 * The caller behind a token. The role is read from the database each time, so a demotion or deletion takes effect at once
 * (DECISIONS 2). Refuses with UNAUTHENTICATED or as `claimsOfToken`.
 */
export async function authenticate(deps: Deps, token: string | null): Promise<Authenticated> {
  if (token === null) throw new Refusal('UNAUTHENTICATED')
  const { uid, expiresAt } = await claimsOfToken(deps, token)
  const user = await deps.store.read((tx) => findUserByUid(tx, uid))
  if (!user) throw new Refusal('UNAUTHENTICATED')
  return { user, until: expiresAt }
}

const allows = (access: Access, role: Caller['role']): boolean =>
  access === 'anyone' || access === 'signedIn' || access.includes(role)

/** Whether an earlier caller still has access, for live views, which outlast the check of their request. */
export async function stillHasAccess({ store }: Deps, userId: string, access: Access): Promise<boolean> {
  const user = await store.read((tx) => findUser(tx, userId))
  return user !== undefined && allows(access, user.role)
}

type Denial = 'FORBIDDEN' | 'ROLES_ADMIN_ONLY'

/** Reads the caller again and repeats the access check. Refuses with UNAUTHENTICATED or as `requireAccess`. */
export async function recheckAccess({ store }: Deps, { id }: Caller, access: Access, code: Denial): Promise<Caller> {
  const user = await store.read((tx) => findUser(tx, id))
  if (!user) throw new Refusal('UNAUTHENTICATED')
  requireAccess(user, access, code)
  return user
}

/** Refuses a caller whose role may not make a call. Role changes have their own code (SPEC 6). */
export function requireAccess(user: Caller, access: Access, code: Denial): void {
  if (!allows(access, user.role)) throw new Refusal(code)
}

/**
 * Checks the admin's role again under the write lock: two admins who demote or delete each other at the same moment must
 * not leave the event without one. Refuses with ROLES_ADMIN_ONLY or FORBIDDEN.
 */
export async function requireStillAdmin(
  tx: WriteTx,
  admin: Caller,
  code: 'ROLES_ADMIN_ONLY' | 'FORBIDDEN',
): Promise<void> {
  if ((await findUser(tx, admin.id))?.role !== 'admin') throw new Refusal(code)
}
