import { CODE_MESSAGES } from '@garba/shared/messages/codes'
import { formatCount } from '@garba/shared/messages/language'
import { ORDER } from '@garba/shared/messages/order'
import { nameRefundKinds } from '../refundKinds.ts'

const tickets = (n: number) => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)
const minutes = (n: number) => (n === 1 ? '1 minute' : `${n} minutes`)

export const en = {
  /** For guests who wait for returned tickets. */
  line: {
    intro:
      'Tickets come back when somebody cancels or does not pay. Wait for them: the first in line gets them offered.',
    howMany: 'How many tickets?',
    less: 'One ticket less',
    more: 'One ticket more',
    atMost: (max: number) => `Choose 1 to ${formatCount(max)}.`,
    join: 'Wait for Tickets',
    inLine: (n: number) => `You are waiting for ${tickets(n)}.`,
    ahead: (n: number) =>
      n === 0
        ? 'You are first in line.'
        : n === 1
          ? '1 person is before you.'
          : `${formatCount(n)} people are before you.`,
    happens: 'As soon as they are free, they are held for you for 30 minutes. Look in here, and at your email.',
    leave: 'Stop Waiting',
    offered: (n: number, until: string) => `${tickets(n)} held for you until ${until}.`,
    after: 'After that they go to the next person.',
    take: (n: number) => `Get ${tickets(n)}`,
    pay: 'Pay Now',
  },
  list: {
    title: 'Your orders',
    none: 'No orders yet',
    noneDetail: 'What you buy is listed here, with receipts and refunds.',
    loading: 'Loading your orders',
    failed: 'Your orders could not be loaded',
    retry: 'Try Again',
    more: 'Show earlier orders',
    back: 'Back to my tickets',
  },
  title: (code: string) => `Order ${code}`,
  code: 'Order code',
  tickets,
  state: { held: 'Waiting for payment', paid: 'Paid', expired: 'Expired', cancelled: 'Cancelled' },
  loading: 'Loading your order',
  failed: 'Your order could not be loaded',
  notFound: 'This order does not exist, or it belongs to another account.',
  offline: 'You are offline. Your order will appear here as soon as the connection is back.',
  offlineOld: 'You are offline, so this may be out of date. We will check again when the connection is back.',
  choice: {
    title: 'How do you want to pay?',
    link: 'Pay now: tickets at once',
    upi: 'Pay by UPI yourself: tickets after the organiser has checked',
    demo: 'This is a demo: the payment page is a stand-in and no money moves.',
    next: 'You pay on the next page. Your tickets appear in My Tickets as soon as the payment has arrived.',
  },
  waiting: {
    title: 'You have an order waiting',
    text: 'Your seats are held for you until it is paid.',
    pay: 'Pay',
    payNow: 'Pay now',
    cancelOrder: 'Cancel order',
    left: 'Time left to pay',
    announce: (n: number) => `${minutes(n)} left to pay`,
    over: 'The time to pay is over. We are checking whether a payment has arrived.',
    returned: 'Checking with your bank. Do not pay again.',
    checking: 'If you have just paid, stay here: this page changes by itself as soon as the payment has arrived.',
    notOpened: 'The payment page did not open. Try again.',
    retrying: 'Trying again...',
  },
  cancelOrder: {
    title: 'Cancel this order?',
    text: 'Your seats go back on sale, and nothing is paid.',
    returned: (received: string) => `Your seats go back on sale. The ${received} that has arrived goes back to you.`,
    keep: 'Keep it',
    done: 'Your order was cancelled.',
    failed: (reason: string) => `The order was not cancelled: ${reason}`,
    paid: 'Your payment had already arrived, so the tickets are yours.',
  },
  upi: {
    next: 'You pay with your own UPI app and type in the number it shows. The organiser confirms it, which can take up to 24 hours; then your tickets appear in My Tickets. If you come to the event before that, tell the organiser your order code.',
    title: 'Pay with your UPI app',
    scan: 'Scan this code with the UPI app of another phone',
    qr: 'QR code for the payment',
    open: 'Open your UPI app',
    byHand: 'Or pay by hand',
    id: 'UPI ID',
    amount: 'Amount',
    note: 'Note, so that your payment is found',
    copy: (what: string) => `Copy: ${what}`,
    copied: 'Copied',
    notCopied: 'This could not be copied.',
    utr: 'UTR number',
    utrHint:
      'After you pay, your UPI app shows this 12-digit number. It may call it UPI reference or transaction number.',
    utrWrong: ORDER.utr,
    utrUsed: CODE_MESSAGES.UTR_USED(),
    bankNumber: ORDER.bankNumber,
    send: 'I have paid',
    sending: 'Sending...',
    hasPaid: 'Have you paid?',
    asksUtr:
      'The organiser’s bank does not pass on the order code. Your payment is found only by its UTR number, so enter it before you leave this page.',
    notPaid: 'I have not paid yet',
    given:
      'We are checking your payment. Tickets appear here once the organiser confirms it, which can take up to 24 hours. If you come to the event before that, tell the organiser your order code.',
    givenUtr: (utr: string) => `Your UTR number: ${utr}`,
    received: (received: string, total: string) =>
      `${received} of ${total} has arrived. Pay the rest to get your tickets.`,
    seen: 'A payment with your order code has reached the bank. The organiser is checking it. Do not pay again.',
  },
  ended: {
    expired: 'The time to pay ran out, so the seats went back on sale. Nothing was bought.',
    cancelled: 'This order was cancelled. Nothing was bought.',
    late: 'Your payment arrived after the seats were gone. It goes back to you in full.',
    again: 'Buy again',
    paid: 'If you have paid, do not pay again',
    ask: (code: string) =>
      `This order is closed, and its seats are on sale again. Tell the organiser your order code ${code} and the UTR number of your payment: you get your tickets while seats are free, or your money back.`,
    whom: (email: string) => `Write to ${email}.`,
    creditSeen: 'A payment with your order code has reached the bank. The organiser confirms it or pays it back.',
    back: 'This order was closed. What you paid goes back to you.',
    notPaid: 'I have not paid: buy again',
  },
  receipt: {
    title: 'Receipt',
    event: 'Event',
    date: 'Ordered',
    paidOn: 'Paid',
    paidWith: 'Paid with',
    tickets: 'Tickets',
    total: 'Total',
    numbers: 'Ticket numbers',
    net: 'Net amount',
    print: 'Print receipt',
    buyer: 'Buyer',
    link: 'QR code of a link to the tickets',
    linkText: 'Scan this with any phone to open the tickets there, without an account.',
  },
  provider: {
    none: 'No payment',
    demo: 'Demo payment',
    razorpay: 'Razorpay',
    upi: 'UPI',
    cash: 'Cash',
    card: 'Card',
    complimentary: 'Complimentary',
  },
  refund: {
    title: 'Refunds',
    kind: nameRefundKinds('en'),
    ofTicket: (last8: string) => `Cancelled ticket ${last8}`,
    state: {
      requested: 'Requested',
      sent: 'On its way',
      done: 'Done',
      failed: 'Failed',
      manual: 'Paid by hand',
    },
    expected: (days: string) => `Expected within ${days} business days, to the original payment method.`,
    done: (date: string) => `Sent back on ${date}.`,
    failed: 'The bank did not accept it. The organiser will pay it back another way.',
    manual: (date: string) => `The organiser paid this back on ${date}.`,
  },
  counter: 'Tickets are sold at the counter.',
} as const
