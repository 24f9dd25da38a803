import { Route, Routes } from 'react-router'
import { createLazyComponent } from '../kit/late.tsx'
import { Dashboard } from './dashboard/Dashboard.tsx'
import { EntryPassView } from './entryPass/EntryPassView.tsx'

const OrdersPage = createLazyComponent(() => import('./orders/OrdersPage.tsx'), null)
const OrderPage = createLazyComponent(() => import('./orders/OrderPage.tsx'), null)

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
