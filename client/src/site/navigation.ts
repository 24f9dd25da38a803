import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { onSessionLost } from '../platform/identity/actions.ts'
import { isInstalled } from '../platform/pwa/install.ts'
import { MAIN_ID } from './PageMain.tsx'

/**
 * A new page begins at its top, with the focus at its beginning: a keyboard goes on there and a screen reader says where it
 * is. Not at the first page, and not when only the query changed. On Back the browser itself brings the old place back.
 */
export function usePageBeginning(): void {
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

/** SPEC 7: when the refresh fails the user goes to /. An installed app shows its own sign-in where it is (DECISIONS 4). */
export function useHomeWhenSessionIsLost(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionLost(() => {
        if (!isInstalled()) void navigate('/', { replace: true })
      }),
    [navigate],
  )
}
