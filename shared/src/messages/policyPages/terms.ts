import { GROUP_TIER_FROM, POLICY_FACTS } from '../../constants.ts'
import { POLICY } from '../policies.ts'
import type { PolicyText } from './text.ts'

export const terms: PolicyText = {
  version: POLICY_FACTS.versions.terms,
  intro:
    'These terms hold between you and the organiser of the event when you use this site, buy a ticket or come to the evening. Buying a ticket means that you agree to them.',
  sections: [
    {
      title: 'Who may use the service',
      body: [[POLICY.buyerAge, POLICY.serviceAge, POLICY.children]],
    },
    {
      title: 'Your account',
      body: [
        'You sign in with your Google account. What is done with your account counts as done by you, so keep it to yourself and sign out on devices that are not yours.',
      ],
    },
    {
      title: 'Tickets and prices',
      body: [
        [
          'Prices are in Indian rupees and hold for each ticket.',
          `From ${GROUP_TIER_FROM} tickets in one purchase, the group price holds for every ticket of that purchase.`,
          'A ticket is yours once the purchase is confirmed on the screen. Until then the places are not reserved.',
          'Each ticket lets one person in, once. After it has been scanned at the gate it cannot be used again.',
        ],
      ],
    },
    {
      title: 'At the gate',
      body: [
        'Show the QR code of your ticket on your phone or printed. A copy of the code is not a second ticket: the first to be scanned is let in. Do not publish it.',
        'Our staff may refuse entry to a ticket that is used, cancelled or not genuine, and to anyone who endangers others. Bags may be checked.',
      ],
    },
    {
      title: 'Passing a ticket on',
      body: [
        `Tickets are non-transferable. If you cannot come, ask us. ${POLICY.transfer} Reselling for profit is not allowed.`,
      ],
    },
    {
      title: 'Cancellation and refund',
      body: [
        `${POLICY.cutoff} ${POLICY.deduction} The Cancellation Policy and the Refund Policy are part of these terms.`,
      ],
    },
    {
      title: 'On the ground',
      body: [
        'Dance with care for those around you, follow what the staff say, and leave nothing in the circle that someone could fall over. Photographs and films are made during the evening and may be shown; tell our staff if you do not want to be in them.',
      ],
    },
    {
      title: 'Our responsibility',
      body: [
        'We prepare the evening with care. We answer for damage that we cause by intent or gross neglect, and where the law says so. We do not answer for things you lose on the ground, or for weather and other events outside our hands.',
      ],
    },
    {
      title: 'Changes and disputes',
      body: [
        'If we change these terms, the version above changes with them; for a ticket that is already bought, the terms of that day hold.',
        `${POLICY.dispute} ${POLICY.support}`,
      ],
    },
  ],
}
