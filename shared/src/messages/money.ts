import type { AttentionKind, BookRule, SettlementDifferenceKind, StatementMatch } from '../contracts/names.ts'
import { formatCount } from './language.ts'

const counted = (count: number, word: string) => `${formatCount(count)} ${count === 1 ? word : `${word}s`}`

/** The desk's texts about bank statements and payouts. */
export const STATEMENT = {
  csv: 'Choose the statement as a CSV file',
  tooLong: 'The file is too large: export a shorter period',
  unreadable: 'This file cannot be read as CSV: export the statement from the bank as CSV',
  noHeader: 'No header row found: the statement needs one row that names its columns',
  noRows: 'No credits found: check the columns',
  debitColumn: 'Choose the column with the credits: this one holds debits or balances',
  skipped: {
    title: (count: number) => `${counted(count, 'row')} skipped`,
    debits: (count: number) => `${counted(count, 'debit')}: money that went out`,
    line: (line: number) => `Line ${formatCount(line)}`,
    why: {
      fields:
        'more or fewer cells than the header, and not readable in exactly one way. Correct it in the file and import it again.',
      noSide: 'nothing says whether the money came in.',
      noDate: 'no date, such as a total or a note.',
      noAmount: 'no amount.',
    },
  },
  utrColumn: 'Choose the column with the UTR or the description',
  chooseLines: 'Choose the lines to confirm',
  note: 'By bank statement',
  notReady: 'This line no longer matches an unpaid order',

  title: 'Bank statement',
  intro:
    'Import the statement of the bank account that your UPI ID pays into, as CSV. Lines with the UTR and the amount of an order can be confirmed together; the others stay here.',
  choose: 'Import CSV',
  file: 'Statement file',
  exportCsv: 'Export CSV of all lines',
  loading: 'Loading the statement...',
  failed: (reason: string) => `Failed to load the statement: ${reason}`,
  columnsIntro: 'Check which column holds what.',
  columnsNote: 'The choice is remembered on this device. Nothing is confirmed yet.',
  columnsDialog: { title: 'Columns', save: 'Import', saving: 'Importing...', cancel: 'Cancel' },
  none: 'None',
  unnamed: (at: number) => `Column ${at}`,
  columns: {
    date: 'Date',
    amount: 'Amount or credit',
    direction: 'Cr or Dr',
    utr: 'UTR or reference',
    description: 'Description',
  },
  imported: ({ added, known, skipped }: { added: number; known: number; skipped: number }) =>
    `${counted(added, 'new line')}, ${formatCount(known)} already known, ${formatCount(skipped)} skipped`,
  empty: 'No statement imported yet',
  emptyThen: 'No lines on these days',
  confirm: (count: number) => `Confirm ${formatCount(count)} ${count === 1 ? 'match' : 'matches'}`,
  confirmTitle: (count: number) => `Confirm ${counted(count, 'payment')}?`,
  confirmIntro: 'The tickets are made and sent at once.',
  confirmYes: 'Confirm',
  confirmOrder: (code: string) => `Confirm order ${code}`,
  cancel: 'Cancel',
  confirmed: (count: number) => (count === 0 ? 'Already confirmed' : `${counted(count, 'payment')} confirmed`),
  left: (count: number) => `${counted(count, 'line')} could not be confirmed`,
  table: {
    match: 'Match',
    day: 'Day',
    amount: 'Credit',
    order: 'Order',
    utr: 'UTR',
    text: 'Bank description',
    action: 'Action',
  },
  noUtr: 'None',
  matches: {
    ready: 'Matches',
    proposed: 'Code matches',
    disputed: 'Two orders claim it',
    differs: 'Amount differs',
    paid: 'Order already paid',
    unmatched: 'Unmatched',
    aside: 'Set aside',
    done: 'Confirmed',
  } satisfies Record<StatementMatch, string>,
  unmatchedLeft: (count: number) =>
    count === 0 ? 'Every line has its order.' : `${counted(count, 'line')} without an order.`,
  credit: (amount: string, day: string) => `Credit of ${amount} on ${day}`,
  aside: {
    audit: 'Bank statement',
    noteMissing: 'Write what this money is',
    action: 'Set aside',
    of: (amount: string) => `Set aside the credit of ${amount}`,
    title: 'Set aside',
    intro: (amount: string, day: string) => `${amount} of ${day} does not pay for any order.`,
    note: 'What is it?',
    noteHint: 'Rent, a donation, an opening balance...',
    happens:
      'The line moves to the bottom of the page, and you can bring it back. It comes back by itself if an order claims it.',
    save: 'Set aside',
    saving: 'Setting aside...',
    cancel: 'Cancel',
    done: 'Line set aside',
    back: 'Bring back',
    backOf: (amount: string) => `Bring back the credit of ${amount}`,
    broughtBack: 'Line brought back',
    list: (count: number) => `${counted(count, 'line')} set aside`,
    by: (name: string, at: string) => `By ${name}, ${at}`,
  },
  asked: (amount: string) => `asked ${amount}`,
  /** A credit with a UTR for an order that is paid. */
  record: {
    action: 'Record',
    title: (amount: string, code: string) => `Record ${amount} in order ${code}?`,
    text: 'The order is paid already. The credit is recorded there and waits to be paid back, unless it proves a sale without a UTR number.',
    done: (code: string) => `Recorded in order ${code}`,
  },

  payouts: {
    title: 'Payouts',
    loading: 'Loading payouts...',
    failed: (reason: string) => `Failed to load payouts: ${reason}`,
    intro:
      'What the payment provider has paid out to the bank, compared with payments and refunds here each day. Paid out is payments less refunds and fees.',
    exportCsv: 'Export CSV of all payouts',
    exportDifferences: 'Export CSV of all differences',
    empty: 'No payouts yet',
    emptyThen: 'No payouts on these days',
    never: 'The provider has not been asked yet.',
    askedAt: (at: string) => `Last compared ${at}.`,
    differencesTitle: 'Differences',
    paidOut: 'All payouts',
    agree: 'No differences: every payout matches our payments and refunds',
    table: {
      day: 'Day',
      id: 'Payout',
      lines: 'Items',
      gross: 'Payments',
      refunded: 'Refunds',
      fees: 'Fees',
      net: 'Paid out',
    },
    differences: {
      unknown: 'Settled, but not in our records',
      amount: 'Another amount was settled',
      missing: 'Not settled after 5 business days',
    } satisfies Record<SettlementDifferenceKind, string>,
    of: { payment: 'Payment', refund: 'Refund' },
    differenceTable: {
      kind: 'What differs',
      id: 'Payment or refund',
      day: 'Day',
      ours: 'Ours',
      settled: 'Settled',
      difference: 'Difference',
      action: 'Action',
    },
    open: 'Open order',
    openOf: (code: string) => `Open order ${code}`,
    copy: 'Copy id',
    copyOf: (id: string) => `Copy id ${id}`,
    copied: 'Copied. Search for it at the provider.',
  },
} as const

