import { useEffect, useRef } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { Surface } from '../kit/Surface.tsx'
import { reportCrash } from '../platform/errors.ts'
import { useLanguage } from '../platform/language.ts'
import { CrashScreen } from './CrashScreen.tsx'
import { DemoNote } from './DemoNote.tsx'
import { Header } from './Header.tsx'
import { useHomeWhenSessionIsLost, usePageBeginning } from './navigation.ts'
import { Overlays } from './Overlays.tsx'
import styles from './Shell.module.css'
import { useWords } from './words.ts'

/** The frame of every site page: skip link, header, the page, and what may be said over it. */
export const Shell = () => {
  const { header } = useWords()
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  usePageBeginning(main)
  useHomeWhenSessionIsLost()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <Surface tone="night" page>
      <a href="#content" className={styles.skip}>
        {header.skipToContent}
      </a>
      <DemoNote />
      <Header />
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        <ErrorBoundary FallbackComponent={CrashScreen} onError={reportCrash} resetKeys={[pathname]}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <Overlays />
    </Surface>
  )
}
