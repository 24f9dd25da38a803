import type { User } from '@garba/shared/contracts/people/user'
import pTimeout from 'p-timeout'
import type { KeptUser } from '../store/kept.ts'
import { dropLastView } from '../store/lastView.ts'
import { wasSignedIn } from '../store/local.ts'
import { onCheckerLost, onSignOut, runCheckerLostHooks, runSignOutHooks } from './hooks.ts'
import { setSession, userNow } from './session.ts'

// IndexedDB's code is loaded only for people who sign in or were signed in.
const kept = () => import('../store/kept.ts')
const wallet = () => import('../store/wallet.ts')

/**
 * Ends waiting for a storage that hangs. WebKit keeps a page that was left in the middle of a transaction for Back, and
 * everything after that transaction waits.
 */
const inTime = <T>(work: Promise<T>): Promise<T> => pTimeout(work, { milliseconds: 3_000 })

// Runs within the hooks' time limit, because a tab of an older scanner may block its database.
onSignOut(async () => (await import('../store/scannerData.ts')).forgetScannerData())
onCheckerLost(async () => (await import('../store/scannerData.ts')).forgetGuests())

/** The user kept on this device, or null, also when storage is denied or hangs or its code cannot be loaded. */
export async function readUserOfDevice(): Promise<KeptUser | null> {
  try {
    return await inTime((await kept()).readKeptUser())
  } catch (error) {
    console.warn('The kept user could not be read', error)
    return null
  }
}

async function keepUserOnDevice(user: User): Promise<void> {
  try {
    await inTime((await kept()).keepUser(user))
  } catch (error) {
    console.warn('The user could not be kept for offline use', error)
  }
}

/**
 * Removes a user's data from this device, except unsent scans. Hooks are not enough: a user may sign out on a page that
 * never loaded the code of the tickets or the scanner.
 */
export async function forgetUserData(uid: string | null): Promise<void> {
  dropLastView()
  await runSignOutHooks(uid)
  const results = await Promise.allSettled([
    kept().then((store) => inTime(store.forgetUser())),
    wallet().then((store) => inTime(store.clearWallets())),
  ])
  for (const result of results)
    if (result.status === 'rejected') console.error('Some data was not removed', result.reason)
}

/**
 * Sets the user from an answer of the server, for this page and for the next offline start. Another role leads to another
 * page, which starts from the kept user, so that is written first: otherwise it would send the user back. Never throws.
 */
export async function setCurrentUser(user: User): Promise<void> {
  const before = userNow()
  const isCheckerLost = before?.role === 'qrchecker' && user.role !== 'qrchecker'
  const keeping = keep(user, isCheckerLost)
  if (before?._id === user._id && before.role !== user.role) {
    await keeping
    // The user may have signed out in the meantime.
    if (userNow()?._id !== user._id) return
  }
  setSession({ type: 'signedIn', user, confirmed: true })
}

async function keep(user: User, isCheckerLost: boolean): Promise<void> {
  if (isCheckerLost) await runCheckerLostHooks()
  // Data that a sign-out has removed in the meantime must not come back.
  if (wasSignedIn()) await keepUserOnDevice(user)
}
