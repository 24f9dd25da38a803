import type { LostState, OrderProvider } from '../contracts/names.ts'
import { formatCount } from './language.ts'

/** The audit trail's words about tickets that only their owners' devices knew. */
export const LOST_AUDIT = {
  confirmed: (order: string, price: string, provider: OrderProvider) =>
    `Lost ticket confirmed, order ${order}${provider === 'none' ? '' : `, ${price}`}`,
  refused: (ticket: string, note: string) => `Lost ticket ${ticket} refused; ${note}`,
} as const

export const LOST_PAYMENT = {
  how: 'Choose the payment, enter the UTR, or say why no payment is needed',
} as const

const tickets = (n: number) => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)

/** The desk's words about tickets that a restored server lost (DECISIONS 9). */
export const LOST = {
  title: 'Lost tickets',
  notice: (n: number) =>
    n === 1 ? '1 lost ticket waits for your decision' : `${formatCount(n)} lost tickets wait for your decision`,
  noticeText: 'They are missing from the restored data, but guests still have them.',
  open: 'Check them',
  intro:
    'Guests have genuine codes for these tickets, but they are missing from the restored data. Confirm those that were bought. A ticket that had been cancelled or given away may be among them: ask its holder, and look at the refunds of its payment.',
  loading: 'Loading lost tickets',
  failed: (reason: string) => `Failed to load lost tickets: ${reason}`,
  empty: 'No lost tickets',
  emptyText: 'After a restore, tickets that only guests’ phones still know are listed here.',
  waiting: (n: number, seats: number) => `${tickets(n)} waiting, ${formatCount(seats)} free seats`,
  list: 'Waiting',
  decidedList: 'Decided',
  offered: (when: string) => `offered ${when}`,
  others: (n: number) => (n === 1 ? '1 other account offers it too' : `${formatCount(n)} other accounts offer it too`),
  together: (n: number) => `1 of ${formatCount(n)} bought together`,
  letIn: (when: string, by: string) => `Let in ${when} by ${by}`,
  states: { waiting: 'Waiting', confirmed: 'Confirmed', refused: 'Refused' } as const satisfies Record<
    LostState,
    string
  >,
  decided: (who: string, when: string) => `by ${who}, ${when}`,
  confirm: 'Confirm',
  confirmOf: (ticket: string, name: string) => `Confirm ticket ${ticket} of ${name}`,
  refuse: 'Refuse',
  refuseOf: (ticket: string, name: string) => `Refuse ticket ${ticket} of ${name}`,
  confirming: {
    title: 'Confirm lost ticket',
    save: 'Confirm',
    saving: 'Confirming...',
    cancel: 'Not yet',
    of: (ticket: string, name: string, price: string) => `Ticket ${ticket} of ${name}, ${price}`,
    happens: 'The ticket is valid again with the same code, and takes a seat.',
    how: 'How it was paid',
    ways: { money: 'Known payment', utr: 'Bank transfer', reason: 'No payment' },
    payment: 'Payment',
    moneyOf: (amount: string, detail: string) => `${amount}, ${detail}`,
    utr: 'UTR number',
    utrHint: '12 digits. Tickets of one transfer may share it.',
    reason: 'Why no payment is needed',
  },
  refusing: {
    title: 'Refuse lost ticket',
    save: 'Refuse',
    saving: 'Refusing...',
    cancel: 'Not yet',
    happens: 'The guest reads your note beside the ticket. You can still confirm it later.',
    note: 'Note for the guest',
  },
  confirmed: 'Ticket confirmed',
  refused: 'Ticket refused',
  decideFailed: (reason: string) => `Failed: ${reason}`,
} as const
