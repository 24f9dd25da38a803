import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation, useNavigate, useNavigationType } from 'react-router'
import { LateAccountChooser } from '../kit/LateAccountChooser.tsx'
import { Surface } from '../kit/Surface.tsx'
import { useConfig } from '../platform/config.ts'
import { reportCrash } from '../platform/errors.ts'
import { useDemoChooser } from '../platform/identity/chooser.ts'
import { onSessionLost } from '../platform/identity/hooks.ts'
import { useSession, useSessionLost, useSignInFailure, useUser } from '../platform/identity/session.ts'
import { useLanguage } from '../platform/language.ts'
import { MAIN_ID } from '../platform/page.ts'
import { isInstalled } from '../platform/pwa/install.ts'
import { useUpdate } from '../platform/pwa/worker.ts'
import { mayHaveUnsentScans, takeWantedScanner } from '../platform/store/gateNotes.ts'
import { CrashScreen } from './CrashScreen.tsx'
import { Header } from './Header.tsx'
import { PageMain } from './PageMain.tsx'
import styles from './Shell.module.css'
import { useWords } from './words.ts'

/** The frame of every site page: skip link, header, the page, and notices over it. */
export const Shell = () => {
  const { header } = useWords()
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  usePageBeginning()
  useHomeWhenSessionIsLost()
  useReturnToScanner()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <Surface tone="night">
      <div className={styles.shell}>
        <a href={`#${MAIN_ID}`} className={styles.skip}>
          {header.skipToContent}
        </a>
        <DemoNote />
        <Header />
        <ErrorBoundary FallbackComponent={CrashedPage} onError={reportCrash} resetKeys={[pathname]}>
          <Outlet />
        </ErrorBoundary>
        <Overlays />
      </div>
    </Surface>
  )
}

const CrashedPage = () => (
  <PageMain>
    <CrashScreen />
  </PageMain>
)

const AuthBanner = lazy(() => import('./auth/AuthBanner.tsx'))
const SessionLost = lazy(() => import('./SessionLost.tsx'))
const UnsentScans = lazy(() => import('./UnsentScans.tsx'))
const UpdateNotice = lazy(() => import('./UpdateNotice.tsx'))
const Toaster = lazy(async () => ({ default: (await import('../kit/Toaster.tsx')).Toaster }))

/** Notices over a page, each loaded when it is first needed. */
const Overlays = () => {
  const failure = useSignInFailure()
  const lost = useSessionLost()
  const updateReady = useUpdate(({ ready }) => ready)
  const unsent = useUnsentBySignedOut()
  const chooser = useDemoChooser()
  const { pathname } = useLocation()
  return (
    <Suspense fallback={null}>
      {failure ? <AuthBanner key={failure.id} failure={failure} /> : null}
      <div className={styles.notices}>
        {lost && !failure ? <SessionLost className={styles.lost} /> : null}
        {pathname === '/' && unsent ? <UnsentScans /> : null}
        {updateReady ? <UpdateNotice /> : null}
      </div>
      {/* Only dashboards use toasts. */}
      {pathname.startsWith('/dashboard') ? <Toaster /> : null}
      <LateAccountChooser {...chooser} />
    </Suspense>
  )
}

/** Whether nobody is signed in on a phone that may have unsent scans. Not in the first paint, which is everybody's. */
function useUnsentBySignedOut(): boolean {
  const isSignedOut = useSession().type === 'signedOut'
  const [unsent, setUnsent] = useState(false)
  useEffect(() => setUnsent(isSignedOut && mayHaveUnsentScans()), [isSignedOut])
  return unsent
}

/** A checker whom the scanner sent here to sign in goes back to it. */
function useReturnToScanner(): void {
  const role = useUser()?.role
  useEffect(() => {
    const wanted = role === undefined ? null : takeWantedScanner()
    if (wanted !== null && role === 'qrchecker') location.replace(wanted)
  }, [role])
}

/**
 * Scrolls a new page to the top and moves the focus to its start, for keyboards and screen readers. Not on the first page,
 * and not when only the query changed. On Back the browser itself restores the scroll position.
 */
function usePageBeginning(): void {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (type !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  }, [pathname, type])
}

/** SPEC 7: when the refresh fails the user goes to /. An installed app shows its own sign-in instead (DECISIONS 4). */
function useHomeWhenSessionIsLost(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionLost(() => {
        if (!isInstalled()) void navigate('/', { replace: true })
      }),
    [navigate],
  )
}

/** DECISIONS 1: the page says that it is a demo; and where payments are only tried out, that too. */
const DemoNote = () => {
  const { demoNote, testNote } = useWords()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  const test = useConfig(({ config }) => config?.payments.test ?? false)
  return demo || test ? <aside className={styles.note}>{demo ? demoNote : testNote}</aside> : null
}
