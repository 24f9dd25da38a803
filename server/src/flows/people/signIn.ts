import { randomUUID } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import { UNNAMED_USER } from '@garba/shared/constants'
import type { User } from '@garba/shared/contracts/people/user'
import { MAIL_LINK_PAGE } from '@garba/shared/contracts/site/pages'
import { AUDIT } from '@garba/shared/messages/audit'
import { VALIDATION } from '@garba/shared/messages/codes'
import type { Language } from '@garba/shared/messages/language'
import { foldEmail } from '@garba/shared/rules/search'
import { type Claims, TokenRefused } from '../../identity/claims.ts'
import { hasPassword, sendMailLink, ToolkitFailure } from '../../identity/toolkit.ts'
import { composeSignIn } from '../../mail/compose.ts'
import { demoMailer } from '../../mail/mailer.ts'
import { orRefuse, Refusal, wrongField } from '../../refusal.ts'
import { newId, type WriteTx } from '../../store/engine/sql.ts'
import { adoptTickets, renameBuyer } from '../../store/tickets.ts'
import {
  findUser,
  findUserByUid,
  findUserByVerifiedEmail,
  insertUser,
  type UserRow,
  updateUser,
} from '../../store/users.ts'
import { aboutUser, auditChange } from '../audited.ts'
import { claimsOfToken } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { siteTitle } from '../event/siteConfig.ts'
import { requireCrew } from '../recovery/rehearsal.ts'
import { userView } from './users.ts'

const isListedAdmin = ({ settings }: Deps, { email }: Claims): boolean => settings.adminEmails.includes(email)

/**
 * Signs in the holder of an identity token. New people become guests, or admins if ADMIN_EMAILS lists them. They get
 * the tickets without an account that were bought with their email: at the counter, or with an account deleted since.
 */
export async function signInWithToken(
  deps: Deps,
  { idToken, count }: { idToken: string; count?: (uid: string) => Promise<void> },
): Promise<{ user: User; isNewUser: boolean }> {
  const claims = await claimsOfToken(deps, idToken)
  await count?.(claims.uid)
  if (!(await deps.store.read((tx) => findUserByUid(tx, claims.uid)))) await refusePassword(deps, claims, idToken)
  return deps.store.write(async (tx) => {
    // The email is verified both in the token and for the account.
    const known = (await findUserByUid(tx, claims.uid)) ?? (await findUserByVerifiedEmail(tx, claims.email))
    const user = known ? await refresh(deps, tx, known, claims) : await enrol(deps, tx, claims)
    requireCrew(deps, user)
    const found = await adoptTickets(tx, { userId: user.id, email: claims.email })
    if (found > 0) {
      const detail = `${found === 1 ? '1 ticket' : `${found} tickets`} bought with the same email, without an account`
      await auditChange(tx, { at: deps.now(), action: 'ticket.adopted', actor: user, subject: aboutUser(user), detail })
    }
    return { user: userView(user), isNewUser: !known }
  })
}

async function enrol(deps: Deps, tx: WriteTx, claims: Claims): Promise<UserRow> {
  const now = deps.now()
  const user = await insertUser(tx, {
    id: newId(now),
    firebaseUid: claims.uid,
    email: claims.email,
    emailVerified: true,
    name: claims.name || UNNAMED_USER,
    photoUrl: claims.photoUrl,
    role: isListedAdmin(deps, claims) ? 'admin' : 'guest',
    createdAt: now,
    lastLogin: now,
  })
  const detail = AUDIT.joined(user.role)
  await auditChange(tx, { at: now, action: 'user.created', actor: user, subject: aboutUser(user), detail })
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
  if (promoted) await auditListed(tx, user.role, next, now)
  return next
}

async function auditListed(tx: WriteTx, was: UserRow['role'], admin: UserRow, now: Date): Promise<void> {
  const detail = AUDIT.roleByList(was)
  await auditChange(tx, { at: now, action: 'user.role', actor: admin, subject: aboutUser(admin), detail })
}

export async function assignAdmin(deps: Deps, { user, token }: { user: Caller; token: string | null }): Promise<User> {
  if (token === null) throw new Refusal('UNAUTHENTICATED')
  const claims = await claimsOfToken(deps, token)
  if (!isListedAdmin(deps, claims)) throw new Refusal('NOT_ADMIN_EMAIL')
  return user.role === 'admin' ? userView(user) : promote(deps, user)
}

const promote = (deps: Deps, user: Caller): Promise<User> =>
  deps.store.write(async (tx) => {
    const admin = orRefuse(await updateUser(tx, user.id, { role: 'admin' }), 'UNAUTHENTICATED')
    await auditListed(tx, user.role, admin, deps.now())
    return userView(admin)
  })

