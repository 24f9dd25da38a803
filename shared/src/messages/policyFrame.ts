import type { Policy } from '../contracts/pages.ts'
import type { Language, Translation } from './language.ts'

/** The four policies by name (SPEC 2): the pages' titles, and the footer's links. */
export const POLICY_TITLES = {
  en: {
    privacy: 'Privacy Policy',
    cancellation: 'Cancellation Policy',
    refund: 'Refund Policy',
    terms: 'Terms of Service',
  },
  gu: {
    privacy: 'ગોપનીયતા નીતિ',
    cancellation: 'રદ કરવાની નીતિ',
    refund: 'રિફંડ નીતિ',
    terms: 'સેવાની શરતો',
  },
  hi: {
    privacy: 'गोपनीयता नीति',
    cancellation: 'रद्दीकरण नीति',
    refund: 'रिफ़ंड नीति',
    terms: 'सेवा की शर्तें',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Policy, string>>>>

/** The words around a policy's text, which is in English whatever the page speaks. */
const en = {
  backToHome: 'Back to Home',
  version: (version: string) => `Version ${version}`,
  others: 'Other policies',
  contact: 'Contact',
  /** Before the support address. */
  writeTo: 'Write to',
  /** Above the English text on a page in another language. */
  binding: 'This policy is in English. The English text is binding.',
} as const

export const POLICY_FRAME: Readonly<Record<Language, Translation<typeof en>>> = {
  en,
  gu: {
    backToHome: 'હોમ પર પાછા જાઓ',
    version: (version) => `આવૃત્તિ ${version}`,
    others: 'અન્ય નીતિઓ',
    contact: 'સંપર્ક',
    writeTo: 'અહીં લખો:',
    binding: 'આ નીતિ અંગ્રેજીમાં છે. અંગ્રેજી લખાણ જ બંધનકર્તા છે.',
  },
  hi: {
    backToHome: 'होम पर वापस जाएँ',
    version: (version) => `संस्करण ${version}`,
    others: 'अन्य नीतियाँ',
    contact: 'संपर्क',
    writeTo: 'यहाँ लिखें:',
    binding: 'यह नीति अंग्रेज़ी में है। अंग्रेज़ी पाठ ही बाध्यकारी है।',
  },
}
