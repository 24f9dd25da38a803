import { DEFAULT_EVENT_TITLE, HEADER_SHRINK_PX } from '@garba/shared/constants'
import { HOMES } from '@garba/shared/contracts/site/pages'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { LateAccountChooser } from '../../kit/late.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { Surface } from '../../kit/Surface.tsx'
import { useConfig } from '../../platform/config.ts'
import { useDemoChooser } from '../../platform/identity/chooser.ts'
import { onSessionLost } from '../../platform/identity/hooks.ts'
import {
  useSession,
  useSessionLost,
  useSessionStore,
  useSignInFailure,
  useSigningIn,
  useUser,
} from '../../platform/identity/session.ts'
import { switchLanguage, useLanguage } from '../../platform/language.ts'
import { MAIN_ID, reportCrash } from '../../platform/page.ts'
import { isInstalled, useUpdate } from '../../platform/pwa/install.ts'
import { useCurrentEvent } from '../../platform/store/event.ts'
import { mayHaveUnsentScans, takeWantedScanner } from '../../platform/store/local.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { useEnter } from '../enter.ts'
import { useEvening } from '../landing/facts.ts'
import { HERO_ACTION } from '../landing/Hero.tsx'
import { useWords } from '../words.ts'
import headerStyles from './Header.module.css'
import { CrashScreen } from './Notice.tsx'
import mainStyles from './PageMain.module.css'
import styles from './Shell.module.css'

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

const AuthNotices = lazy(() => import('../auth/AuthNotices.tsx'))
const PageNotices = lazy(() => import('./PageNotices.tsx'))
const RehearsalMark = lazy(() => import('../../kit/RehearsalMark.tsx'))
const Toaster = lazy(async () => ({ default: (await import('../../kit/Toaster.tsx')).Toaster }))

/** Notices over a page, each loaded when it is first needed. */
const Overlays = () => {
  const failure = useSignInFailure()
  const lost = useSessionLost()
  const updateReady = useUpdate(({ ready }) => ready)
  const unsent = useUnsentBySignedOut()
  const chooser = useDemoChooser()
  const sheet = useSessionStore((store) => store.sheet)
  const isRehearsal = useConfig(({ config }) => config?.rehearsal ?? false)
  const { pathname } = useLocation()
  const { close } = useWords()
  const shown = { lost: lost && !failure, unsent: pathname === '/' && unsent }
  return (
    <Suspense fallback={null}>
      {failure || sheet ? <AuthNotices failure={failure} sheet={sheet} /> : null}
      <div className={styles.notices}>
        {shown.lost || shown.unsent || updateReady ? (
          <PageNotices {...shown} lostClass={styles.lost} updateReady={updateReady} />
        ) : null}
      </div>
      {isRehearsal ? <RehearsalMark /> : null}
      {/* Only dashboards use toasts. */}
      {pathname.startsWith('/dashboard') ? <Toaster closeLabel={close} /> : null}
      <LateAccountChooser {...chooser} />
    </Suspense>
  )
}

/** Whether nobody is signed in on a phone that may have unsent scans. False in the first paint, which is the same for everybody. */
function useUnsentBySignedOut(): boolean {
  const isSignedOut = useSession().type === 'signedOut'
  const [unsent, setUnsent] = useState(false)
  useEffect(() => setUnsent(isSignedOut && mayHaveUnsentScans()), [isSignedOut])
  return unsent
}

