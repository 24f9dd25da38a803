import {
  CANCELLATION_CUTOFF_DAYS,
  DEDUCTION_GATEWAY_RUPEES,
  DEDUCTION_PLATFORM_RUPEES,
  POLICY_FACTS as FACT,
} from '../constants.ts'

/** Each policy fact of SPEC section 9 as one sentence, for the four policy pages and wherever else it is told. */
export const POLICY = {
  cutoff: `Tickets can be cancelled up to ${CANCELLATION_CUTOFF_DAYS} days before the event.`,
  deduction: `₹${FACT.deductionTotalRupees} is deducted for each cancelled ticket: ₹${DEDUCTION_GATEWAY_RUPEES} for the payment gateway and ₹${DEDUCTION_PLATFORM_RUPEES} for the platform.`,
  transfer: `A ticket transfer costs ₹${FACT.transferFeeRupees} per ticket and must be asked for at least ${FACT.transferNoticeHours} hours before the event.`,
  refundCard: `Credit and debit cards: ${FACT.refundDays.card} business days.`,
  refundNetBanking: `Net banking: ${FACT.refundDays.netBanking} business days.`,
  refundUpiAndWallets: `UPI and wallets: ${FACT.refundDays.upiAndWallets} business days.`,
  refundBankTransfer: `Bank transfer: ${FACT.refundDays.bankTransfer} business days.`,
  medical: `Medical claims must reach us within ${FACT.medicalClaimHours} hours.`,
  bereavement: `Bereavement refunds are made within ${FACT.bereavementRefundDays} business days.`,
  dispute: `A refund can be disputed within ${FACT.disputeDays} days.`,
  support: `Support replies within ${FACT.supportReplyHours} hours.`,
  dataKept: `Event data is kept for ${FACT.eventDataYears} years.`,
  buyerAge: `Buyers must be at least ${FACT.buyerMinimumAge} years old.`,
  serviceAge: `The service is not for anyone under ${FACT.serviceMinimumAge}.`,
  children: `Children under ${FACT.freeEntryBelowAge} enter free.`,
} as const
