import '../kit/tokens.css'
import '../kit/fonts.css'
import '../kit/base.css'
import { HOMES } from '@garba/shared/contracts/site/pages'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { ahead, idle } from '../platform/ahead.ts'
import { getConfig } from '../platform/config.ts'
import { startSession } from '../platform/identity/actions.ts'
import { keptLanguage, loadWords, switchLanguage, useLanguage } from '../platform/language.ts'
import { probe, watchConnectivity } from '../platform/net/connectivity.ts'
import { pageData, reportCrash } from '../platform/page.ts'
import { registerWorker, watchInstall } from '../platform/pwa/install.ts'
import { wasSignedIn } from '../platform/store/local.ts'
import { CrashScreen } from './frame/Notice.tsx'
import { useReady } from './ready.ts'
import { Dashboards, SiteRoutes } from './SiteRoutes.tsx'

/**
 * The declarative router, not the data router, which would add 22 kB (gzip) to the landing page; TanStack Query does its
 * work, and loads with the dashboards.
 */
const App = () => {
  useReady()
  return (
    <ErrorBoundary FallbackComponent={CrashScreen} onError={reportCrash}>
      <BrowserRouter>
        <SiteRoutes />
      </BrowserRouter>
    </ErrorBoundary>
  )
}

const RELOADED = 'garba.reloadedForCode'
/** A second failure within this time (ms) has another cause than an old version. */
const SOON_MS = 60_000

/**
 * A tab left open across a deployment requests code that the server no longer has: the page is then reloaded, once.
 * Nothing happens offline, where the screen that lacks its code shows an error.
 */
function reloadForStaleCode(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
    if (Date.now() - last < SOON_MS) return
    void probe().then((answered) => {
      if (!answered) return
      sessionStorage.setItem(RELOADED, String(Date.now()))
      location.reload()
    })
  })
}

watchInstall()
watchConnectivity()
reloadForStaleCode()
void startSession()
// Title, support address and the demo note are on the first page; without an answer it shows the last known ones.
getConfig().catch((error: unknown) => console.info('Settings not read', error))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <App />
  </StrictMode>
)
if (pageData() === null) {
  if (wasSignedIn() && location.pathname.startsWith(HOMES.guest))
    await ahead(async () => {
      const [{ prepareGuest }] = await Promise.all([import('./Dashboards.tsx'), Dashboards.load()])
      await prepareGuest()
    })
  createRoot(root).render(app)
} else {
  const { language } = useLanguage.getState()
  // Meanwhile the screen shows what the server rendered.
  await loadWords(language)
  // Hydrated in slices, so that a tap in between is answered.
  startTransition(() => void hydrateRoot(root, app))
  if (keptLanguage() !== language) void switchLanguage(keptLanguage())
}
const WORKER_AFTER_MS = 4_000
// The worker fetches its whole shell, so what the reader looks at goes first.
void idle(WORKER_AFTER_MS).then(() => registerWorker({ url: '/sw-guest.js', scope: '/' }))