/** A person whom ADMIN_EMAILS lists by now becomes an admin here, so they need not sign in again. */
export async function syncedUser(deps: Deps, { user, token }: { user: Caller; token: string | null }): Promise<User> {
  const mayBeAdmin = user.role !== 'admin' && deps.settings.adminEmails.includes(user.email)
  if (!mayBeAdmin || token === null || deps.epoch.readOnly() !== null) return userView(user)
  return isListedAdmin(deps, await claimsOfToken(deps, token)) ? promote(deps, user) : userView(user)
}

type ProfileChange = CallInput<'saveProfile'> & { user: Caller }

/** Omitted fields stay as they are. A new name shows at once on active tickets that have no holder's name. */
export const saveProfile = async (deps: Deps, { user, displayName, photoURL }: ProfileChange): Promise<User> =>
  await deps.store.write(async (tx) => {
    const before = await findUser(tx, user.id)
    const saved = await updateUser(tx, user.id, {
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(photoURL === undefined ? {} : { photoUrl: photoURL }),
    })
    if (!before || !saved) throw new Refusal('UNAUTHENTICATED')
    if (saved.name !== before.name) await rename(tx, { before, saved, now: deps.now() })
    return userView(saved)
  })

async function rename(tx: WriteTx, { before, saved, now }: { before: UserRow; saved: UserRow; now: Date }) {
  const tickets = await renameBuyer(tx, { userId: saved.id, name: saved.name, now })
  if (tickets > 0) tx.announceChanges('roster')
  const detail = AUDIT.renamed({ from: before.name, to: saved.name, tickets })
  await auditChange(tx, { at: now, action: 'user.renamed', actor: saved, subject: aboutUser(saved), detail })
}

type LinkRequest = CallInput<'mailLink'> & { language: Language }

/**
 * Sends a sign-in link to a mailbox; a demo writes the mail to its folder. Succeeds alike for known, unknown and
 * disabled accounts.
 */
export async function mailSignInLink(deps: Deps, { email, language, tickets, order }: LinkRequest): Promise<void> {
  const { settings, publicUrl } = deps
  if (!settings.signIn.includes('email')) throw new Refusal('NOT_FOUND')
  const page = new URL(`${publicUrl()}${MAIL_LINK_PAGE}`)
  if (tickets !== undefined) page.searchParams.set('tickets', `${tickets}`)
  if (order !== undefined) page.searchParams.set('order', order)
  const link = await askProvider(deps, () => sendMailLink({ settings }, { email, page: page.href, language }), null)
  if (link === null) return
  const site = { title: await siteTitle(deps), url: publicUrl(), ...settings }
  await demoMailer(settings).send(composeSignIn({ email, link }, site), {
    key: `signIn:${randomUUID()}`,
    at: deps.now(),
  })
}

/** The provider's error reasons that would reveal to strangers whether an account exists. */
const REVEALING = ['USER_DISABLED', 'EMAIL_NOT_FOUND']
const TOO_MANY = ['QUOTA_EXCEEDED', 'TOO_MANY_ATTEMPTS_TRY_LATER']

async function askProvider<Answer>({ log }: Deps, ask: () => Promise<Answer>, instead: Answer): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ToolkitFailure)) throw error
    const { reason } = error
    if (REVEALING.includes(reason)) return instead
    if (TOO_MANY.includes(reason)) throw new Refusal('RATE_LIMITED')
    if (reason === 'INVALID_EMAIL') throw wrongField('email', VALIDATION.email)
    log.error({ reason }, 'the identity provider did not answer as it should')
    throw new Refusal('UNAVAILABLE')
  }
}

/**
 * A token does not show whether a link or a password was used, and a stranger may have set a password before the
 * mailbox's owner signed in. So accounts with a password are refused.
 */
async function refusePassword(deps: Deps, { provider }: Claims, idToken: string): Promise<void> {
  if (provider !== 'password') return
  try {
    if (await askProvider(deps, () => hasPassword(deps, idToken), true)) throw new Refusal('PROVIDER_NOT_GOOGLE')
  } catch (error) {
    throw error instanceof TokenRefused ? new Refusal('UNAUTHENTICATED') : error
  }
}

/** The mailbox of an address: mail to name+anything reaches name, and Gmail ignores dots and has two domains. */
export function toMailbox(email: string): string {
  const [name = '', domain = ''] = foldEmail(email).split('@')
  const plain = name.split('+')[0] ?? ''
  return /^(gmail|googlemail)\.com$/.test(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`
}
