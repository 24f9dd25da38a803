import { HOMES, type ViewOf } from '@garba/shared/contracts/pages'
import { DESK } from '@garba/shared/messages/desk'
import type { ComponentType } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { late } from '../kit/late.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { Surface } from '../kit/Surface.tsx'
import { MAIN_ID } from '../platform/page.ts'
import styles from './DeskDashboard.module.css'
import { AccessDenied, useDenied } from './frame/AccessDenied.tsx'
import { useDeletionsOnLeaving } from './frame/deletions.ts'
import { Rail } from './frame/Rail.tsx'

const view = (fetch: () => Promise<{ default: ComponentType }>) => late(fetch, <Spinner label={DESK.loading} />)

const COMMON = {
  users: view(() => import('./users/UsersView.tsx')),
  analytics: view(() => import('./analytics/AnalyticsView.tsx')),
  gate: view(() => import('./evening/EveningView.tsx')),
  money: view(() => import('./money/MoneyView.tsx')),
}

/** Each dashboard's home and views; the manager's are fewer (SPEC 2 and 6). */
const DESKS = {
  admin: {
    Home: view(() => import('./home/AdminHome.tsx')),
    views: {
      ...COMMON,
      tickets: view(() => import('./tickets/TicketsView.tsx')),
      'tickets/lost': view(() => import('./lost/LostTicketsView.tsx')),
      orders: view(() => import('./orders/OrdersView.tsx')),
      'orders/sell': view(() => import('./sell/SellView.tsx')),
      'orders/:code': view(() => import('./orders/OrderView.tsx')),
      'money/statement': view(() => import('./banking/StatementView.tsx')),
      'money/payouts': view(() => import('./banking/PayoutsView.tsx')),
      event: view(() => import('./event/EventManager.tsx')),
      devices: view(() => import('./devices/DevicesView.tsx')),
      audit: view(() => import('./audit/AuditView.tsx')),
      mails: view(() => import('./mails/MailsView.tsx')),
    },
  },
  manager: { Home: view(() => import('./home/ManagerHome.tsx')), views: COMMON },
} as const satisfies { [D in 'admin' | 'manager']: { Home: ComponentType; views: Record<ViewOf<D>, ComponentType> } }

/**
 * The admin's and the manager's dashboard on a light surface: the views as nested routes, so that Back works
 * (DECISIONS 5), beside the rail that leads to them; the denied panel alone when the role is gone.
 */
export default function DeskDashboard({ desk }: { desk: keyof typeof DESKS }) {
  const { denied, retry } = useDenied()
  useDeletionsOnLeaving()
  return (
    <Surface tone="paper">
      <div className={styles.desk} lang="en">
        {denied ? null : <Rail desk={desk} />}
        <main id={MAIN_ID} tabIndex={-1} className={styles.page}>
          {denied ? <AccessDenied onAdmitted={retry} /> : <Views desk={desk} />}
        </main>
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
