import { CANCELLATION_CUTOFF_DAYS, GROUP_TIER_FROM } from '@garba/shared/constants'
import { SCREENS } from '@garba/shared/messages/common'
import { POLICY_FACTS as FACT } from '@garba/shared/messages/policies'

export const en = {
  about: {
    title: 'About the evening',
    line: 'Dress up to twirl',
    picture: 'Picture of the event',
    noPicture: SCREENS.imageUnavailable as string,
  },
  details: {
    title: 'Event details',
    line: 'Pick up your sticks',
    single: `1 to ${GROUP_TIER_FROM - 1} tickets`,
    group: `${GROUP_TIER_FROM} or more tickets`,
    each: 'each',
    availability: 'Tickets',
    remaining: (count: string) => `${count} tickets remaining`,
    saving: (rupees: string) => `You save ${rupees} on every ticket.`,
  },
  choice: {
    title: 'How many tickets?',
    less: 'One ticket less',
    more: 'One ticket more',
    total: (rupees: string) => `Total ${rupees}`,
    saving: (rupees: string) => `You save ${rupees}`,
    group: (n: number, total: string, saving: string) => `${n} tickets for ${total}, you save ${saving}`,
  },
  countdown: {
    title: 'The lamp is lit in',
    days: (n: number) => (n === 1 ? 'day' : 'days'),
    hours: (n: number) => (n === 1 ? 'hour' : 'hours'),
    minutes: (n: number) => (n === 1 ? 'minute' : 'minutes'),
    seconds: (n: number) => (n === 1 ? 'second' : 'seconds'),
    unknown: 'The countdown begins as soon as the evening is announced.',
    lit: 'The lamp is lit.',
  },
  features: { title: 'What awaits you', line: 'Follow the dhol' },
  venue: { title: 'How to find us', line: 'Join the circle', openMaps: 'Open in Maps' },
  faq: {
    title: 'Questions and answers',
    items: [
      {
        question: 'How do I get my tickets?',
        answer:
          'Press Book Your Tickets Now, sign in with your Google account and choose how many you need. Your tickets and their QR codes appear in My Tickets right away.',
      },
      {
        question: 'Is there a group price?',
        answer: `Yes. Buy ${GROUP_TIER_FROM} or more together, and every one of them is at the group price.`,
      },
      {
        question: 'What do I show at the gate?',
        answer:
          'Your ticket’s QR code, on your phone or on paper. Each ticket lets one person in, once. Tickets you have opened on your phone also open with no signal.',
      },
      {
        question: 'Can I cancel a ticket?',
        answer: `Yes. Open My Tickets and cancel, up to ${CANCELLATION_CUTOFF_DAYS} days before the event. ₹${FACT.deductionTotalRupees} is deducted for each cancelled ticket, and the rest goes back the way you paid within 5-7 business days.`,
      },
      {
        question: 'Can someone else use my ticket?',
        answer: `Tickets are personal. If you cannot come, ask us for a transfer at least ${FACT.transferNoticeHours} hours before the event. It costs ₹${FACT.transferFeeRupees} per ticket.`,
      },
      {
        question: 'Do children need a ticket?',
        answer: `Children under ${FACT.freeEntryBelowAge} enter free. To buy tickets you must be at least ${FACT.buyerMinimumAge} years old.`,
      },
      {
        question: 'How do I reach you?',
        answer: `Write to us with Contact Support below. We reply within ${FACT.supportReplyHours.from} to ${FACT.supportReplyHours.to} hours.`,
      },
    ],
  },
  footer: {
    quickLinks: 'Quick links',
    about: 'About',
    faq: 'FAQ',
    crew: 'Crew: pair this phone',
    policies: 'Policies',
    contactHeading: 'Contact',
    contact: 'Contact Support',
    mailSubject: (title: string) => `Question about ${title}`,
    instagram: 'Instagram',
    facebook: 'Facebook',
    soon: 'coming soon',
    closing: 'Dance in the light of the garbo.',
  },
} as const
