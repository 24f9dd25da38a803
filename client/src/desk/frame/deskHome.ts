import { useUser } from '../../platform/identity/session.ts'

/** Where Back to Dashboard leads: the dashboard of the user's own role. */
export const useDeskHome = (): string => (useUser()?.role === 'manager' ? '/dashboard/manager' : '/dashboard/admin')
