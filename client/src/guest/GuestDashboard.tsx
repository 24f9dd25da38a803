import { Route, Routes } from 'react-router'
import { late } from '../kit/late.tsx'
import { Dashboard } from './dashboard/Dashboard.tsx'
import { EntryPassView } from './entryPass/EntryPassView.tsx'

// The tickets do not need these, so they load when an order is opened.
const OrdersPage = late(() => import('./orders/OrdersPage.tsx'), null)
const OrderPage = late(() => import('./orders/OrderPage.tsx'), null)

/** Everything below /dashboard/guest: the home, orders, and over the home, at its own address, the entry pass. */
export default function GuestDashboard() {
  return (
    <>
      <Routes>
        <Route path="orders" element={<OrdersPage />} />
        <Route path="orders/:code" element={<OrderPage />} />
        <Route path="*" element={<Dashboard />} />
      </Routes>
      <Routes>
        <Route path="gate/:ticketId?" element={<EntryPassView />} />
        <Route path="*" element={null} />
      </Routes>
    </>
  )
}
