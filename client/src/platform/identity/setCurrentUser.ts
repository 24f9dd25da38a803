import type { User } from '@garba/shared/contracts/user'
import { wasSignedIn } from '../store/local.ts'
import { keepUserOnDevice } from './device.ts'
import { runCheckerLostHooks } from './hooks.ts'
import { setSession, userNow } from './session.ts'

/**
 * Sets the user from an answer of the server, for this page and for the next offline start. Another role leads to another
 * page, which starts from what is kept: there first, or that page would send the user back here. Never throws.
 */
export async function setCurrentUser(user: User): Promise<void> {
  const before = userNow()
  const isCheckerLost = before?.role === 'qrchecker' && user.role !== 'qrchecker'
  const keeping = keep(user, isCheckerLost)
  if (before?._id === user._id && before.role !== user.role) {
    await keeping
    // Signed out in the meantime.
    if (userNow()?._id !== user._id) return
  }
  setSession({ type: 'signedIn', user, confirmed: true })
}

async function keep(user: User, isCheckerLost: boolean): Promise<void> {
  if (isCheckerLost) await runCheckerLostHooks()
  // What a sign-out has removed in the meantime does not come back.
  if (wasSignedIn()) await keepUserOnDevice(user)
}
