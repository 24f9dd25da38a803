import type { AttentionKind, DeskMethod } from '../contracts/names.ts'

/** What is wrong with an order's fields. */
export const ORDER = {
  provider: 'Choose a way to pay',
  method: 'Choose how it was paid',
  name: "Enter the buyer's name",
  email: 'Enter an email address such as name@example.org, or leave it empty',
  phone: 'Enter a phone number of 7 to 20 digits, or leave it empty',
  utr: 'Enter the 12-digit UTR number',
  reference: 'Enter the number on the slip, at most 40 characters, or leave it empty',
  waitsForBank: (code: string) => `Order ${code} waits until the money is in the bank's list`,
  unproven: (method: DeskMethod) => `${ORDER.methods[method]}. Find it in the statement, and write down where`,
  reason: 'Reason is required',
  reasonTooLong: 'Use at most 500 characters',
  deskTakesNone: 'The counter takes no money here: give complimentary tickets, or add desk to PAYMENTS',
  methods: {
    cash: 'Cash',
    upi: 'UPI',
    card: 'Card',
    complimentary: 'Complimentary',
  } satisfies Record<DeskMethod, string>,
  confirmed: (code: string) => `Order ${code}: payment confirmed`,
  amount: 'Enter an amount in rupees, 0 or more',
  received: 'Enter the amount received, in rupees',
  furtherUtr: 'Money was confirmed for this order before. Enter the UTR number of this further payment.',
  attention: {
    payBack: 'To be paid back by hand',
    short: 'Less money than asked',
    unknown: 'Money for no order of ours',
    refundFailed: 'Refund failed',
    noSeat: 'Sold at the door without a free seat',
    phoneEnded: 'Sold by a phone that had ended',
    noted: 'Done by a phone after its end',
    refundedElsewhere: 'Refunded at the provider, ticket still valid',
    codesReturned: 'Reported with tickets the phone had returned, not sold',
    unproven: 'Paid by UPI or card without a number',
    overLimit: 'Reported too late and beyond what a phone may hold, not sold',
  } satisfies Record<AttentionKind, string>,
  float: (amount: string) => `Float ${amount}`,
  counted: (counted: string, expected: string, note?: string) =>
    [`Counted ${counted}, expected ${expected}`, note].filter(Boolean).join('; '),
  letGo: (code: string) => `Order ${code}: let go unpaid`,
  refunding: (code: string, amount: string) => `Order ${code}: ${amount} goes back`,
  mailedAgain: (code: string) => `Order ${code}: mail with the tickets sent again`,
  noMail: {
    address: 'This order has no email address.',
    tickets: 'This order has no active tickets to send.',
  },
  refundKeyReused: 'This Idempotency-Key belongs to another refund, so nothing was refunded.',
  whichTickets: 'Choose the tickets to refund, or all of them',
} as const

/** What the payer and the desk read about an order. */
export const ORDER_WORDS = {
  description: (event: string, quantity: number) =>
    `${quantity === 1 ? '1 ticket' : `${quantity} tickets`} for ${event}`,
  atProvider: 'Made at the provider',
  agrees: "The order's tickets agree with its money again",
  proven: (utr: string) => `Found in the bank's list as ${utr}`,
  /** What has come for an order that asked for more. */
  shortOf: (code: string, received: string, total: string) => `${code}: ${received} of ${total}`,
  complete: 'The rest has come',
  goesBack: 'The money goes back',
  hasHome: (code: string) => `It was paid for order ${code}`,
} as const
