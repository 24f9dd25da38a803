import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface SkeletonProps {
  /** CSS lengths. Without a height it stands for one line of text. */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  round?: boolean
  className?: string | undefined
}

/** The place of something that is on its way. */
export const Skeleton = ({ width, height = '1em', round, className }: SkeletonProps) => (
  <span className={cx(styles.bone, round && styles.round, className)} style={{ width, height }} aria-hidden="true" />
)

/** Lines of text on their way; `label` is what a screen reader hears ("Loading tickets"). */
export const SkeletonLines = ({ lines = 3, label }: { lines?: number; label: string }) => (
  <div role="status" className={styles.lines}>
    <VisuallyHidden>{label}</VisuallyHidden>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
      <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />
    ))}
  </div>
)

/** A table on its way: rows in its frame, cards below 768 px. */
export const SkeletonRows = ({ rows = 10, label }: { rows?: number; label: string }) => (
  <div role="status" className={styles.rows}>
    <VisuallyHidden>{label}</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <div key={row} className={styles.row}>
        <Skeleton />
        <Skeleton />
        <Skeleton />
      </div>
    ))}
  </div>
)

/** Cards on their way, one below the other, of these heights in pixels. */
export const SkeletonCards = ({ heights, label }: { heights: readonly number[]; label: string }) => (
  <div role="status" className={styles.cards}>
    <VisuallyHidden>{label}</VisuallyHidden>
    {heights.map((height) => (
      <div key={height} className={styles.card} style={{ height }}>
        <Skeleton width="28%" />
        <Skeleton width="56%" />
      </div>
    ))}
  </div>
)
