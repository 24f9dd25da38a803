import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { reportCrash } from '../platform/errors.ts'
import { CrashScreen } from './frame/CrashScreen.tsx'
import { useReady } from './ready.ts'
import { SiteRoutes } from './SiteRoutes.tsx'

/**
 * The declarative router, not the data router, which would add 22 kB (gzip) to the landing page; TanStack Query does its
 * work, and loads with the dashboards.
 */
export const App = () => {
  useReady()
  return (
    <ErrorBoundary FallbackComponent={CrashScreen} onError={reportCrash}>
      <BrowserRouter>
        <SiteRoutes />
      </BrowserRouter>
    </ErrorBoundary>
  )
}
