import { DASHBOARD, ORDER_ADDRESS, orderPage, POLICY_PAGES, type Policy } from '@garba/shared/contracts/pages'
import { lazy, Suspense } from 'react'
import { Navigate, Outlet, Route, Routes, useParams } from 'react-router'
import { late } from '../kit/late.tsx'
import { DeadEnd } from './DeadEnd.tsx'
import { Landing } from './landing/Landing.tsx'
import { PageMain } from './PageMain.tsx'
import { Shell } from './Shell.tsx'
import { LoadingDashboard, Waiting } from './Waiting.tsx'
import { useWords } from './words.ts'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]
export const Dashboards = late(
  () => import('./Dashboards.tsx'),
  <PageMain>
    <LoadingDashboard />
  </PageMain>,
)
const PolicyPage = lazy(async () => ({ default: (await import('./policies/PolicyPage.tsx')).PolicyPage }))

/** SPEC section 2 "Routes"; a dashboard's sub-views are nested below it (DECISIONS 5). */
export const SiteRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route index element={<Landing />} />
      {/* Each dashboard brings its own main: the desk has a rail beside it. */}
      <Route path={`${DASHBOARD}/*`} element={<Dashboards />} />
      <Route path={ORDER_ADDRESS} element={<ToOrder />} />
      <Route element={<MainAlone />}>
        {POLICIES.map((policy) => (
          <Route key={policy} path={POLICY_PAGES[policy]} element={<PolicyRoute policy={policy} />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Route>
  </Routes>
)

const PolicyRoute = ({ policy }: { policy: Policy }) => (
  <Suspense fallback={<Waiting text={useWords().header.loading} />}>
    <PolicyPage policy={policy} />
  </Suspense>
)

/** The short address of mails leads into the guest's scope, without what anybody has added to it. */
const ToOrder = () => {
  const { code = '' } = useParams()
  return <Navigate to={orderPage(code)} replace />
}

const MainAlone = () => (
  <PageMain>
    <Outlet />
  </PageMain>
)

const NotFound = () => <DeadEnd {...useWords().screens.notFound} tone="secondary" />
