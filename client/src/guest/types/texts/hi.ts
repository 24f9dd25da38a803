import { formatCount, type Translation } from '@garba/shared/messages/language'
import type { en } from './en.ts'

export const hi = {
  price: (rupees, group) => (group === null ? `एक के ${rupees}` : `एक के ${rupees}, 4 या ज़्यादा पर ${group}`),
  group: (rupees) => `4 या ज़्यादा पर एक के ${rupees}`,
  until: (when) => `${when} तक यह दाम`,
  leftAtPrice: (n) => `इस दाम पर ${formatCount(n)} और`,
  untilOrLeft: (when, n) => `${when} तक या ${formatCount(n)} और बिकने तक यह दाम`,
  left: (n) => `${formatCount(n)} बाकी`,
  admits: (n) => `${n} लोगों के लिए`,
  states: { soon: 'बिक्री अभी शुरू नहीं हुई', soldOut: 'बिक गए', ended: 'अब बिक्री में नहीं', paused: 'बिक्री रुकी है' },
  choose: 'बुक करें',
  all: 'सभी टिकट और दाम देखें',
  haveCode: 'आपके पास कोड है?',
  code: 'कोड (वैकल्पिक)',
  codeUse: 'कोड लगाएँ',
  codeUsed: (code) => `कोड ${code} लागू है।`,
  codeDrop: 'कोड हटाएँ',
} as const satisfies Translation<typeof en>
