import type { Call } from '@garba/shared/calls/call'
import { MINUTE_MS } from '@garba/shared/constants'
import type { Right } from '@garba/shared/contracts/names'
import { type Claims, findDeviceId, KeysUnavailable, TokenRefused, type Verify } from '../identity/claims.ts'
import type { KeyShelf, PublishedKeys } from '../identity/publishedKeys.ts'
import { orRefuse, Refusal } from '../refusal.ts'
import { rightsAt } from '../store/devices.ts'
import type { ReadTx, WriteTx } from '../store/engine/sql.ts'
import { backupBefore } from '../store/epoch.ts'
import { IDENTITY_KEYS, readMeta, writeMeta } from '../store/meta.ts'
import { findUser, findUserByUid } from '../store/users.ts'
import type { AnyCaller, Caller, Deps } from './deps.ts'
import {
  authenticateDevice,
  type DeviceEnd,
  deviceAgain,
  endOfDevice,
  markEndHeard,
} from './phones/authenticateDevice.ts'
import { requireCrew } from './recovery/rehearsal.ts'

/** The claims of an identity token. Only verified emails and the providers named by SIGN_IN are accepted. */
export async function claimsOfToken({ verify, settings }: Deps, token: string): Promise<Claims> {
  const claims = await verified(verify, token)
  const lacksProvider = settings.demo && claims.provider === null
  // Firebase uses this provider name for sign-in by email link too.
  const isByMail = settings.signIn.includes('email') && claims.provider === 'password'
  if (claims.provider !== 'google.com' && !isByMail && !lacksProvider) throw new Refusal('PROVIDER_NOT_GOOGLE')
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

/** Later than any live view lasts. */
const NO_END = new Date(8.64e15)

export interface AuthenticatedCaller {
  user: AnyCaller
  /** When the token expires or the phone's pairing ends. A live view ends then at the latest. */
  until: Date
}

/**
 * Finds the caller behind a token: a person, or a paired phone by its own signature. Role, rights and the pairing's end
 * are read from the database each time, so a change takes effect at once.
 */
export async function authenticateCaller(deps: Deps, token: string | null): Promise<AuthenticatedCaller> {
  if (token === null) throw new Refusal('UNAUTHENTICATED')
  const deviceId = findDeviceId(token)
  if (deviceId !== null) {
    const user = await authenticateDevice(deps, token, deviceId)
    return { user, until: user.device.endsAt ?? NO_END }
  }
  const { uid, expiresAt } = await claimsOfToken(deps, token)
  const user = orRefuse(await deps.store.read((tx) => findUserByUid(tx, uid)), 'UNAUTHENTICATED')
  requireCrew(deps, user)
  return { user, until: expiresAt }
}

export type Entry = Pick<Call, 'access' | 'rights' | 'endedToo'>
type Denial = 'FORBIDDEN' | 'ROLES_ADMIN_ONLY'
type DenialCode = Denial | DeviceEnd['code']

/** Why a caller may not make a call now; null if it may. Role changes have their own code. (Spec: Roles.) */
function findDenial(caller: AnyCaller, entry: Entry, { now, code }: { now: Date; code: Denial }): DenialCode | null {
  const { access, rights } = entry
  if (!caller.device) return access === 'anyone' || access === 'signedIn' || access.includes(caller.role) ? null : code
  const end = endOfDevice(caller.device, now)
  if (end && !entry.endedToo) return end.code
  return rights && hasAnyRight(caller, ...rights) ? null : code
}

/** Reads the caller again; null for a deleted account, or a phone that another has replaced. */
const callerNow = (deps: Deps, caller: AnyCaller): Promise<AnyCaller | null> =>
  caller.device ? deviceAgain(deps, caller) : deps.store.read(async (tx) => (await findUser(tx, caller.id)) ?? null)

export async function stillHasAccess(deps: Deps, caller: AnyCaller, entry: Entry): Promise<boolean> {
  const current = await callerNow(deps, caller)
  return current !== null && findDenial(current, entry, { now: deps.now(), code: 'FORBIDDEN' }) === null
}

export async function recheckAccess(deps: Deps, caller: AnyCaller, entry: Entry, code: Denial): Promise<AnyCaller> {
  const current = orRefuse(await callerNow(deps, caller), 'UNAUTHENTICATED')
  await requireAccess(deps, current, entry, code)
  return current
}

export async function requireAccess(deps: Deps, caller: AnyCaller, entry: Entry, code: Denial): Promise<void> {
  const denial = findDenial(caller, entry, { now: deps.now(), code })
  if (caller.device && (denial === 'DEVICE_REVOKED' || denial === 'DEVICE_LAPSED')) await markEndHeard(deps, caller)
  if (denial) throw new Refusal(denial)
}

export const hasAnyRight = ({ device }: AnyCaller, ...rights: readonly Right[]): boolean =>
  !device || rights.some((right) => device.rights.includes(right))

/**
 * Queued rows of a phone are judged by the rights of their time. A restore may have lost a right that the desk gave, so
 * it counts for everything since the backup once the phone has it again.
 */
export async function hadRight(
  tx: ReadTx,
  caller: AnyCaller,
  { right, ...when }: { right: Right; at: Date; now: Date },
): Promise<boolean> {
  if (!caller.device || (await rightsAt(tx, caller.device, when)).includes(right)) return true
  const backup = hasAnyRight(caller, right) ? await backupBefore(tx, when.at) : null
  return backup !== null && when.at >= backup
}

export function requireRight(caller: AnyCaller, right: Right): void {
  if (!hasAnyRight(caller, right)) throw new Refusal('FORBIDDEN')
}

/**
 * Checks the admin's role again under the write lock: two admins who demote or delete each other at the same moment
 * must not leave the event without an admin.
 */
export async function requireStillAdmin(tx: WriteTx, admin: Caller, code: Denial): Promise<void> {
  if ((await findUser(tx, admin.id))?.role !== 'admin') throw new Refusal(code)
}

const LOOK_EVERY_MS = MINUTE_MS

/** Stores the identity provider's keys in the database, so that sign-in survives a restart without internet. */
export const keyShelf = ({ store }: Pick<Deps, 'store'>): KeyShelf => ({
  read: () => store.read((tx) => readMeta(tx, IDENTITY_KEYS)),
  write: (text) => store.write((tx) => writeMeta(tx, IDENTITY_KEYS, text)),
})

export function keepKeysFresh(keys: PublishedKeys, stopping: AbortSignal): void {
  void keys.refresh()
  const timer = setInterval(() => void keys.refresh(), LOOK_EVERY_MS).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
}
