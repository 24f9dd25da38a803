import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { reportCrash } from '../platform/errors.ts'
import { CrashScreen } from './CrashScreen.tsx'
import { SiteRoutes } from './SiteRoutes.tsx'

/**
 * The declarative router, not the data router: that one alone is 22 kB (gzip) more on the landing page, and its loaders
 * and actions are TanStack Query's work here, which begins with the dashboards.
 */
export const App = () => (
  <ErrorBoundary FallbackComponent={CrashScreen} onError={reportCrash}>
    <BrowserRouter>
      <SiteRoutes />
    </BrowserRouter>
  </ErrorBoundary>
)
