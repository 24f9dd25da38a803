import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { LateAccountChooser } from '../kit/LateAccountChooser.tsx'
import { useDemoChooser } from '../platform/identity/chooser.ts'
import { useSessionLost, useSignInFailure } from '../platform/identity/session.ts'
import { useUpdate } from '../platform/pwa/worker.ts'
import styles from './Overlays.module.css'

const AuthBanner = lazy(() => import('./auth/AuthBanner.tsx'))
const SessionLost = lazy(() => import('./SessionLost.tsx'))
const UpdateNotice = lazy(() => import('./UpdateNotice.tsx'))
const Toaster = lazy(async () => ({ default: (await import('../kit/Toaster.tsx')).Toaster }))

/** What may be said over a page; each part is loaded when there is something to say. */
export const Overlays = () => {
  const failure = useSignInFailure()
  const lost = useSessionLost()
  const updateReady = useUpdate(({ ready }) => ready)
  const chooser = useDemoChooser()
  const { pathname } = useLocation()
  return (
    <Suspense fallback={null}>
      {failure ? <AuthBanner key={failure.id} failure={failure} /> : null}
      <div className={styles.notices}>
        {lost && !failure ? <SessionLost className={styles.lost} /> : null}
        {updateReady ? <UpdateNotice /> : null}
      </div>
      {/* Only dashboards say things in toasts. */}
      {pathname.startsWith('/dashboard') ? <Toaster /> : null}
      <LateAccountChooser {...chooser} />
    </Suspense>
  )
}
