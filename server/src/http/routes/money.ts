import type { CashSession, MoneyTotal } from '@garba/shared/contracts/order'
import type { Payout, SettlementDifference, StatementLine } from '@garba/shared/contracts/statement'
import { last8 } from '@garba/shared/messages/common'
import { dateFormat } from '@garba/shared/messages/formats'
import { STATEMENT } from '@garba/shared/messages/money'
import { ORDER } from '@garba/shared/messages/order'
import { settledMore, toPaise, toRupees } from '@garba/shared/rules/money'
import { requireRight } from '../../flows/authenticate.ts'
import type { Deps } from '../../flows/deps.ts'
import { moneyTotals, readBooks } from '../../flows/money/books.ts'
import { cashSessions, closeCashSession, everyCashSession, openCashSession } from '../../flows/money/drawers.ts'
import {
  cancelDeskOrder,
  confirmPayment,
  deskOrder,
  type ExportedOrder,
  everyOrder,
  listOrders,
  resendMail,
} from '../../flows/money/orders/deskOrders.ts'
import { cancelOrder, giveUtr, myOrders, oneOrder, placeOrder } from '../../flows/money/orders/guestOrders.ts'
import { receiveEvent } from '../../flows/money/orders/providerEvents.ts'
import { sellAtDesk } from '../../flows/money/orders/sellAtDesk.ts'
import {
  type ExportedMatter,
  everyMatter,
  listAttention,
  settleAttention,
  waitingByUpi,
} from '../../flows/money/refunds/matters.ts'
import { refundOrder } from '../../flows/money/refunds/requestRefund.ts'
import { eraseBuyer, exportBuyer } from '../../flows/people/personalData.ts'
import { everyDifference, everyPayout } from '../../flows/reconciliation/payouts.ts'
import { everyCredit } from '../../flows/reconciliation/statements.ts'
import { idempotencyKeyOf, languageOf, timed } from '../context.ts'
import { type Columns, csvAnswer, personFile } from '../csv.ts'
import type { Routes } from '../mount.ts'

type Time = (at: string | null) => string | null

/** Formats times for spreadsheets, in the event's zone: 2025-09-22 18:30:00. */
const timesIn = ({ settings }: Deps): Time => {
  const format = dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: settings.timezone })
  return (at) => at && format.format(new Date(at))
}

const orderColumns = (time: Time): Columns<ExportedOrder> => [
  ['Order', (order) => order.code],
  ['Placed', (order) => time(order.createdAt)],
  ['State', (order) => order.state],
  ['Channel', (order) => order.channel],
  ['Provider', (order) => order.provider],
  ['Name', (order) => order.buyer.name],
  ['Email', (order) => order.buyer.email],
  ['Phone', (order) => order.buyer.phone],
  ['Tickets', (order) => order.quantity],
  ['Total', (order) => order.total],
  ['Received', (order) => order.captured],
  ['Refunded', (order) => order.refunded],
  ['UTR', (order) => order.utr ?? null],
  ['Sold by', (order) => order.seller],
  ['Still to refund', (order) => order.requested],
  ['Paid', (order) => time(order.paidAt)],
  ['Refunded on', (order) => time(order.refundedAt)],
  ['Fee', (order) => order.fee],
  ['Payment ID', (order) => order.paymentIds],
  ['Drawer', (order) => order.drawer && last8(order.drawer)],
  ['Reason', (order) => order.reasons],
]

const less = (one: number, ...others: number[]): number =>
  toRupees(others.reduce((rest, other) => rest - toPaise(other), toPaise(one)))

const TOTALS: Columns<MoneyTotal> = [
  ['Day', (total) => total.day],
  ['Channel', (total) => total.channel],
  ['Provider', (total) => total.provider],
  ['Orders', (total) => total.orders],
  ['Received', (total) => total.captured],
  ['Refunded', (total) => total.refunded],
  ['Remaining', (total) => less(total.captured, total.refunded)],
  ['Still to refund', (total) => total.requested],
  ['Fees', (total) => total.fees],
  ['Net', (total) => less(total.captured, total.refunded, total.fees)],
]

const drawerColumns = (time: Time): Columns<CashSession> => [
  ['Drawer', (session) => last8(session.id)],
  ['Person', (session) => session.person],
  ['Opened', (session) => time(session.openedAt)],
  ['Closed', (session) => time(session.closedAt)],
  ['Float', (session) => session.float],
  ['Sales', (session) => session.sales],
  ['Cash taken', (session) => session.taken],
  ['Paid back', (session) => session.paidBack],
  ['Expected', (session) => session.expected],
  ['Counted', (session) => session.counted],
  ['Difference', (session) => session.difference],
  ['Note', (session) => session.note],
]

const PAYOUTS: Columns<Payout> = [
  ['Settlement', (payout) => payout.id],
  ['Provider', (payout) => payout.provider],
  ['Day', (payout) => payout.day],
  ['Items', (payout) => payout.lines],
  ['Payments', (payout) => payout.gross],
  ['Refunds', (payout) => payout.refunded],
  ['Fees', (payout) => payout.fees],
  ['Paid out', (payout) => payout.net],
]

const DIFFERENCES: Columns<SettlementDifference> = [
  ['What', (difference) => STATEMENT.payouts.differences[difference.kind]],
  ['Of', (difference) => difference.of],
  ['ID', (difference) => difference.id],
  ['Order', (difference) => difference.order],
  ['Settlement', (difference) => difference.settlementId],
  ['Day', (difference) => difference.day],
  ['Ours', (difference) => difference.ours],
  ['Settled', (difference) => difference.settled],
  ['Difference', settledMore],
]

