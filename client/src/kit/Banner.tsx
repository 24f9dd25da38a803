import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { STATE_ICON, type StateTone } from './Badge.tsx'
import styles from './Banner.module.css'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import tones from './tones.module.css'

interface BannerProps {
  tone?: StateTone
  title?: ReactNode
  icon?: ReactNode
  actions?: ReactNode
  /** `alert` interrupts a screen reader, `status` waits; without it the banner is ordinary text. */
  live?: 'alert' | 'status'
  className?: string
  children?: ReactNode
}

export const Banner = ({ tone = 'info', title, icon, actions, live, className, children }: BannerProps) => {
  const Icon = STATE_ICON[tone]
  return (
    <div
      className={cx(styles.banner, tones[tone], className)}
      role={live}
      data-titled={title === undefined ? undefined : true}
    >
      <span className={styles.icon}>{icon ?? <Icon />}</span>
      <div className={styles.body}>
        {title === undefined ? null : <p className={styles.title}>{title}</p>}
        {children}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

interface ErrorPanelProps {
  title?: string
  children: ReactNode
  onRetry?: (() => void) | undefined
  retryLabel?: string
  busy?: boolean
}

export const ErrorPanel = ({ title, children, onRetry, retryLabel = 'Retry', busy = false }: ErrorPanelProps) => (
  <Banner
    tone="bad"
    live="alert"
    {...(title === undefined ? {} : { title })}
    actions={
      onRetry && (
        <Button size="sm" icon={<RotateCw />} busy={busy} onClick={onRetry}>
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
  icon: ReactNode
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
      <Heading className={styles.emptyStateTitle}>{title}</Heading>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
