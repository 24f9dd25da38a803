import { call } from '../http/call.ts'
import { epochNow } from '../http/epoch.ts'
import { wasSignedIn } from '../store/signedIn.ts'
import { notifyTabs } from './channel.ts'
import type { Provider } from './firebase.ts'
import { setCurrentUser } from './setCurrentUser.ts'

let asking: Promise<boolean> | null = null

interface Asked {
  provider: () => Promise<Provider>
  /** Whether our server refused the sign-in for good. */
  isRefusal: (error: unknown) => boolean
}

/**
 * Signs in again by the identity where the account may be among what a restored server lost: as long as this device holds tickets
 * from before. Otherwise they would be removed with the session, although nobody signed out. False: the session is over.
 */
export function keepsSession(asked: Asked): Promise<boolean> {
  asking ??= signInAgain(asked).finally(() => {
    asking = null
  })
  return asking
}

async function signInAgain({ provider, isRefusal }: Asked): Promise<boolean> {
  try {
    const { hasWalletBefore } = await import('../store/wallet.ts')
    if (!(await hasWalletBefore(epochNow()))) return false
    const idToken = await (await provider()).token({ force: false })
    if (idToken === null) return false
    const { user } = await call('signIn', { body: { idToken } })
    // Signed out in the meantime.
    if (!wasSignedIn()) return true
    await setCurrentUser(user)
    notifyTabs('signedIn')
    return true
  } catch (error) {
    // Without an answer, the next call that is refused tries again.
    return !isRefusal(error)
  }
}