/** A checker who was sent here by the scanner to sign in returns to it. */
function useReturnToScanner(): void {
  const role = useUser()?.role
  useEffect(() => {
    const path = role === undefined ? null : takeWantedScanner()
    if (path !== null && role === 'qrchecker') location.replace(path)
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

/** When the session cannot be renewed the user goes to /. An installed app shows its own sign-in instead. */
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

/** Says that this is a demo, or that payments are only a test. */
const DemoNote = () => {
  const { demoNote, testNote } = useWords()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  const test = useConfig(({ config }) => config?.payments.test ?? false)
  return demo || test ? <aside className={styles.note}>{demo ? demoNote : testNote}</aside> : null
}

/** The header's height in Header.module.css once the page is scrolled. */
const HEADER_SMALL_PX = 56

const UserMenu = lazy(() => import('./UserMenu.tsx'))

const Header = () => {
  const small = useScrolledPast(HEADER_SHRINK_PX)
  return (
    <header className={headerStyles.header} data-small={small || undefined}>
      <div className={headerStyles.row}>
        <Title />
        <div className={headerStyles.tools}>
          <Book />
          <LanguageSwitch />
          <Account />
        </div>
      </div>
    </header>
  )
}

/** On the home page a press scrolls to the top; elsewhere it leads home. */
const Title = () => {
  const { pathname } = useLocation()
  const title = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  return (
    <Link
      to="/"
      className={headerStyles.title}
      onClick={(event) => {
        if (pathname !== '/') return
        event.preventDefault()
        window.scrollTo({ top: 0 })
      }}
    >
      <span className={headerStyles.name}>{title}</span>
    </Link>
  )
}

/** The primary call-to-action. It leads to the dashboard, so it is hidden there; on the home page its place is kept. */
const Book = () => {
  const { pathname } = useLocation()
  const { header } = useWords()
  const enter = useEnter()
  const { onSale } = useEvening(useCurrentEvent(({ current }) => (current.type === 'known' ? current.event : null)))
  const busy = useSigningIn()
  const passed = usePassed(HERO_ACTION, pathname === '/')
  if (pathname.startsWith('/dashboard')) return null
  return (
    <Button
      tone={onSale ? 'primary' : 'secondary'}
      className={cx(headerStyles.book, pathname === '/' && !passed && headerStyles.away)}
      busy={busy}
      onClick={() => void enter()}
    >
      {onSale ? header.book : header.myTickets}
    </Button>
  )
}

/** Whether the element was scrolled away above the window, or below the header that covers its top. */
function usePassed(id: string, isThere: boolean): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const element = isThere ? document.getElementById(id) : null
    if (element === null) return
    const watch = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)
        if (last) setPassed(!last.isIntersecting)
      },
      // What is still below the window counts as in sight.
      { rootMargin: `-${HEADER_SMALL_PX}px 0px 1000000px` },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [id, isThere])
  return passed
}

const Account = () => {
  const { type } = useSession()
  const { header } = useWords()
  const { pathname } = useLocation()
  if (type === 'initializing') return <Spinner size={28} label={header.loading} className={headerStyles.wait} />
  if (type === 'signedOut' || type === 'loading')
    return (
      <SignInButton tone="secondary" className={pathname === '/' ? headerStyles.signInMark : headerStyles.signIn} />
    )
  return (
    <Suspense fallback={<Spinner size={28} label={header.loading} className={headerStyles.wait} />}>
      <UserMenu />
    </Suspense>
  )
}

function useScrolledPast(px: number): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const look = () => setPast(window.scrollY > px)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [px])
  return past
}

/** Shown in the header: each language's own short sign. */
const SIGN: Readonly<Record<Language, string>> = { en: 'EN', gu: 'ગુ', hi: 'हि' }

/** The desk and the scanner speak English. */
const isEnglishOnly = (pathname: string): boolean =>
  [HOMES.admin, HOMES.manager, HOMES.qrchecker].some((home) => pathname.startsWith(home))

/** The browser's own select with the site's look: no code, and phones open their native picker. */
const LanguageSwitch = () => {
  const { header } = useWords()
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  if (isEnglishOnly(pathname)) return null
  return (
    <label className={headerStyles.switch}>
      <Languages aria-hidden="true" />
      <span aria-hidden="true" lang={language}>
        {SIGN[language]}
      </span>
      <select
        aria-label={header.language}
        className={headerStyles.select}
        value={language}
        onChange={({ target }) => {
          if (isLanguage(target.value)) void switchLanguage(target.value)
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The page's content, the only main landmark; a page adds what goes beside it, such as the landing page's footer. */
export const PageMain = ({ children }: { children: ReactNode }) => (
  <main id={MAIN_ID} tabIndex={-1} className={mainStyles.main}>
    {children}
  </main>
)
