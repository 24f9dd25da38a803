import type { ReactNode } from 'react'
import styles from './PageMain.module.css'

/** Target of the skip link and of the focus on a new page. */
export const MAIN_ID = 'content'

/** The page's content, the only main landmark; a page adds what goes beside it, such as the landing page's footer. */
export const PageMain = ({ children }: { children: ReactNode }) => (
  <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
    {children}
  </main>
)
