import type { SettlementDifferenceKind, StatementMatch } from '../contracts/names.ts'
import { formatCount } from './language.ts'

const rows = (count: number, word: string) => `${formatCount(count)} ${count === 1 ? word : `${word}s`}`

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
    'Import the statement of the bank account that your UPI ID pays into. Lines whose UTR and amount match an order can be confirmed together.',
  choose: 'Choose a CSV file',
  columnsTitle: 'Columns',
  columnsIntro: 'Check which column holds what. This choice is remembered on this device.',
  none: 'None',
  columns: {
    date: 'Date',
    amount: 'Amount or credit',
    direction: 'Cr or Dr',
    utr: 'UTR or reference',
    description: 'Description',
  },
  import: 'Import',
  cancel: 'Cancel',
  imported: ({ added, known, skipped }: { added: number; known: number; skipped: number }) =>
    `${rows(added, 'new line')}, ${formatCount(known)} already known, ${formatCount(skipped)} skipped`,
  empty: 'No statement imported yet',
  confirm: (count: number) => `Confirm ${rows(count, 'match').replace('matchs', 'matches')}`,
  confirmed: (count: number) => `${rows(count, 'payment')} confirmed`,
  confirmTitle: 'Confirm these payments?',
  confirmIntro: 'Their tickets are made and sent at once.',
  left: (count: number) => `${rows(count, 'line')} could not be confirmed`,
  select: (code: string) => `Confirm order ${code}`,
  table: { day: 'Day', amount: 'Credit', utr: 'UTR', text: 'Bank’s words', order: 'Order', match: 'Match' },
  noUtr: 'No UTR',
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
    intro: 'What the payment provider has paid out to the bank, compared with our payments and refunds each day.',
    empty: 'No payouts yet',
    never: 'The provider has not been asked yet',
    askedAt: (at: string) => `Last compared ${at}`,
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
