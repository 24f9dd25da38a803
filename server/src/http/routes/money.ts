import { requireRight } from '../../flows/authenticate.ts'
import { moneyTotals, readBooks } from '../../flows/money/books.ts'
import { cashSessions, closeCashSession, openCashSession } from '../../flows/money/drawers.ts'
import { cancelDeskOrder } from '../../flows/money/orders/cancelOrder.ts'
import { confirmPayment } from '../../flows/money/orders/confirmPayment.ts'
import { deskOrder, listOrders, resendMail } from '../../flows/money/orders/deskOrders.ts'
import { sellAtDesk } from '../../flows/money/orders/sellAtDesk.ts'
import { listAttention, settleAttention, waitingByUpi } from '../../flows/money/refunds/matters.ts'
import { refundOrder } from '../../flows/money/refunds/refundOrder.ts'
import { eraseBuyer, exportBuyer } from '../../flows/people/personalData.ts'
import { idempotencyKeyOf } from '../context.ts'
import { personFile } from '../csv.ts'
import type { Routes } from '../mount.ts'

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
} satisfies Routes
