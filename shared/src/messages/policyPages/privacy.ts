import { POLICY } from '../policies.ts'
import type { PolicyText } from './text.ts'

export const privacy: PolicyText = {
  version: null,
  intro:
    'We ask for as little as a ticket needs: who you are, so that the ticket is yours, and what happened to it, so that it lets you in once. This page says what we keep, why, who sees it and for how long.',
  sections: [
    {
      title: 'What we collect',
      body: [
        [
          'From your Google account, when you sign in: your name, your email address and your profile picture. We never see your Google password.',
          'Your tickets: how many, when and at what price you bought them, whether they are active, used or cancelled, and the reason you give when you cancel.',
          'At the gate: when your ticket was scanned, at which device and by which member of our staff.',
          'When something breaks: a technical report of the error, the address of the page and the kind of browser. It carries no tickets and no payment details.',
        ],
        'We do not store card numbers, bank accounts or UPI ids.',
      ],
    },
    {
      title: 'Why we need it',
      body: [
        [
          'To sell you tickets, to show them to you and to let you in.',
          'To refund a cancelled ticket and to write to you about it.',
          'To keep count of who is inside, which is a matter of safety.',
          'To answer you when you write to us.',
        ],
        'We do not sell your data, we show no advertising, and no other site follows you here.',
      ],
    },
    {
      title: 'What stays on your phone',
      body: [
        'So that your tickets open without a network, they are stored in your browser on the devices on which you sign in. They are removed from a device when you sign out there. Your choice of language is remembered on the device as well.',
      ],
    },
    {
      title: 'Who sees it',
      body: [
        [
          "You see your own tickets, and nobody else's.",
          'Gate staff see the name on a ticket and whether it is valid. They do not see your email address.',
          "The organiser's managers see who is registered and how many tickets are sold. Administrators also see and manage the tickets.",
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
}
