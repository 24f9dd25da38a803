import type { User } from '@garba/shared/contracts/people/user'
import { whenQuiet } from '../ahead.ts'
import { getConfig } from '../config.ts'
import { findEmbeddedBrowser } from '../embedded.ts'
import { callServer } from '../http/call.ts'
import { epochNow } from '../http/epoch.ts'
import { isFailure, isNetworkFailure } from '../http/failure.ts'
import { IdentityUnreachable } from '../http/tokens.ts'
import { isOnline, useConnectivity } from '../net/connectivity.ts'
import { endPush } from '../pwa/push.ts'
import { eventDraft, markSignedIn, saleDraft, wasSignedIn } from '../store/local.ts'
import { chooseDemoAccount } from './chooser.ts'
import { forgetUserData, readUserOfDevice, setCurrentUser } from './device.ts'
import type { Identity, Provider } from './firebase.ts'
import { runSessionLostHandlers } from './hooks.ts'
import {
  beginSigningIn,
  findSessionRole,
  isSigningIn,
  notifyTabs,
  type Session,
  type SessionEndReason,
  type Sheet,
  sessionNow,
  setFailure,
  setSession,
  userNow,
  useSessionStore,
} from './session.ts'
import { classifySignInError, isAccountRefused } from './signInFailure.ts'

// The whole life of a session: provider, restore, sign in, sync, leave. Loaded only for people who sign in or were signed
// in, so nothing may import this module statically. actions.ts describes what it exports.

const CATCH_UP_MS = 15_000
const PROVIDER_AFTER_MS = 3_000
const LOGOUT_TIMEOUT_MS = 3_000
const OTHER_TAB_MS = 2_000

let started: Promise<Provider> | null = null

/** The identity provider, loaded when first needed. Rejects with IdentityUnreachable if its code or settings cannot be loaded. */
export function ensureProvider(): Promise<Provider> {
  started ??= loadProvider().catch((error: unknown) => {
    started = null
    throw new IdentityUnreachable('Sign-in could not be loaded', { cause: error })
  })
  return started
}

async function loadProvider(): Promise<Provider> {
  const [{ startFirebase }, config] = await Promise.all([import('./firebase.ts'), getConfig()])
  const auth = startFirebase(config)
  auth.watch((identity) => void followIdentity(auth, identity))
  return auth
}

export async function restoreKeptUser(): Promise<void> {
  if (!wasSignedIn() || isSigningIn()) return
  const kept = await readUserOfDevice()
  const { type } = sessionNow()
  if (kept && (type === 'initializing' || type === 'signedOut')) {
    setSession({ type: 'signedIn', user: kept.user, confirmed: false })
    // The user's screen comes first, because the provider is a third of a cold start's code. A call that needs it does not wait.
    await whenQuiet(PROVIDER_AFTER_MS)
  }
  try {
    await ensureProvider()
  } catch (error) {
    console.info('Continuing with the kept user', error)
    if (sessionNow().type === 'initializing') failToSignIn(error)
  }
}

/** Shows the reason in the banner. Nobody pressed a button, so the page would look as if the user had never signed in. */
function failToSignIn(error: unknown): void {
  setFailure(classifySignInError(error))
  setSession({ type: 'signedOut' })
}

let knownUid: string | null | undefined

async function followIdentity(auth: Provider, identity: Identity | null): Promise<void> {
  const uid = identity?.uid ?? null
  const changed = uid !== knownUid
  knownUid = uid
  if (isSigningIn() || !changed) return
  if (identity) {
    // Another tab that signs in is marked as signed in a moment after the provider has stored its user.
    if (!wasSignedIn()) await new Promise((resolve) => setTimeout(resolve, OTHER_TAB_MS))
    if (uid !== knownUid || isSigningIn()) return
    // An identity from before a sign-out that could not reach the provider is not a sign-in.
    return wasSignedIn() ? adopt(auth, identity) : auth.leave()
  }
  // Still marked as signed in, and nobody signed out: the provider itself ended the session.
  if (wasSignedIn()) {
    await leaveHere({ ownTab: false, ending: 'sessionLost' })
    return notifyTabs('sessionLost')
  }
  if (sessionNow().type !== 'signedOut') setSession({ type: 'signedOut' })
}

