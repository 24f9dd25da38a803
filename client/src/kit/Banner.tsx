import type { ReactNode } from 'react'
import { STATE_ICON, type StateTone } from './Badge.tsx'
import styles from './Banner.module.css'
import { cx } from './cx.ts'
import tones from './tones.module.css'

interface BannerProps {
  tone?: StateTone
  title?: ReactNode
  icon?: ReactNode
  /** Buttons, after the text. */
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
      <span className={styles.icon}>{icon ?? <Icon aria-hidden="true" />}</span>
      <div className={styles.body}>
        {title === undefined ? null : <p className={styles.title}>{title}</p>}
        {children}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
