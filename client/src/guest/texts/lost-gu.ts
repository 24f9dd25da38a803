import { formatCount, type Translation } from '@garba/shared/messages/language'
import type { lost as english } from './lost-en.ts'

export const lost = {
  title: 'તપાસ હેઠળની ટિકિટો',
  beside: (n: number) => (n === 1 ? 'વધુ એક ટિકિટની તપાસ ચાલુ છે.' : `વધુ ${formatCount(n)} ટિકિટોની તપાસ ચાલુ છે.`),
  explained:
    'આયોજકે ડેટાની જૂની નકલ પાછી લાવવી પડી, અને તેમાં આ ટિકિટો નથી. તેને અહીં જ રાખો: આયોજક તપાસ કરે છે, તમારે કંઈ કરવાની જરૂર નથી.',
  state: { unsent: 'તપાસ બાકી', waiting: 'તપાસ ચાલુ છે', refused: 'સ્વીકારાઈ નથી' },
  says: {
    unsent: 'તમે ઑનલાઇન થશો કે તરત આ ટિકિટ આયોજકને મોકલાશે.',
    waiting: 'કોડ આયોજકને મળી ગયો છે અને તે નિર્ણય લેશે. કાર્યક્રમ પહેલાં શરૂ થાય તો આ કોડ પ્રવેશદ્વાર પર બતાવો.',
  },
  why: {
    desk: 'આયોજક આ ટિકિટની ખાતરી કરી શક્યા નથી.',
    otherEvent: 'આ ટિકિટ હાલના કાર્યક્રમની નથી.',
    invalid: 'આ ટિકિટનો કોડ હવે માન્ય નથી.',
  },
  note: (note: string) => `આયોજક કહે છે: ${note}`,
  remove: 'દૂર કરો',
  removeOf: (last8: string) => `ટિકિટ ${last8} દૂર કરો`,
} as const satisfies Translation<typeof english>
