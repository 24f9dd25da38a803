import { formatCount, type Translation } from '@garba/shared/messages/language'
import { POLICY_FACTS } from '@garba/shared/messages/policies'
import type { en } from './en.ts'

const tickets = (n: number) => (n === 1 ? 'ટિકિટ' : `${formatCount(n)} ટિકિટો`)

export const gu = {
  hello: (name: string) => `નમસ્તે ${name},`,
  facts: {
    event: 'કાર્યક્રમ',
    date: 'તારીખ',
    time: 'સમય',
    hours: (from: string, to: string) => `${from} થી ${to}`,
    venue: 'સ્થળ',
    map: 'નકશામાં ખોલો',
    order: 'ઑર્ડર',
    ticket: 'ટિકિટ',
    paid: 'ચૂકવેલી રકમ',
    refund: 'રિફંડ',
  },
  button: 'મારી ટિકિટો ખોલો',
  calendar: 'કેલેન્ડરની ફાઇલ સાથે જોડી છે.',
  refundTime: `રિફંડ ખાતામાં દેખાતાં સામાન્ય રીતે ${POLICY_FACTS.refundDays.usual} કામકાજના દિવસ લાગે છે.`,
  questions: (address: string) => `કોઈ પ્રશ્ન હોય તો ${address} પર લખો.`,
  why: (site: string) => `${site} પર તમારો ઑર્ડર હોવાથી તમને આ ઇમેઇલ મળ્યો છે.`,
  paid: {
    subject: (n: number, event: string) => `${event} માટે તમારી ${tickets(n)}`,
    title: (n: number) => (n === 1 ? 'તમારી ટિકિટ આવી ગઈ' : 'તમારી ટિકિટો આવી ગઈ'),
    text: (rupees: string) => `તમારી ${rupees}ની ચુકવણી અમને મળી ગઈ છે. આભાર!`,
    free: (n: number) => (n === 1 ? 'તમારી ટિકિટ તૈયાર છે.' : 'તમારી ટિકિટો તૈયાર છે.'),
    gate: 'પ્રવેશદ્વાર પર દરેક વ્યક્તિ માટે એક કોડ બતાવો. દરેક કોડ એક જ વાર ચાલે છે, તેથી જે વ્યક્તિ વાપરવાની હોય તેને જ મોકલો.',
    ticket: (last8: string) => `ટિકિટ ${last8}`,
    of: (at: number, of: number) => `${at} / ${of}`,
    names: 'તમારી સાથે કોણ આવે છે? "મારી ટિકિટો"માં દરેક ટિકિટ પર નામ લખો, જેથી પ્રવેશદ્વાર પર બધાં જલદી મળી જાય.',
    code: (last8: string) => `ટિકિટ ${last8}નો QR કોડ`,
    more: (n: number) => `બીજી ${tickets(n)} "મારી ટિકિટો"માં છે.`,
    noPictures:
      'કોડ દેખાતા નથી? તમારી મેઇલ ઍપમાં ચિત્રો બતાવવા દો, અથવા "મારી ટિકિટો" ખોલો: તે પ્રવેશદ્વાર પર ઇન્ટરનેટ વગર પણ ચાલે છે.',
  },
  /** To the first in line, when seats become free. */
  offer: {
    subject: (event: string) => `${event}: તમારા માટે ટિકિટ રાખી છે`,
    title: 'તમારો વારો',
    text: (n: number, at: string) =>
      `તમારા માટે ${at} સુધી ${n} ટિકિટ રાખી છે. તે પહેલાં મારી ટિકિટો ખોલીને બુક કરો; પછી તે રાહ જોતી આગળની વ્યક્તિને મળે છે.`,
  },
  /** The day before the event. */
  reminder: {
    subject: (event: string) => `યાદ અપાવીએ: ${event}`,
    title: 'જલદી મળીએ!',
    text: (n: number) => (n === 1 ? 'સાંજ માટે તમારી ટિકિટ અહીં છે.' : 'સાંજ માટે તમારી ટિકિટો અહીં છે.'),
  },
  cancelled: {
    subject: (n: number, last8: string, event: string) =>
      n === 1 ? `${event}ની ટિકિટ ${last8} રદ થઈ ગઈ` : `${event}ની ${tickets(n)} રદ થઈ ગઈ`,
    title: (n: number) => `તમારી ${tickets(n)} રદ થઈ ગઈ`,
    text: (n: number, ids: string) =>
      n === 1
        ? `તમારા કહેવા પ્રમાણે ટિકિટ ${ids} રદ કરી છે. તેનો QR કોડ હવે ચાલશે નહીં.`
        : `તમારા કહેવા પ્રમાણે ટિકિટો ${ids} રદ કરી છે. તેમના QR કોડ હવે ચાલશે નહીં.`,
    price: 'ટિકિટની કિંમત',
    gateway: 'પેમેન્ટ ગેટવે',
    platform: 'પ્લેટફોર્મ',
    refund: 'તમારું રિફંડ',
    made: 'તમે જે રીતે ચુકવણી કરી હતી તે જ રીતે રિફંડ પાછું મોકલ્યું છે.',
    partly: (rupees: string) =>
      `તમે જે રીતે ચુકવણી કરી હતી તે જ રીતે ${rupees} પાછા મોકલ્યા છે. બાકીનું રિફંડ થઈ જાય ત્યારે અમે ફરી ઇમેઇલ કરીશું.`,
    asked: 'તમે જે રીતે ચુકવણી કરી હતી તે જ રીતે રિફંડ પાછું મળશે. રિફંડ થઈ જાય ત્યારે અમે ફરી ઇમેઇલ કરીશું.',
    nothing: 'કપાત પછી રિફંડ કરવાની કોઈ રકમ બાકી રહેતી નથી.',
  },
  refunded: {
    subject: (rupees: string) => `તમારું ${rupees}નું રિફંડ થઈ ગયું`,
    title: 'તમારું રિફંડ થઈ ગયું',
    text: (rupees: string) => `તમે જે રીતે ચુકવણી કરી હતી તે જ રીતે અમે ${rupees} પાછા મોકલ્યા છે.`,
  },
  byHand: {
    subject: (rupees: string) => `તમારા ${rupees}ના રિફંડમાં થોડો વધુ સમય લાગશે`,
    title: 'તમારા રિફંડમાં થોડો વધુ સમય લાગશે',
    text: (rupees: string) =>
      `તમારું ${rupees}નું રિફંડ આપમેળે થઈ શક્યું નથી. હવે અમે જાતે રિફંડ કરી રહ્યા છીએ અને થઈ જાય ત્યારે ફરી ઇમેઇલ કરીશું.`,
    nothing: 'તમારે કંઈ કરવાની જરૂર નથી. તમારા પૈસા સુરક્ષિત છે.',
  },
  returned: {
    subject: (rupees: string) => `તમને ${rupees} પાછા મળશે`,
    full: (rupees: string) => `${rupees} તમે જે રીતે ચુકવણી કરી હતી તે જ રીતે પાછા મળશે. રિફંડ થઈ જાય ત્યારે અમે ફરી ઇમેઇલ કરીશું.`,
    late: {
      title: 'તમારી ચુકવણી મોડી મળી',
      text: (rupees: string) =>
        `તમારી ${rupees}ની ચુકવણી ઑર્ડરનો સમય પૂરો થયા પછી મળી અને તેની જગ્યાઓ હવે બાકી નથી. આ ઑર્ડરની કોઈ ટિકિટ તમારી પાસે નથી અને તમને પૂરા પૈસા પાછા મળશે.`,
    },
    duplicate: {
      title: 'તમે વધારે ચુકવણી કરી છે',
      text: (rupees: string) =>
        `તમારા ઑર્ડરની કિંમત કરતાં અમને ${rupees} વધારે મળ્યા છે. તમારી ટિકિટો તમારી જ રહેશે અને વધારાની પૂરી રકમ પાછી મળશે.`,
    },
    event: {
      title: 'આયોજક તમને પૈસા પાછા આપે છે',
      text: (rupees: string) =>
        `આયોજક તમને ${rupees}નું રિફંડ આપે છે. જે ટિકિટોનું રિફંડ થયું છે તે રદ ગણાશે; કઈ ટિકિટો હજી માન્ય છે તે "મારી ટિકિટો"માં દેખાશે.`,
    },
  },
  calledOff: {
    subject: (event: string) => `${event} રદ થયો છે`,
    title: 'કાર્યક્રમ રદ થયો છે',
    text: (event: string, day: string) => `${day}ના રોજ યોજાનાર ${event} હવે યોજાશે નહીં.`,
    money:
      'તમે ટિકિટો માટે ચૂકવેલી પૂરી રકમ, જે રીતે ચૂકવી હતી તે જ રીતે પાછી મળશે. તમારે કંઈ કરવાની જરૂર નથી; રકમ મોકલાય ત્યારે અમે ફરી લખીશું.',
  },
  changed: {
    subject: (event: string) => `${event}: ફેરફારની નોંધ લેશો`,
    title: 'ફેરફારની નોંધ લેશો',
    text: 'આયોજકનો સંદેશ:',
    now: 'હવે આ વિગતો લાગુ પડે છે:',
    valid: 'તમારી ટિકિટો માન્ય રહેશે; તેમના કોડ બદલાયા નથી.',
    free: (until: string) =>
      `નવી તારીખ તમને અનુકૂળ ન હોય તો ${until} સુધી મારી ટિકિટોમાં જઈને ટિકિટ રદ કરી શકો છો, અને પૂરી કિંમત પાછી મળશે.`,
  },
} as const satisfies Translation<typeof en>
