import { useNavigate } from 'react-router'
import { signIn } from '../platform/identity/actions.ts'
import { roleOf, sessionNow } from '../platform/identity/session.ts'

/** SPEC 2's primary call-to-action: signs in if needed, then goes to /dashboard. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const session = roleOf(sessionNow()) === null ? await signIn() : sessionNow()
    if (roleOf(session) !== null) await navigate('/dashboard')
  }
}
