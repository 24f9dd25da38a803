import { DASHBOARD, POLICY_PAGES, type Policy } from '@garba/shared/contracts/pages'
import { lazy, Suspense } from 'react'
import { Outlet, Route, Routes } from 'react-router'
import { ButtonLink } from '../kit/ButtonLink.tsx'
import { usePageTitle } from '../platform/page.ts'
import { Landing } from './landing/Landing.tsx'
import { Notice } from './Notice.tsx'
import { PageMain } from './PageMain.tsx'
import { PolicyRoute } from './policies/PolicyRoute.tsx'
import { Shell } from './Shell.tsx'
import { LoadingDashboard } from './Waiting.tsx'
import { useWords } from './words.ts'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]
const Dashboards = lazy(() => import('./Dashboards.tsx'))

/** SPEC section 2 "Routes"; a dashboard's sub-views are nested below it (DECISIONS 5). */
export const SiteRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route index element={<Landing />} />
      <Route element={<MainAlone />}>
        <Route
          path={`${DASHBOARD}/*`}
          element={
            <Suspense fallback={<LoadingDashboard />}>
              <Dashboards />
            </Suspense>
          }
        />
        {POLICIES.map((policy) => (
          <Route key={policy} path={POLICY_PAGES[policy]} element={<PolicyRoute policy={policy} />} />
        ))}
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

const NotFound = () => {
  const { notFound } = useWords().screens
  usePageTitle(notFound.title)
  return (
    <Notice title={notFound.title} detail={notFound.detail}>
      <ButtonLink to="/" tone="primary">
        {notFound.action}
      </ButtonLink>
    </Notice>
  )
}
