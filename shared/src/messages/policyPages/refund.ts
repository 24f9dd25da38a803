import { FALLBACK_EVENT, POLICY_FACTS } from '../../constants.ts'
import { POLICY } from '../policies.ts'
import type { PolicyText } from './text.ts'

const price = FALLBACK_EVENT.ticketPrice
const deducted = POLICY_FACTS.deductionTotalRupees

export const refund: PolicyText = {
  version: POLICY_FACTS.versions.refund,
  intro:
    'When a ticket is cancelled in time, the money goes back the way it came. This page says how much, how fast, and what to do when it does not arrive.',
  sections: [
    {
      title: 'How much you get back',
      body: [
        POLICY.deduction,
        `For a ticket of ₹${price}, that is ₹${price} - ₹${deducted} = ₹${price - deducted}. A ticket that cost less than the deduction brings no refund, and nothing more is asked of you.`,
        'Tickets bought at the group price are refunded from the price you paid for each.',
      ],
    },
    {
      title: 'How long it takes',
      body: [
        'Refunds go to the original payment method and are confirmed by email. As a rule they arrive within 5-7 business days. By method:',
        [POLICY.refundCard, POLICY.refundNetBanking, POLICY.refundUpiAndWallets, POLICY.refundBankTransfer],
        'Business days count from the day of the cancellation and leave out weekends and bank holidays.',
      ],
    },
    {
      title: 'Following your refund',
      body: [
        'Each cancelled ticket in My Tickets shows the state of its refund:',
        [
          'Pending: we are working on it.',
          'Done: the money has been sent.',
          'Failed: your bank or wallet did not take it. Write to us, and we will send it another way.',
        ],
      ],
    },
    {
      title: 'Illness and bereavement',
      body: [`${POLICY.medical} ${POLICY.bereavement} Both are handled by people: write to us.`],
    },
    {
      title: 'What is not refunded',
      body: [
        [
          'Tickets that were used.',
          'Tickets that were not cancelled in time, also when nobody came with them.',
          'The fee for passing a ticket on to someone else.',
        ],
      ],
    },
    {
      title: 'If something is wrong',
      body: [POLICY.dispute, `Tell us the last 8 characters of the ticket id. ${POLICY.support}`],
    },
  ],
}
