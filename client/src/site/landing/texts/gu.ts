import { CANCELLATION_CUTOFF_DAYS, GROUP_TIER_FROM } from '@garba/shared/constants'
import type { Translation } from '@garba/shared/messages/language'
import { POLICY_FACTS as FACT } from '@garba/shared/messages/policies'
import type { en } from './en.ts'

export const gu = {
  about: { title: 'આ સાંજ વિશે', line: 'સજીધજીને આવો', picture: 'કાર્યક્રમનું ચિત્ર', noPicture: 'ચિત્ર ઉપલબ્ધ નથી' },
  details: {
    title: 'કાર્યક્રમની વિગતો',
    line: 'દાંડિયા હાથમાં લો',
    single: `1 થી ${GROUP_TIER_FROM - 1} ટિકિટ`,
    group: `${GROUP_TIER_FROM} કે વધુ ટિકિટ`,
    each: 'દરેક',
    availability: 'ટિકિટો',
    remaining: (count: string) => `${count} ટિકિટો બાકી`,
    saving: (rupees: string) => `દરેક ટિકિટ પર ${rupees}ની બચત.`,
  },
  choice: {
    title: 'કેટલી ટિકિટ જોઈએ?',
    less: 'એક ટિકિટ ઓછી',
    more: 'એક ટિકિટ વધુ',
    total: (rupees: string) => `કુલ ${rupees}`,
    saving: (rupees: string) => `તમારી બચત ${rupees}`,
    group: (n: number, total: string, saving: string) => `${n} ટિકિટ ${total}માં, ${saving}ની બચત`,
  },
  countdown: {
    title: 'ગરબો પ્રગટવાને બાકી',
    days: () => 'દિવસ',
    hours: () => 'કલાક',
    minutes: () => 'મિનિટ',
    seconds: () => 'સેકન્ડ',
    unknown: 'તારીખ જાહેર થતાં જ અહીં ગણતરી શરૂ થશે.',
    lit: 'ગરબો પ્રગટી ગયો છે.',
  },
  features: { title: 'શું શું માણશો', line: 'ઢોલના તાલે ઘૂમો' },
  venue: { title: 'અહીં પહોંચો', line: 'ગરબામાં જોડાઓ', openMaps: 'નકશામાં ખોલો' },
  faq: {
    title: 'સવાલ અને જવાબ',
    items: [
      {
        question: 'મને ટિકિટ કેવી રીતે મળશે?',
        answer:
          '"હમણાં જ ટિકિટ બુક કરો" દબાવો, તમારા Google એકાઉન્ટથી સાઇન ઇન કરો અને કેટલી ટિકિટ જોઈએ તે પસંદ કરો. QR કોડ સાથેની ટિકિટો તરત જ "મારી ટિકિટો"માં દેખાશે.',
      },
      {
        question: 'ગ્રુપ માટે અલગ ભાવ છે?',
        answer: `હા. એકસાથે ${GROUP_TIER_FROM} કે વધુ ટિકિટ લો તો દરેક ટિકિટ પર ગ્રુપનો ભાવ લાગુ પડે છે.`,
      },
      {
        question: 'પ્રવેશદ્વાર પર શું બતાવવાનું?',
        answer:
          'તમારી ટિકિટનો QR કોડ, ફોન પર કે કાગળ પર છાપેલો. દરેક ટિકિટ પર એક વ્યક્તિને એક જ વાર પ્રવેશ મળે છે. ફોન પર એક વાર ખોલેલી ટિકિટો ઇન્ટરનેટ વગર પણ ખૂલે છે.',
      },
      {
        question: 'શું ટિકિટ રદ કરી શકાય?',
        answer: `હા. "મારી ટિકિટો" ખોલો અને કાર્યક્રમના ${CANCELLATION_CUTOFF_DAYS} દિવસ પહેલાં સુધી જાતે રદ કરો. રદ થયેલી દરેક ટિકિટ પર ₹${FACT.deductionTotalRupees} કપાય છે અને બાકીની રકમ 5-7 કામકાજના દિવસોમાં તમે જે રીતે ચુકવણી કરી હોય તે જ રીતે પરત મળે છે.`,
      },
      {
        question: 'મારી ટિકિટ બીજું કોઈ વાપરી શકે?',
        answer: `ટિકિટ વ્યક્તિગત છે. તમે ન આવી શકો તો કાર્યક્રમના ઓછામાં ઓછા ${FACT.transferNoticeHours} કલાક પહેલાં અમને ટ્રાન્સફર માટે જણાવો. તેનો ખર્ચ પ્રતિ ટિકિટ ₹${FACT.transferFeeRupees} છે.`,
      },
      {
        question: 'બાળકો માટે ટિકિટ લેવી પડે?',
        answer: `${FACT.freeEntryBelowAge} વર્ષથી નાનાં બાળકોને પ્રવેશ મફત છે. ટિકિટ ખરીદનારની ઉંમર ઓછામાં ઓછી ${FACT.buyerMinimumAge} વર્ષ હોવી જોઈએ.`,
      },
      {
        question: 'તમારો સંપર્ક કેવી રીતે કરવો?',
        answer: `નીચે આપેલા "મદદ માટે સંપર્ક" વડે અમને લખો. અમે ${FACT.supportReplyHours.from} થી ${FACT.supportReplyHours.to} કલાકમાં જવાબ આપીએ છીએ.`,
      },
    ],
  },
  footer: {
    quickLinks: 'ઝડપી લિંક્સ',
    about: 'આ સાંજ વિશે',
    faq: 'સવાલ અને જવાબ',
    crew: 'સ્વયંસેવકો: આ ફોન જોડો',
    policies: 'નીતિઓ',
    contactHeading: 'સંપર્ક',
    contact: 'મદદ માટે સંપર્ક',
    mailSubject: (title: string) => `${title} વિશે પ્રશ્ન`,
    instagram: 'Instagram',
    facebook: 'Facebook',
    soon: 'ટૂંક સમયમાં',
    closing: 'ગરબાના અજવાળે ઘૂમીએ.',
  },
} as const satisfies Translation<typeof en>
