import type { CashSession, MoneyTotal } from '@garba/shared/contracts/money/cash'
import type { Payout, SettlementDifference, StatementLine } from '@garba/shared/contracts/money/statement'
import { shortenTicketId } from '@garba/shared/messages/common'
import { STATEMENT } from '@garba/shared/messages/money'
import { ORDER, ORDER_STAGES } from '@garba/shared/messages/order'
import { computeSettledDifference, toPaise, toRupees } from '@garba/shared/rules/money'
import { getOrderStage } from '@garba/shared/rules/orders/orderStage'
import { requireRight } from '../../flows/authenticate.ts'
import { refundOrder } from '../../flows/cancel/refundOrder.ts'
import { moneyTotals, readBooks } from '../../flows/money/books.ts'
import { cashSessions, closeCashSession, everyCashSession, openCashSession } from '../../flows/money/drawers.ts'
import { correctBuyer } from '../../flows/money/orders/correctBuyer.ts'
import {
  cancelDeskOrder,
  confirmPayment,
  deskOrder,
  type ExportedOrder,
  everyOrder,
  listDeskOrders,
  resendMail,
} from '../../flows/money/orders/deskOrders.ts'
import { importGuestList, readGuestList } from '../../flows/money/orders/guestList.ts'
import { cancelOrder, giveUtr, myOrders, oneOrder, placeOrder } from '../../flows/money/orders/guestOrders.ts'
import {
  cancelPhoneSales,
  listPhoneSales,
  markSalesReviewed,
  tickOffCards,
  unprovenSums,
} from '../../flows/money/orders/phoneSales.ts'
import { receiveEvent } from '../../flows/money/orders/providerEvents.ts'
import { sellAtDesk } from '../../flows/money/orders/sellAtDesk.ts'
import { joinWaiting, leaveWaiting, readOwnWaiting, readWaitingList } from '../../flows/money/orders/waitingList.ts'
import {
  type ExportedMatter,
  everyMatter,
  listAttention,
  resolveMatter,
  waitingUnpaid,
} from '../../flows/money/refunds/matters.ts'
import { eraseBuyer, exportBuyer } from '../../flows/people/personalData.ts'
import { everyDifference, everyPayout } from '../../flows/reconciliation/payouts.ts'
import { everyCredit } from '../../flows/reconciliation/statements.ts'
import { listOtherDay, setBackEntries } from '../../flows/tickets/otherDay.ts'
import { addServerTime, getCallerLanguage, requireIdempotencyKey } from '../context.ts'
import { type Columns, csvAnswer, personFile } from '../csv.ts'
import { limitGuesses } from '../limits.ts'
import type { Routes } from '../mount.ts'

const ORDERS: Columns<ExportedOrder> = [
  ['Order', (order) => order.code],
  ['Placed', (order) => order.createdAt, 'time'],
  ['State', (order) => ORDER_STAGES[getOrderStage(order.state, order)]],
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
  ['Paid', (order) => order.paidAt, 'time'],
  ['Refunded on', (order) => order.refundedAt, 'time'],
  ['Fee', (order) => order.fee],
  ['Payment ID', (order) => order.paymentIds],
  ['Drawer', (order) => order.drawer && shortenTicketId(order.drawer)],
  ['Reason', (order) => order.reasons],
]

const ORDER_TYPES: typeof ORDERS = [
  ['Types', ({ lines = [] }) => lines.map(({ type, quantity }) => `${quantity} ${type.name.en}`).join(', ')],
]
const ORDER_CODES: typeof ORDERS = [
  ['Promo code', ({ promo }) => promo?.code ?? null],
  ['Code made by', ({ promo }) => promo?.createdBy ?? null],
]

const less = (one: number, ...others: number[]): number =>
  toRupees(others.reduce((rest, other) => rest - toPaise(other), toPaise(one)))

