import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface SkeletonProps {
  /** CSS lengths. Without a height it stands for one line of text. */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  round?: boolean
  className?: string
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
