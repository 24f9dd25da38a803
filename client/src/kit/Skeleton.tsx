import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'

interface SkeletonProps {
  /** CSS lengths. Without a height it is one line of text. */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  className?: string | undefined
}

export const Skeleton = ({ width, height = '1em', className }: SkeletonProps) => (
  <span className={cx(styles.bone, className)} style={{ width, height }} aria-hidden="true" />
)

export const SkeletonLines = ({ lines = 3, label }: { lines?: number; label: string }) => (
  <div role="status" className="stack-3">
    <span className="spoken">{label}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
      <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />
    ))}
  </div>
)

const ROWS = 10

export const SkeletonRows = ({ label }: { label: string }) => (
  <div role="status" className={styles.rows}>
    <span className="spoken">{label}</span>
    {Array.from({ length: ROWS }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <div key={row} className={styles.row}>
        <Skeleton />
        <Skeleton />
        <Skeleton />
      </div>
    ))}
  </div>
)

export const SkeletonCards = ({ heights, label }: { heights: readonly number[]; label: string }) => (
  <div role="status" className="stack-4">
    <span className="spoken">{label}</span>
    {heights.map((height) => (
      <div key={height} className={styles.card} style={{ height }}>
        <Skeleton width="28%" />
        <Skeleton width="56%" />
      </div>
    ))}
  </div>
)
