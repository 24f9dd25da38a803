import { useId } from 'react'
import styles from './BandhaniDivider.module.css'
import { cx } from './cx.ts'

/** A row of tied dots, like bandhani cloth, fading out at both ends. */
export const BandhaniDivider = ({ className }: { className?: string | undefined }) => {
  const id = useId()
  return (
    <svg className={cx(styles.divider, className)} width="100%" height="32" aria-hidden="true">
      <defs>
        <pattern id={id} width="48" height="32" patternUnits="userSpaceOnUse">
          <g className={styles.tied}>
            <circle cx="24" cy="16" r="2.6" />
            <circle cx="24" cy="7" r="1.7" />
            <circle cx="24" cy="25" r="1.7" />
            <circle cx="15" cy="16" r="1.7" />
            <circle cx="33" cy="16" r="1.7" />
          </g>
          <g className={styles.grain}>
            <circle cx="18.5" cy="10.5" r="1.1" />
            <circle cx="29.5" cy="10.5" r="1.1" />
            <circle cx="18.5" cy="21.5" r="1.1" />
            <circle cx="29.5" cy="21.5" r="1.1" />
          </g>
          <g className={styles.thread}>
            <circle cx="0" cy="16" r="1.5" />
            <circle cx="48" cy="16" r="1.5" />
            <circle cx="6.5" cy="16" r="0.8" />
            <circle cx="41.5" cy="16" r="0.8" />
          </g>
        </pattern>
      </defs>
      <rect width="100%" height="32" fill={`url(#${id})`} />
    </svg>
  )
}
