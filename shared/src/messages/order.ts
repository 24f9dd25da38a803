import type { AttentionKind, DeskMethod, LostState, OrderProvider } from '../contracts/names.ts'
import { formatCount } from './language.ts'

/** The audit trail's texts about tickets that only their owners' devices knew. */
export const LOST_AUDIT = {
  confirmed: (order: string, price: string, provider: OrderProvider) =>
    `Order ${order}${provider === 'none' ? '' : `, ${price}`}`,
  refused: (ticket: string, note: string) => `Ticket ${ticket}; ${note}`,
} as const

export const LOST_PAYMENT = {
  how: 'Choose the payment, enter the UTR, or say why no payment is needed',
} as const

const tickets = (n: number) => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)

/** The desk's texts about tickets that a restored server lost. */
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

export const ORDER = {
  provider: 'Choose a way to pay',
  method: 'Choose how it was paid',
  name: 'Enter the buyer’s name',
  email: 'Enter an email address such as name@example.org, or leave it empty',
  phone: 'Enter a phone number of 7 to 20 digits, or leave it empty',
  utr: 'Enter the 12-digit UTR number',
  reference: 'Enter the number on the slip, at most 40 characters, or leave it empty',
  waitsForBank: (code: string) => `Order ${code} waits until the money is in the bank’s list`,
  unproven: (method: DeskMethod) => `${ORDER.methods[method]}. Find it in the statement, and write down where`,
  reason: 'Reason is required',
  reasonTooLong: 'Use at most 500 characters',
  deskTakesNone:
    'The counter takes no money here. Give complimentary tickets, or ask the organiser to turn on sales at the desk.',
  methods: {
    cash: 'Cash',
    upi: 'UPI',
    card: 'Card',
    complimentary: 'Complimentary',
  } satisfies Record<DeskMethod, string>,
  amount: 'Enter an amount in rupees, 0 or more',
  received: 'Enter the amount received, in rupees',
  furtherUtr: 'Money has already been confirmed for this order. Enter the UTR number of this further payment.',
  soldFor: (amount: string) =>
    `This sale was for ${amount}. Enter that amount, or note under Money what the bank has instead.`,
  attention: {
    payBack: 'To be paid back by hand',
    short: 'Less than the order costs',
    unknown: 'Money without an order',
    refundFailed: 'Refund failed',
    refundBounced: 'Refund sent back by the bank',
    paidTwice: 'Refunded a second time by the provider',
    noSeat: 'Sold at the door without a free seat',
    phoneEnded: 'Sold by a phone that had ended',
    noted: 'Done by a phone after its end',
    refundedElsewhere: 'Refunded at the provider, ticket still valid',
    codesReturned: 'Reported with tickets the phone had returned, not sold',
    unproven: 'Paid by UPI or card without a number',
    overLimit: 'Reported too late and beyond what a phone may hold, not sold',
  } satisfies Record<AttentionKind, string>,
  settledBefore: (by: string | null, words: string | null) =>
    `Already settled${by === null ? '' : ` by ${by}`}: ${words ?? '–'}`,
  float: (amount: string) => `Started with ${amount}`,
  drawerOfOther: (name: string) => `Only ${name} can count this drawer.`,
  counted: (counted: string, expected: string, note?: string) =>
    [`Counted ${counted}, expected ${expected}`, note].filter(Boolean).join('; '),
  refunding: (code: string, amount: string) => `Order ${code}: ${amount} goes back`,
  noMail: {
    address: 'This order has no email address.',
    tickets: 'This order has no active tickets to send.',
  },
  refundKeyReused: 'Another refund was made with the same key, so nothing was refunded. Reload the page and try again.',
  whichTickets: 'Choose the tickets to refund, or all of them',
} as const

/** The texts about an order for the payer and the desk. */
export const ORDER_WORDS = {
  description: (event: string, quantity: number) =>
    `${quantity === 1 ? '1 ticket' : `${quantity} tickets`} for ${event}`,
  atProvider: 'Made at the provider',
  agrees: 'The order’s tickets agree with its money again',
  proven: (utr: string) => `Found in the bank’s list as ${utr}`,
  /** The amount received, if it is less than the order's total. */
  shortOf: (code: string, received: string, total: string) => `${code}: ${received} of ${total}`,
  complete: 'The rest has arrived',
  goesBack: 'The money goes back',
  paidAfterAll: 'The provider paid it back after all',
  hasHome: (code: string) => `It was paid for order ${code}`,
} as const

/** The result of counting a drawer, compared with the expected amount. */
export const COUNTED = {
  exact: 'Exactly as expected.',
  over: (amount: string) => `${amount} more than expected.`,
  short: (amount: string) => `${amount} less than expected.`,
} as const
