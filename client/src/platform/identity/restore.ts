import { isFailure, isNetworkFailure } from '../http/failure.ts'
import { isOnline, useConnectivity } from '../net/connectivity.ts'
import { wasSignedIn } from '../store/signedIn.ts'
import { tellTabs } from './channel.ts'
import { forgetEverythingOf, readUserOfDevice } from './device.ts'
import type { Identity, Provider } from './firebase.ts'
import { leaveHere, loseSession } from './leave.ts'
import { onProviderStart, provider } from './provider.ts'
import { isSigningIn, sessionNow, setFailure, setSession, userNow } from './session.ts'
import { signInFailureOf } from './signInFailure.ts'
import { refreshUser, syncOnce } from './sync.ts'

const CATCH_UP_MS = 15_000

/** Ties provider, connection and session together; once per page, when this module is first needed. */
export function beginSession(): void {
  onProviderStart((auth) => auth.watch((identity) => void heard(auth, identity)))
  useConnectivity.subscribe(({ state }, before) => {
    if (state === 'online' && before.state === 'offline') void catchUp()
  })
  setInterval(() => void catchUp(), CATCH_UP_MS)
}

/**
 * The user kept on this device is signed in at once; provider and server are asked in the background and may correct it
 * (DECISIONS 4: never wait for auth).
 */
export async function restore(): Promise<void> {
  if (!wasSignedIn() || isSigningIn()) return
  const kept = await readUserOfDevice()
  const { at } = sessionNow()
  if (kept && (at === 'initializing' || at === 'signedOut')) {
    setSession({ at: 'signedIn', user: kept.user, confirmed: false })
  }
  try {
    await provider()
  } catch (error) {
    console.info('Going on with the kept user', error)
    if (sessionNow().at === 'initializing') failToSignIn(error)
  }
}

/** Nobody pressed a button: without the banner's reason the page would only look as if one had never signed in. */
function failToSignIn(error: unknown): void {
  setFailure(signInFailureOf(error))
  setSession({ at: 'signedOut' })
}

let knownUid: string | null | undefined

/** News of the provider: the restored identity first, then each change, from other tabs too. */
async function heard(auth: Provider, identity: Identity | null): Promise<void> {
  const uid = identity?.uid ?? null
  const changed = uid !== knownUid
  knownUid = uid
  if (isSigningIn() || !changed) return
  // An identity of before a sign-out that could not reach the provider is not a sign-in.
  if (identity && !wasSignedIn()) return auth.leave()
  if (identity) return adopt(auth, identity)
  // Still marked as signed in, nobody signed out: the provider itself has ended the session.
  if (wasSignedIn()) {
    await leaveHere({ ownTab: false, ending: 'sessionLost' })
    return tellTabs('sessionLost')
  }
  if (sessionNow().at !== 'signedOut') setSession({ at: 'signedOut' })
}

/** Asks the server about the known user. One whose account it no longer takes is signed out, and told why. */
async function confirmUser(): Promise<void> {
  try {
    await refreshUser()
  } catch (error) {
    if (isFailure(error) && (error.code === 'EMAIL_UNVERIFIED' || error.code === 'PROVIDER_NOT_GOOGLE')) {
      await loseSession()
      setFailure(signInFailureOf(error))
    }
    throw error
  }
}

async function adopt(auth: Provider, identity: Identity): Promise<void> {
  const before = userNow()
  // The uid of a known email may change (DECISIONS 1); both differing means another person.
  if (before && before.firebaseUID !== identity.uid && before.email !== identity.email) {
    await forgetEverythingOf(before._id)
    setSession({ at: 'loading' })
  }
  const known = userNow() !== null
  try {
    if (known) await confirmUser()
    else await syncOnce(auth, identity)
  } catch (error) {
    if (!isNetworkFailure(error)) console.warn('The user could not be read again', error)
    // A known user who is refused has lost the session, which is said as that (leave.ts).
    if (!known && !wasSignedIn()) failToSignIn(error)
  }
}

/** What the server has not confirmed yet is asked again: when it is back, and now and then. */
async function catchUp(): Promise<void> {
  const session = sessionNow()
  if (!isOnline() || isSigningIn()) return
  try {
    if (session.at === 'identityOnly') await syncOnce(await provider(), session.identity)
    if (session.at === 'signedIn' && !session.confirmed) await confirmUser()
  } catch (error) {
    console.info('Not confirmed yet', error)
  }
}
