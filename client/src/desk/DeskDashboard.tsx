import { HOMES, type ViewOf } from '@garba/shared/contracts/pages'
import { DESK } from '@garba/shared/messages/desk'
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Spinner } from '../kit/Spinner.tsx'
import { Surface } from '../kit/Surface.tsx'
import styles from './DeskDashboard.module.css'
import { AccessDenied, useDenied } from './frame/AccessDenied.tsx'

const COMMON = {
  users: lazy(() => import('./users/UsersView.tsx')),
  analytics: lazy(() => import('./analytics/AnalyticsView.tsx')),
  gate: lazy(() => import('./evening/EveningView.tsx')),
}

/** Each dashboard's home and views; the manager's are fewer (SPEC 2 and 6). */
const DESKS = {
  admin: {
    Home: lazy(() => import('./home/AdminHome.tsx')),
    views: {
      ...COMMON,
      tickets: lazy(() => import('./tickets/TicketsView.tsx')),
      event: lazy(() => import('./event/EventManager.tsx')),
      audit: lazy(() => import('./audit/AuditView.tsx')),
    },
  },
  manager: { Home: lazy(() => import('./home/ManagerHome.tsx')), views: COMMON },
} as const satisfies { [D in 'admin' | 'manager']: { Home: ComponentType; views: Record<ViewOf<D>, ComponentType> } }

/**
 * The admin's and the manager's dashboard on a light surface: the views as nested routes, so that Back works
 * (DECISIONS 5), replaced by the denied panel when the role is gone.
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
  const { Home, views } = DESKS[desk]
  return (
    <Routes>
      <Route index element={<Home />} />
      {Object.entries(views).map(([path, View]) => (
        <Route key={path} path={path} element={<View />} />
      ))}
      <Route path="*" element={<Navigate to={HOMES[desk]} replace />} />
    </Routes>
  )
}