const TOTALS: Columns<MoneyTotal> = [
  ['Day', (total) => total.day, 'day'],
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

const DRAWERS: Columns<CashSession> = [
  ['Drawer', (session) => shortenTicketId(session.id)],
  ['Person', (session) => session.person],
  ['Opened', (session) => session.openedAt, 'time'],
  ['Closed', (session) => session.closedAt, 'time'],
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
  ['Difference', computeSettledDifference],
]

const MATTERS: Columns<ExportedMatter> = [
  ['Since', (matter) => matter.at, 'time'],
  ['What', (matter) => ORDER.attention[matter.kind]],
  ['Amount', (matter) => matter.amount],
  ['Order', (matter) => matter.order],
  ['Detail', (matter) => matter.detail],
  ['Resolved', (matter) => matter.resolvedAt?.toISOString() ?? null, 'time'],
  ['Resolved by', (matter) => matter.resolvedByName],
  ['What was done', (matter) => matter.resolution],
]

const CREDITS: Columns<StatementLine> = [
  ['Day', (line) => line.day],
  ['Credit', (line) => line.amount],
  ['UTR', (line) => line.utr],
  ['Text', (line) => line.text],
  ['Match', (line) => line.match],
  ['Order', (line) => line.order?.code ?? null],
  ['Buyer', (line) => line.order?.buyer ?? null],
  ['Set aside', (line) => line.aside?.note ?? null],
  ['Set aside by', (line) => line.aside?.by ?? null],
  ['Imported', (line) => line.importedAt, 'time'],
]

export const moneyRoutes = {
  placeOrder: async ({ deps, user, body, limits, c }) => {
    const facts = { user, idempotencyKey: requireIdempotencyKey(c), language: getCallerLanguage(c) }
    const place = () => placeOrder(deps, { ...body, ...facts })
    return { order: body.code === undefined ? await place() : await limitGuesses({ deps, limits, c, user }, place) }
  },
  myOrders: ({ deps, user, query }) => myOrders(deps, { ...query, user }),
  order: async ({ deps, user, params }) => addServerTime(deps, { order: await oneOrder(deps, { user, ...params }) }),
  cancelOrder: async ({ deps, user, params }) => ({ order: await cancelOrder(deps, { user, ...params }) }),
  giveUtr: async ({ deps, user, body, params }) => ({ order: await giveUtr(deps, { user, ...params, utr: body.utr }) }),
  razorpayWebhook: async ({ deps, raw, c }) => {
    await receiveEvent(deps, { body: raw, headers: c.req.raw.headers })
    return {}
  },
  deskOrders: ({ deps, query }) => listDeskOrders(deps, query),
  deskOrder: async ({ deps, params }) => ({ order: await deskOrder(deps, params.code) }),
  sellAtDesk: ({ deps, user, body, c }) => {
    requireRight(user, body.method === 'complimentary' ? 'complimentary' : 'sell')
    if (body.admit) requireRight(user, 'scan')
    return sellAtDesk(deps, { ...body, seller: user, idempotencyKey: requireIdempotencyKey(c) })
  },
  joinWaiting: ({ deps, user, body, c }) => joinWaiting(deps, { user, ...body, language: getCallerLanguage(c) }),
  ownWaiting: ({ deps, user }) => readOwnWaiting(deps, user),
  leaveWaiting: ({ deps, user }) => leaveWaiting(deps, user),
  waitingList: ({ deps }) => readWaitingList(deps),
  readGuestList: ({ deps, body }) => readGuestList(deps, body.csv),
  importGuestList: ({ deps, user, body, c }) =>
    importGuestList(deps, { ...body, admin: user, idempotencyKey: requireIdempotencyKey(c) }),
  confirmOrder: async ({ deps, user, body, params }) => ({
    order: await confirmPayment(deps, { ...body, admin: user, ...params }),
  }),
  refundOrder: async ({ deps, user, body, params, c }) => {
    const { ticketIds, reason, includeUsed, tickets: seen } = body
    const request = { admin: user, ...params, ticketIds, reason, includeUsed, seen }
    return { order: await refundOrder(deps, { ...request, idempotencyKey: requireIdempotencyKey(c) }) }
  },
  resendOrder: async ({ deps, user, params }) => ({ order: await resendMail(deps, { admin: user, ...params }) }),
  correctBuyer: async ({ deps, user, body, params }) => ({
    order: await correctBuyer(deps, { admin: user, ...params, ...body }),
  }),
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
  attention: async ({ deps }) => ({
    attention: await listAttention(deps),
    otherDay: await listOtherDay(deps),
    unproven: await unprovenSums(deps),
    unpaid: await waitingUnpaid(deps),
  }),
  setBackEntries: ({ deps, user, body }) => setBackEntries(deps, { ...body, admin: user }),
  tickOffCards: async ({ deps, user, body }) => {
    await tickOffCards(deps, { ...body, admin: user })
    return {}
  },
  phoneSales: async ({ deps, params }) => ({ sales: await listPhoneSales(deps, params.id) }),
  lookAtSales: async ({ deps, user, body, params }) => ({
    sales: await markSalesReviewed(deps, { ...body, ...params, admin: user }),
  }),
  cancelPhoneSales: async ({ deps, user, body, params }) => ({
    sales: await cancelPhoneSales(deps, { ...body, ...params, admin: user }),
  }),
  resolveAttention: async ({ deps, user, body, params }) => ({
    resolved: await resolveMatter(deps, { admin: user, ...params, resolution: body.resolution }),
  }),
  cashSessions: ({ deps, user, query }) => cashSessions(deps, { ...query, user }),
  openCashSession: async ({ deps, user, body }) => ({
    session: await openCashSession(deps, { user, float: body.float }),
  }),
  closeCashSession: async ({ deps, user, body, params }) => ({
    session: await closeCashSession(deps, { ...body, user, ...params }),
  }),
  exportOrders: async ({ deps, query, c }) => {
    const { rows, hasTypes, hasCodes } = await everyOrder(deps, query)
    const columns = [...ORDERS, ...(hasTypes ? ORDER_TYPES : []), ...(hasCodes ? ORDER_CODES : [])]
    return csvAnswer(c, deps, { name: 'orders.csv', columns, rows })
  },
  exportTotals: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'totals.csv', columns: TOTALS, rows: await moneyTotals(deps, query) }),
  exportCashSessions: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'cash-sessions.csv', columns: DRAWERS, rows: await everyCashSession(deps, query) }),
  exportPayouts: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'payouts.csv', columns: PAYOUTS, rows: await everyPayout(deps, query) }),
  exportDifferences: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'differences.csv', columns: DIFFERENCES, rows: await everyDifference(deps, query) }),
  exportAttention: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'money-to-decide.csv', columns: MATTERS, rows: await everyMatter(deps, query) }),
  exportStatement: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'statement.csv', columns: CREDITS, rows: await everyCredit(deps, query) }),
} satisfies Routes
