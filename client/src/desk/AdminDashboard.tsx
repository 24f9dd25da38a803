import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { DeskPage } from './frame/DeskPage.tsx'

const AdminHome = lazy(() => import('./home/AdminHome.tsx'))
const UsersView = lazy(() => import('./users/UsersView.tsx'))
const TicketsView = lazy(() => import('./tickets/TicketsView.tsx'))
const EventManager = lazy(() => import('./event/EventManager.tsx'))
const AnalyticsView = lazy(() => import('./analytics/AnalyticsView.tsx'))
const GateView = lazy(() => import('./gate/GateView.tsx'))
const AuditView = lazy(() => import('./audit/AuditView.tsx'))

/** The admin's views as nested routes, so that Back works (DECISIONS 5). */
export default function AdminDashboard() {
  return (
    <DeskPage>
      <Routes>
        <Route index element={<AdminHome />} />
        <Route path="users" element={<UsersView />} />
        <Route path="tickets" element={<TicketsView />} />
        <Route path="event" element={<EventManager />} />
        <Route path="analytics" element={<AnalyticsView />} />
        <Route path="gate" element={<GateView />} />
        <Route path="audit" element={<AuditView />} />
        <Route path="*" element={<Navigate to="/dashboard/admin" replace />} />
      </Routes>
    </DeskPage>
  )
}
