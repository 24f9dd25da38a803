import type { Translation } from '../language.ts'
import type { en } from './en.ts'

export const gu = {
  header: {
    skipToContent: 'સીધા મુખ્ય ભાગ પર જાઓ',
    language: 'ભાષા',
    loading: 'લોડ થઈ રહ્યું છે...',
    signIn: 'Google વડે સાઇન ઇન કરો',
    signingIn: 'સાઇન ઇન થઈ રહ્યું છે...',
    book: 'ટિકિટ બુક કરો',
    menu: (name: string) => `${name}નું એકાઉન્ટ મેનૂ`,
    dashboard: 'ડેશબોર્ડ',
    myTickets: 'મારી ટિકિટો',
    qrScanner: 'QR સ્કેનર',
    manageUsers: 'વપરાશકર્તાઓનું સંચાલન',
    signOut: 'સાઇન આઉટ',
    signingOut: 'સાઇન આઉટ થઈ રહ્યું છે...',
    roles: { guest: 'મહેમાન', admin: 'એડમિન', manager: 'મેનેજર', qrchecker: 'QR ચેકર' },
  },
  splash: { skip: 'આગળ વધો' },
  hero: {
    subtitle: 'નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી',
    date: 'તારીખ',
    time: 'સમય',
    venue: 'સ્થળ',
    price: 'કિંમત',
    perTicket: 'પ્રતિ ટિકિટ',
    groupNote: 'ગ્રુપ માટે ખાસ છૂટ',
    book: 'હમણાં જ ટિકિટ બુક કરો',
    soldOut: 'બધી ટિકિટો વેચાઈ ગઈ!',
  },
  fallback: {
    date: '7 સપ્ટેમ્બર',
    time: 'સાંજે 6:30 થી 10:30',
    venue: 'સ્થળ ટૂંક સમયમાં જાહેર થશે',
    description:
      'નવરાત્રિ પહેલાં ગરબા અને રાસની એક સાંજ. રંગબેરંગી ચણિયાચોળી અને કેડિયું પહેરો, દાંડિયા સાથે લાવો અને છેલ્લી તાળી સુધી અમારી સાથે ગરબે ઘૂમો.',
  },
  shortDate: (day: string, month: string) => `${day} ${month}`,
  timeRange: (from: string, to: string) => `${from} થી ${to}`,
  more: {
    failed: 'પાનાનો બાકીનો ભાગ લોડ થઈ શક્યો નહીં.',
    retry: 'ફરી પ્રયાસ કરો',
    loading: 'પાનાનો બાકીનો ભાગ લોડ થઈ રહ્યો છે',
  },
} as const satisfies Translation<typeof en>
