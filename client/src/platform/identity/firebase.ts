import type { Config } from '@garba/shared/contracts/site/site'
import { FirebaseError, initializeApp } from 'firebase/app'
import {
  type Auth,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onIdTokenChanged,
  signInWithCredential,
  signInWithEmailLink,
  signInWithPopup,
  signOut,
} from 'firebase/auth'
import { IdentityUnreachable } from '../http/tokens.ts'
import { useSessionStore } from './session.ts'

export interface Identity {
  uid: string
  email: string | null
  displayName: string | null
  photoURL: string | null
  emailVerified: boolean
}

export interface DemoAccount {
  sub: string
  email: string
  name: string
}

export interface Provider {
  token(options: { force: boolean }): Promise<string | null>
  /** Opens Google's popup with the account chooser forced. Rejects with FirebaseError, or the code popup-blank. */
  popup(): Promise<Identity>
  /** Finishes a sign-in by the link of a mail to this address. Rejects with FirebaseError. */
  mailLink(sent: { email: string; link: string }): Promise<Identity>
  /** Demo mode only. Rejects with FirebaseError. */
  demo(account: DemoAccount): Promise<Identity>
  /** Calls back with the restored identity first, then with each change, from other tabs too. */
  watch(changed: (identity: Identity | null) => void): () => void
  leave(): Promise<void>
}

/**
 * Firebase Auth for these settings. Only this module loads the SDK, so import it only with a dynamic import. It starts
 * without a popup resolver, which would wait for Google's scripts before the user is restored.
 */
export function startFirebase({ firebase, demo }: Config): Provider {
  const app = initializeApp({ apiKey: firebase.apiKey, authDomain: firebase.authDomain, projectId: firebase.projectId })
  const auth = initializeAuth(app, { persistence: indexedDBLocalPersistence })
  // The demo's identity process answers on our own origin, so one port is enough.
  if (demo) connectAuthEmulator(auth, location.origin, { disableWarnings: true })
  return {
    token: (options) => fetchIdToken(auth, options),
    async popup() {
      const google = new GoogleAuthProvider()
      google.addScope('profile')
      google.addScope('email')
      google.setCustomParameters({ prompt: 'select_account' })
      const watch = watchPopup()
      try {
        const signedIn = signInWithPopup(auth, google, browserPopupRedirectResolver)
        return toIdentity((await Promise.race([signedIn, watch.blank])).user)
      } finally {
        watch.end()
      }
    },
    mailLink: async ({ email, link }) => toIdentity((await signInWithEmailLink(auth, email, link)).user),
    async demo({ sub, email, name }) {
      const token = JSON.stringify({ sub, email, email_verified: true, name })
      return toIdentity((await signInWithCredential(auth, GoogleAuthProvider.credential(token))).user)
    },
    watch: (changed) => onIdTokenChanged(auth, (user) => changed(user ? toIdentity(user) : null)),
    leave: () => signOut(auth),
  }
}

const BLANK_AFTER_MS = 8_000

/** Rejects when the next popup is blank after 8 s, and closes it. The SDK hides its window, so `window.open` is watched. */
function watchPopup(): { blank: Promise<never>; end: () => void } {
  const { open } = window
  let timer: ReturnType<typeof setTimeout> | undefined
  const restore = () => {
    window.open = open
  }
  const blank = new Promise<never>((_, reject) => {
    window.open = (...args) => {
      restore()
      useSessionStore.setState({ signingIn: false })
      const popup = open.apply(window, args)
      timer = setTimeout(() => {
        if (!isBlank(popup)) return
        popup?.close()
        reject(Object.assign(new Error('The popup stayed blank'), { code: 'popup-blank' }))
      }, BLANK_AFTER_MS)
      return popup
    }
  })
  return {
    blank,
    end: () => {
      restore()
      clearTimeout(timer)
    },
  }
}

/** The address of another site's page cannot be read, which proves that the popup is not blank. */
function isBlank(popup: Window | null): boolean {
  try {
    return popup !== null && !popup.closed && popup.location.href === 'about:blank'
  } catch {
    return false
  }
}

async function fetchIdToken(auth: Auth, { force }: { force: boolean }): Promise<string | null> {
  await auth.authStateReady()
  try {
    return (await auth.currentUser?.getIdToken(force)) ?? null
  } catch (error) {
    if (isUnreachable(error)) throw new IdentityUnreachable('The identity provider did not answer', { cause: error })
    // Revoked, disabled, deleted, or expired for good: there is no token left.
    return null
  }
}

const isUnreachable = (error: unknown) =>
  error instanceof FirebaseError &&
  ['auth/network-request-failed', 'auth/timeout', 'auth/internal-error'].includes(error.code)

const toIdentity = ({ uid, email, displayName, photoURL, emailVerified }: Identity): Identity => ({
  uid,
  email,
  displayName,
  photoURL,
  emailVerified,
})
