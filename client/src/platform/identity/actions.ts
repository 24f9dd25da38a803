import type { User } from '@garba/shared/contracts/people/user'
import { onSessionEnd, setTokenSource } from '../http/tokens.ts'
import { wasSignedIn } from '../store/local.ts'
import {
  onTabNews,
  type Session,
  type SignInFrom,
  sessionNow,
  setFailure,
  setSession,
  setSignInFrom,
  useSessionStore,
} from './session.ts'

let loaded: Promise<typeof import('./lifecycle.ts')> | null = null

/**
 * Loaded when first needed, so that a visitor's page carries only these few lines. The module is kept, so that a token is there
 * before the next event, as a page that may close any moment needs it (desk/frame/deletions).
 */
function lifecycle() {
  loaded ??= import('./lifecycle.ts').catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

/**
 * Starts the session of this page, once. The user kept on this device is signed in at once; provider and server may correct it
 * later, in the background. A visitor who never signed in loads nothing.
 */
export async function startSession(): Promise<void> {
  setTokenSource(async () => (await lifecycle()).ensureProvider())
  onSessionEnd(() => void lifecycle().then(({ loseSession }) => loseSession()))
  onTabNews((news) => {
    lifecycle().then(
      ({ leaveHere, restoreKeptUser }) =>
        news === 'signedIn' ? restoreKeptUser() : leaveHere({ ownTab: false, ending: news }),
      (error: unknown) => console.warn('A change in another tab was missed', error),
    )
  })
  if (!wasSignedIn()) return
  if (sessionNow().type === 'signedOut') setSession({ type: 'initializing' })
  try {
    await (await lifecycle()).restoreKeptUser()
  } catch (error) {
    console.warn('The session could not be restored', error)
    if (sessionNow().type !== 'initializing') return
    setFailure('network')
    setSession({ type: 'signedOut' })
  }
}

/**
 * Loads sign-in before the press: browsers block a popup that opens long after the click. Call it when a sign-in button is
 * hovered or focused.
 */
export function warmUpSignIn(): void {
  lifecycle()
    .then(({ ensureProvider }) => ensureProvider())
    .catch((error: unknown) => console.info('Sign-in could not be loaded ahead', error))
}

/**
 * Signs in with Google: a popup, or the demo's chooser; a browser built into an app gets the sheet of other ways instead.
 * Resolves to the session: signedIn, identityOnly when our server could not be asked, or signedOut with the reason in
 * `useSignInFailure`. A second press takes over from the first, whose popup may be lost behind other windows.
 */
export async function signIn(from: SignInFrom = 'page'): Promise<Session> {
  setSignInFrom(from)
  useSessionStore.setState({ signingIn: true })
  try {
    return await (await lifecycle()).performSignIn()
  } catch (error) {
    console.info('Sign-in could not be loaded', error)
    setFailure('network')
    return sessionNow()
  } finally {
    useSessionStore.setState({ signingIn: false })
  }
}

/**
 * Signs out in all tabs: notifies the server (a failure there changes nothing), removes the user's data from the device and
 * ends the identity session. Rejects only when its code cannot be loaded.
 */
export const signOut = async (): Promise<void> => (await lifecycle()).performSignOut()

/** Refreshes the user, whose role may have changed. Throws ApiFailure. */
export const refreshUser = async (): Promise<User> => (await lifecycle()).reloadUser()

/** Changes the user's name, which is also on their active tickets. Throws ApiFailure. */
export const saveName = async (name: string): Promise<User> => (await lifecycle()).saveDisplayName(name)

/** Asks for the admin role, which the server gives only to emails in ADMIN_EMAILS. Throws ApiFailure. */
export const requestAdmin = async (): Promise<User> => (await lifecycle()).assignAdminRole()

/** Registers a sign-in that our server could not register before; otherwise does nothing. Throws ApiFailure. */
export const registerSignIn = async (): Promise<void> => (await lifecycle()).registerIdentity()
