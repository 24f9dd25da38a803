import { DEFAULT_EVENT_TITLE, HEADER_SHRINK_PX } from '@garba/shared/constants'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../kit/Button.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { useConfig } from '../platform/config.ts'
import { useSession } from '../platform/identity/session.ts'
import { SignInButton } from './auth/SignInButton.tsx'
import { useEnter } from './enter.ts'
import styles from './Header.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'
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

/** On the home page a press scrolls to the top; elsewhere it is the way home. */
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

/** SPEC's primary call-to-action. A dashboard is where it leads, so there it has nothing to say. */
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
  const { at } = useSession()
  const { header } = useWords()
  if (at === 'initializing') return <Spinner size={28} label={header.loading} className={styles.wait} />
  if (at === 'signedOut' || at === 'loading') return <SignInButton tone="secondary" className={styles.signIn} />
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