async function adopt(auth: Provider, identity: Identity): Promise<void> {
  const before = userNow()
  // The uid of a known email may change; both differing means another person.
  if (before && before.firebaseUID !== identity.uid && before.email !== identity.email) {
    await forgetUserData(before._id)
    setSession({ type: 'loading' })
  }
  const known = userNow() !== null
  try {
    if (known) await confirmUser()
    else await syncOnce(auth, identity)
  } catch (error) {
    if (!isNetworkFailure(error)) console.warn('The user could not be refreshed', error)
    // A known user who is refused has lost the session; `loseSession` shows that.
    if (!known && !wasSignedIn()) failToSignIn(error)
  }
}

async function confirmUser(): Promise<void> {
  try {
    await reloadUser()
  } catch (error) {
    if (isFailure(error) && isAccountRefused(error.code)) {
      await loseSession()
      setFailure(classifySignInError(error))
    }
    throw error
  }
}

export async function registerIdentity(): Promise<void> {
  const session = sessionNow()
  if (session.type === 'identityOnly') await syncOnce(await ensureProvider(), session.identity)
  const after = sessionNow()
  if (after.type === 'identityOnly') throw after.why
}

async function catchUp(): Promise<void> {
  const session = sessionNow()
  if (!isOnline() || isSigningIn()) return
  try {
    if (session.type === 'identityOnly') await registerIdentity()
    if (session.type === 'signedIn' && !session.confirmed) await confirmUser()
  } catch (error) {
    console.info('Not confirmed yet', error)
  }
}

export async function performSignIn(): Promise<Session> {
  if (findSessionRole(sessionNow()) === null && findEmbeddedBrowser() !== null) {
    openSheet('embedded')
    return sessionNow()
  }
  return signInBy(askIdentity, (error) => {
    const kind = classifySignInError(error)
    setFailure(kind)
    if (kind === 'popupBlocked') openSheet('popup')
  })
}

const openSheet = (why: Sheet['why']) => useSessionStore.setState({ sheet: { open: true, why } })

export const signInByMail = (sent: { email: string; link: string }, fail: (error: unknown) => void): Promise<Session> =>
  signInBy(async () => (await ensureProvider()).mailLink(sent), fail)

async function signInBy(ask: () => Promise<Identity>, fail: (error: unknown) => void): Promise<Session> {
  if (findSessionRole(sessionNow()) !== null) return sessionNow()
  const attempt = beginSigningIn()
  setFailure(null)
  try {
    const identity = await ask()
    if (attempt.isLatest()) {
      setSession({ type: 'loading' })
      markSignedIn(true)
      await syncOnce(await ensureProvider(), identity)
    }
  } catch (error) {
    console.info('Sign-in failed or was cancelled', error)
    if (attempt.isLatest()) {
      fail(error)
      setSession({ type: 'signedOut' })
    }
  } finally {
    attempt.end()
  }
  // Another tab may have signed in meanwhile; this attempt ignored its message.
  if (sessionNow().type === 'signedOut' && wasSignedIn()) await restoreKeptUser()
  return sessionNow()
}

class Cancelled extends Error {
  readonly code = 'auth/user-cancelled'
}

async function askIdentity(): Promise<Identity> {
  const { demo } = await getConfig()
  if (!demo) return (await ensureProvider()).popup()
  const account = await chooseDemoAccount()
  if (!account) throw new Cancelled('The chooser was closed')
  return (await ensureProvider()).demo(account)
}

/**
 * Registers a sign-in with our server, once. While the server is unreachable or failing, only the identity is signed in
 * and the server is asked again later; a refusal ends the identity session and is thrown as ApiFailure. (Spec: States.)
 */
async function syncOnce(auth: Provider, identity: Identity): Promise<void> {
  try {
    const idToken = await auth.token({ force: false })
    if (idToken === null) throw new Error('Signed in without a token')
    const { user } = await callServer('signIn', { body: { idToken } })
    await setCurrentUser(user)
    notifyTabs('signedIn')
  } catch (error) {
    if (isRefusal(error)) {
      markSignedIn(false)
      await auth.leave()
      throw error
    }
    console.info('Signed in with the identity only', error)
    // The reason stays on the guest's page; the banner comes once, not at each attempt.
    if (sessionNow().type !== 'identityOnly') setFailure(classifySignInError(error))
    setSession({ type: 'identityOnly', identity, why: error })
  }
}

