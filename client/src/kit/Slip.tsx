import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Slip.module.css'

/** A slip of ticket paper in a dialog: an order, a refund, a counted drawer. */
export const Slip = ({ children }: { children: ReactNode }) => (
  <div className={styles.slip} data-surface="paper">
    {children}
  </div>
)

interface LineProps {
  label: string
  /** The line that matters most. */
  strong?: boolean
  children: ReactNode
}

/** One line of a slip's dl: label left, figure right. */
export const Line = ({ label, strong = false, children }: LineProps) => (
  <div className={cx(styles.line, strong && styles.strong)}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
