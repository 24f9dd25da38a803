import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Slip.module.css'

interface SlipProps {
  /** Whether screen readers announce lines that are added. */
  live?: boolean
  children: ReactNode
}

/** A slip of ticket paper in a dialog: an order, a refund, a counted drawer. */
export const Slip = ({ live = false, children }: SlipProps) => (
  <div className={styles.shade}>
    <div className={styles.slip} data-surface="paper" aria-live={live ? 'polite' : undefined}>
      {children}
    </div>
  </div>
)

interface LineProps {
  label: string
  /** The line that matters most. */
  strong?: boolean
  /** Sentences, which stand below their label. */
  text?: boolean
  children: ReactNode
}

/** One line of a slip's dl: label left, figure right. */
export const Line = ({ label, strong = false, text = false, children }: LineProps) => (
  <div className={cx(styles.line, strong && styles.strong, text && styles.text)}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
