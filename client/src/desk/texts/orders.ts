import type {
  MailNews,
  OrderChannel,
  OrderProvider,
  OrderState,
  PaymentState,
  RefundKind,
  RefundState,
} from '@garba/shared/contracts/names'
import { formatCount } from '@garba/shared/messages/language'

const tickets = (n: number) => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)

/** What a UPI payment does to its order: it is all that is missing, or less, or more by some rupees. */
export interface PaymentOutcome {
  held: boolean
  is: 'less' | 'all' | 'more'
  rupees: string
}

/** Words of the desk's orders: their list, and one order with its history. */
export const ORDERS = {
  search: 'Search orders',
  searchHint: 'Code, name, email, UTR or payment id',
  state: 'State',
  channel: 'Channel',
  provider: 'Paid by',
  allStates: 'All states',
  allChannels: 'All channels',
  allProviders: 'All payments',
  caption: 'Orders',
  loading: 'Loading orders',
  failed: (reason: string) => `Failed to load orders: ${reason}`,
  empty: 'No orders found',
  emptySearch: 'No order matches this search and these filters.',
  emptyAll: 'Orders appear here as soon as the first one is placed.',
  clear: 'Clear search and filters',
  exportCsv: 'Export CSV',
  exported: 'Orders exported successfully',
  exportFailed: (reason: string) => `Failed to export: ${reason}`,
  columns: {
    order: 'Order',
    placed: 'Placed',
    buyer: 'Buyer',
    quantity: 'Tickets',
    amount: 'Amount',
    state: 'State',
    provider: 'Paid by',
    captured: 'Received',
    refunded: 'Refunded',
  },
  stillToRefund: (amount: string) => `${amount} still to refund`,
  moreOf: (code: string) => `More about order ${code}`,
  menu: {
    open: 'Open order',
    copyCode: 'Copy order code',
    copyEmail: 'Copy email',
    sameBuyer: "Show the buyer's orders",
    tickets: "Show the buyer's tickets",
  },
  codeCopied: 'Order code copied to clipboard!',
  nobody: 'No name',
  states: { held: 'Waiting', paid: 'Paid', expired: 'Expired', cancelled: 'Cancelled' } as const satisfies Record<
    OrderState,
    string
  >,
  channels: { web: 'Web', desk: 'Desk', door: 'Door' } as const satisfies Record<OrderChannel, string>,
  providers: {
    none: 'No payment',
    demo: 'Demo',
    razorpay: 'Razorpay',
    upi: 'UPI',
    cash: 'Cash',
    card: 'Card terminal',
    complimentary: 'Complimentary',
  } as const satisfies Record<OrderProvider, string>,

  one: {
    title: (code: string) => `Order ${code}`,
    loading: 'Loading the order',
    failed: (reason: string) => `Failed to load the order: ${reason}`,
    all: 'All orders',
    summary: 'Summary',
    event: 'Event',
    placed: 'Placed',
    heldUntil: 'Seats held until',
    buyer: 'Buyer',
    email: 'Email',
    phone: 'Phone',
    seller: 'Sold by',
    channel: 'Channel',
    provider: 'Paid by',
    reason: 'Reason',
    utr: 'UTR',
    price: 'Price',
    sum: ({ quantity, each, total }: { quantity: number; each: string; total: string }) =>
      `${tickets(quantity)} at ${each} = ${total}`,
    captured: 'Received',
    fees: 'Fees',
    refunded: 'Refunded',
    requested: 'Still to refund',
    tickets: 'Tickets',
    noTickets: 'There are no tickets until the order is paid.',
    neverTickets: 'No tickets were made for this order.',
    openTicket: (id: string) => `Ticket ${id}`,
    history: 'History',
    matters: 'Needs a decision',
  },
  erase: {
    download: 'Export their data',
    action: 'Erase buyer',
    title: (name: string) => `Erase ${name}?`,
    text: 'The name, email, phone number and every note about this buyer are removed from this order, and from all orders of the same email or phone number. Tickets and amounts stay. This cannot be undone.',
    done: 'Buyer erased',
    failed: (reason: string) => `Failed to erase the buyer: ${reason}`,
  },
  history: {
    placed: (n: number, total: string) => `Placed: ${tickets(n)}, ${total}`,
    sold: (n: number, total: string) => `Sold: ${tickets(n)}, ${total}`,
    by: (name: string) => `By ${name}`,
    made: (n: number) => `${tickets(n)} made`,
    expired: 'Expired without payment; the seats are on sale again',
    cancelled: 'Cancelled; the seats are on sale again',
    payments: {
      created: (amount: string) => `${amount} asked for`,
      pending: (amount: string) => `${amount} announced, not confirmed yet`,
      captured: (amount: string) => `${amount} received`,
      failed: (amount: string) => `Payment of ${amount} failed`,
      void: (amount: string) => `Payment link for ${amount} closed`,
    } as const satisfies Record<PaymentState, (amount: string) => string>,
    fee: (amount: string) => `fee ${amount}`,
    link: (ref: string) => `link ${ref}`,
    payment: (id: string) => `payment ${id}`,
    utr: (utr: string) => `UTR ${utr}`,
    reference: (number: string) => `slip ${number}`,
    refunds: {
      requested: (amount: string) => `Refund of ${amount} requested`,
      asking: (amount: string) => `Refund of ${amount}: waiting for the provider's answer`,
      sent: (amount: string) => `Refund of ${amount} sent to the provider`,
      done: (amount: string) => `${amount} refunded`,
      failed: (amount: string) => `Refund of ${amount} failed`,
      manual: (amount: string) => `${amount} paid back by hand`,
    } as const satisfies Record<RefundState, (amount: string) => string>,
    kinds: {
      guest: 'The buyer cancelled',
      late: 'Paid too late',
      duplicate: 'Paid twice',
      event: 'Given back by the organiser',
    } as const satisfies Record<RefundKind, string>,
    ofTicket: (id: string) => `ticket ${id}`,
    refund: (id: string) => `refund ${id}`,
    attempts: (n: number) => (n === 1 ? '1 attempt' : `${formatCount(n)} attempts`),
    askedAgain: (when: string) => `asked again ${when}`,
    lastError: (error: string) => `last error: ${error}`,
    jobs: { mail: 'Mail to the buyer', refund: 'Refund at the provider', event: "Provider's report" } as Readonly<
      Record<string, string>
    >,
    mails: {
      paid: 'Mail with the tickets',
      cancelled: 'Mail about a cancelled ticket',
      refunded: 'Mail about a refund',
      byHand: 'Mail about a refund that takes longer',
      late: 'Mail about money going back, paid too late',
      duplicate: 'Mail about money going back, paid twice',
      event: 'Mail about money going back from the organiser',
      changed: 'Mail about a change of the event',
    } as const satisfies Record<MailNews, string>,
    jobDone: (what: string) => `${what}: sent`,
    jobWaits: (what: string) => `${what}: waiting to be sent`,
    jobFails: (what: string) => `${what}: failed, will be tried again`,
    jobGaveUp: (what: string) => `${what}: gave up`,
  },
  refund: {
    action: 'Refund',
    title: 'Refund tickets',
    of: (code: string) => `Order ${code}`,
    what: 'What to refund',
    all: 'The whole order',
    some: 'Chosen tickets',
    choose: 'Tickets to refund',
    ticket: ({ id, name, price, used }: { id: string; name: string; price: string; used: boolean }) =>
      `${id}, ${name}, ${price}${used ? ', used' : ''}`,
    includeUsed: (n: number) =>
      n === 1
        ? 'Refund the used ticket too. Its holder was let in.'
        : `Refund the ${formatCount(n)} used tickets too. Their holders were let in.`,
    reason: 'Reason',
    reasonHint: 'The buyer reads it, and it is kept with the order.',
    happens: ({ count, rupees }: { count: number; rupees: string }) =>
      `${tickets(count)} will be cancelled, and ${rupees} goes back to the buyer.`,
    onlyMoney: (rupees: string) => `${rupees} goes back to the buyer.`,
    nothing: 'Choose at least one ticket.',
    byItself: 'The money goes back by itself, to where it came from. This usually takes 5-7 business days.',
    byHand: 'You pay the money back by hand, and then mark the refund as paid in this order.',
    save: 'Cancel tickets and refund',
    saving: 'Requesting...',
    cancel: 'Keep the tickets',
    done: 'Refund requested',
    failed: (reason: string) => `Failed to refund: ${reason}`,
  },
  /** Beside a ticket whose refund the provider may have made. */
  inDoubt: (when: string) =>
    `Waiting for the provider since ${when}: it has not said whether it made this refund, so nobody can change it yet. The server keeps asking.`,
  markPaid: {
    action: 'Mark as paid back',
    of: (id: string) => `Mark the refund of ticket ${id} as paid back`,
    done: 'Refund marked as paid back',
    failed: (reason: string) => `Failed to record the refund: ${reason}`,
  },
  mail: {
    action: 'Mail tickets again',
    done: 'The mail is on its way',
    failed: (reason: string) => `Failed to send the mail: ${reason}`,
  },
  cancel: {
    action: 'Cancel order',
    title: (code: string) => `Cancel order ${code}?`,
    text: 'Nobody can pay for it any more, and its seats go back on sale.',
    confirm: 'Cancel order',
    keep: 'Keep order',
    done: 'Order cancelled',
    failed: (reason: string) => `Failed to cancel the order: ${reason}`,
  },
  confirm: {
    action: 'Confirm payment',
    title: 'Confirm UPI payment',
    of: ({ code, rupees }: { code: string; rupees: string }) => `Order ${code}, ${rupees}`,
    utr: 'UTR number (12 digits)',
    utrHint: 'As on your bank statement.',
    utrWrong: 'Enter the 12-digit UTR number',
    note: 'Note (optional)',
    amount: 'Amount received (₹)',
    amountHint: 'As on your bank statement, even if it is less or more.',
    amountWrong: 'Enter the amount in rupees, such as 598 or 598.50',
    read: 'Confirm nothing by what a guest shows you.',
    happens: ({ held, rupees, is }: PaymentOutcome): string =>
      is === 'less'
        ? `${rupees} is still missing. ${held ? 'The seats stay held for a day while you wait for the rest.' : 'There are no tickets until it comes.'}`
        : [
            held
              ? 'The tickets are made at once, and the buyer gets them.'
              : 'The tickets are made while seats are free; otherwise the money waits to be paid back.',
            is === 'more' ? `${rupees} is too much, and waits to be paid back.` : '',
          ]
            .filter(Boolean)
            .join(' '),
    save: 'Confirm payment',
    saving: 'Confirming...',
    cancel: 'Not yet',
    done: 'Payment confirmed',
    failed: (reason: string) => `Failed to confirm the payment: ${reason}`,
  },
} as const
