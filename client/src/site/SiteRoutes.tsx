import { lazy, Suspense } from 'react'
import { Outlet, Route, Routes } from 'react-router'
import { Landing } from './landing/Landing.tsx'
import { NotFound } from './NotFound.tsx'
import { PageMain } from './PageMain.tsx'
import { PolicyRoute } from './policies/PolicyRoute.tsx'
import { Shell } from './Shell.tsx'
import { LoadingDashboard } from './Waiting.tsx'

const Dashboards = lazy(() => import('./Dashboards.tsx'))

/** SPEC section 2 "Routes"; a dashboard's sub-views are nested below it (DECISIONS 5). */
export const SiteRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route index element={<Landing />} />
      <Route element={<MainAlone />}>
        <Route
          path="dashboard/*"
          element={
            <Suspense fallback={<LoadingDashboard />}>
              <Dashboards />
            </Suspense>
          }
        />
        <Route path="privacy-policy" element={<PolicyRoute policy="privacy" />} />
        <Route path="cancellation-policy" element={<PolicyRoute policy="cancellation" />} />
        <Route path="refund-policy" element={<PolicyRoute policy="refund" />} />
        <Route path="terms-of-service" element={<PolicyRoute policy="terms" />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Route>
  </Routes>
)

const MainAlone = () => (
  <PageMain>
    <Outlet />
  </PageMain>
)
