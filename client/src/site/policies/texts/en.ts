import {
  CANCELLATION_CUTOFF_DAYS,
  DEDUCTION_GATEWAY_RUPEES,
  DEDUCTION_PLATFORM_RUPEES,
  FALLBACK_EVENT,
  GROUP_TIER_FROM,
  REASON_MAX,
  TICKET_ID_SHOWN,
} from '@garba/shared/constants'
import { POLICY_FACTS } from '@garba/shared/messages/policies'

export const POLICY = {
  cutoff: `Tickets can be cancelled up to ${CANCELLATION_CUTOFF_DAYS} days before the event.`,
  deduction: `₹${POLICY_FACTS.deductionTotalRupees} is deducted for each cancelled ticket: ₹${DEDUCTION_GATEWAY_RUPEES} for the payment gateway and ₹${DEDUCTION_PLATFORM_RUPEES} for the platform.`,
  transfer: `A ticket transfer costs ₹${POLICY_FACTS.transferFeeRupees} per ticket and must be requested at least ${POLICY_FACTS.transferNoticeHours} hours before the event.`,
  refundCard: `Credit and debit cards: ${POLICY_FACTS.refundDays.card} business days.`,
  refundNetBanking: `Net banking: ${POLICY_FACTS.refundDays.netBanking} business days.`,
  refundUpiAndWallets: `UPI and wallets: ${POLICY_FACTS.refundDays.upiAndWallets} business days.`,
  refundBankTransfer: `Bank transfer: ${POLICY_FACTS.refundDays.bankTransfer} business days.`,
  medical: `Medical claims must reach us within ${POLICY_FACTS.medicalClaimHours} hours.`,
  bereavement: `Bereavement refunds are made within ${POLICY_FACTS.bereavementRefundDays} business days.`,
  dispute: `A refund can be disputed within ${POLICY_FACTS.disputeDays} days.`,
  support: `Support replies within ${POLICY_FACTS.supportReplyHours.from} to ${POLICY_FACTS.supportReplyHours.to} hours.`,
  dataKept: `Event data is kept for ${POLICY_FACTS.eventDataYears} years.`,
  buyerAge: `Buyers must be at least ${POLICY_FACTS.buyerMinimumAge} years old.`,
  serviceAge: `The service is not for anyone under ${POLICY_FACTS.serviceMinimumAge}.`,
  children: `Children under ${POLICY_FACTS.freeEntryBelowAge} enter free.`,
} as const

export interface PolicyText {
  readonly intro: string
  readonly sections: readonly { readonly title: string; readonly body: readonly (string | readonly string[])[] }[]
}

