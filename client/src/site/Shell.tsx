import { useEffect } from 'react'
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
import { MAIN_ID, PageMain } from './PageMain.tsx'
import styles from './Shell.module.css'
import { useWords } from './words.ts'

/** The frame of every site page: skip link, header, the page, and what may be said over it. */
export const Shell = () => {
  const { header } = useWords()
  const { pathname } = useLocation()
  const language = useLanguage((store) => store.language)
  usePageBeginning()
  useHomeWhenSessionIsLost()
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
