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

/** The desk's words about tickets that a restored server lost. */
export const LOST = {
  title: 'Lost tickets',
  notice: (n: number) =>
    n === 1 ? '1 lost ticket needs your decision' : `${formatCount(n)} lost tickets need your decision`,
  noticeText: 'They are missing from the restored data, but guests still have their codes.',
  open: 'Review',
  intro:
    'Guests still have valid codes for these tickets, but the restored data does not include them. Confirm the ones that were bought. Some may have been cancelled or given away: ask the guest, and check whether the payment was refunded.',
  loading: 'Loading lost tickets',
  failed: (reason: string) => `Failed to load lost tickets: ${reason}`,
  empty: 'No lost tickets',
  emptyText: 'If a restore loses tickets, the ones that guests still have on their phones appear here.',
  waiting: (n: number, seats: number) => `${tickets(n)} waiting, ${formatCount(seats)} free seats`,
  list: 'Waiting',
  decidedList: 'Decided',
  offered: (when: string) => `received ${when}`,
  others: (n: number) => (n === 1 ? '1 other account has it too' : `${formatCount(n)} other accounts have it too`),
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
    happens: 'The ticket becomes valid again with the same code, and takes a seat.',
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
    of: (ticket: string, name: string) => `Ticket ${ticket} of ${name}`,
    happens: 'The guest sees your note next to the ticket. You can still confirm the ticket later.',
    note: 'Note for the guest',
  },
  confirmed: 'Ticket confirmed',
  refused: 'Ticket refused',
  decideFailed: (reason: string) => `Failed: ${reason}`,
} as const