const MARKS_REFUND =
  'A refund without a ticket then counts as paid back by hand. A ticket’s refund is marked on the ticket.'

/** The desk's texts about money: Books, money that needs a person, daily totals and cash sessions. */
export const MONEY = {
  books: {
    title: 'Self-checks',
    loading: 'Checking the books',
    failed: (reason: string) => `Failed to load the self-checks: ${reason}`,
    ok: 'Balanced',
    wrong: (n: number) => (n === 1 ? '1 problem' : `${formatCount(n)} problems`),
    passed: (ok: number, all: number) =>
      ok === all ? `All ${formatCount(all)} checks passed` : `${formatCount(ok)} of ${formatCount(all)} checks passed`,
    rules: {
      ticketsPaid: 'Every ticket was paid for, or given away with a reason',
      moneyAccounted: 'Money received, less money paid back, is what valid tickets cost and what is still owed',
      refundsWithin: 'No refund is larger than its ticket or its payment, and no refunded ticket is valid',
      refundsShown: 'Every refund that is owed is on a list, and tickets show what became of theirs',
      appliedOnce: 'Each payment, UTR and refund counts once',
      bankAgrees: 'Bank statements and payouts show the amounts that were booked',
      drawersAddUp:
        'Each drawer: cash at the start, plus cash taken, less cash paid back, is what was counted or the recorded difference',
      seatsAddUp: 'Seats taken are those of active and used tickets, unpaid orders and codes given out',
      codesSold: 'Each code sold on paper or by a phone has its ticket and its sale',
      entriesCounted: 'Each ticket let one person in, and every further one is recorded',
    } as const satisfies Record<BookRule, string>,
    more: (n: number) => `and ${formatCount(n)} more`,
  },
  attention: {
    title: 'Money that needs a person',
    loading: 'Loading the list',
    failed: (reason: string) => `Failed to load money that needs a person: ${reason}`,
    none: 'Nothing needs attention.',
    exportCsv: 'Export CSV of all money that needed a person',
    since: (when: string) => `since ${when}`,
    resolve: 'Resolve',
    resolveOf: (what: string) => `Resolve: ${what}`,
    dialog: {
      title: 'Resolve',
      note: 'What was done about it',
      noteHint: 'Such as the number of the bank transfer. It is kept in the audit trail.',
      happens: 'This removes it from the list. No money moves.',
      save: 'Resolve',
      saving: 'Resolving...',
      cancel: 'Not yet',
    },
    /** Matters whose resolution does more than remove them from the list. */
    dialogs: {
      payBack: { happens: 'The refund then counts as paid back by hand.' },
      refundFailed: { happens: MARKS_REFUND },
      refundBounced: { happens: MARKS_REFUND },
      refundedElsewhere: { happens: 'Tickets whose money went back are cancelled. No money moves.' },
    } as Partial<Record<AttentionKind, { happens: string }>>,
    done: 'Resolved',
    resolveFailed: (reason: string) => `Failed to resolve: ${reason}`,
  },
  upiWaiting: {
    title: 'UPI payments to confirm',
    text: ({ orders, claimed, seats, most }: { orders: number; claimed: number; seats: number; most: number }) =>
      `${orders === 1 ? '1 order waits' : `${formatCount(orders)} orders wait`} for the bank, with ${formatCount(seats)} of at most ${formatCount(most)} seats. ${formatCount(claimed)} ${claimed === 1 ? 'has' : 'have'} a UTR number.`,
    full: 'Guests cannot order by UPI until some are confirmed or cancelled.',
    orders: 'Show the orders',
  },
  totals: {
    title: 'Totals',
    byDay: 'Totals by day',
    loading: 'Loading totals',
    failed: (reason: string) => `Failed to load totals: ${reason}`,
    none: 'No order has been paid yet.',
    noneThen: 'No money came in or went out on these days.',
    ofOrders: (n: number) => `From ${counted(n, 'order')}.`,
    withoutMoney: (n: number) => `${counted(n, 'order')} needed no payment.`,
    off: 'Payments are off: Home and Analytics show what the tickets cost.',
    columns: {
      day: 'Day',
      channel: 'Channel',
      provider: 'Paid by',
      orders: 'Orders',
      captured: 'Received',
      refunded: 'Refunded',
      fees: 'Fees',
      net: 'Net',
      requested: 'Still to refund',
    },
    exportCsv: 'Export CSV of the totals',
  },
  cash: {
    title: 'Cash sessions',
    loading: 'Loading cash sessions',
    failed: (reason: string) => `Failed to load cash sessions: ${reason}`,
    none: 'Nobody has opened a cash session yet.',
    noneThen: 'Nobody opened a cash session on these days.',
    columns: {
      person: 'Person',
      opened: 'Opened',
      closed: 'Closed',
      start: 'At the start',
      taken: 'Cash taken',
      paidBack: 'Paid back',
      expected: 'Expected',
      counted: 'Counted',
      difference: 'Difference',
    },
    exportCsv: 'Export CSV of all cash sessions',
    open: 'Open',
    count: 'Count',
    countOf: (person: string) => `Count the drawer of ${person}`,
    arrivedLater: 'Arrived later',
    arrivedLaterHint:
      'Cash sales that are in no drawer: a phone reported them after its drawer was counted, or without one.',
    arrived: ({
      sales,
      amount,
      seller,
      phone,
    }: {
      sales: number
      amount: string
      seller: string
      phone: string | null
    }) =>
      `${amount} from ${sales === 1 ? '1 sale' : `${formatCount(sales)} sales`} by ${seller}${phone === null || phone === seller ? '' : ` on ${phone}`}`,
    paidBackOutside: (amount: string) => `${amount} was paid back while no drawer was open.`,
  },
} as const
