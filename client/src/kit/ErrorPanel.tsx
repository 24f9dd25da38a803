import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import styles from './EmptyState.module.css'

interface ErrorPanelProps {
  title?: string
  /** The error in words for people. */
  children: ReactNode
  onRetry?: (() => void) | undefined
  /** Defaults to SPEC 8's "Retry". */
  retryLabel?: string
  busy?: boolean
}

/** The inline panel of SPEC 8 shows the failure and a Retry button. */
export const ErrorPanel = ({ title, children, onRetry, retryLabel = 'Retry', busy = false }: ErrorPanelProps) => (
  <Banner
    tone="bad"
    live="alert"
    {...(title === undefined ? {} : { title })}
    actions={
      onRetry && (
        <Button size="sm" icon={<RotateCw aria-hidden="true" />} busy={busy} onClick={onRetry}>
          {retryLabel}
        </Button>
      )
    }
  >
    <p>{children}</p>
  </Banner>
)

interface EmptyStateProps {
  title: string
  /** A lucide icon, drawn in a ring of lamp holes. */
  icon: ReactNode
  /** A button or link for the next step. */
  action?: ReactNode
  level?: 2 | 3 | 4
  children?: ReactNode
}

export const EmptyState = ({ title, icon, action, level = 3, children }: EmptyStateProps) => {
  const Heading = `h${level}` as const
  return (
    <div className={styles.empty}>
      <div className={styles.emblem} aria-hidden="true">
        <svg viewBox="0 0 96 96" aria-hidden="true">
          <circle cx="48" cy="48" r="44" pathLength="28" />
          <circle cx="48" cy="48" r="35" pathLength="28" />
        </svg>
        {icon}
      </div>
      <Heading className={styles.title}>{title}</Heading>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
