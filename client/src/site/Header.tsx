import { DEFAULT_EVENT_TITLE, HEADER_SHRINK_PX } from '@garba/shared/constants'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../kit/Button.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { useConfig } from '../platform/config.ts'
import { useSession } from '../platform/identity/session.ts'
import { useLanguage } from '../platform/language.ts'
import { switchLanguage } from '../platform/words.ts'
import { SignInButton } from './auth/SignInButton.tsx'
import { useEnter } from './enter.ts'
import styles from './Header.module.css'
import { useWords } from './words.ts'

const UserMenu = lazy(() => import('./UserMenu.tsx'))

/** SPEC 2 "Header". */
export const Header = () => {
  const small = useScrolledPast(HEADER_SHRINK_PX)
  return (
    <header className={styles.header} data-small={small || undefined}>
      <div className={styles.row}>
        <Title />
        <div className={styles.tools}>
          <LanguageSwitch />
          <Book />
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

/** SPEC's primary call-to-action. It leads to the dashboard, so it is hidden there. */
const Book = () => {
  const { pathname } = useLocation()
  const { header } = useWords()
  const enter = useEnter()
  if (pathname.startsWith('/dashboard')) return null
  return (
    <Button tone="primary" className={styles.book} onClick={() => void enter()}>
      {header.book}
    </Button>
  )
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

/** The browser's own select under our own look: no code, and phones open their native picker. */
const LanguageSwitch = () => {
  const { header } = useWords()
  const language = useLanguage((store) => store.language)
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
