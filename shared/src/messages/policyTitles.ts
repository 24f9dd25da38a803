import type { Policy } from '../contracts/site/pages.ts'
import type { Language } from './language.ts'

/** The four policies by name: the pages' titles, and the footer's links. */
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
