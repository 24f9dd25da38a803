import type { ScanText } from '@garba/shared/messages/codes'
import { formatCount } from '@garba/shared/messages/language'

/** What the scanner says about a group's code. */

const counted = (n: number, word: string): string | null => (n === 0 ? null : `${formatCount(n)} ${word}`)

export const GROUP = {
  title: (n: number) => `Group of ${formatCount(n)}`,
  /** How many of the group can go in, and what became of the others. */
  counts: ({ left, inside, cancelled, others }: Record<'left' | 'inside' | 'cancelled' | 'others', number>): string =>
    [
      counted(left, 'to go in'),
      counted(inside, 'inside already'),
      counted(cancelled, 'cancelled'),
      counted(others, 'not admitted here'),
    ]
      .filter(Boolean)
      .join(', '),
  letIn: (n: number) => (n === 1 ? 'Let 1 in' : `Let ${formatCount(n)} in`),
  letAllIn: (n: number) => (n === 1 ? 'Let 1 in' : `Let all ${formatCount(n)} in`),
  fewer: 'Fewer people here? Let in:',
  members: 'Tickets of this group',
  notNow: 'Not now',
  nobody: 'Nobody let in',
  ready: 'Not yet in',
  inside: (when: string | null) => (when === null ? 'Inside already' : `Inside since ${when}`),
  /** The verdict over several tickets. */
  wentIn: (n: number) => `${formatCount(n)} let in`,
  partly: (inside: number, out: number): ScanText['title'] => `${formatCount(inside)} let in, ${formatCount(out)} not`,
  reason: (name: string, title: string) => `${name}: ${title}`,
} as const
