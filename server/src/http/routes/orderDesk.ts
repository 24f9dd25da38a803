import type { OrderListed } from '@garba/shared/contracts/order'
import { requireRight } from '../../flows/authenticate.ts'
import { listAttention, settleAttention, waitingByUpi } from '../../flows/money/attention.ts'
import { moneyTotals, readBooks } from '../../flows/money/books.ts'
import { cancelDeskOrder } from '../../flows/money/cancelOrder.ts'
import { cashSessions, closeCashSession, openCashSession } from '../../flows/money/cashSessions.ts'
import { confirmPayment } from '../../flows/money/confirmPayment.ts'
import { deskOrder, everyOrder, listOrders } from '../../flows/money/deskOrders.ts'
import { refundOrder } from '../../flows/money/refundOrder.ts'
import { resendMail } from '../../flows/money/resendMail.ts'
import { sellAtDesk } from '../../flows/money/sellAtDesk.ts'
import { eraseBuyer, exportBuyer } from '../../flows/personalData.ts'
import { idempotencyKeyOf } from '../context.ts'
import { type Columns, csvOf, fileAnswer, personFile } from '../csv.ts'
import type { Routes } from '../mount.ts'

const COLUMNS: Columns<OrderListed> = [
  ['Order', (order) => order.code],
  ['Placed', (order) => order.createdAt],
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
]

export const orderDeskRoutes = {
  deskOrders: ({ deps, query }) => listOrders(deps, query),
  deskOrder: async ({ deps, params }) => ({ order: await deskOrder(deps, params.code ?? '') }),
  sellAtDesk: ({ deps, user, body, c }) => {
    requireRight(user, body.method === 'complimentary' ? 'complimentary' : 'sell')
    if (body.admit) requireRight(user, 'scan')
    return sellAtDesk(deps, { ...body, seller: user, idempotencyKey: idempotencyKeyOf(c) })
  },
  confirmOrder: async ({ deps, user, body, params }) => ({
    order: await confirmPayment(deps, { ...body, admin: user, code: params.code ?? '' }),
  }),
  refundOrder: async ({ deps, user, body, params, c }) => {
    const { ticketIds, reason, includeUsed } = body
    const asked = { admin: user, code: params.code ?? '', ticketIds, reason, includeUsed }
    return { order: await refundOrder(deps, { ...asked, idempotencyKey: idempotencyKeyOf(c) }) }
  },
  resendOrder: async ({ deps, user, params }) => ({
    order: await resendMail(deps, { admin: user, code: params.code ?? '' }),
  }),
  cancelDeskOrder: async ({ deps, user, params }) => ({
    order: await cancelDeskOrder(deps, { admin: user, code: params.code ?? '' }),
  }),
  exportBuyer: async ({ deps, params, c }) => personFile(c, await exportBuyer(deps, params.code ?? '')),
  eraseBuyer: async ({ deps, user, params }) => {
    const code = params.code ?? ''
    await eraseBuyer(deps, { admin: user, code })
    return { order: await deskOrder(deps, code) }
  },
  moneyTotals: async ({ deps, query }) => ({ totals: await moneyTotals(deps, query) }),
  books: async ({ deps }) => ({ books: await readBooks(deps) }),
  attention: async ({ deps }) => ({ attention: await listAttention(deps), upiWaiting: await waitingByUpi(deps) }),
  resolveAttention: async ({ deps, user, body, params }) => ({
    resolved: await settleAttention(deps, { admin: user, id: params.id ?? '', resolution: body.resolution }),
  }),
  cashSessions: ({ deps, user }) => cashSessions(deps, user),
  openCashSession: async ({ deps, user, body }) => ({
    session: await openCashSession(deps, { user, float: body.float }),
  }),
  closeCashSession: async ({ deps, user, body, params }) => ({
    session: await closeCashSession(deps, { ...body, user, id: params.id ?? '' }),
  }),
  exportOrders: async ({ deps, query, c }) => {
    const text = await csvOf(COLUMNS, await everyOrder(deps, query))
    return fileAnswer(c, { name: 'orders.csv', type: 'text/csv', text })
  },
} satisfies Routes
