import { DEFAULT_EVENT_TITLE, HEADER_SHRINK_PX } from '@garba/shared/constants'
import { HOMES } from '@garba/shared/contracts/pages'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../kit/Button.tsx'
import { cx } from '../kit/cx.ts'
import { Spinner } from '../kit/Spinner.tsx'
import { useConfig } from '../platform/config.ts'
import { useSession } from '../platform/identity/session.ts'
import { useLanguage } from '../platform/language.ts'
import { useCurrentEvent } from '../platform/store/event.ts'
import { switchLanguage } from '../platform/words.ts'
import { SignInButton } from './auth/SignInButton.tsx'
import { useEnter } from './enter.ts'
import styles from './Header.module.css'
import { useEvening } from './landing/evening.ts'
import { HERO_ACTION } from './landing/Hero.tsx'
import { useWords } from './words.ts'

/** Its height in Header.module.css once the page is scrolled. */
const HEADER_SMALL_PX = 56

const UserMenu = lazy(() => import('./UserMenu.tsx'))

/** SPEC 2 "Header". */
export const Header = () => {
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

/** On the home page a press scrolls to the top; elsewhere it leads home. */
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
      {title}
    </Link>
  )
}

/** SPEC's primary call-to-action. It leads to the dashboard, so it is hidden there; on the home page its place is kept. */
const Book = () => {
  const { pathname } = useLocation()
  const { header } = useWords()
  const enter = useEnter()
  const { onSale } = useEvening(useCurrentEvent(({ current }) => (current.type === 'known' ? current.event : null)))
  const passed = usePassed(HERO_ACTION, pathname === '/')
  if (pathname.startsWith('/dashboard')) return null
  return (
    <Button
      tone={onSale ? 'primary' : 'secondary'}
      className={cx(styles.book, pathname === '/' && !passed && styles.away)}
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
  if (type === 'initializing') return <Spinner size={28} label={header.loading} className={styles.wait} />
  if (type === 'signedOut' || type === 'loading') return <SignInButton tone="secondary" className={styles.signIn} />
  return (
    <Suspense fallback={<Spinner size={28} label={header.loading} className={styles.wait} />}>
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

/** The browser's own select under our own look: no code, and phones open their native picker. */
const LanguageSwitch = () => {
  const { header } = useWords()
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  if (isEnglishOnly(pathname)) return null
  return (
    <label className={styles.switch}>
      <Languages aria-hidden="true" />
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