const cancellation = {
  intro:
    'Plans change. You can give an active ticket back yourself, without asking anyone, as long as there is time for somebody else to buy it.',
  sections: [
    {
      title: 'When you can cancel',
      body: [
        POLICY.cutoff,
        `The day of the event counts, in the event’s own time zone. With ${CANCELLATION_CUTOFF_DAYS} days left a ticket can still be cancelled; with ${CANCELLATION_CUTOFF_DAYS - 1} days left it cannot. Cancel on a ticket shows how many days remain.`,
      ],
    },
    {
      title: 'How to cancel',
      body: [
        [
          'Sign in and open My Tickets.',
          'Choose Cancel in the menu of the ticket you want to give back. Others can be cancelled with it.',
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
          `A ticket for an event that is fewer than ${CANCELLATION_CUTOFF_DAYS} days away, except as described below.`,
        ],
      ],
    },
    {
      title: 'Illness and bereavement',
      body: [
        `Some things cannot be planned. ${POLICY.medical} Write to us with a note from the doctor or the hospital.`,
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
    { title: 'If you disagree', body: [POLICY.dispute] },
  ],
} as const satisfies PolicyText

const privacy = {
  intro:
    'We ask for as little as a ticket needs: who you are, so that the ticket is yours, and what happened to it, so that it lets you in once. This page says what we keep, why, who sees it and for how long.',
  sections: [
    {
      title: 'What we collect',
      body: [
        [
          'From your Google account, when you sign in: your name, your email address and your profile picture. We never see your Google password.',
          'Your tickets: how many, when and at what price you bought them, whether they are active, used or cancelled, and the reason you give when you cancel.',
          'At the gate: when your ticket was scanned, on which device and by which member of our staff.',
          'When something breaks: a technical report of the error, the address of the page and the kind of browser. It carries no tickets and no payment details.',
        ],
        'We do not store card numbers or bank accounts. For each payment we keep the amount, its number at the payment provider or bank, and its line in the organiser’s bank statement if it came by UPI.',
      ],
    },
    {
      title: 'Why we need it',
      body: [
        [
          'To sell you tickets, to show them to you and to let you in.',
          'To refund a cancelled ticket and to write to you about it.',
          'To count who is inside, for everyone’s safety.',
          'To answer you when you write to us.',
        ],
        'We do not sell your data, we show no advertising, and no other site tracks you here.',
      ],
    },
    {
      title: 'What stays on your phone',
      body: [
        'So that your tickets open without a network, they are stored in your browser on the devices on which you sign in. They are removed from a device when you sign out there. Tickets that were opened by a link stay until you remove them or their event ends. Your choice of language is remembered on the device as well.',
      ],
    },
    {
      title: 'Who sees it',
      body: [
        [
          'You see your own tickets, and nobody else’s.',
          'Gate staff see the name on a ticket and whether it is valid. They do not see your email address.',
          'The organiser’s managers see who is registered and how many tickets are sold. Administrators also see and manage the tickets.',
          'Google confirms who you are when you sign in, under its own privacy policy.',
        ],
        'We hand data to authorities only where the law obliges us to.',
      ],
    },
    {
      title: 'How long we keep it',
      body: [
        `${POLICY.dataKept} After that it is deleted. A cancelled or used ticket stays in the records of its event until then, because accounts and refunds depend on it.`,
      ],
    },
    {
      title: 'Your rights',
      body: [
        'You may ask us what we know about you, have it corrected, or have your account deleted. Write to us from the address you signed in with. When an account is deleted, tickets that were sold keep the name and email they were sold to until the event data is deleted.',
      ],
    },
    { title: 'Children', body: [`${POLICY.serviceAge} ${POLICY.buyerAge} ${POLICY.children}`] },
    {
      title: 'Changes',
      body: ['If this policy changes in a way that matters to you, we say so on the site before it takes effect.'],
    },
  ],
} as const satisfies PolicyText

const price = FALLBACK_EVENT.ticketPrice
const deducted = POLICY_FACTS.deductionTotalRupees

const refund = {
  intro:
    'When a ticket is cancelled in time, the money goes back the way it came. This page says how much, how fast, and what to do when it does not arrive.',
  sections: [
    {
      title: 'How much you get back',
      body: [
        POLICY.deduction,
        `For a ticket of ₹${price}, that is ₹${price} - ₹${deducted} = ₹${price - deducted}. If a ticket cost less than the deduction, there is no refund, and you owe nothing more.`,
        'Tickets bought at the group price are refunded from the price you paid for each.',
      ],
    },
    {
      title: 'How long it takes',
      body: [
        `Refunds go to the original payment method and are confirmed by email. As a rule they arrive within ${POLICY_FACTS.refundDays.usual} business days. By method:`,
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
          'Failed: your bank or wallet did not accept it. Write to us, and we will send it another way.',
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
          'Tickets that were not cancelled in time, even if nobody came with them.',
          'The fee for passing a ticket on to someone else.',
        ],
      ],
    },
    {
      title: 'If something is wrong',
      body: [POLICY.dispute, `Tell us the last ${TICKET_ID_SHOWN} characters of the ticket id.`],
    },
  ],
} as const satisfies PolicyText

const terms = {
  intro:
    'These terms apply between you and the organiser of the event when you use this site, buy a ticket or come to the evening. Buying a ticket means that you agree to them.',
  sections: [
    {
      title: 'Who may use the service',
      body: [[POLICY.buyerAge, POLICY.serviceAge, POLICY.children]],
    },
    {
      title: 'Your account',
      body: [
        'You sign in with your Google account, or by a link sent to your email address where that is offered. Anything done with your account counts as done by you, so keep it to yourself and sign out on devices that are not yours.',
      ],
    },
    {
      title: 'Tickets and prices',
      body: [
        [
          'Prices are in Indian rupees, for each ticket.',
          `From ${GROUP_TIER_FROM} tickets in one purchase, the group price applies to every ticket of that purchase.`,
          'A ticket is yours once the purchase is confirmed on the screen. An order that waits for its payment holds its places for a limited time; before that they are not reserved.',
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
        'Dance with care for those around you, follow what the staff say, and leave nothing in the circle that someone could trip over. Photographs and films are made during the evening and may be shown; tell our staff if you do not want to be in them.',
      ],
    },
    {
      title: 'Our responsibility',
      body: [
        'We prepare the evening with care. We are liable for damage that we cause on purpose or through gross negligence, and where the law says so. We are not liable for things you lose on the ground, or for weather and other events outside our control.',
      ],
    },
    {
      title: 'Changes and disputes',
      body: [
        'If we change these terms, the version above changes with them; for a ticket that is already bought, the terms of that day apply.',
        POLICY.dispute,
      ],
    },
  ],
} as const satisfies PolicyText

/** The text comes with its language, because English replaces a language that could not be fetched. */
export const en = { language: 'en', support: POLICY.support, privacy, cancellation, refund, terms } as const
