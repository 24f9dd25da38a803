import type { AttentionKind, BookRule } from '../contracts/names.ts'
import { formatCount } from './language.ts'

/** Words of the desk's money: Books, money without a home, totals of each day, and cash sessions. */
export const MONEY = {
  books: {
    title: 'Books',
    loading: 'Loading the Books',
    refresh: 'Refresh the Books',
    failed: (reason: string) => `Failed to load the Books: ${reason}`,
    ok: 'Balanced',
    wrong: (n: number) => (n === 1 ? '1 problem' : `${formatCount(n)} problems`),
    rules: {
      ticketsPaid: 'Every ticket was paid for, or given away with a reason',
      moneyAccounted: 'Money received, less money paid back, is what valid tickets cost and what is still owed',
      refundsWithin: 'No refund is larger than its ticket or its payment, and no refunded ticket is valid',
      refundsShown: 'Every refund that is owed is on a list, and tickets show what became of theirs',
      appliedOnce: 'Each payment, UTR and refund counts once',
      bankAgrees: 'Bank statements and payouts show the amounts that were booked',
      drawersAddUp:
        'Each drawer: float, plus cash taken, less cash paid back, is what was counted or the recorded difference',
      seatsAddUp: 'Seats taken are those of active and used tickets, unpaid orders and codes given out',
      codesSold: 'Each code sold on paper or by a phone has its ticket and its sale',
      entriesCounted: 'Each ticket let one person in, and every further one is recorded',
    } as const satisfies Record<BookRule, string>,
    more: (n: number) => `and ${formatCount(n)} more`,
  },
  attention: {
    title: 'Money without a home',
    loading: 'Loading the list',
    refresh: 'Refresh the list',
    failed: (reason: string) => `Failed to load money without a home: ${reason}`,
    none: 'Nothing needs attention.',
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
    /** What resolving does beyond taking the matter off the list. */
    dialogs: {
      payBack: { happens: 'The refund then counts as paid back by hand.' },
      refundFailed: {
        happens: 'A refund of no ticket then counts as paid back by hand. That of a ticket is marked on the ticket.',
      },
      refundedElsewhere: { happens: 'Tickets whose money went back are cancelled. No money moves.' },
    } as Partial<Record<AttentionKind, { happens: string }>>,
    done: 'Resolved',
    resolveFailed: (reason: string) => `Failed to resolve: ${reason}`,
  },
  upiWaiting: {
    title: 'UPI payments to confirm',
    text: ({ orders, claimed, seats, most }: { orders: number; claimed: number; seats: number; most: number }) =>
      `${orders === 1 ? '1 order holds' : `${formatCount(orders)} orders hold`} ${formatCount(seats)} of the ${formatCount(most)} seats that UPI orders may hold; ${formatCount(claimed)} with a UTR number.`,
    full: 'Guests cannot order by UPI until some are confirmed or let go.',
    orders: 'Show the orders',
  },
  totals: {
    title: 'Totals by day',
    loading: 'Loading totals',
    refresh: 'Refresh the totals',
    failed: (reason: string) => `Failed to load totals: ${reason}`,
    none: 'No order has been paid yet.',
    columns: {
      day: 'Day',
      channel: 'Channel',
      provider: 'Paid by',
      orders: 'Orders',
      captured: 'Received',
      refunded: 'Refunded',
      net: 'Remaining',
      requested: 'Still to refund',
    },
    exportCsv: 'Export CSV of the totals',
    sum: 'All days',
  },
  cash: {
    title: 'Cash sessions',
    loading: 'Loading cash sessions',
    refresh: 'Refresh cash sessions',
    failed: (reason: string) => `Failed to load cash sessions: ${reason}`,
    none: 'Nobody has opened a cash session yet.',
    columns: {
      person: 'Person',
      opened: 'Opened',
      closed: 'Closed',
      taken: 'Cash taken',
      paidBack: 'Paid back',
      expected: 'Expected',
      counted: 'Counted',
      difference: 'Difference',
      note: 'Note',
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
