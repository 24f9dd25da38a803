import type { Access } from '@garba/shared/contracts/calls'
import { type Claims, KeysUnavailable, TokenRefused, type Verify } from '../identity/claims.ts'
import { Refusal } from '../refusal.ts'
import type { WriteTx } from '../store/sql.ts'
import { findUser, findUserByUid } from '../store/users.ts'
import type { Caller, Deps } from './deps.ts'

/**
 * The claims of an identity token. Refuses with UNAUTHENTICATED, with UNAVAILABLE when the provider's keys cannot be had,
 * and with EMAIL_UNVERIFIED or PROVIDER_NOT_GOOGLE when the account is no Google account of a proved email (DECISIONS 9).
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
  /** When the token stops proving anything. */
  until: Date
}

/**
 * The caller behind a token, the role read from the database at this moment: a demotion or deletion works at once
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

/** Whether a caller of before would still be let in: asked by live views, which outlive their request's check. */
export async function stillMay({ store }: Deps, userId: string, access: Access): Promise<boolean> {
  const user = await store.read((tx) => findUser(tx, userId))
  return user !== undefined && allows(access, user.role)
}

type Denial = 'FORBIDDEN' | 'ROLES_ADMIN_ONLY'

/** The caller as the database has it now, once more allowed. Refuses with UNAUTHENTICATED or as `requireAccess`. */
export async function askAgain({ store }: Deps, { id }: Caller, access: Access, code: Denial): Promise<Caller> {
  const user = await store.read((tx) => findUser(tx, id))
  if (!user) throw new Refusal('UNAUTHENTICATED')
  requireAccess(user, access, code)
  return user
}

/** Refuses a caller whose role may not make a call, with the words of SPEC 6 for role changes. */
export function requireAccess(user: Caller, access: Access, code: Denial): void {
  if (!allows(access, user.role)) throw new Refusal(code)
}

/**
 * Asks for the admin's role again under the write lock: two admins who demote or delete each other at one moment must
 * not leave the event without any. Refuses with ROLES_ADMIN_ONLY or FORBIDDEN.
 */
export async function requireStillAdmin(
  tx: WriteTx,
  admin: Caller,
  code: 'ROLES_ADMIN_ONLY' | 'FORBIDDEN',
): Promise<void> {
  if ((await findUser(tx, admin.id))?.role !== 'admin') throw new Refusal(code)
}
