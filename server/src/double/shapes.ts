import { feeOf, type Happening, type Link, type Payment, type Refund, refundedOf, taxOf } from './records.ts'

/** The provider's JSON, with all documented fields this double uses. Times are in seconds. */
const seconds = (ms: number) => Math.floor(ms / 1000)

export function linkJson(link: Link, pageUrl: string) {
  const captured = link.payments.filter(({ capturedAt }) => capturedAt !== null)
  return {
    accept_partial: false,
    amount: link.paise,
    amount_paid: captured.reduce((sum, { paise }) => sum + paise, 0),
    callback_method: 'get',
    callback_url: link.callbackUrl,
    cancelled_at: link.status === 'cancelled' ? seconds(link.updatedAt) : 0,
    created_at: seconds(link.createdAt),
    currency: 'INR',
    customer: link.customer,
    description: link.description,
    expire_by: seconds(link.expiresAt),
    expired_at: link.status === 'expired' ? seconds(link.updatedAt) : 0,
    first_min_partial_amount: 0,
    id: link.id,
    notes: null,
    notify: { email: false, sms: false, whatsapp: false },
    // The real provider names the order only after a payment attempt.
    ...(link.payments.length > 0 ? { order_id: link.orderId } : {}),
    payments:
      captured.length === 0
        ? null
        : captured.map((payment) => ({
            amount: payment.paise,
            created_at: seconds(payment.createdAt),
            method: 'upi',
            payment_id: payment.id,
            plink_id: link.id,
            status: 'captured',
            updated_at: seconds(payment.capturedAt ?? payment.createdAt),
          })),
    reference_id: link.reference,
    reminder_enable: false,
    reminders: [],
    short_url: pageUrl,
    status: link.status,
    updated_at: seconds(link.updatedAt),
    upi_link: false,
    user_id: '',
  }
}

export function paymentJson(payment: Payment) {
  const { link, paise, capturedAt, errorReason } = payment
  const refunded = refundedOf(payment)
  const failed = payment.status === 'failed'
  return {
    id: payment.id,
    entity: 'payment',
    amount: paise,
    currency: 'INR',
    status: payment.status,
    order_id: link.orderId,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded === paise ? 'full' : 'partial',
    captured: capturedAt !== null,
    description: `#${link.id.replace('plink_', '')}`,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: 'guest@upi',
    email: link.customer.email ?? 'void@razorpay.com',
    contact: '+919999999999',
    notes: [],
    fee: capturedAt === null ? null : feeOf(paise) + taxOf(paise),
    tax: capturedAt === null ? null : taxOf(paise),
    error_code: failed ? 'BAD_REQUEST_ERROR' : null,
    error_description: failed ? 'Payment was unsuccessful due to a temporary issue.' : null,
    error_source: failed ? 'gateway' : null,
    error_step: failed ? 'payment_response' : null,
    error_reason: errorReason,
    created_at: seconds(payment.createdAt),
  }
}

export function refundJson(refund: Refund) {
  return {
    id: refund.id,
    entity: 'refund',
    amount: refund.paise,
    currency: 'INR',
    payment_id: refund.payment.id,
    notes: [],
    receipt: refund.receipt,
    acquirer_data: { arn: null },
    created_at: seconds(refund.createdAt),
    batch_id: null,
    status: refund.status,
    speed_processed: 'normal',
    speed_requested: 'normal',
  }
}

/** An event as webhooks carry it: a snapshot, made when it happened. */
export function eventJson(happening: Happening, pageUrl: (link: Link) => string, at: Date) {
  const entities: Record<string, unknown> = {}
  if ('payment' in happening) entities.payment = paymentJson(happening.payment)
  if ('refund' in happening) {
    entities.refund = refundJson(happening.refund)
    entities.payment = paymentJson(happening.refund.payment)
  }
  if ('link' in happening) entities.payment_link = linkJson(happening.link, pageUrl(happening.link))
  return {
    entity: 'event',
    account_id: 'acc_Double00000000',
    event: happening.kind,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
    created_at: seconds(at.getTime()),
  }
}

const settlement = (at: number) => ({
  settled: true,
  settled_at: seconds(at),
  settlement_id: `setl_${seconds(at)}`,
  settlement_utr: `${seconds(at)}double`,
  currency: 'INR',
  on_hold: false,
})

/** Lines of the reconciliation report; `at` is when they were settled. */
export function settledPaymentJson(payment: Payment, at: number) {
  const { paise, link } = payment
  const { orderId } = link
  const fee = feeOf(paise) + taxOf(paise)
  return {
    entity_id: payment.id,
    type: 'payment',
    debit: 0,
    credit: paise - fee,
    amount: paise,
    fee,
    tax: taxOf(paise),
    payment_id: null,
    order_id: orderId,
    ...settlement(at),
  }
}

export function settledRefundJson(refund: Refund, at: number) {
  return {
    entity_id: refund.id,
    type: 'refund',
    debit: refund.paise,
    credit: 0,
    amount: refund.paise,
    fee: 0,
    tax: 0,
    payment_id: refund.payment.id,
    order_id: refund.payment.link.orderId,
    ...settlement(at),
  }
}