const matterColumns = (time: Time): Columns<ExportedMatter> => [
  ['Since', (matter) => time(matter.at)],
  ['What', (matter) => ORDER.attention[matter.kind]],
  ['Amount', (matter) => matter.amount],
  ['Order', (matter) => matter.order],
  ['Detail', (matter) => matter.detail],
  ['Resolved', (matter) => time(matter.resolvedAt?.toISOString() ?? null)],
  ['Resolved by', (matter) => matter.resolvedByName],
  ['What was done', (matter) => matter.resolution],
]

const creditColumns = (time: Time): Columns<StatementLine> => [
  ['Day', (line) => line.day],
  ['Credit', (line) => line.amount],
  ['UTR', (line) => line.utr],
  ['Text', (line) => line.text],
  ['Match', (line) => line.match],
  ['Order', (line) => line.order?.code ?? null],
  ['Buyer', (line) => line.order?.buyer ?? null],
  ['Set aside', (line) => line.aside?.note ?? null],
  ['Set aside by', (line) => line.aside?.by ?? null],
  ['Imported', (line) => time(line.importedAt)],
]

export const moneyRoutes = {
  placeOrder: async ({ deps, user, body, c }) => ({
    order: await placeOrder(deps, {
      user,
      quantity: body.quantity,
      total: body.total,
      provider: body.provider,
      idempotencyKey: idempotencyKeyOf(c),
      language: languageOf(c),
    }),
  }),
  myOrders: ({ deps, user, query }) => myOrders(deps, { ...query, user }),
  order: async ({ deps, user, params }) => timed(deps, { order: await oneOrder(deps, { user, ...params }) }),
  cancelOrder: async ({ deps, user, params }) => ({ order: await cancelOrder(deps, { user, ...params }) }),
  giveUtr: async ({ deps, user, body, params }) => ({ order: await giveUtr(deps, { user, ...params, utr: body.utr }) }),
  razorpayWebhook: async ({ deps, raw, c }) => {
    await receiveEvent(deps, { body: raw, headers: c.req.raw.headers })
    return {}
  },
  deskOrders: ({ deps, query }) => listOrders(deps, query),
  deskOrder: async ({ deps, params }) => ({ order: await deskOrder(deps, params.code) }),
  sellAtDesk: ({ deps, user, body, c }) => {
    requireRight(user, body.method === 'complimentary' ? 'complimentary' : 'sell')
    if (body.admit) requireRight(user, 'scan')
    return sellAtDesk(deps, { ...body, seller: user, idempotencyKey: idempotencyKeyOf(c) })
  },
  confirmOrder: async ({ deps, user, body, params }) => ({
    order: await confirmPayment(deps, { ...body, admin: user, ...params }),
  }),
  refundOrder: async ({ deps, user, body, params, c }) => {
    const { ticketIds, reason, includeUsed, tickets: seen } = body
    const request = { admin: user, ...params, ticketIds, reason, includeUsed, seen }
    return { order: await refundOrder(deps, { ...request, idempotencyKey: idempotencyKeyOf(c) }) }
  },
  resendOrder: async ({ deps, user, params }) => ({ order: await resendMail(deps, { admin: user, ...params }) }),
  cancelDeskOrder: async ({ deps, user, params }) => ({
    order: await cancelDeskOrder(deps, { admin: user, ...params }),
  }),
  exportBuyer: async ({ deps, params, c }) => personFile(c, await exportBuyer(deps, params.code)),
  eraseBuyer: async ({ deps, user, params }) => {
    const code = params.code
    await eraseBuyer(deps, { admin: user, code })
    return { order: await deskOrder(deps, code) }
  },
  moneyTotals: async ({ deps, query }) => ({ totals: await moneyTotals(deps, query) }),
  books: async ({ deps }) => ({ books: await readBooks(deps) }),
  attention: async ({ deps }) => ({ attention: await listAttention(deps), upiWaiting: await waitingByUpi(deps) }),
  resolveAttention: async ({ deps, user, body, params }) => ({
    resolved: await settleAttention(deps, { admin: user, ...params, resolution: body.resolution }),
  }),
  cashSessions: ({ deps, user, query }) => cashSessions(deps, { ...query, user }),
  openCashSession: async ({ deps, user, body }) => ({
    session: await openCashSession(deps, { user, float: body.float }),
  }),
  closeCashSession: async ({ deps, user, body, params }) => ({
    session: await closeCashSession(deps, { ...body, user, ...params }),
  }),
  exportOrders: async ({ deps, query, c }) =>
    csvAnswer(c, 'orders.csv', orderColumns(timesIn(deps)), await everyOrder(deps, query)),
  exportTotals: async ({ deps, query, c }) => csvAnswer(c, 'totals.csv', TOTALS, await moneyTotals(deps, query)),
  exportCashSessions: async ({ deps, query, c }) =>
    csvAnswer(c, 'cash-sessions.csv', drawerColumns(timesIn(deps)), await everyCashSession(deps, query)),
  exportPayouts: async ({ deps, query, c }) => csvAnswer(c, 'payouts.csv', PAYOUTS, await everyPayout(deps, query)),
  exportDifferences: async ({ deps, query, c }) =>
    csvAnswer(c, 'differences.csv', DIFFERENCES, await everyDifference(deps, query)),
  exportAttention: async ({ deps, query, c }) =>
    csvAnswer(c, 'money-to-decide.csv', matterColumns(timesIn(deps)), await everyMatter(deps, query)),
  exportStatement: async ({ deps, query, c }) =>
    csvAnswer(c, 'statement.csv', creditColumns(timesIn(deps)), await everyCredit(deps, query)),
} satisfies Routes
