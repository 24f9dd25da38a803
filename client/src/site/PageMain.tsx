import type { ReactNode } from 'react'
import styles from './PageMain.module.css'

/** Where the skip link and the focus of a new page go. */
export const MAIN_ID = 'content'

/** The page's own content, the one main landmark; what stands beside it (the landing page's footer) is the page's to add. */
export const PageMain = ({ children }: { children: ReactNode }) => (
  <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
    {children}
  </main>
)
