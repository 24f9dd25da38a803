import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { cx } from './cx.ts'
import tones from './tones.module.css'

export type StateTone = 'ok' | 'warn' | 'bad' | 'info'

interface BadgeProps {
  tone?: 'red' | 'blue' | 'green' | 'grey'
  children: ReactNode
}

export const Badge = ({ tone = 'grey', children }: BadgeProps) => (
  <span className={cx(styles.badge, styles[tone])}>
    <span>{children}</span>
  </span>
)

const ROLE_TONE = { admin: 'red', manager: 'blue', qrchecker: 'green', guest: 'grey' } as const

export const RoleBadge = ({ role, label }: { role: keyof typeof ROLE_TONE; label: string }) => (
  <Badge tone={ROLE_TONE[role] ?? 'grey'}>{label}</Badge>
)

export const STATE_ICON = { ok: CircleCheck, warn: TriangleAlert, bad: CircleX, info: Info } as const

/** A state is never colour alone: always an icon and a word. */
export const StateChip = ({ state, icon, children }: { state: StateTone; icon?: ReactNode; children: ReactNode }) => {
  const Icon = STATE_ICON[state]
  return (
    <span className={cx(styles.badge, tones[state])}>
      {icon ?? <Icon />}
      <span>{children}</span>
    </span>
  )
}
