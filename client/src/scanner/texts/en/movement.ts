import { formatCount } from '@garba/shared/messages/language'

export const MODES = {
  label: 'What this phone does',
  entry: 'Entry',
  exit: 'Exit',
  count: 'Count',
  /** A hardware scanner read a code while people are counted. */
  counting: { title: 'Counting', detail: 'Switch to Entry or Exit, then scan it again.' },
} as const

const counted = (n: number, word: string): string | null => (n === 0 ? null : `${formatCount(n)} ${word}`)

export const EXITS = {
  left: 'Left',
  leaving: 'Left (Pending)',
  letOut: (name: string) => `Left: ${name}`,
  back: 'Welcome back',
  notInside: 'Not Inside',
  leftAt: (when: string) => `Left at ${when}. If somebody leaves all the same, take one away in Count.`,
  nobody: 'Nobody came in with this ticket. If somebody leaves all the same, take one away in Count.',
  group: {
    counts: ({ inside, absent, gone }: Record<'inside' | 'absent' | 'gone', number>): string =>
      [counted(inside, 'inside'), counted(absent, 'not known to be inside'), counted(gone, 'left already')]
        .filter(Boolean)
        .join(', '),
    letOut: (n: number) => (n === 1 ? 'Let 1 out' : `Let ${formatCount(n)} out`),
    letAllOut: (n: number) => (n === 1 ? 'Let 1 out' : `Let all ${formatCount(n)} out`),
    fewer: 'Fewer people leaving? Let out:',
    inside: 'Inside',
    absent: 'Not known to be inside',
    gone: (when: string) => `Left at ${when}`,
    wentOut: (n: number) => `${formatCount(n)} left`,
    partly: (out: number, not: number) => `${formatCount(out)} left, ${formatCount(not)} not`,
  },
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
