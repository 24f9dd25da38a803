import { formatCount, type Translation } from '../language.ts'
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
    noScript: 'ટિકિટ ખરીદવા માટે JavaScript જરૂરી છે. કૃપા કરીને તમારા બ્રાઉઝરમાં ચાલુ કરો.',
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
  demoNote: 'આ ડેમો છે: કોઈ ચુકવણી લેવાતી નથી અને કોઈ ટિકિટ સાચી નથી.',
  close: 'બંધ કરો',
  signInFailure: {
    failed: 'સાઇન ઇન થઈ શક્યું નહીં. કૃપા કરીને ફરી પ્રયાસ કરો.',
    cancelled: 'સાઇન ઇન રદ થયું.',
    popupBlocked: 'પોપ-અપ અટકાવાયું. કૃપા કરીને આ સાઇટ માટે પોપ-અપની પરવાનગી આપો.',
    occurred: 'ઓળખ ચકાસવામાં ભૂલ થઈ.',
    bannerTitle: 'સાઇન ઇનમાં ભૂલ',
    button: {
      cancelled: 'સાઇન ઇન રદ થયું. કૃપા કરીને ફરી પ્રયાસ કરો.',
      popupBlocked: 'પોપ-અપ અટકાવાયું. પરવાનગી આપીને ફરી પ્રયાસ કરો.',
      network: 'નેટવર્કમાં ભૂલ. કૃપા કરીને તમારું કનેક્શન તપાસો.',
      tooManyAttempts: 'ઘણા બધા પ્રયાસ થયા. થોડી રાહ જોઈને ફરી પ્રયાસ કરો.',
      failed: 'ઓળખ ચકાસી શકાઈ નહીં. કૃપા કરીને ફરી પ્રયાસ કરો.',
    },
    refused: {
      emailUnverified: 'તમારું ઈમેલ સરનામું ચકાસાયેલું નથી. Google પર તેની ચકાસણી કરો, પછી ફરી સાઇન ઇન કરો.',
      notGoogle: 'કૃપા કરીને Google એકાઉન્ટથી સાઇન ઇન કરો.',
    },
  },
  screens: {
    loadingDashboard: 'ડેશબોર્ડ લોડ થઈ રહ્યું છે...',
    redirecting: 'તમને આગળ લઈ જવાય છે...',
    crash: {
      title: 'અરે! કંઈક ખોટું થયું',
      detail: 'આ પાનું એવી ભૂલમાં અટક્યું કે આગળ વધી શક્યું નહીં. તેની જાણ કરી દેવાઈ છે.',
      action: 'પાનું ફરી લોડ કરો',
    },
    invalidRole: {
      title: 'અમાન્ય ભૂમિકા',
      detail: 'તમારા એકાઉન્ટની ભૂમિકા ઓળખાતી નથી. કૃપા કરીને સહાયતાનો સંપર્ક કરો.',
      action: 'હોમ પર જાઓ',
    },
    notFound: {
      title: 'આ પાનું મળ્યું નહીં',
      detail: 'આ સરનામે કંઈ નથી. તે ખસેડાયું હોઈ શકે, અથવા લિંક અધૂરી હોઈ શકે.',
      action: 'હોમ પર જાઓ',
    },
    signInHere: { title: 'મારી ટિકિટો', detail: 'તમારી ટિકિટો જોવા માટે સાઇન ઇન કરો.' },
    sessionLost: {
      title: 'તમારું સત્ર સમાપ્ત થયું',
      text: 'તમે સાઇન આઉટ થઈ ગયા છો. કૃપા કરીને ફરી સાઇન ઇન કરો.',
    },
    unsentScans: {
      title: (n: number) => `આ ફોન પરના ${formatCount(n)} સ્કેન હજી મોકલાયા નથી`,
      text: 'તે અહીં સચવાયેલા છે અને ચેકર આ ફોન પર સાઇન ઇન કરે ત્યારે મોકલાશે.',
    },
    update: { ready: 'નવું વર્ઝન તૈયાર છે.', action: 'હમણાં અપડેટ કરો' },
  },
} as const satisfies Translation<typeof en>
