import { paysByLink, type RefundKind, type RefundState } from '@garba/shared/contracts/names'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { type AttentionRow, insertAttention, openAttentionOf, resolveByKey } from '../../../store/attention.ts'
import { newId } from '../../../store/ids.ts'
import { insertJob } from '../../../store/jobs.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { PaymentRow } from '../../../store/payments.ts'
import { insertRefund, newRefund } from '../../../store/refunds.ts'
import type { WriteTx } from '../../../store/sql.ts'
import { capturedMoney } from './capturedMoney.ts'

interface Requested {
  payment: PaymentRow
  kind: RefundKind
  paise: number
  now: Date
  ticketId?: string | null
  reason?: string | null | undefined
  /** The person who asked for it; absent for our own. */
  by?: string
  /** Replaces `requested` when an admin acts by hand. */
  state?: RefundState
  /** The refund that this one replaces, because it failed or was not made by hand after all. */
  retryOf?: string
}

/** Whether the provider pays it back by itself; otherwise a person must, by hand. */
export const refundsItself = ({ provider, providerPaymentId }: PaymentRow): boolean =>
  paysByLink(provider) && providerPaymentId !== null

/**
 * Stores that money is to go back, with the job that asks the provider for it. Money that came another way waits in the
 * desk's list of due refunds.
 */
export async function requestRefund(
  tx: WriteTx,
  { payment, kind, paise, now, ticketId, reason, by, state = 'requested', retryOf }: Requested,
): Promise<void> {
  if (paise <= 0) return
  const id = newId(now)
  const about = {
    ticketId: ticketId ?? null,
    reason: reason ?? null,
    requestedByName: by ?? null,
    retryOf: retryOf ?? null,
  }
  await insertRefund(
    tx,
    newRefund({ id, paymentId: payment.id, kind, amountPaise: paise, state, createdAt: now, ...about }),
  )
  if (state !== 'requested') return
  if (!refundsItself(payment)) return ticketId ? undefined : notePayBack(tx, { id, payment, paise, now })
  await insertJob(tx, {
    kind: 'refund',
    id: `refund:${id}`,
    payload: { refundId: id },
    orderId: payment.orderId,
    createdAt: now,
    dueAt: now,
  })
  tx.announce('jobs')
}

const PAY_BACK = 'payBack:'

/** No ticket shows this refund, so the desk has it as a matter until it has been paid. */
async function notePayBack(
  tx: WriteTx,
  { id, payment, paise, now }: { id: string; payment: PaymentRow; paise: number; now: Date },
): Promise<void> {
  await insertAttention(tx, {
    id: newId(now),
    kind: 'payBack',
    dedupeKey: `${PAY_BACK}${id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    amountPaise: paise,
    detail: payment.utr ?? '',
    createdAt: now,
  })
}

const ABOUT_REFUNDS: ReadonlySet<AttentionRow['kind']> = new Set(['payBack', 'refundFailed', 'refundBounced'])

/** The refund that a matter concerns, if any. */
export const refundOfMatter = ({ kind, dedupeKey }: Pick<AttentionRow, 'kind' | 'dedupeKey'>): string | null =>
  ABOUT_REFUNDS.has(kind) ? dedupeKey.slice(dedupeKey.indexOf(':') + 1) : null

/** Takes an order off the list of those with too little money. */
export async function settleShort(
  tx: WriteTx,
  { id: orderId }: Pick<OrderRow, 'id'>,
  set: { resolvedAt: Date; resolution: string },
): Promise<void> {
  for (const { dedupeKey } of await openAttentionOf(tx, { orderId, kind: 'short' }))
    await resolveByKey(tx, dedupeKey, set)
}

/** Sends back all that an order without tickets still holds. Returns the paise. */
export async function returnAll(
  tx: WriteTx,
  order: Pick<OrderRow, 'id'>,
  asked: Pick<Requested, 'kind' | 'now' | 'reason' | 'by'>,
): Promise<number> {
  let sum = 0
  for (const { payment, leftPaise: paise } of await capturedMoney(tx, order.id)) {
    await requestRefund(tx, { payment, paise, ...asked })
    sum += Math.max(0, paise)
  }
  if (sum > 0) await settleShort(tx, order, { resolvedAt: asked.now, resolution: ORDER_WORDS.goesBack })
  return sum
}

/**
 * Requests a part of an order's money back: from one payment that holds it all, or else from as many as needed. Returns
 * the paise requested, which are fewer when less of its money is left.
 */
export async function requestFromOrder(
  tx: WriteTx,
  { id }: Pick<OrderRow, 'id'>,
  { paise, ...asked }: Omit<Requested, 'payment'>,
): Promise<number> {
  const captured = await capturedMoney(tx, id)
  const whole = captured.find(({ leftPaise }) => leftPaise >= paise)
  let due = paise
  for (const { payment, leftPaise } of whole ? [whole] : captured) {
    const part = Math.min(due, Math.max(0, leftPaise))
    await requestRefund(tx, { payment, paise: part, ...asked })
    due -= part
  }
  return paise - due
}
