import type { User } from '@garba/shared/contracts/user'
import type { KeptUser } from '../store/kept.ts'
import { dropLastView } from '../store/lastView.ts'
import { onCheckerLost, onSignOut, runSignOutHooks } from './hooks.ts'

// IndexedDB's code is loaded only for people who sign in or were signed in.
const kept = () => import('../store/kept.ts')
const wallet = () => import('../store/wallet.ts')

// Within the hooks' time limit: a tab of an older scanner may block its database, and nobody should wait for that.
onSignOut(async () => (await import('../store/scannerData.ts')).forgetScannerData())
onCheckerLost(async () => (await import('../store/scannerData.ts')).forgetGuests())

/** The user kept on this device, or null, also when storage is denied or its code cannot be loaded. */
export async function readUserOfDevice(): Promise<KeptUser | null> {
  try {
    return await (await kept()).readKeptUser()
  } catch (error) {
    console.warn('The kept user could not be read', error)
    return null
  }
}

export async function keepUserOnDevice(user: User): Promise<void> {
  try {
    await (await kept()).keepUser(user)
  } catch (error) {
    console.warn('The user could not be kept for offline use', error)
  }
}

/**
 * Removes a user's data from this device (SPEC 4; unsent scans stay). Hooks are not enough: a user may sign out
 * on a page that never loaded the code of the tickets or the scanner.
 */
export async function forgetEverythingOf(uid: string | null): Promise<void> {
  dropLastView()
  await runSignOutHooks(uid)
  const gone = await Promise.allSettled([
    kept().then((store) => store.forgetUser()),
    wallet().then((store) => store.clearWallets()),
  ])
  for (const result of gone) if (result.status === 'rejected') console.error('Some data was not removed', result.reason)
}
