import type { ReactNode } from 'react'
import { MAIN_ID } from '../../platform/page.ts'
import styles from './PageMain.module.css'

/** The page's content, the only main landmark; a page adds what goes beside it, such as the landing page's footer. */
export const PageMain = ({ children }: { children: ReactNode }) => (
  <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
    {children}
  </main>
)
