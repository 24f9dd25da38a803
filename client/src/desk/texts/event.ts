import { formatCount } from '@garba/shared/messages/language'

export const ONLINE_SALES = {
  hints: { salesFrom: 'Empty: at once', salesUntil: 'Empty: when the event ends' },
  pause: 'Pause online sales',
  words: 'What guests read while sales are paused',
  wordsHint: 'Shown as you write it, in every language',
  sentence: 'Please come back in a little while.',
  note: 'Only for guests who buy online. The counter, phones and paper tickets go on selling, and an order that waits for its payment can still be paid.',
  fact: 'Online sales',
  between: (from: string | null, until: string | null) =>
    [from && `from ${from}`, until && `until ${until}`].filter(Boolean).join(' '),
  paused: (sentence: string) => `Paused: ${sentence}`,
} as const

export const GROUND = {
  squareMetres: 'Or: open ground (m²)',
  density: 'People per m²',
  densityHint: 'Ask your fire officer; dancers need room',
  capacityHint: 'The scanners and the evening warn at 90% and at 100%. Empty: no limit',
  comeBack: 'Let people who have left come back in with the same ticket',
  untilHint: 'Empty: until the event ends',
} as const

export const NEXT_EVENT = {
  begins: (name: string) =>
    `This form begins with the details of ${name}. Choose the new date and picture, and look at the rest.`,
  empty: 'Start empty',
} as const

export const GUEST_IMPORT = {
  title: 'Guest list',
  intro:
    'Give everyone on a list complimentary tickets: a CSV or spreadsheet with the columns Name, Tickets, Email and Phone.',
  choose: 'Choose a list',
  file: 'Guest list file',
  lines: 'Guests on the list',
  columns: { line: 'Line', name: 'Name', tickets: 'Tickets', contact: 'Email or phone' },
  dialog: { save: 'Give tickets', saving: 'Giving tickets...', cancel: 'Cancel' },
  sum: (guests: number, tickets: number) =>
    `${guests === 1 ? '1 guest' : `${formatCount(guests)} guests`}, ${tickets === 1 ? '1 ticket' : `${formatCount(tickets)} tickets`}`,
  note: 'Each guest with an email gets the tickets by mail. The same list is never given twice.',
  problems: (n: number) =>
    `${n === 1 ? '1 line' : `${formatCount(n)} lines`} cannot be imported. Correct the list and choose it again; nobody gets tickets before.`,
  reason: 'Reason',
  done: ({ orders, tickets }: { orders: number; tickets: number }) =>
    `${tickets === 1 ? '1 ticket' : `${formatCount(tickets)} tickets`} given to ${orders === 1 ? '1 guest' : `${formatCount(orders)} guests`}`,
  failed: (reason: string) => `No tickets were given: ${reason}`,
} as const

export const WAITING_LIST = {
  title: 'Waiting list',
  failed: (reason: string) => `Failed to load the waiting list: ${reason}`,
  sum: (people: number, tickets: number) =>
    people === 0
      ? 'Nobody is waiting. Once everything is sold, guests can wait for returned tickets.'
      : `${people === 1 ? '1 person waits' : `${formatCount(people)} people wait`} for ${tickets === 1 ? '1 ticket' : `${formatCount(tickets)} tickets`}, first in line first.`,
  offers: 'On offer now',
  offer: (name: string, n: number, until: string) =>
    `On offer to ${name}: ${n === 1 ? '1 ticket' : `${n} tickets`} until ${until}`,
  person: (name: string, n: number) => `${name}: ${n === 1 ? '1 ticket' : `${n} tickets`}`,
  since: (when: string) => `since ${when}`,
} as const

export const TICKET_TYPES = {
  title: 'Ticket types',
  failed: (reason: string) => `Failed to load the ticket types: ${reason}`,
  filter: 'Ticket type',
  all: 'All types',
  edit: 'Edit ticket types',
  save: 'Save ticket types',
  cancel: 'Cancel',
  add: 'Add a type',
  newType: 'New type',
  more: 'Other languages, limits and dates',
  remove: 'Delete this type',
  drag: 'Drag to order',
  up: 'Move up',
  down: 'Move down',
  addPhase: 'Add an earlier price',
  dropPhase: 'Remove the first price',
  names: { en: 'Name', gu: 'Name in Gujarati (optional)', hi: 'Name in Hindi (optional)' },
  fields: {
    note: 'Note for the gate (optional)',
    seats: 'Seats (empty: as many as the event has)',
    maxPerOrder: 'At most per order (empty: no limit)',
    admits: 'People per ticket',
    from: 'On sale from (optional)',
    until: 'On sale until (optional)',
    price: 'Price (₹)',
    groupPrice: 'For 4 or more (₹ each, empty: the same)',
    phaseUntil: 'This price until',
    sold: 'or until this many are sold',
    paused: 'Paused: sold only at the desk now',
    hidden: 'Hidden: only with an access code',
  },
  taken: (taken: number, seats: number | null) =>
    seats === null ? `${formatCount(taken)} taken` : `${formatCount(taken)} of ${formatCount(seats)} taken`,
  prices: (price: string, group: string | null) => (group === null ? price : `${price} (${group} for 4 or more)`),
  preview: (prices: string) => `Guests pay ${prices}.`,
  phase: (price: string, until: string | null, sold: number | null) => {
    const ends = [until, sold === null ? null : `${formatCount(sold)} sold`].filter((end) => end !== null)
    return ends.length === 0 ? price : `${price} until ${ends.join(' or ')}`
  },
  followedBy: ', then ',
  paused: 'paused',
  hidden: 'hidden',
} as const
