import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Skeleton } from './Skeleton.tsx'
import styles from './StatTile.module.css'

interface StatTileProps {
  label: string
  value: ReactNode
  note?: ReactNode
  icon?: ReactNode
  loading?: boolean
}

export const StatTile = ({ label, value, note, icon, loading = false }: StatTileProps) => (
  <div className={styles.tile} aria-busy={loading || undefined}>
    <p className={styles.label}>
      {icon}
      <span>{label}</span>
    </p>
    <p className={cx(styles.value, 'tabular')}>{loading ? <Skeleton width="4ch" /> : value}</p>
    {note === undefined ? null : (
      <p className={cx(styles.note, 'soft tabular')}>{loading ? <Skeleton width="9ch" /> : note}</p>
    )}
  </div>
)

interface StatGridProps {
  compact?: boolean
  dimmed?: boolean
  children: ReactNode
}

export const StatGrid = ({ compact = false, dimmed = false, children }: StatGridProps) => (
  <div className={cx(styles.grid, compact && styles.compact, dimmed && styles.dimmed)}>{children}</div>
)
