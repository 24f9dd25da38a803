import type { User } from '@garba/shared/contracts/user'
import { call } from '../http/call.ts'
import { isFailure } from '../http/failure.ts'
import { markSignedIn, wasSignedIn } from '../store/signedIn.ts'
import { tellTabs } from './channel.ts'
import type { Identity, Provider } from './firebase.ts'
import { setFailure, setSession } from './session.ts'
import { setCurrentUser } from './setCurrentUser.ts'
import { signInFailureOf } from './signInFailure.ts'

/** See `refreshUser` of actions.ts. */
export async function refreshUser(): Promise<User> {
  const { user } = await call('profile').catch((error: unknown) => {
    if (isFailure(error) && (error.status === 0 || error.status === 401)) throw error
    return call('me')
  })
  if (wasSignedIn()) setCurrentUser(user)
  return user
}

/** See `requestAdmin` of actions.ts. */
export async function requestAdmin(): Promise<User> {
  const { user } = await call('assignAdmin')
  if (wasSignedIn()) setCurrentUser(user)
  return user
}

/**
 * Tells our server of a sign-in, once (SPEC 4). Out of reach or out of order, it leaves the identity alone signed in, to
 * be told later; a refusal ends the identity session and is thrown as ApiFailure.
 */
export async function syncOnce(auth: Provider, identity: Identity): Promise<void> {
  try {
    const idToken = await auth.token({ force: false })
    if (idToken === null) throw new Error('Signed in without a token')
    const { user } = await call('signIn', { body: { idToken } })
    setCurrentUser(user)
    tellTabs('signedIn')
  } catch (error) {
    if (isRefusal(error)) {
      markSignedIn(false)
      await auth.leave()
      throw error
    }
    console.info('Signed in with the identity only', error)
    setFailure(signInFailureOf(error))
    setSession({ at: 'identityOnly', identity })
  }
}

/** No answer of a proxy's own and no full house of calls: our server read the token and says no. */
const isRefusal = (error: unknown) =>
  isFailure(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  error.code !== 'UNKNOWN' &&
  error.code !== 'RATE_LIMITED'
