import type { CashSession, MoneyTotal } from '@garba/shared/contracts/order'
import type { Payout, StatementLine } from '@garba/shared/contracts/statement'
import { last8 } from '@garba/shared/messages/common'
import { dateFormat } from '@garba/shared/messages/formats'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { moneyTotals } from '../../flows/money/books.ts'
import { everyCashSession } from '../../flows/money/drawers.ts'
import { type ExportedOrder, everyOrder } from '../../flows/money/orders/deskOrders.ts'
import { everyPayout } from '../../flows/reconciliation/payouts.ts'
import { everyCredit } from '../../flows/reconciliation/statements.ts'
import type { Ctx } from '../context.ts'
import { type Columns, csvOf, fileAnswer } from '../csv.ts'
import type { Routes } from '../mount.ts'

type Time = (at: string | null) => string | null

/** Formats times for spreadsheets, in the event's zone: 2025-09-22 18:30:00. */
const timesIn = (timeZone: string): Time => {
  const format = dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
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

async function csvAnswer<R>(c: Ctx, name: string, { columns, rows }: { columns: Columns<R>; rows: readonly R[] }) {
  return fileAnswer(c, { name, type: 'text/csv', text: await csvOf(columns, rows) })
}

/** Files for the organiser's accountant. Amounts are rupees. */
export const moneyExportRoutes = {
  exportOrders: async ({ deps, query, c }) =>
    csvAnswer(c, 'orders.csv', {
      columns: orderColumns(timesIn(deps.settings.timezone)),
      rows: await everyOrder(deps, query),
    }),
  exportTotals: async ({ deps, query, c }) =>
    csvAnswer(c, 'totals.csv', { columns: TOTALS, rows: await moneyTotals(deps, query) }),
  exportCashSessions: async ({ deps, c }) =>
    csvAnswer(c, 'cash-sessions.csv', {
      columns: drawerColumns(timesIn(deps.settings.timezone)),
      rows: await everyCashSession(deps),
    }),
  exportPayouts: async ({ deps, c }) =>
    csvAnswer(c, 'payouts.csv', { columns: PAYOUTS, rows: await everyPayout(deps) }),
  exportStatement: async ({ deps, c }) =>
    csvAnswer(c, 'statement.csv', {
      columns: creditColumns(timesIn(deps.settings.timezone)),
      rows: await everyCredit(deps),
    }),
} satisfies Routes
