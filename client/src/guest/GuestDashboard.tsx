import { VIEWS } from '@garba/shared/contracts/pages'
import { Route, Routes } from 'react-router'
import { Dashboard } from './dashboard/Dashboard.tsx'
import { EntryPassView } from './entryPass/EntryPassView.tsx'

/** Everything below /dashboard/guest: the dashboard and, over it at its own address, the entry pass. */
export default function GuestDashboard() {
  return (
    <>
      <Dashboard />
      <Routes>
        {VIEWS.guest.map((path) => (
          <Route key={path} path={path} element={<EntryPassView />} />
        ))}
        <Route path="*" element={null} />
      </Routes>
    </>
  )
}
