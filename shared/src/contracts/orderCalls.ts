import { ADMIN, type Call, READERS } from './call.ts'
import { okSchema } from './common.ts'
import { eventQuerySchema } from './event.ts'
import * as order from './order.ts'
import { type CallName, PATHS } from './paths.ts'
import { settlementsAnswerSchema } from './settlement.ts'
import * as statement from './statement.ts'

/** Orders that are paid before they are tickets (DECISIONS 7). */
export const ORDER_CALLS = {
  placeOrder: {
    ...PATHS.placeOrder,
    access: 'signedIn',
    summary: 'Hold seats and start a payment; needs an Idempotency-Key header',
    body: order.placeOrderBodySchema,
    answer: order.orderAnswerSchema,
    status: 201,
  },
  myOrders: {
    ...PATHS.myOrders,
    access: 'signedIn',
    summary: 'Own orders, newest first, page by page',
    query: order.ownOrdersQuerySchema,
    answer: order.ownOrdersAnswerSchema,
  },
  order: {
    ...PATHS.order,
    access: 'signedIn',
    summary: 'One order with its payments, refunds and tickets, for its owner or an admin; asks the provider',
    answer: order.wholeOrderAnswerSchema,
  },
  cancelOrder: {
    ...PATHS.cancelOrder,
    access: 'signedIn',
    summary: 'Let an own unpaid order go',
    answer: order.orderAnswerSchema,
  },
  giveUtr: {
    ...PATHS.giveUtr,
    access: 'signedIn',
    summary: "Give the bank's number of a UPI payment for an own order",
    body: order.utrBodySchema,
    answer: order.orderAnswerSchema,
  },
  deskOrders: {
    ...PATHS.deskOrders,
    access: ADMIN,
    summary: 'Orders by state, channel, provider and search',
    query: order.ordersQuerySchema,
    answer: order.ordersPageSchema,
  },
  exportOrders: {
    ...PATHS.exportOrders,
    access: ADMIN,
    summary: 'Orders by state, channel, provider and search as CSV',
    query: order.ordersExportQuerySchema,
  },
  moneyTotals: {
    ...PATHS.moneyTotals,
    access: READERS,
    summary: 'Money of each day, channel and provider',
    query: eventQuerySchema,
    answer: order.moneyTotalsSchema,
  },
  deskOrder: {
    ...PATHS.deskOrder,
    access: ADMIN,
    summary: 'One order with its whole history; asks the provider',
    answer: order.deskOrderAnswerSchema,
  },
  sellAtDesk: {
    ...PATHS.sellAtDesk,
    access: ADMIN,
    rights: ['sell', 'complimentary'],
    summary: 'Sell or give tickets at the counter; needs an Idempotency-Key header',
    body: order.deskSaleBodySchema,
    answer: order.deskSaleAnswerSchema,
    status: 201,
  },
  confirmOrder: {
    ...PATHS.confirmOrder,
    access: ADMIN,
    summary: 'Record that the money of a UPI order is in the bank',
    body: order.confirmBodySchema,
    answer: order.deskOrderAnswerSchema,
  },
  refundOrder: {
    ...PATHS.refundOrder,
    access: ADMIN,
    summary: 'Cancel tickets of an order and give their money back in full; needs an Idempotency-Key header',
    body: order.orderRefundBodySchema,
    answer: order.deskOrderAnswerSchema,
  },
  resendOrder: {
    ...PATHS.resendOrder,
    access: ADMIN,
    summary: 'Send the buyer of a paid order its mail with the tickets again, at most once a minute',
    answer: order.deskOrderAnswerSchema,
  },
  cancelDeskOrder: {
    ...PATHS.cancelDeskOrder,
    access: ADMIN,
    summary: 'Let an unpaid order go',
    answer: order.deskOrderAnswerSchema,
  },
  exportBuyer: {
    ...PATHS.exportBuyer,
    access: ADMIN,
    summary: 'All that is stored about the buyer of an order who has no account, as JSON',
  },
  eraseBuyer: {
    ...PATHS.eraseBuyer,
    access: ADMIN,
    summary:
      'Erase a buyer without an account, with all orders of the same email or phone number; tickets and sums stay',
    answer: order.deskOrderAnswerSchema,
  },
  books: {
    ...PATHS.books,
    access: READERS,
    summary: 'Whether money, tickets and seats agree',
    answer: order.booksAnswerSchema,
  },
  attention: {
    ...PATHS.attention,
    access: ADMIN,
    summary: 'Money without a home',
    answer: order.attentionAnswerSchema,
  },
  resolveAttention: {
    ...PATHS.resolveAttention,
    access: ADMIN,
    summary: 'Take a matter of money off the list',
    body: order.resolveBodySchema,
    answer: order.resolvedAnswerSchema,
  },
  cashSessions: {
    ...PATHS.cashSessions,
    access: ADMIN,
    rights: ['sell'],
    summary: 'Cash sessions, and the own open one',
    answer: order.cashSessionsAnswerSchema,
  },
  openCashSession: {
    ...PATHS.openCashSession,
    access: ADMIN,
    rights: ['sell'],
    summary: 'Open an own cash session with a float',
    body: order.openCashBodySchema,
    answer: order.cashSessionAnswerSchema,
    status: 201,
  },
  closeCashSession: {
    ...PATHS.closeCashSession,
    access: ADMIN,
    rights: ['sell'],
    summary: 'Close an own cash session with what was counted',
    body: order.closeCashBodySchema,
    answer: order.cashSessionAnswerSchema,
  },
  readStatement: {
    ...PATHS.readStatement,
    access: ADMIN,
    summary: 'The columns of a bank statement, and what each seems to hold',
    body: statement.readStatementBodySchema,
    answer: statement.readStatementAnswerSchema,
  },
  importStatement: {
    ...PATHS.importStatement,
    access: ADMIN,
    summary: 'Keep the credits of a bank statement and match them with orders; confirms nothing',
    body: statement.importStatementBodySchema,
    answer: statement.importStatementAnswerSchema,
  },
  statementLines: {
    ...PATHS.statementLines,
    access: ADMIN,
    summary: 'Imported credits and the orders they match',
    answer: statement.statementLinesAnswerSchema,
  },
  confirmStatement: {
    ...PATHS.confirmStatement,
    access: ADMIN,
    summary: 'Confirm the orders that these credits paid',
    body: statement.confirmStatementBodySchema,
    answer: statement.confirmStatementAnswerSchema,
  },
  setLineAside: {
    ...PATHS.setLineAside,
    access: ADMIN,
    summary: 'Set a credit that pays no order aside with a note, or bring it back',
    body: statement.setLineAsideBodySchema,
    answer: statement.statementLinesAnswerSchema,
  },
  settlements: {
    ...PATHS.settlements,
    access: ADMIN,
    summary: "The provider's payouts, and where they differ from our payments and refunds",
    answer: settlementsAnswerSchema,
  },
  razorpayWebhook: {
    ...PATHS.razorpayWebhook,
    access: 'anyone',
    summary: 'What Razorpay reports, by signature',
    raw: true,
    answer: okSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
