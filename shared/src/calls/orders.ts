import { daysQuerySchema, okSchema } from '../contracts/common.ts'
import * as cash from '../contracts/money/cash.ts'
import * as statement from '../contracts/money/statement.ts'
import * as order from '../contracts/order.ts'
import type { CallName } from '../contracts/paths.ts'
import * as guestList from '../contracts/people/guestList.ts'
import * as waiting from '../contracts/waiting.ts'
import { ADMIN, type CallFacts, READERS } from './call.ts'

export const ORDER_CALLS = {
  placeOrder: {
    access: 'signedIn',
    summary: 'Hold seats and start a payment; needs an Idempotency-Key header',
    body: order.placeOrderBodySchema,
    answer: order.orderAnswerSchema,
    status: 201,
  },
  myOrders: {
    access: 'signedIn',
    summary: 'Own orders, newest first, page by page',
    query: order.ownOrdersQuerySchema,
    answer: order.ownOrdersAnswerSchema,
  },
  order: {
    access: 'signedIn',
    summary: 'One order with its payments, refunds and tickets, for its owner or an admin; asks the provider',
    answer: order.wholeOrderAnswerSchema,
  },
  cancelOrder: { access: 'signedIn', summary: 'Cancel an own unpaid order', answer: order.orderAnswerSchema },
  giveUtr: {
    access: 'signedIn',
    summary: "Give the bank's number of a UPI payment for an own order",
    body: order.utrBodySchema,
    answer: order.orderAnswerSchema,
  },
  deskOrders: {
    access: ADMIN,
    summary: 'Orders by state, channel, provider and search',
    query: order.ordersQuerySchema,
    answer: order.ordersPageSchema,
  },
  exportOrders: {
    access: ADMIN,
    summary: 'Orders by state, channel, provider and search as CSV',
    query: order.ordersExportQuerySchema,
  },
  moneyTotals: {
    access: READERS,
    summary: 'Money of each day, channel and provider',
    query: cash.moneyTotalsQuerySchema,
    answer: cash.moneyTotalsSchema,
  },
  exportTotals: {
    access: READERS,
    summary: 'Money of each day, channel and provider as CSV',
    query: cash.moneyTotalsQuerySchema,
  },
  deskOrder: {
    access: ADMIN,
    summary: 'One order with its whole history; asks the provider',
    answer: order.deskOrderAnswerSchema,
  },
  sellAtDesk: {
    access: ADMIN,
    rights: ['sell', 'complimentary'],
    summary: 'Sell or give tickets at the counter; needs an Idempotency-Key header',
    body: order.deskSaleBodySchema,
    answer: order.deskSaleAnswerSchema,
    status: 201,
  },
  joinWaiting: {
    access: 'signedIn',
    summary: 'Wait for returned tickets of a sold-out event, or change the number',
    body: waiting.joinWaitingBodySchema,
    answer: waiting.ownWaitingAnswerSchema,
    status: 201,
  },
  ownWaiting: {
    access: 'signedIn',
    summary: 'The own place in line, and the tickets offered to the caller',
    answer: waiting.ownWaitingAnswerSchema,
  },
  leaveWaiting: { access: 'signedIn', summary: 'Leave the line', answer: waiting.ownWaitingAnswerSchema },
  waitingList: {
    access: READERS,
    summary: 'Who waits for tickets, first in line first, and what is offered now',
    answer: waiting.waitingListAnswerSchema,
  },
  readGuestList: {
    access: ADMIN,
    summary: 'The guests of a list, and what is wrong with each line; stores nothing',
    body: guestList.readGuestListBodySchema,
    answer: guestList.readGuestListAnswerSchema,
  },
  importGuestList: {
    access: ADMIN,
    summary: 'Give every guest of a list complimentary tickets, all or none; needs an Idempotency-Key header',
    body: guestList.importGuestListBodySchema,
    answer: guestList.importGuestListAnswerSchema,
    status: 201,
  },
  confirmOrder: {
    access: ADMIN,
    summary: 'Record that the money of a UPI order is in the bank',
    body: order.confirmBodySchema,
    answer: order.deskOrderAnswerSchema,
  },
  refundOrder: {
    access: ADMIN,
    summary: 'Cancel tickets of an order and give their money back in full; needs an Idempotency-Key header',
    body: order.orderRefundBodySchema,
    answer: order.deskOrderAnswerSchema,
  },
  resendOrder: {
    access: ADMIN,
    summary: 'Resend the mail with the tickets of a paid order, at most once a minute',
    answer: order.deskOrderAnswerSchema,
  },
  correctBuyer: {
    access: ADMIN,
    summary: 'Correct or change the buyer of an order: links end, and active tickets get new codes',
    body: order.correctBuyerBodySchema,
    answer: order.deskOrderAnswerSchema,
  },
  cancelDeskOrder: { access: ADMIN, summary: 'Cancel an unpaid order', answer: order.deskOrderAnswerSchema },
  exportBuyer: { access: ADMIN, summary: 'All that is stored about the buyer of an order who has no account, as JSON' },
  eraseBuyer: {
    access: ADMIN,
    summary:
      'Erase a buyer without an account, with all orders of the same email or phone number; tickets and sums stay',
    answer: order.deskOrderAnswerSchema,
  },
  books: { access: READERS, summary: 'Whether money, tickets and seats agree', answer: order.booksAnswerSchema },
  attention: {
    access: ADMIN,
    summary: 'Money that needs a person, and entries outside the event’s day',
    answer: order.attentionAnswerSchema,
  },
  setBackEntries: {
    access: ADMIN,
    summary: 'Make tickets that were used outside the event’s day active again',
    body: order.setBackBodySchema,
    answer: order.setBackAnswerSchema,
  },
  exportAttention: {
    access: ADMIN,
    summary: 'Money that needed a person on these days, with what was done about it, as CSV',
    query: daysQuerySchema,
  },
  tickOffCards: {
    access: ADMIN,
    summary: "Tick a seller's card sales of a day off against the terminal's total",
    body: order.terminalTotalBodySchema,
    answer: okSchema,
  },
  phoneSales: {
    access: ADMIN,
    summary: 'What a phone sold or gave away without cash and nobody has proven',
    answer: order.phoneSalesAnswerSchema,
  },
  lookAtSales: {
    access: ADMIN,
    summary: 'Record that these sales of a phone were looked at, so that it may sell more without cash',
    body: order.lookAtSalesBodySchema,
    answer: order.phoneSalesAnswerSchema,
  },
  cancelPhoneSales: {
    access: ADMIN,
    summary: 'Cancel sales of a phone whose money never came, with their tickets; nothing goes back',
    body: order.cancelSalesBodySchema,
    answer: order.phoneSalesAnswerSchema,
  },
  resolveAttention: {
    access: ADMIN,
    summary: 'Resolve a matter about money',
    body: order.resolveBodySchema,
    answer: order.resolvedAnswerSchema,
  },
  cashSessions: {
    access: ADMIN,
    rights: ['sell'],
    summary: 'Cash sessions opened on these days, and the own open one',
    query: daysQuerySchema,
    answer: cash.cashSessionsAnswerSchema,
  },
  exportCashSessions: {
    access: ADMIN,
    summary: 'All cash sessions opened on these days as CSV',
    query: daysQuerySchema,
  },
  openCashSession: {
    access: ADMIN,
    rights: ['sell'],
    summary: 'Open an own cash session with a float',
    body: cash.openCashBodySchema,
    answer: cash.cashSessionAnswerSchema,
    status: 201,
  },
  closeCashSession: {
    access: ADMIN,
    rights: ['sell'],
    summary: 'Close an own cash session with the counted amount',
    body: cash.closeCashBodySchema,
    answer: cash.cashSessionAnswerSchema,
  },
  readStatement: {
    access: ADMIN,
    summary: 'The columns of a bank statement, and what each seems to hold',
    body: statement.readStatementBodySchema,
    answer: statement.readStatementAnswerSchema,
  },
  importStatement: {
    access: ADMIN,
    summary: 'Store the credits of a bank statement and match them with orders; confirms nothing',
    body: statement.importStatementBodySchema,
    answer: statement.importStatementAnswerSchema,
  },
  statementLines: {
    access: ADMIN,
    summary: 'Imported credits of these days and the orders they match',
    query: daysQuerySchema,
    answer: statement.statementLinesAnswerSchema,
  },
  exportStatement: {
    access: ADMIN,
    summary: 'All imported credits of these days and the orders they match, as CSV',
    query: daysQuerySchema,
  },
  confirmStatement: {
    access: ADMIN,
    summary: 'Confirm the orders that these credits paid',
    body: statement.confirmStatementBodySchema,
    answer: statement.confirmStatementAnswerSchema,
  },
  setLineAside: {
    access: ADMIN,
    summary: 'Set a credit that pays no order aside with a note, or bring it back',
    body: statement.setLineAsideBodySchema,
    answer: statement.statementLinesAnswerSchema,
  },
  exportPayouts: {
    access: ADMIN,
    summary: "All of the provider's payouts of these days as CSV",
    query: daysQuerySchema,
  },
  exportDifferences: {
    access: ADMIN,
    summary: "Differences between the provider's payouts of these days and our payments and refunds, as CSV",
    query: daysQuerySchema,
  },
  settlements: {
    access: ADMIN,
    summary: "The provider's payouts of these days, and their differences from our payments and refunds",
    query: daysQuerySchema,
    answer: statement.settlementsAnswerSchema,
  },
  razorpayWebhook: {
    access: 'anyone',
    summary: 'Reports from Razorpay, verified by their signature',
    raw: true,
    answer: okSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>