/** Neither a proxy's answer nor a rate limit: our server read the token and refused it. */
const isRefusal = (error: unknown) =>
  isFailure(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  error.code !== 'UNKNOWN' &&
  error.code !== 'RATE_LIMITED'

export async function reloadUser(): Promise<User> {
  const { user } = await callServer('profile').catch((error: unknown) => {
    if (isFailure(error) && (error.status === 0 || error.status === 401)) throw error
    return callServer('me')
  })
  return follow(user)
}

export const assignAdminRole = async (): Promise<User> => follow((await callServer('assignAdmin')).user)

export const saveDisplayName = async (displayName: string): Promise<User> =>
  follow((await callServer('saveProfile', { body: { displayName } })).user)

async function follow(user: User): Promise<User> {
  if (wasSignedIn()) await setCurrentUser(user)
  return user
}

export async function performSignOut(): Promise<void> {
  if (useSessionStore.getState().signingOut) return
  useSessionStore.setState({ signingOut: true })
  await endPush()
  try {
    await callServer('logout', { timeoutMs: LOGOUT_TIMEOUT_MS, retries: 0 })
  } catch (error) {
    console.info('The server did not receive the sign-out', error)
  }
  await leaveHere({ ownTab: true, ending: 'signedOut' })
  notifyTabs('signedOut')
}

export async function loseSession(): Promise<void> {
  // Our server does not know an identityOnly user yet, so it cannot have refused them: the next sync decides.
  if (!wasSignedIn() || sessionNow().type === 'identityOnly') return
  if (userNow() && (await keepsSession())) return
  await leaveHere({ ownTab: true, ending: 'sessionLost' })
  notifyTabs('sessionLost')
  void runSessionLostHandlers()
}

let asking: Promise<boolean> | null = null

/**
 * Signs in again with the identity if a restored server may have lost the account, which is possible while this device holds
 * tickets from before. Otherwise they would be removed with the session, although nobody signed out. Resolves to false if the
 * session is over.
 */
function keepsSession(): Promise<boolean> {
  asking ??= signInAgain().finally(() => {
    asking = null
  })
  return asking
}

async function signInAgain(): Promise<boolean> {
  try {
    const { hasWalletBefore } = await import('../store/wallet.ts')
    if (!(await hasWalletBefore(epochNow()))) return false
    const idToken = await (await ensureProvider()).token({ force: false })
    if (idToken === null) return false
    const { user } = await callServer('signIn', { body: { idToken } })
    if (!wasSignedIn()) return true
    await setCurrentUser(user)
    notifyTabs('signedIn')
    return true
  } catch (error) {
    // Without an answer, the next call that is refused tries again.
    return !isRefusal(error)
  }
}

interface SessionEndOptions {
  ownTab: boolean
  ending: SessionEndReason
}

let leaving: Promise<void> | null = null
/** Signs this tab out; concurrent calls are one. Never throws. */
export function leaveHere(options: SessionEndOptions): Promise<void> {
  leaving ??= leave(options).finally(() => {
    leaving = null
  })
  return leaving
}

async function leave({ ownTab, ending }: SessionEndOptions): Promise<void> {
  const uid = userNow()?._id ?? null
  // Comes before any waiting, so that from here on nobody gets a token.
  markSignedIn(false)
  await forgetUserData(uid)
  try {
    // Another tab that signed out has already ended the identity session, so the provider is not loaded for it.
    await (await (ownTab ? ensureProvider() : started))?.leave()
  } catch (error) {
    console.warn('The identity session is removed without its provider', error)
    indexedDB.deleteDatabase('firebaseLocalStorageDb')
  }
  useSessionStore.setState({ session: { type: 'signedOut' }, signingOut: false, lost: ending === 'sessionLost' })
  // A user whose session was lost keeps the drafts. They are dropped last, because an open form saves until the user is gone.
  if (ending === 'signedOut') for (const draft of [eventDraft, saleDraft]) draft.drop()
}

useConnectivity.subscribe(({ state }, before) => {
  if (state === 'online' && before.state === 'offline') void catchUp()
})
setInterval(() => void catchUp(), CATCH_UP_MS)
