import { DESK } from '@garba/shared/messages/desk'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Spinner } from '../kit/Spinner.tsx'
import { Surface } from '../kit/Surface.tsx'
import styles from './DeskDashboard.module.css'
import { AccessDenied } from './frame/AccessDenied.tsx'
import { useDenied } from './frame/useDenied.ts'

const AnalyticsView = lazy(() => import('./analytics/AnalyticsView.tsx'))
const UsersView = lazy(() => import('./users/UsersView.tsx'))
const GateView = lazy(() => import('./gate/GateView.tsx'))

/** Each dashboard's home, and the views it has beside the common ones: the manager's are fewer (SPEC 2 and 6). */
const DESKS = {
  admin: {
    Home: lazy(() => import('./home/AdminHome.tsx')),
    own: {
      tickets: lazy(() => import('./tickets/TicketsView.tsx')),
      event: lazy(() => import('./event/EventManager.tsx')),
      audit: lazy(() => import('./audit/AuditView.tsx')),
    },
  },
  manager: { Home: lazy(() => import('./home/ManagerHome.tsx')), own: {} },
} as const

/**
 * The admin's and the manager's dashboard on its light ground: the views as nested routes, so that Back works (DECISIONS
 * 5), and the denied panel in their place when the role is gone.
 */
export default function DeskDashboard({ desk }: { desk: keyof typeof DESKS }) {
  const { denied, retry } = useDenied()
  return (
    <Surface tone="paper">
      <div className={styles.page} lang="en">
        {denied ? (
          <AccessDenied onAdmitted={retry} />
        ) : (
          <Suspense fallback={<Spinner label={DESK.loading} />}>
            <Views desk={desk} />
          </Suspense>
        )}
      </div>
    </Surface>
  )
}

const Views = ({ desk }: { desk: keyof typeof DESKS }) => {
  const { Home, own } = DESKS[desk]
  return (
    <Routes>
      <Route index element={<Home />} />
      <Route path="users" element={<UsersView />} />
      <Route path="analytics" element={<AnalyticsView />} />
      <Route path="gate" element={<GateView />} />
      {Object.entries(own).map(([path, View]) => (
        <Route key={path} path={path} element={<View />} />
      ))}
      <Route path="*" element={<Navigate to={`/dashboard/${desk}`} replace />} />
    </Routes>
  )
}
