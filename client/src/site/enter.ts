import { useNavigate } from 'react-router'
import { signIn } from '../platform/identity/actions.ts'
import { roleOf, type Session, sessionNow, useSessionStore } from '../platform/identity/session.ts'

/** The primary call-to-action: signs in if needed, then goes to /dashboard, where a guest buys `buy` tickets. */
export function useEnter(): (buy?: number) => Promise<void> {
  const navigate = useNavigate()
  return async (buy) => {
    const known = await settledSession()
    const session = roleOf(known) === null ? await signIn() : known
    if (roleOf(session) !== null) await navigate('/dashboard', { state: { buy } })
  }
}

/** A user may press before it is known that they are signed in on this device. */
function settledSession(): Promise<Session> {
  return new Promise((resolve) => {
    const end = useSessionStore.subscribe(({ session }) => settle(session))
    const settle = (session: Session) => {
      if (session.type === 'initializing') return
      end()
      resolve(session)
    }
    settle(sessionNow())
  })
}
