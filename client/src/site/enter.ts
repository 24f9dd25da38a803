import { useNavigate } from 'react-router'
import { signIn } from '../platform/identity/actions.ts'
import { findSessionRole, type Session, sessionNow, useSessionStore } from '../platform/identity/session.ts'
import { setWantedPurchase } from '../platform/wantedPurchase.ts'

export function useEnter(): (buy?: number, type?: string) => Promise<void> {
  const navigate = useNavigate()
  return async (buy, type) => {
    setWantedPurchase(buy ?? null)
    const known = await waitForSession()
    const session = findSessionRole(known) === null ? await signIn() : known
    if (findSessionRole(session) !== null) await navigate('/dashboard', { state: { buy, type } })
    else setWantedPurchase(null)
  }
}

/** A user may press before it is known that they are signed in on this device. */
function waitForSession(): Promise<Session> {
  return new Promise((resolve) => {
    const end = useSessionStore.subscribe(({ session }) => resolveSession(session))
    const resolveSession = (session: Session) => {
      if (session.type === 'initializing') return
      end()
      resolve(session)
    }
    resolveSession(sessionNow())
  })
}
