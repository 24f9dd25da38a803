import { DEFAULT_EVENT_TITLE, HEADER_SHRINK_PX } from '@garba/shared/constants'
import { HOMES, POLICY_PAGES } from '@garba/shared/contracts/site/pages'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { createLazyComponent, LateAccountChooser } from '../../kit/late.tsx'
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
import { MAIN_ID } from '../../platform/page.ts'
import { isInstalled, useUpdate } from '../../platform/pwa/install.ts'
import { hasChangedEvent, useCurrentEvent } from '../../platform/store/event.ts'
import { mayHaveUnsentScans, takeWantedScanner } from '../../platform/store/local.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { reportSiteCrash } from '../crash.ts'
import { useEnter } from '../enter.ts'
import { useEventStatus } from '../landing/facts.ts'
import { HERO_ACTION } from '../landing/Hero.tsx'
import { useWords } from '../words.ts'
import { CrashScreen } from './Notice.tsx'
import styles from './Shell.module.css'

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
        <ErrorBoundary FallbackComponent={CrashedPage} onError={reportSiteCrash} resetKeys={[pathname]}>
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
const EventNote = createLazyComponent(() => import('./EventNote.tsx').catch(() => ({ default: () => null })), null)
const PageNotices = lazy(() => import('./PageNotices.tsx'))
const RehearsalMark = lazy(() => import('../../kit/RehearsalMark.tsx'))
const Toaster = lazy(async () => ({ default: (await import('../../kit/Toaster.tsx')).Toaster }))

const Overlays = () => {
  const failure = useSignInFailure()
  const lost = useSessionLost()
  const updateReady = useUpdate(({ ready }) => ready)
  const unsent = useUnsentBySignedOut()
  const chooser = useDemoChooser()
  const sheet = useSessionStore((store) => store.sheet)
  const isRehearsal = useAfterPaint(useConfig(({ config }) => config?.rehearsal ?? false))
  const { pathname } = useLocation()
  const { close } = useWords()
  // Only dashboards use toasts, but one may lead to another page, as after the end of an account.
  const [hasToasts, setHasToasts] = useState(false)
  if (!hasToasts && pathname.startsWith('/dashboard')) setHasToasts(true)
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
      {hasToasts ? <Toaster closeLabel={close} /> : null}
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

/**
 * False in the first paint: for code that is still on its way, React would write scripts into
 * the server's page, which its policy blocks.
 */
function useAfterPaint(is: boolean): boolean {
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(is), [is])
  return shown
}

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

const DemoNote = () => {
  const { demoNote, testNote } = useWords()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  const test = useConfig(({ config }) => config?.payments.test ?? false)
  return demo || test ? <aside className={styles.note}>{demo ? demoNote : testNote}</aside> : null
}

const isPolicy = (pathname: string): boolean => Object.values<string>(POLICY_PAGES).includes(pathname)

/** The header's height in Shell.module.css once the page is scrolled. */
const HEADER_SMALL_PX = 56

const UserMenu = lazy(() => import('./UserMenu.tsx'))

const Header = () => {
  const small = useScrolledPast(HEADER_SHRINK_PX)
  return (
    <header className={styles.header} data-small={small || undefined}>
      <div className={styles.row}>
        <Title />
        <div className={styles.tools}>
          <Book />
          <LanguageSwitch />
          <Account />
        </div>
      </div>
    </header>
  )
}

const Title = () => {
  const { pathname } = useLocation()
  const title = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  return (
    <Link
      to="/"
      className={styles.title}
      onClick={(event) => {
        if (pathname !== '/') return
        event.preventDefault()
        window.scrollTo({ top: 0 })
      }}
    >
      <span className={styles.name}>{title}</span>
    </Link>
  )
}

const Book = () => {
  const { pathname } = useLocation()
  const { header } = useWords()
  const enter = useEnter()
  const { onSale } = useEventStatus(useCurrentEvent(({ current }) => (current.type === 'known' ? current.event : null)))
  const busy = useSigningIn()
  const passed = usePassed(HERO_ACTION, pathname === '/')
  if (pathname !== '/' && !isPolicy(pathname)) return null
  return (
    <Button
      tone={onSale ? 'primary' : 'secondary'}
      className={cx(styles.book, pathname === '/' && !passed && styles.away)}
      busy={busy}
      onClick={() => void enter()}
    >
      {onSale ? header.book : header.myTickets}
    </Button>
  )
}

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
  if (type === 'initializing') return <Spinner size={28} label={header.loading} className={styles.wait} />
  // Our server does not know this identity yet, so the sign-in has failed so far.
  const hasFailed = type === 'identityOnly' && !pathname.startsWith('/dashboard')
  if (type === 'signedOut' || type === 'loading' || hasFailed)
    return <SignInButton tone="secondary" className={isPolicy(pathname) ? styles.signIn : styles.signInMark} />
  return (
    <Suspense fallback={<Spinner size={28} label={header.loading} className={styles.wait} />}>
      <UserMenu />
    </Suspense>
  )
}

function useScrolledPast(px: number): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const updatePast = () => setPast(window.scrollY > px)
    updatePast()
    window.addEventListener('scroll', updatePast, { passive: true })
    return () => window.removeEventListener('scroll', updatePast)
  }, [px])
  return past
}

const SIGN: Readonly<Record<Language, string>> = { en: 'EN', gu: 'ગુ', hi: 'हि' }

/** The desk speaks English, and the scanner has a language choice of its own. */
const isEnglishOnly = (pathname: string): boolean =>
  [HOMES.admin, HOMES.manager, HOMES.qrchecker].some((home) => pathname.startsWith(home))

/** The browser's own select with the site's look: no code, and phones open their native picker. */
const LanguageSwitch = () => {
  const { header } = useWords()
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  if (isEnglishOnly(pathname)) return null
  return (
    <label className={styles.switch}>
      <Languages />
      <span aria-hidden="true" lang={language}>
        {SIGN[language]}
      </span>
      <select
        aria-label={header.language}
        className={styles.select}
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

/** The note is part of it, so that a page with another key below does not slide when the note comes. */
export const PageMain = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const isChanged = useCurrentEvent(hasChangedEvent)
  return (
    <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
      {isEnglishOnly(pathname) ? null : (
        <div className={isChanged ? styles.noteRoom : undefined}>
          <EventNote />
        </div>
      )}
      {children}
    </main>
  )
}
