import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import type { Role } from '@garba/shared/contracts/names'
import type { User } from '@garba/shared/contracts/people/user'
import { create } from 'zustand'
import { pageData } from '../pageData.ts'
import { wasSignedIn } from '../store/local.ts'
import type { Identity } from './firebase.ts'
import type { SignInFailure } from './signInFailure.ts'

/**
 * `signedIn.confirmed` is false while the user comes from this device and the server has not answered yet: offline
 * screens start from that user at once.
 */
export type Session =
  | { type: 'initializing' }
  | { type: 'loading' }
  | { type: 'signedOut' }
  /** `why`: our server's failure to register the sign-in, which is tried again by itself. */
  | { type: 'identityOnly'; identity: Identity; why: unknown }
  | { type: 'signedIn'; user: User; confirmed: boolean }

export type SignInFrom = 'button' | 'page'

/** A failed sign-in; `id` distinguishes two of the same kind. */
export interface ShownFailure {
  kind: SignInFailure
  from: SignInFrom
  id: number
}

/**
 * The sheet with other ways to sign in or to pay. `why`: this browser is built into an app (`embedded`), Google's window did not
 * open (`popup`), a link by mail was requested (`mail`), or a UPI `link` was pressed (`upi`).
 */
export interface Sheet {
  open: boolean
  why: 'embedded' | 'popup' | 'mail' | 'upi'
  link?: string
}

interface SessionStore {
  session: Session
  /** From the press until Google's popup opens, which may get lost behind other windows: a second press opens another. */
  signingIn?: boolean
  signingOut: boolean
  failure: ShownFailure | null
  /** Whether the last session ended without the user's request; true until the next sign-in, or until the notice is closed. */
  lost: boolean
  /** Absent before it is first opened. The scanner shows none: it signs in only in an installed app. */
  sheet?: Sheet
  chosen?: number | undefined
  /** How many active tickets the signed-in guest has, as far as this device knows. */
  ownTickets?: number
}

export const useSessionStore = create<SessionStore>(() => ({
  // The server renders for visitors; `startSession` takes over from there.
  session: wasSignedIn() && pageData() === null ? { type: 'initializing' } : { type: 'signedOut' },
  signingOut: false,
  failure: null,
  lost: false,
}))

export const sessionNow = (): Session => useSessionStore.getState().session
export const setSession = (session: Session): void =>
  useSessionStore.setState(findSessionRole(session) === null ? { session } : { session, lost: false })

let attempts = 0
let underWay = 0
/** While a sign-in is under way, the provider's events do not change the session. */
export const isSigningIn = (): boolean => underWay > 0

export function beginSigningIn(): { isLatest: () => boolean; end: () => void } {
  attempts += 1
  underWay += 1
  const own = attempts
  return {
    isLatest: () => own === attempts,
    end: () => {
      underWay -= 1
    },
  }
}

let from: SignInFrom = 'page'
export const setSignInFrom = (pressed: SignInFrom): void => {
  from = pressed
}

let failures = 0
let failureOver: ReturnType<typeof setTimeout> | undefined
export const setFailure = (kind: SignInFailure | null): void => {
  clearTimeout(failureOver)
  failures += 1
  useSessionStore.setState({ failure: kind === null ? null : { kind, from, id: failures } })
  if (kind !== null) failureOver = setTimeout(() => setFailure(null), AUTH_ERROR_SHOWN_MS)
}

export const useSession = (): Session => useSessionStore((store) => store.session)
export const useUser = (): User | null =>
  useSessionStore((store) => (store.session.type === 'signedIn' ? store.session.user : null))
export const userNow = (): User | null => {
  const session = sessionNow()
  return session.type === 'signedIn' ? session.user : null
}
export const useSigningIn = () => useSessionStore(({ signingIn, session }) => signingIn || session.type === 'loading')
export const useSigningOut = (): boolean => useSessionStore((store) => store.signingOut)
export const useSessionLost = (): boolean => useSessionStore((store) => store.lost)
export const closeSessionLost = (): void => useSessionStore.setState({ lost: false })
export const useSignInFailure = () => useSessionStore((store) => store.failure)

export const restoredUser = (): Promise<User | null> =>
  new Promise((resolve) => {
    const resolveWhenReady = ({ type }: Session) => {
      if (type !== 'initializing') resolve(userNow())
      return type !== 'initializing'
    }
    if (resolveWhenReady(sessionNow())) return
    const stop = useSessionStore.subscribe(({ session }) => resolveWhenReady(session) && stop())
  })

export type SessionEndReason = 'signedOut' | 'sessionLost'
type News = 'signedIn' | SessionEndReason

/** The server renders pages too, and an open channel would keep its process from ending. */
const isPage = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined'
const channel = isPage ? new BroadcastChannel('garba-session') : null

export const notifyTabs = (news: News): void => channel?.postMessage(news)

export function onTabNews(receive: (news: News) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => receive(data))
}

/** The backend role, guest where only the identity exists, null for a visitor. (Spec: Roles.) */
export function findSessionRole(session: Session): Role | null {
  if (session.type === 'signedIn') return session.user.role
  return session.type === 'identityOnly' ? 'guest' : null
}
