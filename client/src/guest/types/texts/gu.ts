import { formatCount, type Translation } from '@garba/shared/messages/language'
import type { en } from './en.ts'

export const gu = {
  price: (rupees, group) => (group === null ? `એકના ${rupees}` : `એકના ${rupees}, 4 કે વધુ પર ${group}`),
  group: (rupees) => `4 કે વધુ પર એકના ${rupees}`,
  until: (when) => `${when} સુધી આ ભાવ`,
  leftAtPrice: (n) => `આ ભાવે હજી ${formatCount(n)}`,
  untilOrLeft: (when, n) => `${when} સુધી અથવા હજી ${formatCount(n)} માટે આ ભાવ`,
  left: (n) => `${formatCount(n)} બાકી`,
  admits: (n) => `${n} વ્યક્તિ માટે`,
  states: { soon: 'હજી વેચાણ શરૂ થયું નથી', soldOut: 'વેચાઈ ગઈ', ended: 'હવે વેચાણમાં નથી', paused: 'વેચાણ થોભાવ્યું છે' },
  choose: 'બુક કરો',
  all: 'બધી ટિકિટો અને ભાવ જુઓ',
  haveCode: 'તમારી પાસે કોડ છે?',
  code: 'કોડ (વૈકલ્પિક)',
  codeUse: 'કોડ વાપરો',
  codeUsed: (code) => `કોડ ${code} ગણાય છે.`,
  codeDrop: 'કોડ કાઢો',
} as const satisfies Translation<typeof en>
