import { useNavigate } from 'react-router'
import { signIn } from '../platform/identity/actions.ts'
import { roleOf, sessionNow } from '../platform/identity/session.ts'

/** The primary call-to-action of SPEC 2: signs in if needed and then goes to /dashboard. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const session = roleOf(sessionNow()) === null ? await signIn() : sessionNow()
    if (roleOf(session) !== null) await navigate('/dashboard')
  }
}
