import type { SettlementDifferenceKind, StatementMatch } from '../contracts/names.ts'
import { formatCount } from './language.ts'

const counted = (count: number, word: string) => `${formatCount(count)} ${count === 1 ? word : `${word}s`}`

/** What the desk reads about bank statements and payouts. */
export const STATEMENT = {
  csv: 'Choose the statement as a CSV file',
  tooLong: 'The file is too large: export a shorter period',
  unreadable: 'This file cannot be read as CSV: export the statement from the bank as CSV',
  noHeader: 'No header row found: the statement needs one row that names its columns',
  noRows: 'No credits found: check the columns',
  utrColumn: 'Choose the column with the UTR or the description',
  chooseLines: 'Choose the lines to confirm',
  note: 'By bank statement',
  notReady: 'This line no longer matches an unpaid order',

  title: 'Bank statement',
  intro:
    'Import the statement of the bank account that your UPI ID pays into, as CSV. Lines with the UTR and the amount of an order can be confirmed together; the others stay here.',
  choose: 'Import CSV',
  file: 'Statement file',
  loading: 'Loading the statement…',
  failed: (reason: string) => `Failed to load the statement: ${reason}`,
  columnsIntro: 'Check which column holds what.',
  columnsNote: 'The choice is remembered on this device. Nothing is confirmed yet.',
  columnsDialog: { title: 'Columns', save: 'Import', saving: 'Importing…', cancel: 'Cancel' },
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
  confirm: (count: number) => `Confirm ${formatCount(count)} ${count === 1 ? 'match' : 'matches'}`,
  confirmTitle: (count: number) => `Confirm ${counted(count, 'payment')}?`,
  confirmIntro: 'The tickets are made and sent at once.',
  confirmYes: 'Confirm',
  confirmOrder: (code: string) => `Confirm order ${code}`,
  cancel: 'Cancel',
  confirmed: (count: number) => `${counted(count, 'payment')} confirmed`,
  left: (count: number) => `${counted(count, 'line')} could not be confirmed`,
  table: { match: 'Match', day: 'Day', amount: 'Credit', order: 'Order', utr: 'UTR', text: 'Bank’s words' },
  noUtr: 'None',
  matches: {
    ready: 'Matches',
    proposed: 'Code matches',
    differs: 'Amount differs',
    paid: 'Order already paid',
    unmatched: 'Unmatched',
    done: 'Confirmed',
  } satisfies Record<StatementMatch, string>,
  asked: (amount: string) => `asked ${amount}`,

  payouts: {
    title: 'Payouts',
    loading: 'Loading payouts…',
    failed: (reason: string) => `Failed to load payouts: ${reason}`,
    intro: 'What the payment provider has paid out to the bank, compared with payments and refunds here each day.',
    empty: 'No payouts yet',
    never: 'The provider has not been asked yet.',
    askedAt: (at: string) => `Last compared ${at}.`,
    differencesTitle: 'Differences',
    agree: 'No differences: every payout matches our payments and refunds',
    table: {
      day: 'Day',
      id: 'Settlement',
      lines: 'Items',
      gross: 'Payments',
      refunded: 'Refunds',
      fees: 'Fees',
      net: 'Paid out',
    },
    differences: {
      unknown: 'Settled, but unknown to us',
      amount: 'Another amount was settled',
      missing: 'Not settled after 5 business days',
    } satisfies Record<SettlementDifferenceKind, string>,
    of: { payment: 'Payment', refund: 'Refund' },
    ours: (amount: string) => `ours ${amount}`,
    settled: (amount: string) => `settled ${amount}`,
  },
} as const
