import { MAIL_NEWS } from '@garba/shared/contracts/names'
import type { Attention, DeskOrder, OrderListed } from '@garba/shared/contracts/order'
import { toRupees } from '@garba/shared/rules/money'
import type { PaymentSettings } from '../../../paymentSettings.ts'
import type { AttentionRow } from '../../../store/attention.ts'
import type { JobRow } from '../../../store/jobs.ts'
import type { Money } from '../../../store/orderLists.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { PaymentRow } from '../../../store/payments.ts'
import type { RefundRow } from '../../../store/refunds.ts'
import { type OrderRows, orderView, paymentView, refundView, type WholeOrderRows, wholeOrderView } from './orderView.ts'

const buyerOf = ({ buyerName, buyerEmail, buyerPhone }: OrderRow) => ({
  name: buyerName,
  email: buyerEmail,
  phone: buyerPhone,
})

/** A row of the desk's list. */
export const listedOrderView = (
  { money, ...rows }: OrderRows & { money: Money | undefined },
  settings: Pick<PaymentSettings, 'upi'>,
): OrderListed => ({
  ...orderView(rows, settings),
  buyer: buyerOf(rows.order),
  seller: rows.order.sellerName,
  captured: toRupees(money?.captured ?? 0),
  refunded: toRupees(money?.refunded ?? 0),
  requested: toRupees(money?.requested ?? 0),
})

const deskPaymentView = (payment: PaymentRow): DeskOrder['payments'][number] => ({
  ...paymentView(payment),
  providerRef: payment.providerRef,
  providerPaymentId: payment.providerPaymentId,
  utr: payment.utr,
  reference: payment.reference,
  fee: payment.feePaise === null ? null : toRupees(payment.feePaise),
  recordedBy: payment.recordedByName,
  note: payment.note,
})

const deskRefundView = (refund: RefundRow): DeskOrder['refunds'][number] => ({
  ...refundView(refund),
  state: refund.state,
  providerRefundId: refund.providerRefundId,
  attempts: refund.attempts,
  nextAt: refund.nextAt?.toISOString() ?? null,
  lastError: refund.lastError,
  reason: refund.reason,
  requestedBy: refund.requestedByName,
})

const jobView = (job: JobRow): DeskOrder['jobs'][number] => {
  const { kind, payload, createdAt, endedAt, gaveUp, attempts, lastError } = job
  return {
    kind,
    mail: MAIL_NEWS.find((news) => kind === 'mail' && news === payload.what) ?? null,
    at: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    gaveUp,
    attempts,
    lastError,
  }
}

export const attentionView = (row: AttentionRow, order: string | null): Attention => ({
  id: row.id,
  kind: row.kind,
  order,
  amount: toRupees(row.amountPaise),
  detail: row.detail,
  at: row.createdAt.toISOString(),
})

interface DeskRows extends WholeOrderRows {
  jobs: readonly JobRow[]
  matters: readonly AttentionRow[]
  account: string | null
}

/** An order with everything the desk may see of it. */
export const deskOrderView = (
  { jobs, matters, account, ...rows }: DeskRows,
  settings: Pick<PaymentSettings, 'upi'>,
): DeskOrder => ({
  ...wholeOrderView(rows, settings),
  buyer: buyerOf(rows.order),
  account,
  seller: rows.order.sellerName,
  reason: rows.order.reason,
  payments: rows.payments.map(deskPaymentView),
  refunds: rows.refunds.map(deskRefundView),
  matters: matters.map((row) => attentionView(row, rows.order.code)),
  jobs: jobs.map(jobView),
})
