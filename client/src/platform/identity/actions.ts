import type { User } from '@garba/shared/contracts/user'
import { onSessionEnd, setTokenSource } from '../http/tokens.ts'
import { wasSignedIn } from '../store/signedIn.ts'
import { onTabNews } from './channel.ts'
import { type Session, sessionNow, setFailure, setSession } from './session.ts'

// Fetched at first need: a visitor's page carries only these few lines of it.
const machinery = () => import('./machinery.ts')

/**
 * Starts the session of this page, once. The user kept on this device is signed in at once; provider and server are asked
 * in the background and may correct it (DECISIONS 4: never wait for auth). A visitor who never signed in loads nothing.
 */
export async function startSession(): Promise<void> {
  setTokenSource(async () => (await machinery()).provider())
  onSessionEnd(() => void machinery().then(({ loseSession }) => loseSession()))
  onTabNews((news) => {
    machinery().then(
      ({ leaveHere, restore }) => (news === 'signedIn' ? restore() : leaveHere({ ownTab: false, ending: news })),
      (error: unknown) => console.warn('Another tab was not followed', error),
    )
  })
  if (!wasSignedIn()) return
  if (sessionNow().at === 'signedOut') setSession({ at: 'initializing' })
  try {
    await (await machinery()).restore()
  } catch (error) {
    console.warn('The session could not be restored', error)
    if (sessionNow().at !== 'initializing') return
    setFailure('network')
    setSession({ at: 'signedOut' })
  }
}

/**
 * Loads sign-in ahead of a press: a popup opened after a long wait counts as unasked for and is blocked. Call it when a
 * sign-in button is pointed at or focused.
 */
export function warmUpSignIn(): void {
  machinery()
    .then(({ provider }) => provider())
    .catch((error: unknown) => console.info('Sign-in is not reachable yet', error))
}

/**
 * Signs in with Google: a popup, or the demo's chooser. Resolves to the session: signedIn, identityOnly when our server
 * could not be asked, or signedOut when it failed or was cancelled; then the reason is in `useSignInFailure`. A second
 * press takes over from the first, whose popup may be lost behind other windows.
 */
export async function signIn(): Promise<Session> {
  try {
    return await (await machinery()).signIn()
  } catch (error) {
    console.info('Sign-in could not be loaded', error)
    setFailure('network')
    return sessionNow()
  }
}

/**
 * Signs out: the server is told (its failure changes nothing), what is the user's leaves the device, the identity session
 * ends, in all tabs. Rejects only when its code cannot be had.
 */
export const signOut = async (): Promise<void> => (await machinery()).signOut()

/** Reads the user again: a role may have changed (SPEC 7: /auth/profile, then /auth/me). Throws ApiFailure. */
export const refreshUser = async (): Promise<User> => (await machinery()).refreshUser()

/** Asks for the admin role, which the server gives to the emails in ADMIN_EMAILS alone. Throws ApiFailure. */
export const requestAdmin = async (): Promise<User> => (await machinery()).requestAdmin()
