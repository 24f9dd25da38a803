import { getConfig } from '../config.ts'
import { call } from '../http/call.ts'
import { markSignedIn } from '../store/signedIn.ts'
import { tellTabs } from './channel.ts'
import { chooseDemoAccount } from './chooser.ts'
import type { Identity } from './firebase.ts'
import { leaveHere } from './leave.ts'
import { provider } from './provider.ts'
import { beginSigningIn, roleOf, type Session, sessionNow, setFailure, setSession, useSessionStore } from './session.ts'
import { signInFailureOf } from './signInFailure.ts'
import { syncOnce } from './sync.ts'

const LOGOUT_PATIENCE_MS = 3_000

/** See `signIn` of actions.ts. */
export async function signIn(): Promise<Session> {
  if (roleOf(sessionNow()) !== null) return sessionNow()
  const attempt = beginSigningIn()
  setFailure(null)
  try {
    const identity = await askIdentity()
    if (attempt.isLatest()) {
      setSession({ at: 'loading' })
      markSignedIn(true)
      await syncOnce(await provider(), identity)
    }
  } catch (error) {
    console.info('Sign-in did not happen', error)
    if (attempt.isLatest()) {
      setFailure(signInFailureOf(error))
      setSession({ at: 'signedOut' })
    }
  } finally {
    attempt.end()
  }
  return sessionNow()
}

class Cancelled extends Error {
  readonly code = 'auth/user-cancelled'
}

async function askIdentity(): Promise<Identity> {
  const { demo } = await getConfig()
  if (!demo) return (await provider()).popup()
  const account = await chooseDemoAccount()
  if (!account) throw new Cancelled('The chooser was closed')
  return (await provider()).demo(account)
}

/** See `signOut` of actions.ts. */
export async function signOut(): Promise<void> {
  if (useSessionStore.getState().signingOut) return
  useSessionStore.setState({ signingOut: true })
  try {
    await call('logout', { timeoutMs: LOGOUT_PATIENCE_MS, retries: 0 })
  } catch (error) {
    console.info('The server did not hear of the sign-out', error)
  }
  await leaveHere({ ownTab: true, ending: 'signedOut' })
  tellTabs('signedOut')
}
