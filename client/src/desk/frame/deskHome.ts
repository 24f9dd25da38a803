import { useUser } from '../../platform/identity/session.ts'

/** Back to Dashboard leads to the dashboard of the user's role. */
export const useDeskHome = (): string => (useUser()?.role === 'manager' ? '/dashboard/manager' : '/dashboard/admin')
