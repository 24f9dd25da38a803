import type { User } from '@garba/shared/contracts/user'
import { runCheckerLostHooks } from './hooks.ts'
import { setSession, userNow } from './session.ts'

/** Sets the user from an answer of the server, for this page and for the next offline start. */
export function setCurrentUser(user: User): void {
  const isCheckerLost = userNow()?.role === 'qrchecker' && user.role !== 'qrchecker'
  setSession({ type: 'signedIn', user, confirmed: true })
  import('./device.ts').then(
    async (device) => {
      if (isCheckerLost) await runCheckerLostHooks()
      await device.keepUserOnDevice(user)
    },
    (error: unknown) => console.warn('The user could not be kept for offline use', error),
  )
}
