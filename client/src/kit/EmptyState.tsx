import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
  title: string
  /** A lucide icon, drawn in a ring of lamp holes. */
  icon?: ReactNode
  /** The next step. */
  action?: ReactNode
  level?: 2 | 3 | 4
  children?: ReactNode
}

export const EmptyState = ({ title, icon, action, level = 3, children }: EmptyStateProps) => {
  const Heading = `h${level}` as const
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : (
        <div className={styles.emblem} aria-hidden="true">
          <svg viewBox="0 0 96 96" aria-hidden="true">
            <circle cx="48" cy="48" r="44" pathLength="28" />
            <circle cx="48" cy="48" r="35" pathLength="28" />
          </svg>
          {icon}
        </div>
      )}
      <Heading className={styles.title}>{title}</Heading>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
