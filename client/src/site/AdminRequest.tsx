import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { requestAdmin } from '../platform/identity/actions.ts'
import { LoadingDashboard } from './Waiting.tsx'

/**
 * SPEC 4 "Admin self-assignment" at the admin dashboard's address: asks for the role once, for the email may be in
 * ADMIN_EMAILS by now. As an admin the user is let in by the role gate; for everyone else there is `refused`.
 */
export const AdminRequest = ({ refused }: { refused: ReactNode }) => {
  const [denied, setDenied] = useState(false)
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    requestAdmin().then(
      () => toast.success(SUCCESS_TOASTS.adminAssigned),
      (error: unknown) => {
        console.info('Not an admin', error)
        setDenied(true)
      },
    )
  }, [])
  return denied ? refused : <LoadingDashboard />
}
