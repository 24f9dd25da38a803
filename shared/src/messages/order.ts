import type { AttentionKind, DeskMethod, LostState, OrderProvider, OrderState } from '../contracts/names.ts'
import { formatCount, formatTicketCount } from './language.ts'

/** `issued` are tickets that nobody paid for. */
export const ORDER_STAGES = {
  held: 'Waiting',
  paid: 'Paid',
  issued: 'Issued',
  refundDue: 'Refund due',
  partRefunded: 'Partly refunded',
  refunded: 'Refunded',
  expired: 'Expired',
  cancelled: 'Cancelled',
} as const satisfies Record<OrderState, string> & Record<string, string>

export const LOST_AUDIT = {
  confirmed: (order: string, price: string, provider: OrderProvider) =>
    `Order ${order}${provider === 'none' ? '' : `, ${price}`}`,
  refused: (ticket: string, note: string) => `Ticket ${ticket}; ${note}`,
} as const

export const LOST_PAYMENT = {
  how: 'Choose the payment, enter the UTR, or say why no payment is needed',
} as const

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
  waiting: (n: number, seats: number) => `${formatTicketCount(n)} waiting, ${formatCount(seats)} free seats`,
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
  nothingBack: 'Nothing goes back for this ticket: the deductions leave nothing of its price.',
  provider: 'Choose a way to pay',
  method: 'Choose how it was paid',
  name: 'Enter the buyer’s name',
  email: 'Enter an email address such as name@example.org, or leave it empty',
  phone: 'Enter a phone number of 7 to 20 digits, or leave it empty',
  utr: 'Enter the 12-digit UTR number',
  bankNumber: 'This number is the bank’s own: look for the 12-digit UPI reference in your app',
  reference: 'Enter the number on the slip, at most 40 characters, or leave it empty',
  waitsForBank: (code: string) => `Order ${code} waits until the money is in the bank’s list`,
  unproven: (method: DeskMethod) =>
    method === 'card'
      ? 'Card: tick it off against the terminal’s total'
      : `${ORDER.methods[method]}: find it in the bank’s statement`,
  slipTwice: (codes: readonly string[]) => `Also given for ${codes.join(', ')}`,
  drawerBelowZero: (drawer: string) => `Drawer ${drawer}`,
  terminalTotal: (day: string, amount: string) => `In the terminal’s total of ${day}: ${amount}`,
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
    afterClosing: 'Sale reported after the event was closed',
    typeNotOnSale: 'Ticket type that was not on sale',
    noted: 'Done by a phone after its end',
    refundedElsewhere: 'Refunded at the provider, ticket still valid',
    codesReturned: 'Reported with tickets the phone had returned, not sold',
    unproven: 'Paid by UPI or card, not seen yet',
    slipTwice: 'One card slip for two sales',
    drawerBelowZero: 'More cash paid back than the drawer held',
    overLimit: 'Beyond what a phone may hold or sell without cash, not sold',
    takenOver: 'Sold by a seller, and perhaps taken from its buyer',
    restored: 'Restored from a backup',
  } satisfies Record<AttentionKind, string>,
  doAgain:
    'Do again what only the desk did since the backup: revoke phones, take roles away, end links, cancel tickets, claim offers, erase people, count drawers, rotate and revoke signing keys',
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
  buyerChange: 'Say what is to change',
  whichTickets: 'Choose the tickets to refund, or all of them',
} as const

export const ORDER_WORDS = {
  description: (event: string, quantity: number) =>
    `${quantity === 1 ? '1 ticket' : `${quantity} tickets`} for ${event}`,
  atProvider: 'Made at the provider',
  agrees: 'The order’s tickets agree with its money again',
  proven: (utr: string) => `Found in the bank’s list as ${utr}`,
  shortOf: (code: string, received: string, total: string) => `${code}: ${received} of ${total}`,
  complete: 'The rest has arrived',
  corrected: 'The buyer was corrected, and the tickets have new codes',
  goesBack: 'The money goes back',
  paidAfterAll: 'The provider paid it back after all',
  hasHome: (code: string) => `It was paid for order ${code}`,
} as const

export const COUNTED = {
  exact: 'Exactly as expected.',
  over: (amount: string) => `${amount} more than expected.`,
  short: (amount: string) => `${amount} less than expected.`,
} as const

export const GUEST_LIST = {
  csv: 'Choose a file first',
  tooLong: 'The file is too large for a guest list',
  unreadable: 'This file cannot be read: save the list as CSV, or as Excel',
  pdf: 'A PDF cannot be read: save the list as CSV, or as Excel',
  password: 'This file has a password: save it without',
  noHeader: 'No row names the columns: the first needs Name, and may have Tickets, Email and Phone',
  noRows: 'The list has no guests',
  tooMany: (max: number) => `At most ${formatCount(max)} lines can be imported at once`,
  quantity: 'The number of tickets must be a whole number of at least 1',
  line: (line: number, problem: string) => `Line ${formatCount(line)}: ${problem}`,
} as const
