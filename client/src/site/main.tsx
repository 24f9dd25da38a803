import '../kit/tokens.css'
import '../kit/fonts.css'
import '../kit/base.css'
import { DASHBOARD, HOMES } from '@garba/shared/contracts/site/pages'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { loadAhead, waitForIdle } from '../platform/ahead.ts'
import { getConfig } from '../platform/config.ts'
import { watchBack } from '../platform/heldBack.ts'
import { startSession } from '../platform/identity/actions.ts'
import { keptLanguage, loadWords, switchLanguage, useLanguage } from '../platform/language.ts'
import { probeServer, watchConnectivity } from '../platform/net/connectivity.ts'
import { pageData } from '../platform/pageData.ts'
import { registerWorker, watchInstall } from '../platform/pwa/install.ts'
import { wasSignedIn } from '../platform/store/local.ts'
import { keepPurchase } from '../platform/wantedPurchase.ts'
import { reportSiteCrash } from './crash.ts'
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
    <ErrorBoundary FallbackComponent={CrashScreen} onError={reportSiteCrash}>
      <BrowserRouter>
        <SiteRoutes />
      </BrowserRouter>
    </ErrorBoundary>
  )
}

const RELOADED = 'garba.reloadedForCode'
/** More failures within this time (ms) have another cause than old versions. */
const SOON_MS = 60_000
const MOST_RELOADS = 3

/**
 * A tab left open across a deployment requests code that the server no longer has: the page is then reloaded, and a press
 * of Book is kept. Nothing happens offline, where the screen that lacks its code shows an error.
 */
function reloadForStaleCode(): void {
  window.addEventListener('vite:preloadError', () => {
    const reloads = (sessionStorage.getItem(RELOADED) ?? '')
      .split(' ')
      .filter((at) => Date.now() - Number(at) < SOON_MS)
    if (reloads.length >= MOST_RELOADS) return
    void probeServer().then((answered) => {
      if (!answered) return
      sessionStorage.setItem(RELOADED, [...reloads, Date.now()].join(' '))
      keepPurchase()
      location.reload()
    })
  })
}

watchInstall()
watchConnectivity()
watchBack()
reloadForStaleCode()
void startSession()
// Title, support address and the demo note are on the first page; without an answer it shows the last known values.
const settings = getConfig().catch((error: unknown) => console.info('Settings not read', error))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <App />
  </StrictMode>
)
if (pageData() === null) {
  if (wasSignedIn() && location.pathname.startsWith(HOMES.guest))
    await loadAhead(async () => {
      const load = [
        import('./Dashboards.tsx'),
        Dashboards.load(),
        settings,
        import('@garba/shared/calls/calls'),
      ] as const
      const [{ prepareGuest }] = await Promise.all(load)
      await prepareGuest()
    })
  // The demo's note stands above the desk.
  else if (location.pathname.startsWith(DASHBOARD)) await loadAhead(() => settings)
  createRoot(root).render(app)
} else {
  const { language } = useLanguage.getState()
  await loadWords(language)
  startTransition(() => void hydrateRoot(root, app))
  if (keptLanguage() !== language) void switchLanguage(keptLanguage())
}
const WORKER_AFTER_MS = 4_000
// The worker fetches its whole shell, so what the reader looks at goes first.
void waitForIdle(WORKER_AFTER_MS).then(() => registerWorker({ url: '/sw-guest.js', scope: '/' }))
