import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { DeskPage } from './frame/DeskPage.tsx'

const ManagerHome = lazy(() => import('./home/ManagerHome.tsx'))
const UsersView = lazy(() => import('./users/UsersView.tsx'))
const AnalyticsView = lazy(() => import('./analytics/AnalyticsView.tsx'))
const GateView = lazy(() => import('./gate/GateView.tsx'))

/** The manager's reduced set of views (SPEC 2 and 6). */
export default function ManagerDashboard() {
  return (
    <DeskPage>
      <Routes>
        <Route index element={<ManagerHome />} />
        <Route path="users" element={<UsersView />} />
        <Route path="analytics" element={<AnalyticsView />} />
        <Route path="gate" element={<GateView />} />
        <Route path="*" element={<Navigate to="/dashboard/manager" replace />} />
      </Routes>
    </DeskPage>
  )
}
