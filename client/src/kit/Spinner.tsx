import { cx } from './cx.ts'
import styles from './Spinner.module.css'

interface SpinnerProps {
  /** The text for screen readers; without it the spinner is decoration beside a text. */
  label?: string
  size?: number
  className?: string | undefined
}

export const Spinner = ({ label, size = 20, className }: SpinnerProps) => (
  <span className={cx(styles.spinner, className)} role={label === undefined ? undefined : 'status'}>
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <circle cx="12" cy="12" r="9" pathLength="8" className={styles.track} />
      <circle cx="12" cy="12" r="9" pathLength="8" className={styles.lit} />
    </svg>
    {label === undefined ? null : <span className="spoken">{label}</span>}
  </span>
)
