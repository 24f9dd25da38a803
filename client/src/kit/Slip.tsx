import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Slip.module.css'

export const Slip = ({ live = false, children }: { live?: boolean; children: ReactNode }) => (
  <div className={styles.shade}>
    <div className={styles.slip} data-surface="paper" aria-live={live ? 'polite' : undefined}>
      {children}
    </div>
  </div>
)

interface LineProps {
  label: string
  strong?: boolean
  text?: boolean
  children: ReactNode
}

export const Line = ({ label, strong = false, text = false, children }: LineProps) => (
  <div className={cx(styles.line, strong && styles.strong, text && styles.text)}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
