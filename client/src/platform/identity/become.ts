import type { User } from '@garba/shared/contracts/user'
import { setSession } from './session.ts'

/** Takes in a user the server answered (after a profile change, say), for this page and for the next start offline. */
export function becomeUser(user: User): void {
  setSession({ at: 'signedIn', user, confirmed: true })
  import('./device.ts').then(
    (device) => device.keepUserOnDevice(user),
    (error: unknown) => console.warn('The user could not be kept for offline use', error),
  )
}
