import type { Translation } from '@garba/shared/messages/language'
import type { entryPass as english } from './pass-en.ts'

export const entryPass = {
  title: 'गेट पर दिखाएँ',
  of: (at: number, of: number) => `${at} / ${of}`,
  previous: 'पिछला टिकट',
  next: 'अगला टिकट',
  list: 'गेट के लिए आपके टिकट',
  bright: 'स्क्रीन की चमक पूरी कर दीजिए। यहाँ स्क्रीन बंद नहीं होगी।',
  brightOnly: 'स्क्रीन की चमक पूरी कर दीजिए।',
  all: (n: number) => `सभी ${n}`,
  oneByOne: 'एक-एक करके',
  groupCode: (n: number) => `${n} टिकटों के लिए एक कोड`,
  qrOfGroup: (n: number) => `${n} टिकटों का QR कोड`,
  members: 'इस कोड के टिकट',
  nothing: 'कोई सक्रिय टिकट नहीं',
  nothingDetail: 'दिखाने के लिए कोई टिकट नहीं बचा है।',
  backToTickets: 'मेरे टिकट पर वापस',
} as const satisfies Translation<typeof english>
