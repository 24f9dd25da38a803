import type { Language, Translation } from '@garba/shared/messages/language'

const en = {
  backToHome: 'Back to Home',
  version: (version: string) => `Version ${version}`,
  others: 'Other policies',
  contact: 'Contact',
  writeTo: 'Write to',
  binding: 'This is a translation. The English text is binding.',
} as const

export const POLICY_FRAME: Readonly<Record<Language, Translation<typeof en>>> = {
  en,
  gu: {
    backToHome: 'હોમ પર પાછા જાઓ',
    version: (version) => `આવૃત્તિ ${version}`,
    others: 'અન્ય નીતિઓ',
    contact: 'સંપર્ક',
    writeTo: 'અહીં લખો:',
    binding: 'આ અનુવાદ છે. અંગ્રેજી લખાણ જ બંધનકર્તા છે.',
  },
  hi: {
    backToHome: 'होम पर वापस जाएँ',
    version: (version) => `संस्करण ${version}`,
    others: 'अन्य नीतियाँ',
    contact: 'संपर्क',
    writeTo: 'यहाँ लिखें:',
    binding: 'यह अनुवाद है। अंग्रेज़ी पाठ ही बाध्यकारी है।',
  },
}
