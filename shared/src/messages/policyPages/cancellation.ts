import { CANCELLATION_CUTOFF_DAYS, POLICY_FACTS, REASON_MAX } from '../../constants.ts'
import { POLICY } from '../policies.ts'
import type { PolicyText } from './text.ts'

export const cancellation: PolicyText = {
  version: POLICY_FACTS.versions.cancellation,
  intro:
    'Plans change. You can give an active ticket back yourself, without asking anyone, as long as there is time for somebody else to buy it.',
  sections: [
    {
      title: 'Until when you can cancel',
      body: [
        POLICY.cutoff,
        `What counts is the day of the event, in the event's own time zone. With ${CANCELLATION_CUTOFF_DAYS} days left a ticket can still be cancelled; with ${CANCELLATION_CUTOFF_DAYS - 1} days left it cannot. Every ticket in My Tickets tells you how many days remain.`,
      ],
    },
    {
      title: 'How to cancel',
      body: [
        [
          'Sign in and open My Tickets.',
          'Press Cancel on the ticket you want to give back. Each ticket is cancelled by itself.',
          `Tell us the reason in up to ${REASON_MAX} characters and agree to the terms of the refund.`,
          'Check the refund amount and confirm. This cannot be undone.',
        ],
        'The ticket is cancelled at once, its QR code no longer opens the gate, and the place goes back on sale.',
      ],
    },
    {
      title: 'What it costs',
      body: [POLICY.deduction, 'The rest of the price is refunded. The Refund Policy says how and when.'],
    },
    {
      title: 'What cannot be cancelled',
      body: [
        [
          'A ticket that has already been used at the gate.',
          'A ticket that is already cancelled.',
          `A ticket for an event that is fewer than ${CANCELLATION_CUTOFF_DAYS} days away, except as told below.`,
        ],
      ],
    },
    {
      title: 'Illness and bereavement',
      body: [
        `Some things keep no calendar. ${POLICY.medical} Write to us with a note from the doctor or the hospital.`,
        `${POLICY.bereavement} Write to us as soon as you can; we will not make it hard.`,
      ],
    },
    {
      title: 'Passing a ticket on',
      body: [`Tickets are personal and non-transferable without us. ${POLICY.transfer}`],
    },
    {
      title: 'If we have to cancel',
      body: [
        'If the event cannot take place or has to be moved, we write to everyone who holds a ticket and say what happens with it.',
      ],
    },
    { title: 'If you disagree', body: [POLICY.dispute, POLICY.support] },
  ],
}
