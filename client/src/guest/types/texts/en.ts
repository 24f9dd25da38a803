import { formatCount } from '@garba/shared/messages/language'

/** The texts about ticket types, for the landing page too. Moments and amounts arrive formatted. */
export const en = {
  price: (rupees: string, group: string | null) =>
    group === null ? `${rupees} each` : `${rupees} each, ${group} each for 4 or more`,
  group: (rupees: string) => `${rupees} each for 4 or more`,
  until: (when: string) => `this price until ${when}`,
  leftAtPrice: (n: number) => (n === 1 ? '1 more at this price' : `${formatCount(n)} more at this price`),
  untilOrLeft: (when: string, n: number) => `this price until ${when}, or for ${formatCount(n)} more`,
  left: (n: number) => (n === 1 ? '1 left' : `${formatCount(n)} left`),
  admits: (n: number) => `for ${n} people`,
  states: { soon: 'Not on sale yet', soldOut: 'Sold out', ended: 'No longer on sale', paused: 'Paused' },
  choose: 'Book',
  all: 'See all tickets and prices',
  haveCode: 'Have a code?',
  code: 'Code (optional)',
  codeUse: 'Use code',
  codeUsed: (code: string) => `Code ${code} applied.`,
  codeDrop: 'Remove code',
} as const
