import type { User } from '@garba/shared/contracts/user'
import type { KeptUser } from '../store/kept.ts'
import { onCheckerLost, onSignOut, runSignOutHooks } from './hooks.ts'

// IndexedDB's code comes when somebody signs in or was signed in; a visitor's page does without.
const kept = () => import('../store/kept.ts')
const wallet = () => import('../store/wallet.ts')

// With the hooks' patience: a tab of an older scanner may hold its database, and nobody is to wait for that.
onSignOut(async () => (await import('../store/gate.ts')).forgetGateData())
onCheckerLost(async () => (await import('../store/gate.ts')).forgetGuests())

/** The user kept on this device, or null, also where storage is denied or its code cannot be had. */
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
 * What is a user's goes from this device (SPEC 4; unsent scans stay, DECISIONS 3). Not by the hooks alone: a person may
 * leave from a page that never loaded the tickets' or the scanner's code.
 */
export async function forgetEverythingOf(uid: string | null): Promise<void> {
  await runSignOutHooks(uid)
  const gone = await Promise.allSettled([
    kept().then((store) => store.forgetUser()),
    wallet().then((store) => store.clearWallets()),
  ])
  for (const result of gone) if (result.status === 'rejected') console.error('Not all was removed', result.reason)
}
