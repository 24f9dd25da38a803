import { formatCount } from '@garba/shared/messages/language'

export const MODES = {
  label: 'What this phone does',
  entry: 'Entry',
  exit: 'Exit',
  count: 'Count',
  /** A hardware scanner read a code while people are counted. */
  counting: { title: 'Counting', detail: 'Switch to Entry or Exit, then scan it again.' },
} as const

export const EXITS = {
  left: 'Left',
  leaving: 'Left (Pending)',
  letOut: (name: string) => `Left: ${name}`,
  back: 'Welcome back',
  notInside: 'Not Inside',
  leftAt: (when: string) => `Left at ${when}. If somebody leaves all the same, take one away in Count.`,
  nobody: 'Nobody came in with this ticket. If somebody leaves all the same, take one away in Count.',
  group: 'Scan each person’s own ticket, or take them away in Count.',
  undone: { title: 'Exit Undone', detail: 'The person counts as inside.' },
} as const

export const COUNTING = {
  label: 'People without a code',
  groups: { children: 'Children under 5', crew: 'Crew, performers', other: 'Others' },
  more: (group: string) => `One more: ${group}`,
  less: (group: string) => `One less: ${group}`,
} as const

export const CROWD = {
  inside: 'inside',
  of: (capacity: number) => `of ${formatCount(capacity)}`,
  nearly: (left: number) => `Nearly full, ${formatCount(left)} left`,
  hold: (left: number) => `Hold this gate, ${formatCount(left)} left`,
  full: 'Hold this gate: the ground is full',
} as const
