import { DEDUCTION_GATEWAY_RUPEES, DEDUCTION_PLATFORM_RUPEES } from '../constants.ts'
import type { Policy } from '../contracts/site/pages.ts'
import type { Language } from './language.ts'

/** Facts that the policies state. They are not in constants.ts, because every page loads that file first. */
export const POLICY_FACTS = {
  deductionTotalRupees: DEDUCTION_GATEWAY_RUPEES + DEDUCTION_PLATFORM_RUPEES,
  transferFeeRupees: 50,
  transferNoticeHours: 24,
  refundDays: { usual: '5-7', card: '5-7', netBanking: '3-5', upiAndWallets: '2-3', bankTransfer: '7-10' },
  medicalClaimHours: 48,
  bereavementRefundDays: 3,
  disputeDays: 7,
  supportReplyHours: { from: 24, to: 48 },
  eventDataYears: 3,
  buyerMinimumAge: 18,
  serviceMinimumAge: 13,
  freeEntryBelowAge: 5,
  versions: { cancellation: '2.0', refund: '2.0', terms: '1.0' },
} as const

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
