import type { Translation } from '@garba/shared/messages/language'
import type { entryPass as english } from './pass-en.ts'

export const entryPass = {
  title: 'પ્રવેશદ્વાર પર બતાવો',
  of: (at: number, of: number) => `${at} / ${of}`,
  previous: 'પહેલાંની ટિકિટ',
  next: 'પછીની ટિકિટ',
  list: 'પ્રવેશદ્વાર માટે તમારી ટિકિટો',
  bright: 'સ્ક્રીનનો પ્રકાશ પૂરો કરો. અહીં સ્ક્રીન બંધ નહીં થાય.',
  brightOnly: 'સ્ક્રીનનો પ્રકાશ પૂરો કરો.',
  all: (n: number) => `બધી ${n}`,
  oneByOne: 'એક પછી એક',
  groupCode: (n: number) => `${n} ટિકિટ માટે એક કોડ`,
  qrOfGroup: (n: number) => `${n} ટિકિટનો QR કોડ`,
  members: 'આ કોડની ટિકિટો',
  nothing: 'કોઈ સક્રિય ટિકિટ નથી',
  nothingDetail: 'બતાવવા માટે કોઈ ટિકિટ બાકી નથી.',
  backToTickets: 'મારી ટિકિટો પર પાછા',
} as const satisfies Translation<typeof english>
