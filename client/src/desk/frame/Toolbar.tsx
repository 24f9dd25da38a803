import type { ReactNode } from 'react'
import styles from './Toolbar.module.css'

/** Search, filters and buttons above a table, as many in a line as fit. */
export const Toolbar = ({ children }: { children: ReactNode }) => <search className={styles.toolbar}>{children}</search>
