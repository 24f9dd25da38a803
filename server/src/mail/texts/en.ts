import { formatCount } from '@garba/shared/messages/language'
import { POLICY_FACTS } from '@garba/shared/messages/policies'

const tickets = (n: number) => (n === 1 ? 'ticket' : `${formatCount(n)} tickets`)

/** The texts of mails to guests. Amounts arrive formatted, ticket numbers as their last 8 characters. */
export const en = {
  hello: (name: string) => `Hello ${name},`,
  order: 'Order',
  facts: {
    event: 'Event',
    date: 'Date',
    time: 'Time',
    hours: (from: string, to: string) => `${from} - ${to}`,
    venue: 'Venue',
    map: 'Open in Maps',
  },
  button: 'Open My Tickets',
  calendar: 'The calendar file is attached.',
  refundTime: `Banks usually take ${POLICY_FACTS.refundDays.usual} business days to show a refund.`,
  questions: (address: string) => `Questions? Write to ${address}.`,
  why: (site: string) => `You are receiving this email because you have an order at ${site}.`,
  paid: {
    subject: (n: number, event: string) => `Your ${tickets(n)} for ${event}`,
    title: (n: number) => (n === 1 ? 'Your ticket is here' : 'Your tickets are here'),
    text: (rupees: string) => `We have received your payment of ${rupees}. Thank you!`,
    free: (n: number) => (n === 1 ? 'Your ticket is ready.' : 'Your tickets are ready.'),
    gate: 'Show one code per person at the gate. Each code works once, so share it only with the person who will use it.',
    ticket: (last8: string) => `Ticket ${last8}`,
    of: (at: number, of: number) => `${at} of ${of}`,
    names:
      'Who is coming with you? Write each person’s name on a ticket in My Tickets, and the gate finds everyone faster.',
    code: (last8: string) => `QR code of ticket ${last8}`,
    more: (n: number) =>
      n === 1 ? 'One more ticket is in My Tickets.' : `${formatCount(n)} more tickets are in My Tickets.`,
    noPictures:
      'Can’t see the codes? Let your email app show pictures, or open My Tickets: it works at the gate without a network.',
  },
  offer: {
    subject: (event: string) => `${event}: tickets are held for you`,
    title: 'Your turn',
    text: (n: number, at: string) =>
      `${n === 1 ? 'A ticket is' : `${formatCount(n)} tickets are`} held for you until ${at}. Open My Tickets and book ${n === 1 ? 'it' : 'them'} before then, or the next person waiting gets ${n === 1 ? 'it' : 'them'}.`,
  },
  reminder: {
    subject: (event: string) => `Reminder: ${event}`,
    title: 'See you soon!',
    text: (n: number) => (n === 1 ? 'Here is your ticket for the evening.' : 'Here are your tickets for the evening.'),
  },
  cancelled: {
    subject: (n: number, last8: string, event: string) =>
      n === 1 ? `Ticket ${last8} for ${event} is cancelled` : `${formatCount(n)} tickets for ${event} are cancelled`,
    title: (n: number) => (n === 1 ? 'Your ticket is cancelled' : `${formatCount(n)} of your tickets are cancelled`),
    text: (n: number, ids: string) =>
      n === 1
        ? `Ticket ${ids} is cancelled as you asked. Its QR code no longer works.`
        : `Tickets ${ids} are cancelled as you asked. Their QR codes no longer work.`,
    price: 'Ticket price',
    gateway: 'Payment gateway',
    platform: 'Platform',
    refund: 'Your refund',
    made: 'The refund has been sent back the way you paid.',
    partly: (rupees: string) =>
      `${rupees} has been sent back the way you paid. We will write again when the rest has been sent.`,
    asked: 'The refund goes back the way you paid. We will write again when it has been made.',
    nothing: 'Nothing is left to refund after the deductions.',
  },
  refunded: {
    subject: (rupees: string) => `Your refund of ${rupees} has been made`,
    title: 'Your refund has been made',
    text: (rupees: string) => `We have sent ${rupees} back the way you paid.`,
  },
  byHand: {
    subject: (rupees: string) => `Your refund of ${rupees} is taking longer`,
    title: 'Your refund is taking longer',
    text: (rupees: string) =>
      `Your refund of ${rupees} did not go through. We are now making it by hand, and will write again when it has been made.`,
    nothing: 'You do not need to do anything. Your money is not lost.',
  },
  returned: {
    subject: (rupees: string) => `You get ${rupees} back`,
    full: (rupees: string) =>
      `${rupees} goes back the way you paid. We will write again when the refund has been made.`,
    late: {
      title: 'Your payment came too late',
      text: (rupees: string) =>
        `Your payment of ${rupees} arrived after the time for your order had run out, and we could no longer give you its tickets. You have no tickets from this order, and you get all of your money back.`,
    },
    duplicate: {
      title: 'You paid too much',
      text: (rupees: string) =>
        `We received ${rupees} more than your order costs. You keep your tickets, and you get all of that money back.`,
    },
    event: {
      title: 'The organiser is giving you your money back',
      text: (rupees: string) =>
        `The organiser is refunding you ${rupees}. Tickets that are refunded are cancelled; My Tickets shows which are still valid.`,
    },
  },
  calledOff: {
    subject: (event: string) => `${event} is called off`,
    title: 'The event is called off',
    text: (event: string, day: string) => `${event} on ${day} will not take place.`,
    money:
      'You get everything back that you paid for your tickets, the way you paid. You need not do anything; we will write again when the money has been sent.',
  },
  changed: {
    subject: (event: string) => `${event}: please note the changes`,
    title: 'Please note the changes',
    text: 'The organiser writes:',
    now: 'These details now apply:',
    valid: 'Your tickets stay valid; their codes have not changed.',
    free: (until: string) =>
      `If the new date does not suit you, you can cancel in My Tickets until ${until} and get the full price back.`,
  },
} as const
